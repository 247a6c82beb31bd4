import { useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'
import { type Address, ApiError } from '../../../data/api.ts'
import { showAnswer } from '../../../data/told.ts'
import { type Known, useWrite } from '../../../data/writes.ts'
import type { View } from '../view.ts'
import type { Deed, Session } from './reader.ts'

/**
 * Sends what the reader does. Nothing is shown before the service has answered; its answer, and the state that comes with a
 * refusal, are what is shown then. (W7, W9)
 */

export interface Deeds {
  /** @param onDone when it was carried out */
  readonly send: (deed: Deed, session: Session, onDone?: () => void) => void
  readonly isSending: boolean
  /** Why the last one was not carried out; also while the reader sends it again. */
  readonly error: Error | null
  /** The last one that was sent. */
  readonly last: Deed | null
  /** The position that it was sent with. */
  readonly expect: number
  /** The position that the reader had seen as it was chosen; the same, unless it was sent again by itself. */
  readonly seen: number
  readonly reset: () => void
}

interface Last {
  readonly deed: Deed | null
  readonly session: Session | null
  readonly seen: number
  /** Whether it is sent again by itself. */
  readonly isRepeated: boolean
  readonly onDone: () => void
}

const nothing: Last = { deed: null, session: null, seen: 0, isRepeated: false, onDone: () => {} }

export function useDeeds({ tournament }: View, at: Address<Session>, session: string): Deeds {
  const cache = useQueryClient()
  const last = useRef<Last>(nothing)
  const show = (known: Known, state: Session) => known.put(at, state)
  const act = useWrite('POST /tournaments/{tournament}/flow-sessions/{flowSession}/act', show)
  const claim = useWrite('POST /tournaments/{tournament}/flow-sessions/{flowSession}/claims', show)
  const clock = useWrite('POST /tournaments/{tournament}/flow-sessions/{flowSession}/clock', show)
  const undo = useWrite('POST /tournaments/{tournament}/flow-sessions/{flowSession}/undo', show)
  const all = [act, claim, clock, undo]
  const error = all.find((each) => each.error !== null)?.error ?? null
  // biome-ignore lint/correctness/useExhaustiveDependencies: a refusal is answered once
  useLayoutEffect(() => {
    const state = error instanceof ApiError ? (error.data.state as Session | undefined) : undefined
    if (state === undefined) return
    showAnswer(cache, at, state)
    const { deed, session: before, onDone, seen } = last.current
    const isInTheWay = error instanceof ApiError && error.code === 'flow.moved' && before !== null
    if (deed !== null && isInTheWay && isOthersAnswer(deed, before, state))
      start({ deed, session: state, seen, isRepeated: true, onDone })
  }, [error])
  const reset = () => {
    for (const each of all) each.reset()
  }
  const carryOut = (deed: Deed, expect: number) => {
    const params = { tournament, flowSession: session }
    switch (deed.kind) {
      case 'act':
        return act.send({ params, body: { expect, ...deed.body } })
      case 'claim':
        return claim.send({ params, body: { expect, ...deed.body } })
      case 'timeout':
        return clock.send({ params, body: { expect, op: 'timeout', ...deed.body } })
      case 'undo':
        return undo.send({ params, body: { expect } })
    }
  }
  const start = (next: Last & { readonly deed: Deed; readonly session: Session }) => {
    reset()
    last.current = next
    void carryOut(next.deed, next.session.position).then((isDone) => isDone && next.onDone())
  }
  const isSending = all.some((each) => each.isSending)
  return {
    send: (deed, session, onDone = () => {}) =>
      start({ deed, session, seen: session.position, isRepeated: false, onDone }),
    isSending,
    error: isSending && last.current.isRepeated ? null : error,
    last: last.current.deed,
    expect: last.current.session?.position ?? 0,
    seen: last.current.seen,
    reset,
  }
}

/** Where each side answers for itself, the answers of others do not matter: the own one is sent again by itself. */
function isOthersAnswer(deed: Deed, before: Session, after: Session): boolean {
  // What a side says before the steps begin changes nothing for others.
  if (before.phase === 'starting' && after.phase === 'starting') return true
  const [asked, now] = [before.turn, after.turn]
  if (asked === null || now === null || asked.of.length < 2 || before.phase !== after.phase) return false
  // Somebody of the own side has answered.
  if (deed.kind !== 'undo' && !now.seats.includes(deed.body.seat ?? 0)) return false
  const isSame = asked.step === now.step && asked.action === now.action && asked.game === now.game
  return isSame && after.position - before.position === now.done.length - asked.done.length
}
