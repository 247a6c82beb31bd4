import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
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
  /** Resolves to true when it was carried out. */
  readonly send: (deed: Deed, session: Session) => Promise<boolean>
  readonly isSending: boolean
  /** Why the last one was not carried out. */
  readonly error: Error | null
  /** The position that the reader had seen as the last one was sent. */
  readonly expect: number
  /** The row of the last one that was carried out, and when. */
  readonly done: { readonly position: number; readonly at: number } | null
  readonly reset: () => void
}

export function useDeeds({ tournament }: View, at: Address<Session>, session: string): Deeds {
  const cache = useQueryClient()
  const last = useRef<{ readonly expect: number; readonly done: Deeds['done'] }>({ expect: 0, done: null })
  const show = (known: Known, state: Session) => known.change(at, (shown) => newer(shown, state))
  const act = useWrite('POST /tournaments/{tournament}/flow-sessions/{flowSession}/act', show)
  const claim = useWrite('POST /tournaments/{tournament}/flow-sessions/{flowSession}/claims', show)
  const clock = useWrite('POST /tournaments/{tournament}/flow-sessions/{flowSession}/clock', show)
  const undo = useWrite('POST /tournaments/{tournament}/flow-sessions/{flowSession}/undo', show)
  const all = [act, claim, clock, undo]
  const error = all.find((each) => each.error !== null)?.error ?? null
  useEffect(() => {
    const state = error instanceof ApiError ? (error.data.state as Session | undefined) : undefined
    if (state !== undefined) cache.setQueryData<Session>([at], (shown) => (shown ? newer(shown, state) : state))
  }, [error, cache, at])
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
  return {
    isSending: all.some(({ isSending }) => isSending),
    error,
    expect: last.current.expect,
    done: last.current.done,
    reset,
    send: async (deed, { position }) => {
      reset()
      last.current = { expect: position, done: null }
      const isDone = await carryOut(deed, position)
      if (isDone && deed.kind === 'act')
        last.current = { expect: position, done: { position: position + 1, at: now() } }
      return isDone
    },
  }
}

/** Topics bring the same states, and may be ahead. */
const newer = (shown: Session, state: Session): Session =>
  shown.session === state.session && shown.position > state.position ? shown : state
