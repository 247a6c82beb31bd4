import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { address } from '../../data/api.ts'
import type { Media } from '../../data/generated.ts'
import { usePages, useRead } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { PersonField } from '../../parts/finder.tsx'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { kindOf, MediaTable } from '../../parts/media-table.tsx'
import { More } from '../../parts/more.tsx'
import { Section } from '../../parts/section.tsx'
import styles from './media.module.css'
import { Takedown } from './takedown.tsx'

/** Everything that was uploaded, by kind and by owner; what must not be here is taken down. */

const route = getRouteApi('/admin/media')

const kinds: readonly Media['kind'][] = [
  ...(['avatar', 'team_image', 'tournament_image', 'tournament_banner', 'update_image'] as const),
  ...(['badge_image', 'award_image', 'platform_image', 'app_image'] as const),
  ...(['overlay_image', 'overlay_video', 'overlay_font'] as const),
]

export function AdminMedia() {
  const search = route.useSearch()
  const kind = kinds.find((each) => each === search.kind)
  const { owner } = search
  const pages = usePages(address('/admin/media', {}, { limit: 50, ...(kind && { kind }), ...(owner && { owner }) }))
  const found = pages.data?.pages.flatMap(({ media }) => media)
  const [taken, setTaken] = useState<Media | null>(null)
  return (
    <div className="page wide stack">
      <div className="title">
        <div>
          <h1>{words('admin-media.title')}</h1>
          <p>{words('admin-media.about')}</p>
        </div>
      </div>
      <Section title={words('admin-media.all')} beside={<Filters kind={kind} owner={owner} />}>
        <div role="status">
          {taken !== null && (
            <p className="notice">
              <span>
                <bdi className="strong">{taken.name}</bdi> {words('admin-media.taken', { usages: taken.usages })}
              </span>
            </p>
          )}
        </div>
        <Loaded of={{ ...pages, data: found }} rows={8}>
          {(media) =>
            media.length === 0 ? (
              <Empty>
                {words(kind === undefined && owner === undefined ? 'admin-media.none' : 'admin-media.no-hit')}
              </Empty>
            ) : (
              <>
                <MediaTable
                  media={media}
                  label={words('admin-media.table')}
                  acts={(each) => <Takedown of={each} taken={setTaken} />}
                />
                <More of={pages} />
              </>
            )
          }
        </Loaded>
      </Section>
    </div>
  )
}

interface FiltersProps {
  readonly kind: Media['kind'] | undefined
  /** GUID of a user. */
  readonly owner: string | undefined
}

function Filters({ kind, owner }: FiltersProps) {
  const id = useId()
  const navigate = useNavigate({ from: '/admin/media' })
  const card = useRead(owner === undefined ? null : address('/users/{user}/card', { user: owner })).data
  return (
    <div className={styles.filters}>
      <label>
        <span className="unseen">{words('manage-media.kind')}</span>
        <select
          className="in"
          value={kind ?? ''}
          onChange={({ target }) => void navigate({ search: (before) => ({ ...before, kind: target.value }) })}
        >
          <option value="">{words('manage-media.every-kind')}</option>
          {kinds.map((each) => (
            <option key={each} value={each}>
              {kindOf({ kind: each })}
            </option>
          ))}
        </select>
      </label>
      <div>
        <label htmlFor={id} className="unseen">
          {words('admin-media.owner')}
        </label>
        <PersonField
          id={id}
          placeholder={words('admin-media.owner')}
          chosen={owner === undefined ? null : (card ?? null)}
          choose={(user) => void navigate({ search: (before) => ({ ...before, owner: user?.guid ?? '' }) })}
        />
      </div>
    </div>
  )
}
