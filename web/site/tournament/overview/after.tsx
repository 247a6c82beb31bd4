import { Link } from '@tanstack/react-router'
import type { Match } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { divisionIds, useDivisions, useShownRead } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Picture } from '../../parts/badge.tsx'
import { Blocks, Empty } from '../../parts/loaded.tsx'
import { matchLink, Score, type Side, SideName } from '../../parts/match.tsx'
import type { Place } from '../../parts/phase.ts'
import { Section } from '../../parts/section.tsx'
import { SpoilerSwitch, useSpoilers } from '../../parts/spoilers.tsx'
import { Face, TeamLink } from '../../parts/team.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './after.module.css'

/** A tournament that is over: who won, the last match, what was given for it, and what can be watched. */

const shownPlaces = 8
const shownRecordings = 6

export function After({ tournament }: { readonly tournament: Place }) {
  const { guid, placements } = tournament
  const isHidden = useSpoilers(guid)
  if (isHidden)
    return (
      <Section title={words('tournament.placements')}>
        <p className={styles.hidden}>
          {words('tournament.result-hidden')} <SpoilerSwitch tournament={guid} />
        </p>
      </Section>
    )
  return (
    <div className="two">
      <div className="stack">
        <Placements tournament={tournament} />
        <ToTake tournament={tournament.id} />
      </div>
      <Final tournament={tournament} winner={placements.find(({ place }) => place === 1)?.team.guid} />
    </div>
  )
}

function Placements({ tournament: { id, placements } }: { readonly tournament: Place }) {
  const rest = placements.length - shownPlaces
  return (
    <Section
      title={words('tournament.placements')}
      beside={
        <Link to="/t/$tournament/bracket" params={{ tournament: id }}>
          {words('tournament.bracket')}
        </Link>
      }
    >
      {placements.length === 0 ? (
        <Empty>{words('tournament.no-placements')}</Empty>
      ) : (
        <ol className={styles.placements}>
          {placements.slice(0, shownPlaces).map(({ place, team }) => (
            <li key={team.guid} className={place <= 3 ? styles.best : ''}>
              <span className="num">{place}</span>
              <Face name={team.name} picture={team.imageUrl} isTeam />
              <TeamLink team={team} tournament={id} isStrong={place === 1} />
              {place === 1 && <span className={styles.winner}>{words('match.winner')}</span>}
            </li>
          ))}
        </ol>
      )}
      {rest > 0 && (
        <p className={styles.rest}>
          <Link to="/t/$tournament/teams" params={{ tournament: id }}>
            {words('tournament.more-places', { count: rest })}
          </Link>
        </p>
      )}
    </Section>
  )
}

/** What everybody may read of it, as a file that others can check and compute again. (P4) */
function ToTake({ tournament }: { readonly tournament: string }) {
  return (
    <Section title={words('tournament.file')}>
      <p className="muted">{words('tournament.file-holds')}</p>
      <p className={`btns no-print ${styles.take}`}>
        <a className="btn" href={`/api/tournaments/${encodeURIComponent(tournament)}/package`} download>
          {words('tournament.file-take')}
        </a>
        <Link to="/packages">{words('tournament.file-check')}</Link>
      </p>
    </Section>
  )
}

const byEnd = (one: Match, other: Match) => (other.completedAt ?? '').localeCompare(one.completedAt ?? '')

/** The last match of the winner, and the recordings of it and of others. */
function Final({ tournament, winner }: { readonly tournament: Place; readonly winner: string | undefined }) {
  const { id, timezone } = tournament
  const divisions = divisionIds(useDivisions().data)
  const matches = useShownRead(
    winner === undefined
      ? null
      : address(
          '/tournaments/{tournament}/matches',
          { tournament: id },
          { team: winner, status: 'completed', limit: 100, delayed: true },
        ),
  )
  const listed = useShownRead(
    address(
      '/tournaments/{tournament}/matches',
      { tournament: id },
      { status: 'completed', limit: 100, delayed: true },
    ),
  )
  const recorded = listed.data?.matches.filter(({ vodUrl }) => vodUrl !== null)
  if (matches.isLoading || listed.isLoading) return <Blocks rows={3} />
  const final = matches.data?.matches.toSorted(byEnd).find(({ outcome }) => outcome !== 'bye')
  const divisionOf = (match: Match) => divisions.get(match.division) ?? match.division
  return (
    <div className="stack">
      {final !== undefined && (
        <Section title={words('tournament.final')}>
          <Link {...matchLink(id, divisionOf(final), final.number)} className={`plain ${styles.final}`}>
            <SideName side={final.sides[0] as Side} />
            <Score sides={final.sides} />
            <SideName side={final.sides[1] as Side} />
            <span className="unseen">{words('match.open', { number: final.number })}</span>
          </Link>
          <p className={`muted ${styles.when}`}>
            {(final.scheduledAt ?? final.completedAt) !== null && (
              <Instant at={(final.startedAt ?? final.scheduledAt ?? final.completedAt) as string} zone={timezone} />
            )}
            {final.vodUrl !== null && (
              <a href={final.vodUrl} className="btn btn-primary no-print" rel="nofollow ugc noopener">
                {words('match.vod')}
              </a>
            )}
          </p>
        </Section>
      )}
      {recorded !== undefined && recorded.length > 0 && (
        <Section
          title={words('tournament.recordings')}
          beside={
            <Link to="/t/$tournament/matches" params={{ tournament: id }}>
              {words('tournament.all-matches')}
            </Link>
          }
        >
          <ul className="lines">
            {recorded
              .toSorted(byEnd)
              .slice(0, shownRecordings)
              .map((match) => (
                <li key={match.guid} className={styles.recording}>
                  <Link {...matchLink(id, divisionOf(match), match.number)} className="plain">
                    <SideName side={match.sides[0] as Side} /> <span className="muted">{words('home.against')}</span>{' '}
                    <SideName side={match.sides[1] as Side} />
                  </Link>
                  <a href={match.vodUrl as string} rel="nofollow ugc noopener">
                    {words('tournament.watch')}
                    <span className="unseen">{words('match.open', { number: match.number })}</span>
                  </a>
                </li>
              ))}
          </ul>
        </Section>
      )}
    </div>
  )
}

/** They are the last part of the page: how many there are is not known before. */
export function Badges({ tournament }: { readonly tournament: string }) {
  const badges = useRead(address('/badges', {}, { tournament, limit: 12 })).data?.badges ?? []
  if (badges.length === 0) return null
  return (
    <Section title={words('user.badges')}>
      <ul className={styles.badges}>
        {badges.map(({ guid, name, imageUrl, holders }) => (
          <li key={guid}>
            <Picture address={imageUrl} name={name} />
            <span>
              <Link to="/badges/$badge" params={{ badge: guid }} className="plain strong">
                <bdi>{name}</bdi>
              </Link>
              <span className="muted small">{words('badges.holders', { count: holders })}</span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
