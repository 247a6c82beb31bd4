import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { address } from '../data/api.ts'
import type { Badge } from '../data/generated.ts'
import { usePages } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Picture } from '../parts/badge.tsx'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { More } from '../parts/more.tsx'
import styles from './badges.module.css'

/** All badges, with how many hold them. */

const route = getRouteApi('/badges')
const kinds = ['placement', 'participation', 'staff', 'award', 'special'] as const

export function Badges() {
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/badges' })
  const kind = kinds.find((each) => each === search.kind)
  const pages = usePages(address('/badges', {}, { limit: 50, ...(search.q && { q: search.q }), ...(kind && { kind }) }))
  const found = pages.data?.pages.flatMap(({ badges }) => badges)
  const isFiltered = Object.keys(search).length > 0
  return (
    <div className="page stack">
      <div className="title">
        <div>
          <h1>{words('badges.title')}</h1>
          <p>{words('badges.what')}</p>
        </div>
      </div>
      <form
        className={styles.filters}
        onSubmit={(event) => {
          event.preventDefault()
          const q = String(new FormData(event.currentTarget).get('q') ?? '').trim()
          void navigate({ search: { ...(q !== '' && { q }), ...(kind && { kind }) } })
        }}
      >
        <input
          key={search.q}
          className="in"
          type="search"
          name="q"
          defaultValue={search.q}
          maxLength={100}
          placeholder={words('badges.filter')}
          aria-label={words('badges.filter')}
        />
        <div className={styles.kinds}>
          {[undefined, ...kinds].map((each) => (
            <Link
              key={each ?? 'all'}
              to="/badges"
              search={{ ...(search.q && { q: search.q }), ...(each && { kind: each }) }}
              className="btn"
              aria-current={each === kind ? 'true' : undefined}
              activeOptions={{ exact: true, includeSearch: true }}
            >
              {each === undefined ? words('tournaments.all') : words(`badges.${each}`)}
            </Link>
          ))}
        </div>
      </form>
      <Loaded of={{ ...pages, data: found }} rows={8}>
        {(badges) =>
          badges.length === 0 ? (
            <Empty>
              {words(isFiltered ? 'badges.no-hit' : 'badges.none')}{' '}
              {isFiltered && (
                <Link to="/badges" search={{}}>
                  {words('badges.drop-filters')}
                </Link>
              )}
            </Empty>
          ) : (
            <>
              <ul className={styles.badges}>
                {badges.map((badge) => (
                  <Line key={badge.guid} badge={badge} />
                ))}
              </ul>
              <More of={pages} />
            </>
          )
        }
      </Loaded>
    </div>
  )
}

function Line({ badge }: { readonly badge: Badge }) {
  const { guid, name, description, kind, holders, imageUrl } = badge
  return (
    <li className={styles.line}>
      <Picture address={imageUrl} name={name} />
      <div>
        <Link to="/badges/$badge" params={{ badge: guid }} className="plain strong">
          <bdi>{name}</bdi>
        </Link>
        <p className="muted" dir="auto">
          {description}
        </p>
        <p className="small muted">
          {words(`badges.${kind}`)}, {words('badges.holders', { count: holders })}
        </p>
      </div>
    </li>
  )
}
