import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { Team } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { now } from '../data/live.ts'
import { usePages } from '../data/queries.ts'
import { type WordId, words } from '../data/words.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { More } from '../parts/more.tsx'
import { PrintButton, Printed } from '../parts/print.tsx'
import { Section } from '../parts/section.tsx'
import { Face, TeamLink } from '../parts/team.tsx'
import { Instant } from '../parts/time.tsx'
import { useTournament, useTournamentId } from './reads.ts'
import styles from './teams.module.css'

/** Who plays: qualified, registered, and the others. */

const route = getRouteApi('/t/$tournament/teams')
const groups: readonly (readonly [Team['status'], WordId])[] = [
  ['qualified', 'teams.qualified'],
  ['registered', 'teams.registered'],
  ['unregistered', 'teams.unregistered'],
]

export function Teams() {
  const tournament = useTournamentId()
  const { q, status } = route.useSearch()
  const navigate = useNavigate({ from: '/t/$tournament/teams' })
  const pages = usePages(
    address(
      '/tournaments/{tournament}/teams',
      { tournament },
      { limit: 100, ...(q && { q }), ...(status && { status }) },
    ),
  )
  const teams = pages.data?.pages.flatMap((page) => page.teams)
  const groupsOf = (all: readonly Team[]) =>
    groups
      .map(([state, word]) => ({ state, word, found: all.filter((team) => team.status === state) }))
      .filter(({ found }) => found.length > 0)
  return (
    <Printed name={useTournament().data?.name} className="page stack">
      <div className="title">
        <h1>{words('tournament.teams')}</h1>
        <form
          className={`no-print ${styles.filter}`}
          onSubmit={(event) => {
            event.preventDefault()
            const text = String(new FormData(event.currentTarget).get('q') ?? '').trim()
            void navigate({ search: text === '' ? {} : { q: text } })
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
          <PrintButton isSmall list={pages} />
        </form>
      </div>
      <Loaded of={{ ...pages, data: teams }} rows={12}>
        {(all) =>
          all.length === 0 ? (
            <Nobody isSearched={q !== undefined} />
          ) : (
            <>
              {groupsOf(all).map(({ state, word, found }) => (
                <Section
                  key={state}
                  title={words(word)}
                  beside={<span className="muted">{words('teams.count', { count: found.length })}</span>}
                >
                  <ul className={styles.teams}>
                    {found
                      .toSorted((one, other) => (one.seed ?? 1_000) - (other.seed ?? 1_000))
                      .map((team) => (
                        <Row key={team.guid} team={team} tournament={tournament} />
                      ))}
                  </ul>
                </Section>
              ))}
              <More of={pages} />
            </>
          )
        }
      </Loaded>
    </Printed>
  )
}

/** Why there is no team; before registration, when it opens. */
function Nobody({ isSearched }: { readonly isSearched: boolean }) {
  const opens = useTournament().data?.registrationOpensAt ?? null
  if (isSearched) return <Empty>{words('teams.no-hit')}</Empty>
  if (opens === null || Date.parse(opens) <= now()) return <Empty>{words('teams.none')}</Empty>
  return (
    <Empty>
      {words('teams.opens')} <Instant at={opens} />.
    </Empty>
  )
}

function Row({ team, tournament }: { readonly team: Team; readonly tournament: string }) {
  return (
    <li>
      <span className="num" title={words('teams.seed')}>
        {team.seed ?? '–'}
      </span>
      <Face name={team.name} picture={team.imageUrl} isTeam />
      <div>
        <TeamLink team={team} tournament={tournament} isStrong />
        <p className="small muted">
          {team.isSolo ? (
            <Link to="/u/$user" params={{ user: team.captain.guid }} className="plain">
              <bdi>{team.captain.preferredName ?? team.captain.username}</bdi>
            </Link>
          ) : (
            team.members.map(({ user }, at) => (
              <span key={user.guid}>
                {at > 0 && ', '}
                <bdi>{user.preferredName ?? user.username}</bdi>
              </span>
            ))
          )}
        </p>
      </div>
    </li>
  )
}
