import { getRouteApi } from '@tanstack/react-router'
import type { FlowState, Match } from '../../../client/generated.ts'
import { FaultOf } from '../chrome/faults.tsx'
import { address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { type WordId, words } from '../data/words.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { hasWon, roundName, type Side, sideName } from '../parts/match.tsx'
import { Section } from '../parts/section.tsx'
import { SpoilerSwitch, useSpoilers } from '../parts/spoilers.tsx'
import { MatchState } from '../parts/state.tsx'
import { colorOf, TeamLink } from '../parts/team.tsx'
import { Clock, Instant, useNow } from '../parts/time.tsx'
import styles from './match.module.css'
import { Around, Officials } from './match-around.tsx'
import { useTournament } from './reads.ts'

/** One match for those who watch: sides and score, games, choices of maps, who works at it, what comes before and after. */

const route = getRouteApi('/t/$tournament/m/$division/$number')

export function MatchPage() {
  const { tournament, division, number } = route.useParams()
  const read = useRead(
    address('/tournaments/{tournament}/matches/{match}', { tournament, match: number }, {
      division,
      delayed: true,
    } as object),
    { live: true, delayed: true },
  )
  if (read.data === undefined && read.error !== null)
    return <FaultOf error={read.error} again={() => void read.refetch()} />
  return (
    <div className="page">
      <Loaded of={read} rows={10}>
        {(match) => <Shown match={match} tournament={tournament} division={division} />}
      </Loaded>
    </div>
  )
}

interface ShownProps {
  readonly match: Match
  readonly tournament: string
  readonly division: string
}

function Shown({ match, tournament, division }: ShownProps) {
  const whole = useTournament().data
  const isHidden = useSpoilers(whole?.guid)
  const flow = useRead(
    address('/tournaments/{tournament}/matches/{match}/flow', { tournament, match: match.guid }, { delayed: true }),
    { live: true, delayed: true },
  )
  const state = flow.data?.status === 'planned' ? undefined : flow.data
  const [first, second] = match.sides as readonly [Side, Side]
  const title = `${sideName(first)} : ${sideName(second)}`
  return (
    <div className="stack">
      <header className={styles.head}>
        <h1 data-title={`${title} · ${whole?.name ?? ''}`}>
          <span className="unseen">{words('match.title', { first: sideName(first), second: sideName(second) })}</span>
          <span aria-hidden="true" className={styles.context}>
            {words('match.context', { number: match.number, round: roundName(match) })}
          </span>
        </h1>
        <p className={styles.states}>
          <MatchState status={match.status} />
          <span>{words('match.best-of', { games: match.bestOf })}</span>
          {match.conditional && <span className="muted">{words('match.conditional')}</span>}
          <When match={match} zone={whole?.timezone} />
        </p>
        {whole !== undefined && (
          <div className="btns no-print">
            {match.streamUrl !== null && match.status !== 'completed' && (
              <a className="btn btn-primary" href={match.streamUrl} rel="nofollow ugc noopener">
                {words('match.watch')}
              </a>
            )}
            {match.vodUrl !== null && (
              <a className="btn btn-primary" href={match.vodUrl} rel="nofollow ugc noopener">
                {words('match.vod')}
              </a>
            )}
            <SpoilerSwitch tournament={whole.guid} />
          </div>
        )}
      </header>
      <div className={styles.score}>
        <BigSide match={match} at={0} tournament={tournament} isHidden={isHidden} />
        <span className={styles.colon} aria-hidden="true">
          {':'}
        </span>
        <BigSide match={match} at={1} tournament={tournament} isHidden={isHidden} />
      </div>
      {state !== undefined && <Turn state={state} />}
      <div className="two">
        <div className="stack">
          <Games match={match} state={state} isHidden={isHidden} />
          {state !== undefined && <Choices state={state} />}
        </div>
        <div className="stack">
          <Around match={match} tournament={tournament} division={division} />
          <Officials match={match} />
        </div>
      </div>
    </div>
  )
}

function When({ match, zone }: { readonly match: Match; readonly zone: string | undefined }) {
  const { scheduledAt, status, startedAt, completedAt } = match
  const time = useNow(30_000)
  if (status === 'running' && startedAt !== null)
    return (
      <span>
        {words('match.since')} <Instant at={startedAt} as="time" />
      </span>
    )
  if (status === 'completed' && completedAt !== null) return <Instant at={completedAt} zone={zone} />
  if (scheduledAt === null) return <span className="muted">{words('match.no-time')}</span>
  const away = Date.parse(scheduledAt) - time
  return (
    <span>
      <Instant at={scheduledAt} zone={zone} />
      {away > 0 && away < 86_400_000 && (
        <>
          , {words('match.in')} <Clock at={scheduledAt} />
        </>
      )}
    </span>
  )
}

function BigSide({
  match,
  at,
  tournament,
  isHidden,
}: {
  readonly match: Match
  readonly at: 0 | 1
  readonly tournament: string
  readonly isHidden: boolean
}) {
  const side = match.sides[at] as Side
  const isPlayed = match.status === 'running' || match.status === 'completed'
  const won = !isHidden && hasWon(side)
  return (
    <div className={`${styles.side} ${at === 0 ? styles.one : styles.other}`} style={colorOf(side.team)}>
      <span className={styles.name}>
        {side.team === null ? (
          <span className="muted">{sideName(side)}</span>
        ) : (
          <TeamLink team={side.team} tournament={tournament} isStrong={won} />
        )}
        {won && <small>{words('match.winner')}</small>}
        {!isHidden && side.result === 'forfeit' && <small>{words('match.forfeit')}</small>}
      </span>
      <b className="num">{isPlayed && !isHidden ? (side.score ?? '–') : '–'}</b>
    </div>
  )
}

/** Whose turn it is, with the clock, in a place that is there before. (W18) */
function Turn({ state }: { readonly state: FlowState }) {
  const { turn, clock, seats, status } = state
  if (status === 'over' || status === 'void' || turn === null) return null
  const names = turn.seats.map((seat) => seats.find((each) => each.seat === seat)?.name ?? '').join(', ')
  return (
    <p className={`notice ${styles.turn}`} aria-live="polite">
      <span className="push">
        {turn.actor === 'seats'
          ? words(`turn.${turn.action}` as WordId, { team: names })
          : words(turn.actor === 'referee' ? 'turn.referee' : 'turn.system')}
      </span>
      {clock !== null && clock.dueAt !== null && clock.pausedAt === null && <Clock at={clock.dueAt} />}
      {clock !== null && clock.pausedAt !== null && <span className="muted">{words('turn.paused')}</span>}
    </p>
  )
}

const numbers = new Intl.NumberFormat('en')

function Games({
  match,
  state,
  isHidden,
}: {
  readonly match: Match
  readonly state: FlowState | undefined
  readonly isHidden: boolean
}) {
  const maps = new Map(state?.pool?.maps.map((each) => [each.map.hash.toLowerCase(), each]))
  return (
    <Section title={words('match.games')}>
      {match.games.length === 0 ? (
        <Empty>{words(match.status === 'completed' ? 'match.no-games' : 'match.games-come')}</Empty>
      ) : isHidden ? (
        <Empty>{words('spoiler.hidden')}</Empty>
      ) : (
        <ol className={styles.games}>
          {match.games.map((game) => {
            const known = maps.get(game.map?.hash.toLowerCase() ?? '')
            const [one, two] = game.sides
            const lead = (one?.score ?? 0) - (two?.score ?? 0)
            return (
              <li key={game.number}>
                <span className="code">{game.number}</span>
                <span className={styles.map}>
                  {known?.flair != null && <span className={styles.flair}>{known.flair.name}</span>}
                  <bdi>{known?.map.name ?? game.map?.name ?? words('match.a-map')}</bdi>
                </span>
                <span className={`num ${styles.value} ${game.winner === 1 ? '' : styles.less}`}>
                  {scoreOf(one?.score)}
                </span>
                <span className={`num ${styles.value} ${game.winner === 2 ? '' : styles.less}`}>
                  {scoreOf(two?.score)}
                </span>
                <span className={`small muted ${styles.lead}`}>
                  {one?.score != null && two?.score != null && lead !== 0 && (
                    <>
                      {sideName(match.sides[lead > 0 ? 0 : 1] as Side)} +{numbers.format(Math.abs(lead))}
                    </>
                  )}
                </span>
              </li>
            )
          })}
        </ol>
      )}
    </Section>
  )
}

const scoreOf = (score: number | null | undefined) =>
  score === null || score === undefined ? '–' : numbers.format(score)

/** What was banned and picked, and what is left. */
function Choices({ state }: { readonly state: FlowState }) {
  const pool = new Map(state.pool?.maps.map((each) => [each.guid, each]))
  const nameOf = (seat: number | null) => state.seats.find((each) => each.seat === seat)?.name
  const chosen = state.maps.filter((each) => each.state !== 'available')
  const left = state.maps.length - chosen.length
  return (
    <Section
      title={words('match.choices')}
      beside={<span className="muted">{words('match.maps-left', { count: left })}</span>}
    >
      {chosen.length === 0 ? (
        <Empty>{words('match.no-choices')}</Empty>
      ) : (
        <ul className="lines">
          {chosen.map((each) => {
            const entry = pool.get(each.map)
            return (
              <li key={each.map} className={styles.choice}>
                {entry?.flair != null && <span className={styles.flair}>{entry.flair.name}</span>}
                <bdi className={each.state === 'banned' ? styles.struck : ''}>{entry?.map.name ?? '–'}</bdi>
                <span className="muted">
                  {words(`choice.${each.state}` as WordId)}
                  {each.seat !== null && <>, {nameOf(each.seat)}</>}
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </Section>
  )
}
