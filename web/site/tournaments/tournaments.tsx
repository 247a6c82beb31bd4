import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { ListedTournament } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { usePages } from '../data/queries.ts'
import { type WordId, words } from '../data/words.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { More } from '../parts/more.tsx'
import { Face } from '../parts/team.tsx'
import { Span } from '../parts/time.tsx'
import styles from './tournaments.module.css'

/** All listed tournaments, with the filters in the address. */

const route = getRouteApi('/tournaments')
const statuses: readonly (readonly [string | undefined, WordId])[] = [
  [undefined, 'tournaments.all'],
  ['ongoing', 'status.ongoing'],
  ['approved', 'status.approved'],
  ['completed', 'status.completed'],
]

export function Tournaments() {
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/tournaments' })
  const { registration, ...others } = search
  const pages = usePages(
    address(
      '/tournaments',
      {},
      { limit: 50, ...others, ...(registration === 'open' && { registration: 'open' as const }) },
    ),
  )
  const found = pages.data?.pages.flatMap(({ tournaments }) => tournaments)
  const isFiltered = Object.keys(search).length > 0
  return (
    <div className="page stack">
      <div className="title">
        <h1>{words('frame.tournaments')}</h1>
        <a className="btn" href="/api/calendar.ics?kinds=tournament">
          {words('home.subscribe')}
        </a>
      </div>
      <form
        className={styles.filters}
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          const q = String(form.get('q') ?? '').trim()
          void navigate({ search: { ...search, q: q === '' ? undefined : q } as typeof search })
        }}
      >
        <input
          key={search.q}
          className="in"
          type="search"
          name="q"
          defaultValue={search.q}
          maxLength={100}
          placeholder={words('tournaments.filter')}
          aria-label={words('tournaments.filter')}
        />
        <div className="choices">
          {statuses.map(([value, word]) => (
            <Link
              key={word}
              to="/tournaments"
              search={{
                ...(search.q && { q: search.q }),
                ...(registration && { registration }),
                ...(value && { status: value }),
              }}
              className="btn"
              aria-current={search.status === value ? 'true' : undefined}
              activeOptions={{ exact: true, includeSearch: true }}
            >
              {words(word)}
            </Link>
          ))}
        </div>
        <label className={styles.open}>
          <input
            type="checkbox"
            checked={registration === 'open'}
            onChange={({ target }) =>
              void navigate({ search: { ...others, ...(target.checked && { registration: 'open' }) } })
            }
          />
          {words('tournaments.open-only')}
        </label>
      </form>
      <Loaded of={{ ...pages, data: found }} rows={8}>
        {(tournaments) =>
          tournaments.length === 0 ? (
            <Empty>
              {words(isFiltered ? 'tournaments.no-hit' : 'tournaments.none')}{' '}
              {isFiltered && (
                <Link to="/tournaments" search={{}}>
                  {words('tournaments.drop-filters')}
                </Link>
              )}
            </Empty>
          ) : (
            <>
              <ul className={styles.list}>
                {tournaments.map((tournament) => (
                  <Row key={tournament.guid} tournament={tournament} />
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

function Row({ tournament }: { readonly tournament: ListedTournament }) {
  const { id, name, summary, imageUrl, startsAt, endsAt, status, counts, capacity } = tournament
  return (
    <li>
      <Face name={name} picture={imageUrl} isTeam />
      <div>
        <Link to="/t/$tournament" params={{ tournament: id }} className="plain strong">
          <bdi>{name}</bdi>
        </Link>
        {summary !== null && (
          <p className="muted" dir="auto">
            {summary}
          </p>
        )}
      </div>
      <p>
        <Span from={startsAt} to={endsAt} />
        <span className="muted"> {words(`status.${status}`)}</span>
      </p>
      <p className="num">
        {counts.registered}
        {capacity !== null && <span className="muted">/{capacity}</span>}
      </p>
    </li>
  )
}
