import { Link } from '@tanstack/react-router'
import type { Match, TournamentWithParts } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { StateIcon } from '../parts/icon.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Board, Boards, MatchLine, MatchTable, roundName } from '../parts/match.tsx'
import { PrintButton } from '../parts/print.tsx'
import { Prose } from '../parts/prose.tsx'
import { Section } from '../parts/section.tsx'
import { SpoilerSwitch, useSpoilers } from '../parts/spoilers.tsx'
import { TeamLink } from '../parts/team.tsx'
import { dayOf, Instant, useNow } from '../parts/time.tsx'
import { Facts } from './facts.tsx'
import styles from './overview.module.css'
import { divisionIds, useDivisions, useTournament } from './reads.ts'

/** The first page of a tournament: what is now, what comes, and what it is about. */
export function Overview() {
  const read = useTournament()
  return (
    <div className={`page ${styles.page}`}>
      <Loaded of={read} rows={8}>
        {(tournament) => <Shown tournament={tournament} />}
      </Loaded>
    </div>
  )
}

function Shown({ tournament }: { readonly tournament: TournamentWithParts }) {
  const { bannerUrl, name, summary, status, html, id } = tournament
  const isHidden = useSpoilers(tournament.guid)
  const banner = bannerUrl?.endsWith('/full.webp') ? bannerUrl : null
  return (
    <>
      {banner !== null && <img className={styles.banner} src={banner} alt="" />}
      {status === 'draft' && <p className="notice notice-warning">{words('tournament.draft')}</p>}
      {status === 'cancelled' && <p className="notice notice-alert">{words('tournament.cancelled')}</p>}
      <header className={styles.head}>
        <div>
          <h1>
            <bdi>{name}</bdi>
          </h1>
          {summary !== null && <p dir="auto">{summary}</p>}
        </div>
        <div className="btns no-print">
          <SpoilerSwitch tournament={tournament.guid} />
          <a className="btn" href={`/api/tournaments/${id}/calendar.ics`}>
            {words('tournament.calendar')}
          </a>
          <PrintButton isSmall />
        </div>
      </header>
      <NextStep tournament={tournament} />
      {status !== 'completed' && <Now tournament={tournament} />}
      {status === 'completed' && !isHidden && <Placements tournament={tournament} />}
      <Timeline tournament={tournament} />
      <div className="two">
        <div className="stack">
          <Section title={words('tournament.about')} beside={tournament.rules !== null && <RulesLink id={id} />}>
            {html?.description ? (
              <Prose html={html.description} />
            ) : (
              <p className="muted">{words('tournament.no-text')}</p>
            )}
          </Section>
          {html?.prizes && (
            <Section title={words('tournament.prizes')}>
              <Prose html={html.prizes} />
            </Section>
          )}
        </div>
        <Facts tournament={tournament} />
      </div>
    </>
  )
}

const RulesLink = ({ id }: { readonly id: string }) => (
  <Link to="/t/$tournament/rules" params={{ tournament: id }}>
    {words('tournament.rules')}
  </Link>
)

/** What the reader can do next, by the state of the tournament. */
function NextStep({ tournament }: { readonly tournament: TournamentWithParts }) {
  const { id, registrationOpensAt, registrationClosesAt, capacity, counts, publicRegistration, status } = tournament
  const time = useNow(60_000)
  if (status !== 'approved') return null
  const opens = registrationOpensAt === null ? null : Date.parse(registrationOpensAt)
  const closes = registrationClosesAt === null ? null : Date.parse(registrationClosesAt)
  const left = capacity === null ? null : Math.max(0, capacity - counts.registered)
  const isOver = closes !== null && closes <= time
  if (opens !== null && opens > time) {
    return (
      <div className={styles.next}>
        <div>
          <h2>{words('registration.soon')}</h2>
          <p className={styles.lead}>
            <Instant at={registrationOpensAt as string} zone={tournament.timezone} />
          </p>
        </div>
      </div>
    )
  }
  if (isOver || !publicRegistration) return null
  return (
    <div className={styles.next}>
      <div>
        <h2>{words('registration.open')}</h2>
        <p className={styles.lead}>
          {left === null
            ? words('registration.unlimited', { count: counts.registered })
            : words('registration.left', { left, capacity: capacity as number })}
        </p>
        {registrationClosesAt !== null && (
          <p className="muted">
            {words('registration.until')} <Instant at={registrationClosesAt} zone={tournament.timezone} />
          </p>
        )}
      </div>
      <Link to="/t/$tournament/teams" params={{ tournament: id }} className="btn btn-primary">
        {words('registration.see-teams')}
      </Link>
    </div>
  )
}

