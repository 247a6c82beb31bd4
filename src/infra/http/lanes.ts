import type { FastifyReply, FastifyRequest } from 'fastify'
import { anonymous, isSignedIn, publicAudience } from '../../core/actor.ts'
import { Answer, type Operation } from '../../core/operation.ts'
import { Problem } from '../../core/problem.ts'
import type { Database, Db, ViewLane } from '../db/database.ts'
import type { Held, Lane } from '../held/held.ts'
import { findSeconds, playsInMatch, readHeldRows } from '../held/store.ts'
import { type Admission, type Credential, type Gate, viewerOf } from './admission.ts'
import { sendReady } from './answer.ts'
import { audienceOf } from './audience.ts'
import { type Asking, newState, type RequestState } from './request.ts'
import type { Reading } from './route.ts'

/**
 * Reads of outsiders of held tournaments. No operation decides about it: every read of such a caller, and every
 * check of the caller's rights, uses the rows that are shown. (V2)
 */

export interface HeldReading extends Reading {
  /** How late it is, in seconds; null where nothing of it is held. */
  readonly seconds: number | null
  /** Whether everybody gets this answer who is an insider of no held tournament. */
  readonly isShared: boolean
}

export interface Judging {
  readonly state: RequestState
  readonly credential: Credential
  readonly query: unknown
  /** Judges by the present state. */
  readonly judge: () => Promise<void>
}

export function hasMember(value: unknown, member: string): boolean {
  return typeof value === 'object' && value !== null && member in value
}

/**
 * Waits for the judgement of a request, and decides how a read is read. Where something is held from the caller, a
 * judgement of the present state does not count: the read is judged again by what is shown.
 * @returns whether the judgement let the caller through
 * @throws the refusal, where it counts
 */
export async function judgeInLane(
  operation: Operation,
  { head, held }: Pick<Gate, 'head' | 'held'>,
  request: Judging,
): Promise<boolean> {
  const { state, credential, query, judge } = request
  if (operation.kind !== 'query') {
    state.credential = credential
    await judge()
    return true
  }
  // Without a token, the present state decides nothing, except whether a tournament has a delay that is asked for.
  const isOutside = credential.bare && held.isAny && !hasMember(query, 'delayed')
  if (isOutside) {
    await head.catchUp()
    state.lane = await held.laneOf(state.actor, null)
    if (state.lane !== null) {
      Object.assign(state, { credential, startingPoint: head.point })
      return false
    }
  }
  // Callers with a token have waited for the log already.
  const [refusal] = await Promise.all([refusalOf(judge()), credential.bare ? head.catchUp() : null])
  state.lane = await held.laneOf(state.actor, state.tournament)
  if (state.lane === null && refusal !== null) throw refusal
  state.credential = credential
  return refusal === null
}

