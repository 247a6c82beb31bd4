import { useState } from 'react'
import { address } from '../../data/api.ts'
import type { MediaQuota } from '../../data/generated.ts'
import { usePages } from '../../data/queries.ts'
import { useAccess, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { MediaTable } from '../../parts/media-table.tsx'
import { More } from '../../parts/more.tsx'
import { megabytes, sizeOf } from '../../parts/numbers.ts'
import { Section } from '../../parts/section.tsx'
import { type Kind, kindsFor } from './kinds.ts'
import styles from './media.module.css'
import { MediaActs } from './media-acts.tsx'
import { UploadForm } from './upload-form.tsx'

/** What was uploaded for the tournament: what uses it, who brought it, and how much room is left. */
export function ManageMedia() {
  const tournament = useTournamentId()
  const roles = useAccess().data?.roles ?? []
  const [kind, setKind] = useState<Kind | ''>('')
  const [use, setUse] = useState<'' | 'true' | 'false'>('')
  const query = { limit: 48, ...(kind !== '' && { kind }), ...(use !== '' && { unused: use === 'true' }) }
  const pages = usePages(address('/tournaments/{tournament}/media', { tournament }, query))
  const all = pages.data?.pages.flatMap(({ media }) => media)
  const quota = pages.data?.pages[0]?.quota
  const kinds = kindsFor(roles)
  const isNarrowed = kind !== '' || use !== ''
  return (
    <div className="page wide stack">
      <div className="title">
        <div>
          <h1>{words('manage.media')}</h1>
          <p>{words('manage-media.about')}</p>
        </div>
        {quota !== undefined && <Quota quota={quota} />}
      </div>
      {kinds.length > 0 && <UploadForm kinds={kinds} />}
      <Section
        title={words('manage-media.all')}
        beside={
          <div className="btns">
            <label>
              <span className="unseen">{words('manage-media.kind')}</span>
              <select className="in" value={kind} onChange={({ target }) => setKind(target.value as Kind | '')}>
                <option value="">{words('manage-media.every-kind')}</option>
                {shownKinds.map((each) => (
                  <option key={each} value={each}>
                    {words(`media.kind-${each}`)}
                  </option>
                ))}
              </select>
            </label>
            <label>
              <span className="unseen">{words('manage-media.use')}</span>
              <select className="in" value={use} onChange={({ target }) => setUse(target.value as typeof use)}>
                <option value="">{words('manage-media.any-use')}</option>
                <option value="false">{words('manage-media.used')}</option>
                <option value="true">{words('manage-media.unused')}</option>
              </select>
            </label>
          </div>
        }
      >
        <Loaded of={{ data: all, error: pages.error, isFetching: pages.isFetching, refetch: pages.refetch }} rows={8}>
          {(media) => (
            <>
              {media.length === 0 ? (
                <Empty>
                  {words(
                    isNarrowed
                      ? 'manage-media.no-hit'
                      : kinds.length > 0
                        ? 'manage-media.empty'
                        : 'manage-media.empty-for-others',
                  )}
                </Empty>
              ) : (
                <MediaTable
                  media={media}
                  label={words('manage-media.all')}
                  acts={(each) => <MediaActs of={each} roles={roles} />}
                />
              )}
              <More of={pages} />
            </>
          )}
        </Loaded>
      </Section>
    </div>
  )
}

const shownKinds: readonly Kind[] = [
  ...(['overlay_image', 'overlay_video', 'overlay_font', 'tournament_image', 'tournament_banner'] as const),
  ...(['update_image', 'badge_image', 'team_image'] as const),
]

function Quota({ quota: { usedBytes, bytes, usedFiles, files } }: { readonly quota: MediaQuota }) {
  return (
    <div className={styles.quota}>
      <p>
        {words('media.quota', { used: sizeOf(usedBytes), limit: megabytes(bytes) })},{' '}
        {words('manage-media.files', { used: usedFiles, limit: files })}
      </p>
      <meter aria-label={words('media.room')} min={0} max={bytes} value={usedBytes} />
    </div>
  )
}
