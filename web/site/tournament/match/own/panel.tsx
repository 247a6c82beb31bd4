import { type ReactNode, useId, useRef, useState } from 'react'
import type { Address } from '../../../data/api.ts'
import { words } from '../../../data/words.ts'
import { hasWon } from '../../../parts/match.tsx'
import { PushOffer } from '../../../parts/push-offer.tsx'
import { sideAt, type View } from '../view.ts'
import { Answer } from './answer.tsx'
import { type Ask, askOf } from './asks.tsx'
import { useDeeds } from './deeds.ts'
import { useKeptFocus } from './focus.ts'
import { Next } from './next.tsx'
import styles from './own.module.css'
import { Playing } from './playing.tsx'
import { type Player, type Session, usePlayer } from './reader.ts'
import { Refused } from './refused.tsx'
import { Starting } from './starting.tsx'
import { TakeBack } from './take-back.tsx'
import { Timeout } from './timeout.tsx'
import { Besides, ClockOf, waitingWords } from './waiting.tsx'

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
        <PushOffer text={words('own.push-next')} />
      </Frame>
    )
  if (session?.session != null && match.status === 'running')
    return <InSession view={view} address={address} session={session} id={session.session} player={player} />
  const isRunning = match.status === 'running'
  return (
    <Frame player={player} title={words(isRunning ? 'own.by-hand' : 'own.before')}>
      <p>{words(isRunning ? 'own.by-hand-text' : 'own.before-text')}</p>
      {!isRunning && <PushOffer text={words('own.push')} />}
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
  const focus = useKeptFocus(heading)
  const ask = player.seat === null ? null : askOf(view, session, player.seat)
  const isPaused = session.status === 'paused'
  const chosen = chosenOf(ask, choice)
  // What was chosen, and can be chosen no more: somebody else was faster, or the time was over.
  const isLost =
    choice !== null && !deeds.isSending && (ask?.key !== choice.key || chosen.length < choice.values.length)
  const send = (of: Ask) =>
    deeds.send(of.deed(chosen), session, () => {
      setChoice(null)
      focus()
    })
  return (
    <Frame
      player={player}
      heading={heading}
      isTurn={ask !== null && !isPaused}
      title={ask === null || isPaused ? waitingWords({ view, session, player }) : ask.title}
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
          focus()
        }}
      />
      {ask === null && <Besides view={view} session={session} player={player} />}
      {ask !== null && (
        <Answer
          ask={ask}
          chosen={chosen}
          choose={(values) => setChoice({ key: ask.key, values, since: session.position })}
          isSending={deeds.isSending}
          isAgain={deeds.error !== null && (deeds.last?.kind === 'act' || deeds.last?.kind === 'claim')}
          isPaused={isPaused}
          send={() => send(ask)}
        />
      )}
      {session.phase === 'starting' && (
        <Starting session={session} player={player} deeds={deeds} zone={view.zone} onDone={focus} />
      )}
      {session.phase === 'playing' && <Playing view={view} session={session} player={player} />}
      <div className={`btns ${styles.beside}`}>
        <TakeBack view={view} session={session} player={player} deeds={deeds} onDone={focus} />
        {player.seat !== null && session.status === 'running' && (
          <Timeout session={session} seat={player.seat} deeds={deeds} onDone={focus} />
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
