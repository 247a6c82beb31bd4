import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { Team } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { useEveryPage } from '../data/every-page.ts'
import { usePages } from '../data/queries.ts'
import { useTournament, useTournamentId } from '../data/tournament.ts'
import { type WordId, words } from '../data/words.ts'
import { countryOf } from '../parts/country.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Rest } from '../parts/more.tsx'
import { phaseOf } from '../parts/phase.ts'
import { PrintButton, Printed } from '../parts/print.tsx'
import { Section } from '../parts/section.tsx'
import { State } from '../parts/state.tsx'
import { Face, TeamLink } from '../parts/team.tsx'
import { Instant, useNow } from '../parts/time.tsx'
import styles from './teams.module.css'

/** Who plays: qualified, registered, and the others. */

const route = getRouteApi('/t/$tournament/teams')
const groups: readonly (readonly [Team['status'], WordId])[] = [
  ['qualified', 'teams.qualified'],
  ['registered', 'teams.registered'],
  ['unregistered', 'teams.unregistered'],
]
const filters: readonly (readonly [status: string | undefined, WordId])[] = [
  [undefined, 'teams.all'],
  ['registered,qualified', 'teams.in'],
  ['qualified', 'teams.qualified'],
]

export function Teams() {
  const tournament = useTournamentId()
  const search = route.useSearch()
  const { q, status } = search
  const navigate = useNavigate({ from: '/t/$tournament/teams' })
  const pages = usePages(
    address(
      '/tournaments/{tournament}/teams',
      { tournament },
      { limit: 100, ...(q && { q }), ...(status && { status }) },
    ),
  )
  // The list is in the order of its making, and is shown by seed: it is read whole.
  const rest = useEveryPage(pages)
  const teams = pages.data?.pages.flatMap((page) => page.teams)
  const isFiltered = q !== undefined || status !== undefined
  return (
    <Printed name={useTournament().data?.name} className="page stack">
      <div className="title">
        <h1>{words('tournament.teams')}</h1>
        <div className={`${styles.filter} no-print`}>
          <PrintButton isSmall list={pages} />
          <div className="choices">
            {filters.map(([value, word]) => (
              <Link
                key={word}
                to="/t/$tournament/teams"
                params={{ tournament }}
                search={{ ...(q && { q }), ...(value && { status: value }) }}
                className="btn"
                aria-current={status === value ? 'true' : undefined}
                activeOptions={{ exact: true, includeSearch: true }}
                replace
              >
                {words(word)}
              </Link>
            ))}
          </div>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              const text = String(new FormData(event.currentTarget).get('q') ?? '').trim()
              void navigate({ search: { ...(text !== '' && { q: text }), ...(status && { status }) } })
            }}
          >
            <input
              key={q}
              className="in"
              type="search"
              name="q"
              defaultValue={q}
              maxLength={100}
              aria-label={words('teams.filter')}
              placeholder={words('teams.filter')}
            />
            <button type="submit" className="btn">
              {words('search.do')}
            </button>
          </form>
        </div>
      </div>
      <Loaded of={{ ...pages, data: teams }} rows={12}>
        {(all) =>
          all.length === 0 ? <Nobody tournament={tournament} isFiltered={isFiltered} /> : <Groups teams={all} />
        }
      </Loaded>
      <Rest of={rest} />
    </Printed>
  )
}

/** Why there is no team: no name matches, registration opens later, or no team was made yet. */
function Nobody({ tournament, isFiltered }: { readonly tournament: string; readonly isFiltered: boolean }) {
  const place = useTournament().data
  const time = useNow(60_000)
  if (isFiltered)
    return (
      <Empty>
        {words('teams.no-hit')}{' '}
        <Link to="/t/$tournament/teams" params={{ tournament }} search={{}}>
          {words('teams.drop-filters')}
        </Link>
      </Empty>
    )
  if (place?.registrationOpensAt != null && phaseOf(place, time) === 'soon')
    return (
      <Empty>
        {words('teams.opens')} <Instant at={place.registrationOpensAt} zone={place.timezone} />.
      </Empty>
    )
  return <Empty>{words('teams.none')}</Empty>
}

function Groups({ teams }: { readonly teams: readonly Team[] }) {
  const tournament = useTournamentId()
  return (
    <>
      {groups
        .map(([state, word]) => ({ state, word, found: teams.filter((team) => team.status === state) }))
        .filter(({ found }) => found.length > 0)
        .map(({ state, word, found }) => (
          <Section
            key={state}
            title={words(word)}
            beside={<span className="muted">{words('teams.count', { count: found.length })}</span>}
          >
            <ul className={styles.teams}>
              {found.toSorted(byPlace).map((team) => (
                <Row key={team.guid} team={team} tournament={tournament} />
              ))}
            </ul>
          </Section>
        ))}
    </>
  )
}

const seedOf = ({ seed }: Team) => seed ?? Number.MAX_SAFE_INTEGER
const byPlace = (one: Team, other: Team) =>
  Number(one.withdrawnAt !== null) - Number(other.withdrawnAt !== null) ||
  seedOf(one) - seedOf(other) ||
  one.name.localeCompare(other.name)

/** The country of a team: that of all who play, if it is one. */
function originOf({ members }: Team): string | null {
  const codes = new Set(members.map(({ user }) => user.country))
  const [code] = codes
  return codes.size === 1 && code != null ? countryOf(code) : null
}

function Row({ team, tournament }: { readonly team: Team; readonly tournament: string }) {
  const origin = originOf(team)
  return (
    <li>
      <span className="num" title={words('teams.seed')}>
        {team.seed ?? '–'}
      </span>
      <Face name={team.name} picture={team.imageUrl} isTeam />
      <div>
        <p className={styles.name}>
          <TeamLink team={team} tournament={tournament} isStrong />
          {origin !== null && <span className="small muted">{origin}</span>}
          {team.withdrawnAt !== null && (
            <State shape="off" tone="quiet">
              {words('teams.has-withdrawn')}
            </State>
          )}
        </p>
        <p className="small muted">
          {team.isSolo ? (
            <Link to="/u/$user" params={{ user: team.captain.guid }} className="plain">
              <bdi>{team.captain.preferredName}</bdi>
            </Link>
          ) : (
            team.members.map(({ user }, at) => (
              <span key={user.guid}>
                {at > 0 && ', '}
                <bdi>{user.preferredName}</bdi>
              </span>
            ))
          )}
        </p>
      </div>
    </li>
  )
}
