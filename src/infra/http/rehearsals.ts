import { instantOf, realOf } from '../../core/clock.ts'
import { clockTag, findClock, type Place } from '../clock/store.ts'
import type { Db } from '../db/database.ts'
import type { Dependencies } from './dependencies.ts'
import type { Asking, RequestState } from './request.ts'

/** Requests in a rehearsal go by the clock there. (R2) */

type In = Pick<RequestState, 'clock' | 'tournament'>

export interface RunsDue {
  /** Does what is due in a rehearsal. */
  readonly runDue: (rehearsal: string) => Promise<void>
}

/** Takes the tournament of a record that was found, with its clock in a rehearsal. */
export async function takePlace(
  state: RequestState,
  { tournament, isRehearsal }: { readonly tournament?: string; readonly isRehearsal?: boolean },
  db: Db,
): Promise<void> {
  if (tournament !== undefined) state.tournament = tournament
  if (isRehearsal !== undefined) state.isRehearsal = isRehearsal
  if (isRehearsal === true && tournament !== undefined) state.clock = (await findClock(db, tournament)) ?? null
}

/** Reads the clock again, for a topic that is read long after its follower was judged. */
export async function renewClock({ state }: Asking, db: Db): Promise<void> {
  if (state.clock === null || state.tournament === null) return
  state.clock = (await findClock(db, state.tournament)) ?? null
}

/** The `now` of an operation. */
export function instantFor({ state: { clock } }: Asking, real: Date): Date {
  return clock === null ? real : instantOf(clock, real)
}

/** Where a transaction works; null for all tournaments that are no rehearsals. */
export function placeOf({ state: { clock, tournament } }: Asking, instant: Date): Place | null {
  return clock === null || tournament === null ? null : { tournament, instant, isFixed: false }
}

export function clockTagsOf({ clock, tournament }: In): string[] {
  return clock === null || tournament === null ? [] : [clockTag(tournament)]
}

/** By the real clock: an answer that changes with the clock of a rehearsal also changes when that clock is set. */
export function dependenciesOf(found: Dependencies, state: In): Dependencies {
  if (state.clock === null || found.until === null) return found
  const tags = [...found.tags, ...clockTagsOf(state)]
  return { tags, until: realOf(state.clock, found.until), isCached: false }
}

/**
 * Does what is due where a command works. While the clock runs, that comes before the command, which then finds it done;
 * while it is paused, after the command, since nothing else would do it.
 */
export async function runDueIn(
  { state: { clock, tournament } }: Asking,
  { runDue }: RunsDue,
  { isRunning }: { readonly isRunning: boolean },
): Promise<void> {
  if (clock !== null && tournament !== null && clock.pace > 0 === isRunning) await runDue(tournament)
}
