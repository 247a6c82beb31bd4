import { conflict } from '../../../core/problem.ts'
import type { Flow } from '../../../engine/flows/flow.ts'
import type { Setting } from '../../../engine/flows/validate/types.ts'
import type { Threads } from '../../../infra/threads/threads.ts'
import { judgeFlow } from '../flows/prepare.ts'

/** Sessions without a match that one person began and that are not over, in all tournaments. */
export const mostLiveOfOne = 500
/** Sessions without a match of a tournament, whatever became of them: they are kept with their logs. */
export const mostFree = 1_000
/** Sessions of a match, those that were begun anew included. */
export const mostOfMatch = 100

/**
 * What anybody may begin who has a tournament, be it a draft, is bounded. (match-flows: FFA; D8)
 * @throws Problem `flow.too_many_live`, `flow.limit_reached`
 */
export function checkFreeRoom({ live, kept }: { readonly live: number; readonly kept: number }): void {
  if (live >= mostLiveOfOne) {
    throw conflict(
      'flow.too_many_live',
      `You have begun ${mostLiveOfOne} sessions without a match that are not over; finish one first.`,
    )
  }
  if (kept < mostFree) return
  throw conflict(
    'flow.limit_reached',
    `The tournament has ${mostFree} sessions without a match, as many as there may be.`,
  )
}

/** Rows of a log; speakers leave some of them to referees. */
export const mostRows = { speaker: 4_000, referee: 5_000 } as const

/**
 * Whatever is done is a row that is kept, and what is taken back is two: nobody goes on without end. A session that has no room is
 * ended, or begun anew. (match-flows: Log and state; D8)
 * @throws Problem `flow.limit_reached`
 */
export function checkLogRoom(position: number, isReferee: boolean): void {
  if (position < mostRows[isReferee ? 'referee' : 'speaker']) return
  throw conflict(
    'flow.limit_reached',
    isReferee
      ? `The log of the session has ${mostRows.referee} rows, as many as there may be; finish it, or begin it anew.`
      : 'The log of the session has no more room for those who play; a referee goes on.',
  )
}

/** @throws Problem `flow.limit_reached` */
export function checkMatchRoom(kept: number): void {
  if (kept < mostOfMatch) return
  throw conflict(
    'flow.limit_reached',
    `The match has had ${mostOfMatch} sessions, as many as there may be; go on by hand.`,
  )
}

/**
 * A session begins only by a flow that comes to its end whatever happens, with this pool, for this match. (match-flows:
 * Validation)
 * @throws Problem `flow.invalid` with what is wrong
 */
export async function checkFlow(threads: Threads, flow: Flow, setting: Setting): Promise<void> {
  const { valid, problems } = await judgeFlow(threads, flow, setting)
  if (valid) return
  const errors = problems.filter(({ severity }) => severity === 'error')
  throw conflict('flow.invalid', errors[0]?.message ?? 'The flow cannot be played here.', { problems })
}
