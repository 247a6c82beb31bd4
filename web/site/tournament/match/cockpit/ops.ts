import { useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect, useMemo, useRef } from 'react'
import type { FlowState } from '../../../../../client/generated.ts'
import { type Address, ApiError, type Sent } from '../../../data/api.ts'
import { showAnswer } from '../../../data/told.ts'
import { type Known, useWrite } from '../../../data/writes.ts'
import type { View } from '../view.ts'

/**
 * What a referee does to a session. Nothing is shown before the service has answered; its answer, and the state that comes
 * with a refusal, are what is shown then. (W7, W9)
 */

const of = '/tournaments/{tournament}/flow-sessions/{flowSession}'
export const paths = {
  act: `POST ${of}/act`,
  claim: `POST ${of}/claims`,
  cancel: `POST ${of}/claims/{claim}/cancel`,
  undo: `POST ${of}/undo`,
  clock: `POST ${of}/clock`,
  scores: `POST ${of}/scores`,
  correct: `PATCH ${of}/scores/{score}`,
  penalise: `POST ${of}/penalties`,
  void: `POST ${of}/penalties/{penalty}/void`,
  override: `POST ${of}/override`,
  restart: `POST ${of}/restart`,
  finish: `POST ${of}/finish`,
} as const

export type Kind = keyof typeof paths
type Body<K extends Kind> = Omit<Extract<NonNullable<Sent<(typeof paths)[K]>['body']>, object>, 'expect'>

export interface Ops {
  /** Resolves to true when it was carried out. */
  readonly send: <K extends Kind>(kind: K, body: Body<K>, names?: Readonly<Record<string, string>>) => Promise<boolean>
  readonly isSending: boolean
  /** Why the last one was not carried out. */
  readonly error: Error | null
  /** The position that the referee had seen when it was sent. */
  readonly seen: number
  readonly reset: () => void
}

export interface SessionOps extends Ops {
  /** Sends what was decided on this state, also where a newer one has arrived: then it is refused. */
  readonly from: (session: FlowState) => Ops['send']
}

/** Scores arrive while other things happen: they name their run in the place of a position. */
const isFree = (kind: Kind) => kind === 'scores' || kind === 'correct'

export function useOps({ tournament }: View, at: Address<FlowState>, session: FlowState): SessionOps {
  const cache = useQueryClient()
  const seen = useRef(0)
  const show = (known: Known, reply: FlowState | { readonly state: FlowState }) => {
    const state = 'state' in reply ? reply.state : reply
    known.put(at, state)
  }
  const writes = {
    act: useWrite(paths.act, show),
    claim: useWrite(paths.claim, show),
    cancel: useWrite(paths.cancel, show),
    undo: useWrite(paths.undo, show),
    clock: useWrite(paths.clock, show),
    scores: useWrite(paths.scores, show),
    correct: useWrite(paths.correct, show),
    penalise: useWrite(paths.penalise, show),
    void: useWrite(paths.void, show),
    override: useWrite(paths.override, show),
    restart: useWrite(paths.restart, show),
    finish: useWrite(paths.finish, show),
  }
  const all = Object.values(writes)
  const error = all.find((each) => each.error !== null)?.error ?? null
  useLayoutEffect(() => {
    const state = error instanceof ApiError ? (error.data.state as FlowState | undefined) : undefined
    if (state !== undefined) showAnswer(cache, at, state)
  }, [error, cache, at])
  const isSending = all.some((each) => each.isSending)
  const latest = useRef({ tournament, session, writes })
  latest.current = { tournament, session, writes }
  // The same while nothing is sent, so that parts of the page without a change are not drawn again.
  const acts = useMemo((): Pick<SessionOps, 'send' | 'from' | 'reset'> => {
    const reset = () => {
      for (const each of Object.values(latest.current.writes)) each.reset()
    }
    const sent = <K extends Kind>(
      on: FlowState,
      kind: K,
      body: Body<K>,
      names: Readonly<Record<string, string>> = {},
    ) => {
      reset()
      const now = latest.current
      seen.current = on.position
      const write = now.writes[kind] as { readonly send: (sent: object) => Promise<boolean> }
      return write.send({
        params: { tournament: now.tournament, flowSession: on.session, ...names },
        body: { ...(!isFree(kind) && { expect: on.position }), ...body },
      })
    }
    return {
      reset,
      send: (kind, body, names) => sent(latest.current.session, kind, body, names),
      from: (shown) => (kind, body, names) => sent(shown, kind, body, names),
    }
  }, [])
  const seenAt = seen.current
  return useMemo(() => ({ ...acts, isSending, error, seen: seenAt }), [acts, isSending, error, seenAt])
}

/** What all parts of the cockpit of a session have. */
export interface Table {
  readonly view: View
  readonly session: FlowState
  readonly ops: Ops
}

export const nameOfSeat = ({ seats }: FlowState, seat: number | null | undefined): string =>
  seats.find((each) => each.seat === seat)?.name ?? ''
