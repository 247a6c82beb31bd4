import { Link, useParams } from '@tanstack/react-router'
import type { Match, Team as TeamOf } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { prefer, usePreferences } from '../data/preferences.ts'
import { useRead } from '../data/queries.ts'
import { type WordId, words } from '../data/words.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { MatchLine, MatchTable } from '../parts/match.tsx'
import { Section } from '../parts/section.tsx'
import { useSpoilers } from '../parts/spoilers.tsx'
import { Face } from '../parts/team.tsx'
import { Instant } from '../parts/time.tsx'
import { divisionIds, useDivisions, useTournament, useTournamentId } from './reads.ts'

/** A team: who plays for it, and its matches. */
export function Team() {
  const tournament = useTournamentId()
  const { team } = useParams({ from: '/t/$tournament/teams/$team' })
  const read = useRead(address('/tournaments/{tournament}/teams/{team}', { tournament, team }), { live: true })
  return (
    <div className="page stack">
      <Loaded of={read} rows={10}>
        {(found) => <Shown team={found} tournament={tournament} />}
      </Loaded>
    </div>
  )
}

function Shown({ team, tournament }: { readonly team: TeamOf; readonly tournament: string }) {
  const whole = useTournament().data
  const isHidden = useSpoilers(whole?.guid)
  const { following } = usePreferences()
  const divisions = useDivisions().data
  const ids = divisionIds(divisions)
  const matches = useRead(
    address('/tournaments/{tournament}/matches', { tournament }, { team: team.guid, limit: 100, delayed: true }),
    { live: true, delayed: true },
  )
  const follows = whole !== undefined && following[whole.guid] === team.guid
  const bracket = divisions?.flatMap((division) =>
    division.brackets
      .filter(({ entrants }) => entrants.some((entrant) => entrant.team?.guid === team.guid))
      .map(({ guid }) => ({ division: division.id, bracket: guid })),
  )[0]
  return (
    <>
      <div className="title">
        <div>
          <h1>
            <bdi>{team.name}</bdi>
          </h1>
          <p>
            {words(`teams.state-${team.status}` as WordId)}
            {team.seed !== null && <>, {words('teams.seed-is', { seed: team.seed })}</>}
            {team.withdrawnAt !== null && (
              <>
                , {words('teams.withdrawn')} <Instant at={team.withdrawnAt} as="day" />
              </>
            )}
          </p>
        </div>
        <div className="btns no-print">
          {bracket !== undefined && (
            <Link
              to="/t/$tournament/bracket/$division/$bracket"
              params={{ tournament, ...bracket }}
              search={{ view: 'team', team: team.id }}
              className="btn"
            >
              {words('teams.path')}
            </Link>
          )}
          {whole !== undefined && (
            <button
              type="button"
              className="btn"
              aria-pressed={follows}
              onClick={() => {
                const { [whole.guid]: _, ...others } = following
                prefer({ following: follows ? others : { ...others, [whole.guid]: team.guid } })
              }}
            >
              {words(follows ? 'teams.unfollow' : 'teams.follow')}
            </button>
          )}
        </div>
      </div>
      <div className="two">
        <Section title={words('tournament.matches')}>
          <Loaded of={matches} rows={5}>
            {({ matches: found }) =>
              found.length === 0 ? (
                <Empty>{words('teams.no-matches')}</Empty>
              ) : (
                <MatchTable caption={words('tournament.matches')}>
                  {inOrder(found).map((match) => (
                    <MatchLine
                      key={match.guid}
                      match={match}
                      tournament={tournament}
                      division={ids.get(match.division) ?? match.division}
                      zone={whole?.timezone ?? 'UTC'}
                      isHidden={isHidden}
                    />
                  ))}
                </MatchTable>
              )
            }
          </Loaded>
        </Section>
        <Section
          title={words('teams.roster')}
          beside={team.rosterLocked && <span className="muted">{words('teams.locked')}</span>}
        >
          <ul className="lines">
            {team.members.map(({ user, isActive }) => (
              <li key={user.guid} className="btns">
                <Face name={user.preferredName ?? user.username} picture={user.avatarUrl} />
                <Link to="/u/$user" params={{ user: user.guid }} className={`plain ${isActive ? 'strong' : ''}`}>
                  <bdi>{user.preferredName ?? user.username}</bdi>
                </Link>
                <span className="muted small">
                  {user.guid === team.captain.guid && words('teams.captain')}
                  {!isActive && words('teams.substitute')}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      </div>
    </>
  )
}

const inOrder = (matches: readonly Match[]) =>
  matches.toSorted(
    (one, other) => (one.scheduledAt ?? '9').localeCompare(other.scheduledAt ?? '9') || one.number - other.number,
  )