/** The problem with which a judgement refuses; null where it lets the caller through. */
async function refusalOf(judging: Promise<void>): Promise<Problem | null> {
  try {
    await judging
    return null
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

/**
 * Sends the cached answer that everybody gets, to a caller who is an insider of no held tournament. Members of the teams
 * of a match see what is about that match alone as it is now.
 * @returns undefined where there is none
 */
export async function sharedAnswer(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  { audience, address, gate }: { readonly audience: string; readonly address: string; readonly gate: Gate },
): Promise<FastifyReply | undefined> {
  const { lane } = request.state
  if (!isForEverybody(audience, lane) || !gate.answers.has(address)) return undefined
  if (await isOwnMatch(operation, request, gate.db)) return undefined
  const ready = gate.answers.get(address)
  if (ready === undefined) return undefined
  await sendReady(request, reply, ready)
  return reply
}

function isForEverybody(audience: string | null, lane: Lane | null): boolean {
  return audience === publicAudience && lane !== null && lane.inside.length === 0
}

/** A read of an outsider of held tournaments. */
export interface HeldRead {
  readonly lane: Lane
  /**
   * Judges the caller anew, by what `db` shows.
   * @throws Problem
   */
  readonly judged: (db: Db) => Promise<Asking>
  /** Keeps reads for requests from delaying reads for topics. */
  readonly pool: ViewLane
}

/**
 * Reads for an outsider of held tournaments, on one snapshot. Members of the teams of a match see what is about
 * that match alone as it is now.
 * @throws Problem as the judgement does
 */
export async function readInLane(
  operation: Operation,
  { database, db: present, held }: { readonly database: Database; readonly db: Db; readonly held: Held },
  { lane, judged, pool }: HeldRead,
  read: (asking: Asking, db: Db) => Promise<Reading>,
): Promise<HeldReading> {
  const shown = await readHeldRows(database, pool, lane, async (db) => {
    const asking = await judged(db)
    if (await isOwnMatch(operation, asking, db)) return null
    const { tournament } = asking.state
    const isLate = tournament === null || held.has(tournament)
    const [reading, seconds] = await Promise.all([read(asking, db), isLate ? findSeconds(db, tournament) : null])
    return { ...reading, seconds, isShared: isForEverybody(audienceOf(operation, asking.state), lane) }
  })
  return shown ?? { ...(await read(await judged(present), present)), seconds: null, isShared: false }
}

/** Whether a read is about a match alone in which the caller plays. */
export async function isOwnMatch(operation: Operation, { state }: Pick<Asking, 'state'>, db: Db): Promise<boolean> {
  const match = (operation.kind === 'query' && operation.live?.matchOf?.(state.records)) || null
  return match !== null && isSignedIn(state.actor) && playsInMatch(db, match, state.actor.guid)
}

/** The same request, to be judged anew. */
export function askedAgain(
  { params, query, headers, ip, cookies, url, method, isFollowed }: Asking,
  operation: Operation,
): Asking {
  return {
    ...{ params, query, headers, ip, cookies, url, state: newState(operation) },
    ...(method !== undefined && { method }),
    ...(isFollowed && { isFollowed }),
  }
}

/**
 * Turns a caller who reads the delayed state into a viewer. A rehearsal has none but its staff, who read it as anonymous
 * viewers of a tournament would. (RT40, R1)
 * @param state of a caller who may see the tournament
 */
export function viewerIn({
  actor,
  isRehearsal,
  tournament,
}: Pick<RequestState, 'actor' | 'isRehearsal' | 'tournament'>): Credential {
  if (!isRehearsal || tournament === null || actor.view !== null) return viewerOf(actor)
  return { actor: { ...anonymous, watches: tournament }, bare: false, fault: null }
}

/**
 * How an outsider of held tournaments reads; null for a caller who sees the present. Insiders who ask for the
 * delay of a held tournament see what everybody sees. In other tournaments, the delay counts.
 */
export function heldReadOf(
  operation: Operation,
  request: Asking,
  {
    isLate,
    held,
    identify,
    judge,
  }: Pick<Admission, 'identify' | 'judge'> & { readonly isLate: boolean; readonly held: Held },
): HeldRead | null {
  const { lane, credential, tournament } = request.state
  const asEverybody = isLate && tournament !== null
  if (asEverybody ? !held.has(tournament) : lane === null) return null
  const viewer = viewerIn(request.state)
  const presented = asEverybody ? viewer : (credential ?? viewer)
  const judged = async (db: Db) => {
    const asking = askedAgain(request, operation)
    identify(asking, presented)
    await judge(asking, db)
    return asking
  }
  return { lane: asEverybody || lane === null ? { inside: [] } : lane, judged, pool: 'requests' }
}

/** The answer with the header that says how late it is. */
export function delayedBy({ status, body, headers, cookies, contentType }: Answer, seconds: number): Answer {
  return new Answer(status, {
    body,
    headers: { ...headers, delayed: `${seconds}` },
    cookies,
    ...(contentType !== undefined && { contentType }),
  })
}
