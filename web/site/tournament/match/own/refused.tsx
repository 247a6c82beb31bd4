import { useEffect, useRef } from 'react'
import { ApiError } from '../../../data/api.ts'
import type { FlowRow } from '../../../data/generated.ts'
import { signInAddress } from '../../../data/queries.ts'
import { type WordId, words } from '../../../data/words.ts'
import { ownName } from '../people.ts'
import type { View } from '../view.ts'
import type { Deeds } from './deeds.ts'
import { Meanwhile, useRows } from './meanwhile.tsx'
import styles from './own.module.css'
import { type Player, rowKindOf, type Session } from './reader.ts'

/** Why something was not done: what was refused, what did not arrive, and what others did before. (W10) */

interface Props {
  readonly view: View
  readonly session: Session
  readonly player: Player
  readonly deeds: Deeds
  /** When the reader chose what can be chosen no more. */
  readonly since: number | null
  readonly close: () => void
}

export function Refused({ view, session, player, deeds, since, close }: Props) {
  // While the reader sends it again, the message stays; what is sent again by itself was not refused.
  const held = useRef({ deeds, since })
  if (!deeds.isSending) held.current = { deeds, since }
  const { error, expect, seen, last } = held.current.deeds
  const isAnswered = error instanceof ApiError
  const isAsked = (error !== null || held.current.since !== null) && error === deeds.error
  const rows = useRows(view, session, isAsked ? (error === null ? held.current.since : seen) : null)
  if (!isAsked) return null
  if (error !== null && !isAnswered) {
    // Whether what was not answered was carried out is seen from the log.
    const own = rows?.find(({ position }) => position === expect + 1)
    const isDone = own?.by?.guid === player.user && last !== null && own.kind === rowKindOf(last)
    if (isDone) return <Told tone="" title={words('own.arrived')} of={[own]} {...{ view, player, close }} />
    if (session.position <= expect || rows === undefined) return <Told tone="warning" title={words('own.unsent')} />
  }
  const isPlain = isAnswered && error.code !== 'flow.moved'
  return (
    <Told
      tone={error === null ? 'warning' : 'alert'}
      title={isPlain ? words('own.not-counted') : fasterWords(rows ?? [], session, player)}
      of={rows ?? []}
      {...{ view, player, close }}
    >
      {isPlain && <Reason error={error} />}
    </Told>
  )
}

/** The first of what happened says why the own choice came too late. */
function fasterWords(rows: readonly FlowRow[], { seats }: Session, { user, seat }: Player): string {
  const [first] = rows.filter((row) => row.kind === 'lapse' || row.seat === seat)
  if (first === undefined) return words('own.moved')
  if (first.kind === 'lapse') return words('own.late')
  const { by } = first
  if (by === null) return words('own.moved')
  if (by.guid === user) return words('own.answered')
  const isOfTeam = seats.some((each) => each.seat === seat && each.speakers.some(({ guid }) => guid === by.guid))
  return words(isOfTeam ? 'own.faster' : 'own.for-you', { name: ownName(by) })
}

/** The refusal in words; those of the service, unless they speak of its state. */
function Reason({ error }: { readonly error: ApiError }) {
  const { code, message, requestId, status, retryAfter } = error
  const own: WordId | undefined = ownReasons[code as keyof typeof ownReasons]
  return (
    <p>
      {status === 401 ? (
        <a href={signInAddress()}>{words('own.refused-session')}</a>
      ) : own === undefined ? (
        <bdi>{message}</bdi>
      ) : (
        words(own)
      )}
      {status === 429 && retryAfter !== null && <> {words('own.refused-later', { seconds: retryAfter })}</>}
      {requestId !== null && status >= 500 && (
        <span className="small muted"> {words('state.request', { id: requestId })}</span>
      )}
    </p>
  )
}

const ownReasons = {
  'flow.not_your_turn': 'own.refused-turn',
  'flow.wrong_action': 'own.refused-action',
  'flow.paused': 'own.refused-paused',
  'flow.over': 'own.refused-over',
  'claim.not_entitled': 'own.refused-claim',
  'timeout.none_left': 'own.refused-timeout',
} as const

interface ToldProps {
  readonly tone: 'warning' | 'alert' | ''
  readonly title: string
  readonly of?: readonly FlowRow[]
  readonly view?: View
  readonly player?: Player
  /** Left out where the reader is to try again. */
  readonly close?: () => void
  readonly children?: React.ReactNode
}

function Told({ tone, title, of = [], view, player, close, children }: ToldProps) {
  const ref = useRef<HTMLDivElement>(null)
  // The list of maps may be longer than the page that is in sight.
  useEffect(() => {
    ref.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={ref} className={`notice ${tone === '' ? '' : `notice-${tone}`} ${styles.refused}`} role="alert">
      <div className="push">
        <p className="strong">{title}</p>
        {children}
        {view !== undefined && player !== undefined && <Meanwhile view={view} rows={of} player={player} />}
      </div>
      {close !== undefined && (
        <button type="button" className="btn" onClick={close}>
          {words('own.seen')}
        </button>
      )}
    </div>
  )
}
