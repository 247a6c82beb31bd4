import { conflict } from '../../../core/problem.ts'
import type { Flow } from '../../../engine/flows/flow.ts'
import type { Setting } from '../../../engine/flows/validate/types.ts'
import type { Threads } from '../../../infra/threads/threads.ts'
import { judgeFlow } from '../flows/prepare.ts'

/** The maximum of free sessions that one user began and that are not over, in all tournaments. */
export const maxLiveOfOne = 500
/** The maximum of free sessions in a tournament, over or not; they are kept with their logs. */
export const maxFree = 1_000
/** The maximum of sessions of one match, including those before a restart. */
export const maxOfMatch = 100

/**
 * Limits free sessions, since everybody who has a tournament may begin them, even in a draft. (match-flows: FFA; D8)
 * @throws Problem `flow.too_many_live`, `flow.limit_reached`
 */
export function checkFreeRoom({ live, kept }: { readonly live: number; readonly kept: number }): void {
  if (live >= maxLiveOfOne) {
    throw conflict(
      'flow.too_many_live',
      `You have begun ${maxLiveOfOne} sessions without a match that are not over; finish one first.`,
    )
  }
  if (kept < maxFree) return
  throw conflict(
    'flow.limit_reached',
    `The tournament has ${maxFree} sessions without a match, as many as there may be.`,
  )
}

/** The maximum of rows in a log. Speakers have a lower limit, so that referees have rows left. */
export const maxRows = { speaker: 4_000, referee: 5_000 } as const

/**
 * Limits the log: every act adds a row, and every undo adds another. A session without room can only be ended or
 * restarted. (match-flows: Log and state; D8)
 * @throws Problem `flow.limit_reached`
 */
export function checkLogRoom(position: number, isReferee: boolean): void {
  if (position < maxRows[isReferee ? 'referee' : 'speaker']) return
  throw conflict(
    'flow.limit_reached',
    isReferee
      ? `The log of the session has ${maxRows.referee} rows, as many as there may be; finish it, or begin it anew.`
      : 'The log of the session has no more room for those who play; a referee goes on.',
  )
}

/** @throws Problem `flow.limit_reached` */
export function checkMatchRoom(kept: number): void {
  if (kept < maxOfMatch) return
  throw conflict(
    'flow.limit_reached',
    `The match has had ${maxOfMatch} sessions, as many as there may be; go on by hand.`,
  )
}

/**
 * A session begins only if its flow reaches an end in every case, with this pool and for this match. (match-flows:
 * Validation)
 * @throws Problem `flow.invalid` with the problems of the flow
 */
export async function checkFlow(threads: Threads, flow: Flow, setting: Setting): Promise<void> {
  const { valid, problems } = await judgeFlow(threads, flow, setting)
  if (valid) return
  const errors = problems.filter(({ severity }) => severity === 'error')
  throw conflict('flow.invalid', errors[0]?.message ?? 'The flow cannot be played here.', { problems })
}
