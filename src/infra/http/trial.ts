import { type Actor, anonymous } from '../../core/actor.ts'
import { type Operation, parametersOf, Refusal, tournamentPath } from '../../core/operation.ts'
import { conflict, Problem } from '../../core/problem.ts'
import { type Place, workAtFirst } from '../clock/store.ts'
import { type Database, type Db, databaseError, type Tx } from '../db/database.ts'
import type { Held, Lane } from '../held/held.ts'
import { enterLane, playsInMatch, readHeldRows } from '../held/store.ts'
import { isPassing } from '../idempotency/once.ts'
import { type Admission, type Credential, credentialOf, type Parameters } from './admission.ts'
import { goesToDisk } from './body.ts'
import { type Counters, countersOfTwo } from './counters.ts'
import { askedAgain, hasMember } from './lanes.ts'
import type { RateLimits } from './limits.ts'
import type { Asking } from './request.ts'

/**
 * Commands of outsiders of a held tournament. Their refusals tell what is shown, not what is so: each command is tried
 * first where tables have the rows that are shown, and a refusal there is its answer. What only the present refuses is
 * refused without a reason. (V3)
 */

export interface Outside {
  readonly lane: Lane
  /** Whether the command is for outsiders at all. */
  readonly mayRun: boolean
  /**
   * Judges the caller anew, by what `db` shows.
   * @throws Problem
   */
  readonly judged: (db: Db) => Promise<Asking>
}

/** The present refuses what is possible by all that the caller may know. */
const heldBack = () => conflict('spoiler.held', 'This is not possible at the moment. Try it again later.')

/** A caller without any role. */
const stranger: Actor = { ...anonymous, guid: '00000000-0000-4000-8000-000000000000' }

/**
 * Whether outsiders may carry it out in a held tournament. All others are judged by the present: what programs with
 * credentials of their own report, commands of reviewers, and files, which cannot be taken in twice.
 */
export function isForOutsiders(operation: Operation, parameters: Parameters): boolean {
  if (operation.kind !== 'command' || operation.ownCredentials || goesToDisk(operation)) return false
  const { path, allow } = operation
  const isInTournament =
    path.startsWith(`${tournamentPath}/`) || parametersOf(path).some((name) => parameters[name]?.isInTournament)
  if (!isInTournament) return false
  return allow.mayEver === undefined ? allow.allows(stranger, {} as never) : allow.mayEver(stranger)
}

/** GUID of the match that an address names, or whose record it names, such as a session; null where there is none. */
function matchAmong({ match, ...others }: Readonly<Record<string, unknown>>): string | null {
  if (match !== undefined) return (match as { readonly guid: string }).guid
  const [of] = Object.values(others).filter((record) => hasMember(record, 'matchGuid'))
  return (of as { readonly matchGuid: string | null } | undefined)?.matchGuid ?? null
}

interface Around extends Pick<Admission, 'identify' | 'judge'> {
  readonly parameters: Parameters
  readonly database: Database
  readonly held: Held
}

/** null for callers who see the tournament of the address, or the one match of it, as it is now. */
export async function outsideOf(operation: Operation, asking: Asking, around: Around): Promise<Outside | null> {
  const { actor, tournament, records, bare, credential } = asking.state
  const { held, database, parameters, identify, judge } = around
  if (operation.kind !== 'command' || operation.ownCredentials || tournament === null) return null
  const lane = await (bare ? held.laneOfNow(actor) : held.laneOf(actor, tournament))
  if (lane === null || !held.has(tournament) || lane.inside.includes(tournament)) return null
  const match = matchAmong(records)
  if (match !== null && actor.guid !== null && (await playsInMatch(database.db, match, actor.guid))) return null
  const presented: Credential = credential ?? credentialOf({ actor })
  return {
    lane,
    mayRun: isForOutsiders(operation, parameters),
    async judged(db) {
      const again = askedAgain(asking, operation)
      identify(again, presented)
      await judge(again, db)
      return again
    },
  }
}

/**
 * The refusal of a caller who was not let through, as it follows from what is shown.
 * @throws a failure to find out
 */
export async function refusalShown(
  refusal: unknown,
  outside: () => Promise<Outside | null>,
  database: Database,
): Promise<unknown> {
  if (!(refusal instanceof Problem) || isPassing(refusal)) return refusal
  const seen = await outside()
  if (seen === null) return refusal
  try {
    await judgedAsShown(database, seen)
    return seen.mayRun ? heldBack() : refusal
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

/**
 * An outsider's request with the records that are shown.
 * @throws Problem the refusal that follows from them
 */
export async function judgedAsShown(database: Database, { lane, judged }: Outside): Promise<Asking> {
  return readHeldRows(database, 'requests', lane, judged)
}

interface Running<T> {
  readonly tx: Tx
  readonly place: Place | null
  readonly asking: Asking
  readonly run: (tx: Tx, asking: Asking, counters: Counters) => Promise<T | Refusal>
}

interface Runner {
  readonly database: Database
  readonly limits: RateLimits
  /** Converts an error into the error for the caller. */
  readonly problemOf: (error: unknown) => unknown
}

/**
 * Runs a command of an outsider: first on what is shown, which is taken back, then on what is so.
 * @returns what it answers, and whether that is made of what is shown
 * @throws Problem the refusal on what is shown, else `spoiler.held`; a violated constraint of the database as it is
 */
export async function runForOutsider<T>(
  { database, limits, problemOf }: Runner,
  { lane, judged }: Outside,
  { tx, place, asking, run }: Running<T>,
): Promise<{ readonly told: T | Refusal; readonly isShown: boolean }> {
  const { first, second } = countersOfTwo(limits.count)
  let previewed: { readonly told: T } | null = null
  try {
    previewed = await database.trial(async (trial) => {
      if (place !== null) workAtFirst(trial, place)
      await enterLane(trial, lane)
      const told = await run(trial, await judged(trial), first)
      if (told instanceof Refusal) throw told.problem
      return trial.last.length === 0 ? { told } : null
    })
  } catch (error) {
    const problem = problemOf(error)
    // A view cannot be changed; no rule before the change refused the command.
    if (problem instanceof Problem || databaseError(error) === undefined) throw problem
  }
  try {
    const told = await run(tx, asking, second)
    if (told instanceof Refusal) {
      return { told: isPassing(told.problem) ? told : new Refusal(heldBack()), isShown: true }
    }
    // A preview, which changes nothing, is one of what is shown.
    return previewed !== null && tx.last.length === 0 ? { ...previewed, isShown: true } : { told, isShown: false }
  } catch (error) {
    throw error instanceof Problem && !isPassing(error) ? heldBack() : error
  }
}
