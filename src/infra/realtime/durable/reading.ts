import { anonymous, isSignedIn, publicAudience } from '../../../core/actor.ts'
import { type Concern, parametersOf } from '../../../core/operation.ts'
import { Problem } from '../../../core/problem.ts'
import { isHeldOnSocket } from '../../../core/scopes.ts'
import type { Database, Db } from '../../db/database.ts'
import type { Held, Lane } from '../../held/held.ts'
import { readHeldRows } from '../../held/store.ts'
import { type Credential, scopeMissing, viewerOf } from '../../http/admission.ts'
import { audienceOf } from '../../http/audience.ts'
import { etagOf } from '../../http/etag.ts'
import { type HeldReading, isOwnMatch, viewerIn } from '../../http/lanes.ts'
import { renewClock } from '../../http/rehearsals.ts'
import { type Asking, newState } from '../../http/request.ts'
import type { Reading as Answered, DelayedReading, Life } from '../../http/route.ts'
import { ownAudience } from './facts.ts'
import { heldAudience } from './held-audience.ts'
import type { Ending, Subscription, Viewer } from './subscription.ts'
import { type LiveOperation, type Topic, unknownTopic } from './topics.ts'
import type { Body } from './view.ts'

/** Reads topics with the rules and the kernel of a GET. (RT1) */

export interface Judged {
  readonly asking: Asking
  readonly audience: string
  /** GUID of the topic's tournament. */
  readonly tournament: string | null
  /** How it is read, where something is held from the caller; null for the present. */
  readonly held: { readonly lane: Lane; readonly judged: (db: Db) => Promise<Asking> } | null
}

/** A checked follower who may receive facts. */
export interface JudgedForFacts extends Judged {
  /** For a topic outside tournaments: the events to send; null for none. */
  readonly concern: Concern | null
}

const maxBody = 4 * 1024 * 1024

export interface ReadingOptions {
  readonly database: Database
  readonly held: Held
  readonly lifeOf: (operation: LiveOperation) => Life
}

export class Reading {
  readonly #options: ReadingOptions

  constructor(options: ReadingOptions) {
    this.#options = options
  }

  /** Whether a tournament is held from outsiders, as of the last check of a caller. */
  isHeld(tournament: string): boolean {
    return this.#options.held.has(tournament)
  }

  /**
   * Checks whether a caller may follow the topic, and in which audience.
   * @throws Problem
   */
  async judge({ wanted: { topic }, viewer }: Pick<Subscription, 'wanted' | 'viewer'>, db: Db): Promise<Judged> {
    const { lifeOf, held } = this.#options
    const judged = (view: Db) => judgedFor(topic, viewer, lifeOf(topic.operation), view)
    const lane = await held.laneOfNow(credentialFor(topic, viewer).actor)
    const inLane = lane === null ? null : await this.#judgeInLane(topic, lane, judged)
    const asking = inLane ?? (await judged(db))
    const audience = (namesCaller(topic) ? null : audienceOf(topic.operation, asking.state)) ?? aloneOf(asking)
    const { tournament } = asking.state
    if (lane === null || inLane === null) return { asking, audience, tournament, held: null }
    return { asking, audience: heldAudience(lane.inside, audience), tournament, held: { lane, judged } }
  }

  /** null where the caller sees the present: the own match, and a delayed topic of a tournament that is not held. */
  #judgeInLane(topic: Topic, lane: Lane, judged: (db: Db) => Promise<Asking>): Promise<Asking | null> {
    return readHeldRows(this.#options.database, 'feed', lane, async (view) => {
      const asking = await judged(view)
      const { tournament } = asking.state
      if (topic.isDelayed && tournament !== null && !this.#options.held.has(tournament)) return null
      return (await isOwnMatch(topic.operation, asking, view)) ? null : asking
    })
  }

  async forFacts(judged: Judged, { operation, query }: Topic, db: Db): Promise<JudgedForFacts> {
    const { actor, records } = judged.asking.state
    const { concerns } = operation.live
    const isElsewhere = judged.tournament === null && concerns !== undefined
    return { ...judged, concern: isElsewhere ? await concerns({ actor, records, query, db }) : null }
  }

  /** @throws Problem */
  async read({ asking, held }: Judged, topic: Topic, db: Db, seq: number): Promise<Body> {
    await renewClock(asking, db)
    const now = new Date()
    const life = this.#options.lifeOf(topic.operation)
    const present = () => (topic.isDelayed ? life.readDelayed(asking, now, 'feed') : life.read(asking, db, now))
    const reading: Answered & Partial<Pick<DelayedReading, 'shown'> & Pick<HeldReading, 'seconds'>> = await (held ===
    null
      ? present()
      : life.readHeld({ ...held, pool: 'feed' }, now)
    ).catch((error: unknown) => {
      throw hiddenIfRefused(error, topic)
    })
    if (reading.body === null || reading.answer.status !== 200) throw unknownTopic()
    if (reading.body.length > maxBody) {
      throw new Problem('too_large', 'topic.too_large', 'This is too large to be followed; narrow it.')
    }
    if (reading.tags.length === 0) throw new Error(`${topic.operation.name} is live and depends on nothing`)
    return {
      text: reading.body.toString(),
      etag: etagOf(reading.body),
      tags: new Set(reading.tags),
      until: reading.until?.getTime() ?? Number.POSITIVE_INFINITY,
      seq,
      shown: reading.shown?.upTo ?? seq,
      delayedBy: reading.shown?.seconds ?? reading.seconds ?? undefined,
    }
  }
}

