import type { ReactNode } from 'react'
import { type WordId, words } from '../../data/words.ts'
import { hasWon } from '../../parts/match.tsx'
import { State } from '../../parts/state.tsx'
import { Instant, useNow } from '../../parts/time.tsx'
import { Flair } from './flair.tsx'
import { Left } from './left.tsx'
import type { LiveSong } from './live-values.ts'
import styles from './match.module.css'
import { type Index, indexes } from './people.ts'
import { indexOf, nameAt, poolMap, sideAt, titleOf, type View } from './view.ts'

/** What happens now, in one line of one height in all phases: whose turn it is, and the clock. (W18) */

interface Line {
  readonly side?: Index | null
  readonly what: ReactNode
  readonly beside?: ReactNode
  readonly clock?: ReactNode
  /** The share of the time that is over, where that is shown. */
  readonly part?: number
}

interface Props {
  readonly view: View
  readonly song: LiveSong | null
  /** Whether it is known by which flow the match is played. */
  readonly isReady: boolean
}

export function Now({ view, song, isReady }: Props) {
  const known = useLine(view, song)
  const line = isReady || view.match.status !== 'running' ? known : { what: '' }
  return (
    <section
      className={`${styles.now} ${line.side === 0 ? styles.one : line.side === 1 ? styles.other : ''}`}
      aria-label={words('play.now')}
    >
      <p className={styles.what}>{line.what}</p>
      <p className={`muted ${styles.then}`}>{line.beside}</p>
      <p className={styles.clock}>{line.clock}</p>
      {line.part !== undefined && (
        <span className={styles.bar} style={{ '--part': line.part } as React.CSSProperties} aria-hidden="true" />
      )}
    </section>
  )
}

function useLine(view: View, song: LiveSong | null): Line {
  const time = useNow(1_000)
  const { match, session } = view
  switch (match.status) {
    case 'cancelled':
      return {
        what: <State shape="off">{words('match.cancelled')}</State>,
        beside: match.conditional ? words('play.not-needed') : null,
      }
    case 'completed':
      return finished(view)
    case 'running':
      return session === undefined || session.status === 'over' || session.status === 'void'
        ? running(view, song, time)
        : inFlow(view, session, song, time)
    default:
      return before(view, time)
  }
}

function before(view: View, time: number): Line {
  const { match, zone } = view
  const then = match.conditional ? onlyIf(view) : undefined
  const isKnown = match.status === 'ready'
  const unknown = indexes.filter((at) => sideAt(view, at).team === null && !sideAt(view, at).bye)
  const waits = words('play.waits', { sides: unknown.map((at) => nameAt(view, at)).join(', ') })
  const what = isKnown ? (
    <State shape="ready">{words('match.ready')}</State>
  ) : (
    <State shape="waiting">{unknown.length === 0 ? words('match.locked') : waits}</State>
  )
  if (match.scheduledAt === null) return { what, beside: then ?? words('match.no-time') }
  const isDue = Date.parse(match.scheduledAt) <= time
  return {
    what,
    beside: (
      <>
        <Instant at={match.scheduledAt} zone={zone} /> {then}
      </>
    ),
    clock: isDue ? (
      <span>{words('play.soon')}</span>
    ) : (
      <>
        <span className="small muted">{words('play.starts-in')}</span> <Left until={match.scheduledAt} />
      </>
    ),
  }
}

/** Why a match that may not be played would be. */
function onlyIf({ match }: View): string {
  const before = match.sides.find(({ from }) => from !== null)?.from?.number
  if (before === undefined) return words('match.conditional')
  return words(match.section === 'final' ? 'play.only-if-final' : 'play.only-if', { number: before })
}

function finished(view: View): Line {
  const { match, isHidden } = view
  const what = <State shape="done">{words('match.completed')}</State>
  if (isHidden) return { what, beside: words('spoiler.hidden') }
  const winner = indexes.find((at) => hasWon(sideAt(view, at)))
  const scores = indexes.map((at) => sideAt(view, at).score)
  const team = winner === undefined ? '' : nameAt(view, winner)
  const sentence = {
    score: words('play.won', { team, most: scores[winner ?? 0] ?? 0, least: scores[1 - (winner ?? 0)] ?? 0 }),
    walkover: words('play.walkover', { team, other: winner === undefined ? '' : nameAt(view, winner === 0 ? 1 : 0) }),
    bye: words('match.free', { team }),
    draw: words('play.draw'),
    double_forfeit: words('play.double-forfeit'),
  }
  const outcome = winner === undefined && match.outcome === 'score' ? 'draw' : (match.outcome ?? 'draw')
  return { ...(winner !== undefined && { side: winner }), what, beside: sentence[outcome] }
}

