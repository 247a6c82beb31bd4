import { Link } from '@tanstack/react-router'
import { type ReactNode, useId, useRef, useState } from 'react'
import type { Address } from '../../../data/api.ts'
import { type WordId, words } from '../../../data/words.ts'
import { hasWon } from '../../../parts/match.tsx'
import { useNow } from '../../../parts/time.tsx'
import { Left } from '../left.tsx'
import { sideAt, type View } from '../view.ts'
import { Answer } from './answer.tsx'
import { type Ask, askOf } from './asks.tsx'
import { type Deeds, useDeeds } from './deeds.ts'
import { Next } from './next.tsx'
import styles from './own.module.css'
import { Playing } from './playing.tsx'
import { type Player, type Session, usePlayer } from './reader.ts'
import { Refused } from './refused.tsx'
import { Starting } from './starting.tsx'
import { Timeout } from './timeout.tsx'

/** What the reader, who plays in the match, is asked for now, or waits for. */

interface Props {
  readonly view: View
  /** Of the flow, as it is now: answers are put there. */
  readonly address: Address<Session>
  /** The reader's GUID. */
  readonly user: string
}

export default function OwnPanel({ view, address, user }: Props) {
  const player = usePlayer(view, user)
  const { session, match } = view
  if (match.status === 'cancelled') return null
  if (match.status === 'completed' || session?.phase === 'over')
    return (
      <Frame player={player} title={overWords(view, player)}>
        <Next view={view} at={player.at} />
      </Frame>
    )
  if (session?.session != null && match.status === 'running')
    return <InSession view={view} address={address} session={session} id={session.session} player={player} />
  const isRunning = match.status === 'running'
  return (
    <Frame player={player} title={words(isRunning ? 'own.by-hand' : 'own.before')}>
      <p>{words(isRunning ? 'own.by-hand-text' : 'own.before-text')}</p>
      {!isRunning && (
        <p>
          <Link to="/me/settings">{words('own.push')}</Link>
        </p>
      )}
    </Frame>
  )
}

/** How it ended for the reader's side. */
function overWords(view: View, { at }: Player): string {
  if (at === null || view.isHidden || view.match.outcome !== 'score') return words('own.over')
  const [own, other] = [sideAt(view, at), sideAt(view, at === 0 ? 1 : 0)]
  const values = { own: own.score ?? 0, other: other.score ?? 0 }
  return words(hasWon(own) ? 'own.won' : hasWon(other) ? 'own.lost' : 'own.drawn', values)
}

interface FrameProps {
  readonly player: Player
  readonly title: ReactNode
  /** The reader is asked for something. */
  readonly isTurn?: boolean
  readonly clock?: ReactNode
  readonly heading?: React.Ref<HTMLHeadingElement>
  readonly children?: ReactNode
}

function Frame({ player: { at }, title, isTurn = false, clock, heading, children }: FrameProps) {
  const id = useId()
  return (
    <section
      className={`${styles.own} ${at === 0 ? styles.one : at === 1 ? styles.other : ''} ${isTurn ? styles.turn : ''} no-print`}
      aria-labelledby={id}
    >
      <header>
        <h2 id={id} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {clock !== undefined && <p className={styles.clock}>{clock}</p>}
      </header>
      {children}
    </section>
  )
}

interface InSessionProps {
  readonly view: View
  readonly address: Address<Session>
  readonly session: Session
  readonly id: string
  readonly player: Player
}

/** What the reader has chosen and not sent, and of when it is. */
interface Choice {
  readonly key: string
  readonly values: readonly string[]
  readonly since: number
}