/** The result, or the problem with which the work fails. */
export async function orProblem<T>(work: Promise<T>): Promise<T | Problem> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

/**
 * Builds a request for a topic, and checks the caller's rights.
 * @throws Problem
 */
export async function judgedFor(topic: Topic, viewer: Viewer, life: Life, db: Db): Promise<Asking> {
  const { operation, params, query } = topic
  const state = newState(operation)
  const asking: Asking = {
    params,
    query,
    headers: {},
    ip: viewer.ip,
    cookies: {},
    url: '',
    state,
    isFollowed: true,
  }
  const { actor } = viewer.credential
  // A view token grants only its overlay, and not even public topics. (RT18)
  if (actor.view !== null && operation.takesViewToken !== true) throw unknownTopic()
  const judge = async (credential: Credential) => {
    life.identify(asking, forReading(credential))
    // The socket's scope admits the request; the caller's own scopes decide which data is shown.
    asking.state.actor = credential.actor
    await life.judge(asking, db)
  }
  try {
    await judge(credentialFor(topic, viewer)).catch(async (error: unknown) => {
      if (!topic.isDelayed || !isSignedIn(actor)) throw error
      // The staff of a rehearsal, which is unknown to all others.
      await judge(goodFor(viewer.credential, operation))
      await judge(viewerIn(asking.state))
    })
  } catch (error) {
    throw hiddenIfRefused(error, topic)
  }
  return asking
}

/** A delayed topic is always read as an anonymous viewer, in a rehearsal as one who may see it. */
export function credentialFor({ operation, isDelayed }: Topic, { credential }: Viewer): Credential {
  return isDelayed ? viewerOf(credential.actor) : goodFor(credential, operation)
}

/**
 * The bearer of a token that opens only operations with a scope of their own counts as anonymous elsewhere, and sees
 * what is public. (RT18; assistant: Operations)
 */
function goodFor(credential: Credential, { scope }: LiveOperation): Credential {
  const { actor } = credential
  if (!isSignedIn(actor) || isHeldOnSocket(actor.scopes, scope, 'query')) return credential
  return { actor: anonymous, bare: false, fault: () => scopeMissing('ws:read') }
}

/** `ws:read` replaces the scopes of reads. (RT18) */
function forReading(credential: Credential): Credential {
  const { actor } = credential
  if (!isSignedIn(actor) || !actor.scopes.has('ws:read')) return credential
  return { ...credential, actor: { ...actor, scopes: new Set([...actor.scopes, 'rest:read', 'rest:user:read']) } }
}

/** A topic with `@me` differs for each caller, even within an audience. */
function namesCaller({ params, query }: Topic): boolean {
  return [...Object.values(params), ...Object.values(query)].includes('@me')
}

/** The audience of a single caller: not shared with anybody, nor with another application of the same user. */
function aloneOf({ state: { actor } }: Asking): string {
  if (!isSignedIn(actor)) return publicAudience
  return `${ownAudience}${actor.guid}:${actor.token?.clientId ?? ''}:${[...actor.scopes].sort().join()}`
}

/**
 * Hides refusals as `topic.unknown`, except for missing authentication on a topic with `@me`, and invalid queries.
 * (RT13)
 */
function hiddenIfRefused(error: unknown, topic: Topic): unknown {
  if (!(error instanceof Problem)) return error
  const isOfMe = topic.operation.path.includes('@me') || namesCaller(topic)
  if (error.kind === 'unauthenticated' && isOfMe) return error
  const isHidden = ['unauthenticated', 'forbidden', 'missing'].includes(error.kind)
  return isHidden ? unknownTopic() : error
}

/** The reason with which a topic ends that can no longer be read. A hidden record ends like a deleted one. */
export function endingOf({ kind, code }: Problem): Ending {
  if (code === 'topic.too_large') return 'too_large'
  return kind === 'invalid' || kind === 'conflict' ? 'invalid' : 'gone'
}

/** GUID of the record that the topic shows; null for a list. */
export function recordOf({ operation: { path, live } }: Topic, { state }: Asking): string | null {
  const last = path.split('/').at(-1) ?? ''
  const name = live.about ?? (last.startsWith(':') ? parametersOf(path).at(-1) : undefined)
  if (name === undefined) return null
  const record = state.records[name]
  return typeof record === 'object' && record !== null && 'guid' in record ? String(record.guid) : null
}