function running({ match }: View, song: LiveSong | null, time: number): Line {
  const number = match.games.length + 1
  const what = <State shape="running" tone="run">{`${words('match.running')}`}</State>
  if (song === null) return { what, beside: words('play.next-game', { number }) }
  return { what, beside: song.name, ...songClock(song, time) }
}

/** What is left of a song, by the clock of the service. */
function songClock(song: LiveSong, time: number): Pick<Line, 'clock' | 'part'> {
  if (song.startedAt === null || song.seconds === null) return {}
  const end = Date.parse(song.startedAt) + song.seconds * 1_000
  if (end <= time) return {}
  return {
    clock: <Left until={new Date(end).toISOString()} />,
    part: Math.max(0, 1 - (end - time) / (song.seconds * 1_000)),
  }
}

type Session = NonNullable<View['session']>

function inFlow(view: View, session: Session, song: LiveSong | null, time: number): Line {
  const { turn, clock, phase } = session
  const names = (seats: readonly number[]) =>
    seats.map((seat) => session.seats.find((each) => each.seat === seat)?.name ?? '').join(', ')
  const ticking = clock?.dueAt != null && clock.pausedAt === null ? { clock: <Left until={clock.dueAt} /> } : {}
  const part = clock?.dueAt != null ? partOf(clock.dueAt, clock.seconds, time) : {}
  if (session.status === 'paused')
    return {
      what: <State shape="waiting">{words('turn.paused')}</State>,
      beside:
        turn === null
          ? null
          : turn.seats.length > 0
            ? words('play.kept', { team: names(turn.seats) })
            : turn.game !== null && words('play.at-game', { game: turn.game }),
      clock: clock?.remainingMs != null && <Left ms={clock.remainingMs} />,
    }
  if (phase === 'referee' || phase === 'decided' || turn?.actor === 'referee')
    return {
      what: <State shape="waiting">{words('turn.referee')}</State>,
      beside: session.stuck === null ? null : words(`play.stuck-${session.stuck}` as WordId),
    }
  if (phase === 'starting' && session.startsAt !== null)
    return { what: words('play.starting'), clock: <Left until={session.startsAt} /> }
  if (turn === null)
    return {
      what: (
        <State shape="running" tone="run">
          {words('match.running')}
        </State>
      ),
    }
  const side = turn.seats.length === 1 ? indexOf(turn.seats[0] ?? null) : null
  if (phase === 'playing') return { ...playing(view, session, song, time), ...matchPoint(session) }
  if (phase === 'window')
    return {
      side,
      what: <b>{words('play.may-claim', { team: names(turn.seats) })}</b>,
      beside: words('play.of-game', { game: turn.game }),
      ...ticking,
      ...part,
    }
  const done = turn.done.length > 0 && turn.seats.length > 0 ? words('play.done', { team: names(turn.done) }) : null
  return {
    side,
    what: (
      <b>
        {turn.actor === 'seats'
          ? words(`turn.${turn.action}` as WordId, { team: names(turn.seats) })
          : words('turn.system')}
      </b>
    ),
    beside: done ?? matchPoint(session).beside,
    ...ticking,
    ...part,
  }
}

function partOf(dueAt: string, seconds: number, time: number): Pick<Line, 'part'> {
  return { part: Math.min(1, Math.max(0, 1 - (Date.parse(dueAt) - time) / (seconds * 1_000))) }
}

function playing(view: View, session: Session, song: LiveSong | null, time: number): Line {
  const { turn } = session
  const game = session.games.find((each) => each.game === turn?.game)
  const entry = poolMap(view, game?.map ?? null)
  const isAgain = (turn?.run ?? 1) > 1 || (game?.chain ?? 1) > 1
  return {
    side: indexOf(game?.pickedBy ?? null),
    what: (
      <>
        <State shape="running" tone="run">
          {words(isAgain ? 'play.game-again' : 'play.game-played', { game: turn?.game ?? 1 })}
        </State>
        {entry !== undefined && (
          <span className={styles.song}>
            <Flair of={entry} /> <bdi className="strong">{titleOf(entry.map)}</bdi>
          </span>
        )}
      </>
    ),
    ...(song !== null && songClock(song, time)),
  }
}

function matchPoint({ matchPoint: seats, seats: all }: Session): Pick<Line, 'beside'> {
  if (seats === null || seats.length === 0) return {}
  if (seats.length === all.length) return { beside: <b>{words('play.map-decides')}</b> }
  const names = seats.map((seat) => all.find((each) => each.seat === seat)?.name ?? '').join(', ')
  return { beside: <b>{words('play.match-point', { team: names })}</b> }
}