function InSession({ view, address, session, id, player }: InSessionProps) {
  const deeds = useDeeds(view, address, id)
  const [choice, setChoice] = useState<Choice | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const ask = player.seat === null ? null : askOf(view, session, player.seat)
  const chosen = chosenOf(ask, choice)
  // What was chosen, and can be chosen no more: somebody else was faster.
  const isLost =
    choice !== null && !deeds.isSending && (ask?.key !== choice.key || chosen.length < choice.values.length)
  const send = (of: Ask) =>
    deeds.send(of.deed(chosen), session, () => {
      setChoice(null)
      heading.current?.focus()
    })
  return (
    <Frame
      player={player}
      heading={heading}
      isTurn={ask !== null}
      title={ask?.title ?? <Waiting view={view} session={session} player={player} />}
      clock={<ClockOf session={session} />}
    >
      <Refused
        view={view}
        session={session}
        player={player}
        deeds={deeds}
        since={isLost ? choice.since : null}
        close={() => {
          deeds.reset()
          if (isLost) setChoice(null)
        }}
      />
      {ask !== null && (
        <Answer
          ask={ask}
          chosen={chosen}
          choose={(values) => setChoice({ key: ask.key, values, since: session.position })}
          isSending={deeds.isSending}
          isAgain={deeds.error !== null}
          send={() => send(ask)}
        />
      )}
      {session.phase === 'starting' && <Starting session={session} player={player} deeds={deeds} zone={view.zone} />}
      {session.phase === 'playing' && <Playing view={view} session={session} player={player} />}
      <div className={`btns ${styles.beside}`}>
        <TakeBack session={session} deeds={deeds} />
        {player.seat !== null && session.status === 'running' && (
          <Timeout session={session} seat={player.seat} deeds={deeds} />
        )}
      </div>
    </Frame>
  )
}

function chosenOf(ask: Ask | null, choice: Choice | null): readonly string[] {
  if (ask === null) return []
  if (choice?.key !== ask.key) return ask.first ?? []
  const legal = new Set(ask.options.filter(({ taken }) => taken === undefined).map(({ value }) => value))
  return choice.values.filter((value) => legal.has(value))
}

/** Who has to act before the reader can. */
function Waiting({
  session,
  player,
  view,
}: {
  readonly view: View
  readonly session: Session
  readonly player: Player
}) {
  const { turn, phase, status, seats } = session
  const nameOf = (all: readonly number[]) =>
    all.map((seat) => seats.find((each) => each.seat === seat)?.name ?? '').join(', ')
  if (status === 'paused') return words('own.paused')
  if (phase === 'starting') return words('play.starting')
  if (phase === 'referee' || phase === 'decided' || turn?.actor === 'referee') return words('turn.referee')
  if (turn === null || phase === 'playing') return words('own.play')
  const own = player.seat ?? (player.at === null ? null : player.at + 1)
  if (own !== null && player.seat === null && turn.seats.includes(own)) {
    const speakers = seats.find(({ seat }) => seat === own)?.speakers ?? []
    const names = speakers.map(({ guid, username }) => view.people.nameOf(guid) ?? username).join(', ')
    return words('own.up-to', { names, what: words(`own.what-${turn.action}` as WordId) })
  }
  if (phase === 'window') return words('own.wait-window', { team: nameOf(turn.seats) })
  if (turn.actor === 'system') return words('turn.system')
  return words('own.wait', { team: nameOf(turn.seats), what: words(`own.what-${turn.action}` as WordId) })
}

function ClockOf({ session: { clock, startsAt, phase, status } }: { readonly session: Session }) {
  if (phase === 'starting' && startsAt !== null) return <Left until={startsAt} />
  if (clock === null) return null
  if (clock.dueAt === null || status === 'paused')
    return clock.remainingMs === null ? null : <Left ms={clock.remainingMs} />
  return <Left until={clock.dueAt} />
}

/** For some seconds, the reader's own last choice can be taken back, where the flow allows it. */
function TakeBack({ session, deeds }: { readonly session: Session; readonly deeds: Deeds }) {
  const time = useNow(1_000)
  const seconds = session.flow?.rules.selfUndoSeconds ?? 0
  const { done } = deeds
  const left = done === null ? 0 : Math.ceil((done.at + seconds * 1_000 - time) / 1_000)
  if (done === null || left <= 0 || session.lastUndoable !== done.position) return null
  return (
    <button
      type="button"
      className="btn"
      aria-disabled={deeds.isSending}
      onClick={() => deeds.isSending || deeds.send({ kind: 'undo' }, session)}
    >
      {words('own.take-back', { left })}
    </button>
  )
}
