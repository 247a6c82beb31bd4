import { getRouteApi, Link } from '@tanstack/react-router'
import type { ListedTournament } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { usePages } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Loaded } from '../parts/loaded.tsx'
import { More } from '../parts/more.tsx'
import { phaseOf } from '../parts/phase.ts'
import { Section } from '../parts/section.tsx'
import { Face } from '../parts/team.tsx'
import { Instant, Span, useNow } from '../parts/time.tsx'
import { Filters } from './filters.tsx'
import { NoHit } from './no-hit.tsx'
import { queryOf } from './query.ts'
import styles from './tournaments.module.css'

/** All listed tournaments as cards or as a table, with the filters in the address. */

const route = getRouteApi('/tournaments')

export function Tournaments() {
  const search = route.useSearch()
  const pages = usePages(address('/tournaments', {}, { limit: 50, ...queryOf(search) }))
  const found = pages.data?.pages.flatMap(({ tournaments }) => tournaments)
  const feed = new URLSearchParams({ kinds: 'tournament', ...(search.platform && { platform: search.platform }) })
  const isTable = search.view === 'table'
  return (
    <div className="page stack">
      <div className="title">
        <h1>{words('frame.tournaments')}</h1>
        <div className="btns no-print">
          <div className="choices">
            {(['cards', 'table'] as const).map((view) => {
              const { view: _, ...others } = search
              return (
                <Link
                  key={view}
                  to="/tournaments"
                  search={view === 'cards' ? others : { ...others, view }}
                  className="btn"
                  aria-current={isTable === (view === 'table') ? 'true' : undefined}
                  activeOptions={{ exact: true, includeSearch: true }}
                  replace
                >
                  {words(`tournaments.${view}`)}
                </Link>
              )
            })}
          </div>
          <a className="btn" href={`/api/calendar.ics?${feed}`}>
            {words('home.subscribe')}
          </a>
        </div>
      </div>
      <Filters search={search} />
      <Loaded of={{ ...pages, data: found }} rows={8}>
        {(tournaments) =>
          tournaments.length === 0 ? (
            <NoHit search={search} />
          ) : (
            <>
              {isTable ? <Table tournaments={tournaments} /> : <Cards tournaments={tournaments} />}
              <More of={pages} />
            </>
          )
        }
      </Loaded>
    </div>
  )
}

interface Props {
  readonly tournaments: readonly ListedTournament[]
}

const groups = ['ongoing', 'approved', 'completed'] as const

/** Running ones first, then those that come, then those that are over. */
function Cards({ tournaments }: Props) {
  return (
    <>
      {groups
        .map((status) => [status, tournaments.filter((each) => each.status === status)] as const)
        .filter(([, found]) => found.length > 0)
        .map(([status, found]) => (
          <Section key={status} title={words(`tournaments.group-${status}`)}>
            <ul className={styles.cards}>
              {found.map((tournament) => (
                <Card key={tournament.guid} tournament={tournament} />
              ))}
            </ul>
          </Section>
        ))}
    </>
  )
}

function Card({ tournament }: { readonly tournament: ListedTournament }) {
  const { id, name, summary, imageUrl, bannerUrl, startsAt, endsAt } = tournament
  const banner = bannerUrl?.endsWith('/full.webp') ? bannerUrl.replace(/full\.webp$/, 'card.jpeg') : null
  return (
    <li className={styles.card}>
      {banner !== null && (
        <img className={styles.picture} src={banner} alt="" loading="lazy" width="640" height="120" />
      )}
      <div className={styles.who}>
        <Face name={name} picture={imageUrl} isTeam />
        <Link to="/t/$tournament" params={{ tournament: id }} className="plain strong">
          <bdi>{name}</bdi>
        </Link>
      </div>
      {summary !== null && (
        <p className={`muted ${styles.summary}`} dir="auto">
          {summary}
        </p>
      )}
      <p className={styles.dates}>
        <Span from={startsAt} to={endsAt} />
      </p>
      <p className="small">
        <Registration tournament={tournament} />
      </p>
    </li>
  )
}

/** Whether and until when teams can sign up, and how many are in. */
function Registration({ tournament }: { readonly tournament: ListedTournament }) {
  const { counts, capacity, registrationOpensAt, registrationClosesAt, timezone } = tournament
  const phase = phaseOf(tournament, useNow(60_000))
  const left = capacity === null ? null : Math.max(0, capacity - counts.registered)
  if (phase === 'soon' && registrationOpensAt !== null)
    return (
      <>
        {words('tournaments.opens')} <Instant at={registrationOpensAt} zone={timezone} />
      </>
    )
  if (phase === 'open')
    return (
      <>
        <b className={styles.open}>{words('tournaments.open')}</b>
        {left !== null && <>, {words('tournaments.left', { left })}</>}
        {registrationClosesAt !== null && (
          <>
            , {words('home.closes')} <Instant at={registrationClosesAt} zone={timezone} />
          </>
        )}
      </>
    )
  return <>{words('tournament.registered', { count: counts.registered, capacity: capacity ?? 0 })}</>
}

function Table({ tournaments }: Props) {
  return (
    <table className={`table ${styles.table}`}>
      <caption className="unseen">{words('frame.tournaments')}</caption>
      <thead>
        <tr>
          <th scope="col">{words('tournaments.name')}</th>
          <th scope="col">{words('tournament.dates')}</th>
          <th scope="col" className="only-wide">
            {words('match.state')}
          </th>
          <th scope="col" className="only-wide">
            {words('tournament.organiser')}
          </th>
          <th scope="col" className="n narrow">
            {words('tournament.teams')}
          </th>
        </tr>
      </thead>
      <tbody>
        {tournaments.map(({ guid, id, name, startsAt, endsAt, status, organiser, counts, capacity }) => (
          <tr key={guid}>
            <th scope="row">
              <Link to="/t/$tournament" params={{ tournament: id }} className="plain strong">
                <bdi>{name}</bdi>
              </Link>
            </th>
            <td>
              <Span from={startsAt} to={endsAt} />
            </td>
            <td className="only-wide">{words(`status.${status}`)}</td>
            <td className="only-wide">
              <Link to="/u/$user" params={{ user: organiser.guid }} className="plain">
                <bdi>{organiser.preferredName}</bdi>
              </Link>
            </td>
            <td className="n nowrap">
              {counts.registered}
              {capacity !== null && <span className="muted">/{capacity}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
