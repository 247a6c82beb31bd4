import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { address, request } from '../data/api.ts'
import type { Reads } from '../data/generated.ts'
import { words } from '../data/words.ts'
import { Empty } from '../parts/loaded.tsx'
import { givenOf, queryOf, type Search, without } from './query.ts'
import styles from './tournaments.module.css'

/** No tournament matches: which one filter could be dropped, with what there would be then. */

type Found = Reads['/tournaments']['body']

export function NoHit({ search }: { readonly search: Search }) {
  const given = givenOf(search)
  const answers = useQueries({
    queries: given.map((name) => {
      const path = address('/tournaments', {}, { limit: 10, ...queryOf(without(search, name)) })
      return {
        queryKey: [path],
        queryFn: ({ signal }: { readonly signal: AbortSignal }) => request<Found>(path, { signal }),
      }
    }),
  })
  if (given.length === 0) return <Empty>{words('tournaments.none')}</Empty>
  const helpful = given.flatMap((name, at) => {
    const found = answers[at]?.data
    return found === undefined || found.tournaments.length === 0 ? [] : [{ name, found }]
  })
  return (
    <div className={styles.none}>
      <p className="muted">{words('tournaments.no-hit')}</p>
      {helpful.length > 0 && (
        <ul>
          {helpful.map(({ name, found: { tournaments, nextCursor } }) => (
            <li key={name}>
              <Link to="/tournaments" search={without(search, name)}>
                {words(`tournaments.drop-${name}`)}
              </Link>{' '}
              <span className="muted">
                {words(nextCursor === null ? 'tournaments.then' : 'tournaments.then-more', {
                  count: tournaments.length,
                })}
              </span>
            </li>
          ))}
        </ul>
      )}
      <p>
        <Link to="/tournaments" search={search.view ? { view: search.view } : {}}>
          {words('tournaments.drop-filters')}
        </Link>
      </p>
    </div>
  )
}
