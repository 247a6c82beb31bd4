import { useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'
import { type Address, ApiError } from '../../../data/api.ts'
import { now } from '../../../data/live.ts'
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
  /** Why the last one was not carried out. */
  readonly error: Error | null
  /** The position that the reader had seen as the last one was sent. */
  readonly expect: number
  /** The row of the last one that was carried out, and when. */
  readonly done: { readonly position: number; readonly at: number } | null
  readonly reset: () => void
}

interface Last {
  readonly deed: Deed | null
  readonly session: Session | null
  readonly onDone: () => void
  readonly done: Deeds['done']
}

const nothing: Last = { deed: null, session: null, onDone: () => {}, done: null }

export function useDeeds({ tournament }: View, at: Address<Session>, session: string): Deeds {
  const cache = useQueryClient()
  const last = useRef<Last>(nothing)
  const show = (known: Known, state: Session) => known.change(at, (shown) => newer(shown, state))
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
    cache.setQueryData<Session>([at], (shown) => (shown ? newer(shown, state) : state))
    const { deed, session: seen, onDone } = last.current
    const isInTheWay = error instanceof ApiError && error.code === 'flow.moved' && seen !== null
    if (deed !== null && isInTheWay && isOthersAnswer(seen, state)) send(deed, state, onDone)
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
  const send: Deeds['send'] = (deed, state, onDone = () => {}) => {
    reset()
    const { position } = state
    last.current = { deed, session: state, onDone, done: null }
    void carryOut(deed, position).then((isDone) => {
      if (!isDone) return
      if (deed.kind === 'act') last.current = { ...last.current, done: { position: position + 1, at: now() } }
      onDone()
    })
  }
  return {
    send,
    isSending: all.some(({ isSending }) => isSending),
    error,
    expect: last.current.session?.position ?? 0,
    done: last.current.done,
    reset,
  }
}

/** Where each side answers for itself, the answers of others do not matter: the own one is sent again by itself. */
function isOthersAnswer(before: Session, after: Session): boolean {
  // What a side says before the steps begin changes nothing for others.
  if (before.phase === 'starting' && after.phase === 'starting') return true
  const [asked, now] = [before.turn, after.turn]
  if (asked === null || now === null || asked.of.length < 2 || before.phase !== after.phase) return false
  const isSame = asked.step === now.step && asked.action === now.action && asked.game === now.game
  return isSame && after.position - before.position === now.done.length - asked.done.length
}

/** Topics bring the same states, and may be ahead. */
const newer = (shown: Session, state: Session): Session =>
  shown.session === state.session && shown.position > state.position ? shown : state