/** Running matches, and those that come next. */
function Now({ tournament }: { readonly tournament: TournamentWithParts }) {
  const { id, guid, timezone } = tournament
  const isHidden = useSpoilers(guid)
  const divisions = divisionIds(useDivisions().data)
  const running = useRead(
    address('/tournaments/{tournament}/matches', { tournament: id }, { status: 'running', limit: 12, delayed: true }),
    { live: true, delayed: true },
  )
  const next = useRead(
    address('/tournaments/{tournament}/matches', { tournament: id }, { status: 'ready', limit: 6, delayed: true }),
    {
      live: true,
      delayed: true,
    },
  )
  const link = (
    <Link to="/t/$tournament/matches" params={{ tournament: id }}>
      {words('tournament.all-matches')}
    </Link>
  )
  const divisionOf = (match: Match) => divisions.get(match.division) ?? match.division
  const live = running.data?.matches ?? []
  return (
    <>
      {live.length > 0 && (
        <Section title={words('home.live')} beside={link}>
          <Boards>
            {live.map((match) => (
              <Board
                key={match.guid}
                match={match}
                tournament={id}
                division={divisionOf(match)}
                context={roundName(match)}
                isHidden={isHidden}
              />
            ))}
          </Boards>
        </Section>
      )}
      {(next.data?.matches.length ?? 0) > 0 && (
        <Section title={words('tournament.next')} beside={live.length === 0 && link}>
          <MatchTable caption={words('tournament.next')}>
            {next.data?.matches.map((match) => (
              <MatchLine key={match.guid} match={match} tournament={id} division={divisionOf(match)} zone={timezone} />
            ))}
          </MatchTable>
        </Section>
      )}
    </>
  )
}

const shownPlacements = 8

function Placements({ tournament }: { readonly tournament: TournamentWithParts }) {
  const { placements, id } = tournament
  if (placements.length === 0) return null
  return (
    <Section
      title={words('tournament.placements')}
      beside={
        <Link to="/t/$tournament/bracket" params={{ tournament: id }}>
          {words('tournament.bracket')}
        </Link>
      }
    >
      <ol className={styles.placements}>
        {placements.slice(0, shownPlacements).map(({ place, team }) => (
          <li key={team.guid}>
            <span className="num">{place}</span>
            <TeamLink team={team} tournament={id} isStrong={place === 1} />
          </li>
        ))}
      </ol>
    </Section>
  )
}

function Timeline({ tournament }: { readonly tournament: TournamentWithParts }) {
  const { timeline = [], id } = tournament
  const time = useNow(60_000)
  if (timeline.length === 0) return null
  const stateOf = ({ startTime, endTime }: (typeof timeline)[number]) => {
    if (Date.parse(startTime) > time) return 'ahead'
    return endTime !== null && Date.parse(endTime) > time ? 'now' : 'past'
  }
  const signs = { ahead: 'ready', now: 'running', past: 'done' } as const
  return (
    <Section
      title={words('tournament.timeline')}
      beside={
        <Link to="/t/$tournament/schedule" params={{ tournament: id }}>
          {words('tournament.schedule')}
        </Link>
      }
    >
      <ol className={styles.timeline}>
        {timeline.map((event) => {
          const state = stateOf(event)
          return (
            <li key={event.guid} className={styles[state]}>
              <span className={styles.mark}>
                <StateIcon name={signs[state]} />
              </span>
              <span className="unseen">{words(`timeline.${state}`)}</span>
              <b dir="auto">{event.title}</b>
              <span>
                <time dateTime={event.startTime}>{dayOf(event.startTime)}</time>
                {event.endTime !== null && dayOf(event.endTime) !== dayOf(event.startTime) && (
                  <>
                    {' – '}
                    <time dateTime={event.endTime}>{dayOf(event.endTime)}</time>
                  </>
                )}
              </span>
            </li>
          )
        })}
      </ol>
    </Section>
  )
}
