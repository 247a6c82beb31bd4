import type { Actor, Policy } from '../../../core/actor.ts'
import type { Operation } from '../../../core/operation.ts'
import { Problem } from '../../../core/problem.ts'
import type { Database, Db } from '../../db/database.ts'
import { everythingTag } from '../../events/head.ts'
import type { Held } from '../../held/held.ts'
import { playsInMatch, readHeldRows } from '../../held/store.ts'
import type { Life } from '../../http/route.ts'
import type { Sink } from '../doors/frame.ts'
import type { TouchingEvent } from '../durable/facts.ts'
import { credentialFor, endingOf, judgedFor, orProblem } from '../durable/reading.ts'
import { type Act, carryOut } from '../durable/rights-checks.ts'
import type { Beside } from '../durable/rights-of-other-subscriptions.ts'
import type { Ending, Viewer } from '../durable/subscription.ts'
import { type Topic, unknownTopic } from '../durable/topics.ts'

/**
 * The rights of followers and writers of ephemeral topics and documents; they end in the step that ends the rights.
 * (RT12)
 */

/** An ephemeral topic, or a document. */
export interface Place {
  readonly topic: Topic
  /** The operation that decides who may follow. */
  readonly operation: Operation
  readonly kind: {
    /** Which of its callers may. */
    readonly reads?: Policy<never>
    readonly besideReads?: (context: { readonly db: Db; readonly records: never }) => Promise<object>
    readonly beside?: (context: { readonly db: Db; readonly records: never }) => Promise<object>
    readonly matchOf?: (records: never) => string
    /** Set for a topic that shows another one. */
    readonly mirrors?: unknown
    readonly endsWith?: (records: never) => readonly string[]
    /** Whether the record still exists, for a follower who no longer sees it. */
    readonly remains?: (db: Db, records: never) => Promise<boolean>
  }
  /** The canonical name, whichever way its records are spelt. */
  nameIn(records: Readonly<Record<string, unknown>>): string
}

/** The result of a check of rights: the actor's roles and the topic's records. */
export interface Judged {
  readonly actor: Actor
  readonly records: Readonly<Record<string, unknown>>
  readonly tournament: string | null
  /** GUID of the match whose delay applies; null for none. */
  readonly match: string | null
  /** The topic's canonical name. */
  readonly name: string
  /** Records with which the topic ends. */
  readonly tags: readonly string[]
  /** Whether the values are seen as late as a held tournament is. */
  readonly isLate: boolean
  /** Number of an event: events after it were not considered. */
  readonly since: number
}

/** A follower or writer whose rights may end. */
export interface Party {
  readonly address: Place
  readonly viewer: Viewer
  /** Set for a writer, as opposed to a follower. */
  readonly isWriter?: true
  /** null until the first check. */
  judged: Judged | null
  /** Called when a new check has succeeded. */
  stay(judged: Judged): void
  end(reason: Ending, sinks: Set<Sink>): void
}

export interface RightsOptions {
  readonly lifeOf: (operation: Operation) => Life
  /** Without them nothing is held. */
  readonly heldFrom?: { readonly held: Held; readonly database: Database }
  readonly db: Db
  /** Makes the feed's steps check rights from now on. */
  readonly begin: () => Promise<void>
}

/** The caller sees the record, but not this topic of it. */
class Forbidden extends Problem {}

export class Rights implements Beside {
  readonly #options: RightsOptions
  readonly #parties = new Set<Party>()
  /** An anonymous follower of each topic, by name: the next anonymous caller needs no check. */
  readonly #strangers = new Map<string, Party>()
  /** Counts steps in which rights may have been reduced. */
  #steps = 0

  constructor(options: RightsOptions) {
    this.#options = options
  }

  get isFollowed(): boolean {
    return this.#parties.size > 0
  }

  /**
   * Checks a follower's or writer's rights, and again after every event that may reduce them.
   * @throws Problem `topic.unknown`
   */
  async admit(party: Party): Promise<Judged> {
    // Must be called before the party is added: with a party present, the feed would not start at a new event.
    if (!this.isFollowed) await this.#options.begin()
    this.#parties.add(party)
    try {
      for (;;) {
        const steps = this.#steps
        const judged = this.#knownToStrangers(party) ?? (await this.#judge(party, this.#options.db))
        // The step that reduced rights did not include this party.
        if (steps !== this.#steps) continue
        party.judged = judged
        if (party.viewer.credential.bare) this.#strangers.set(party.address.topic.name, party)
        return judged
      }
    } catch (error) {
      this.dismiss(party)
      throw error
    }
  }

  dismiss(party: Party): void {
    this.#parties.delete(party)
    const { name } = party.address.topic
    if (this.#strangers.get(name) === party) this.#strangers.delete(name)
  }

  /** Checks a party with its new credential. */
  async judgeAgain(party: Party): Promise<void> {
    carryOut([actOf(party, await orProblem(this.#judge(party, this.#options.db)))])
  }

  /**
   * Checks a party whose rights were found to be reduced.
   * @param upTo number of an event that is known to be visible
   * @throws Problem
   */
  judgeNow(party: Party, upTo: number): Promise<Judged> {
    return this.#judge(party, this.#options.db, () => upTo)
  }

  async heed(events: readonly TouchingEvent[], db: Db): Promise<Act[]> {
    const acts: Act[] = []
    const ofStrangers = new Map<string, Promise<Judged | Problem>>()
    for (const party of this.#concernedBy(events)) {
      const { name } = party.address.topic
      const { bare } = party.viewer.credential
      // Later callers are checked anew, by the present rights.
      if (bare) this.#strangers.delete(name)
      const judging =
        (bare ? ofStrangers.get(name) : undefined) ??
        orProblem(this.#judge(party, db, (known) => Math.min(known, events.at(-1)?.seq ?? known)))
      if (bare) ofStrangers.set(name, judging)
      acts.push(actOf(party, await judging))
    }
    return acts
  }

  /** Parties whose rights may have been reduced, or whose topic may have ended. */
  #concernedBy(events: readonly TouchingEvent[]): readonly Party[] {
    if (events.length === 0 || this.#parties.size === 0) return []
    const [tournaments, users, touched] = [new Set<string>(), new Set<string>(), new Set<string>()]
    for (const { rights, tournament, subject, touches } of events) {
      for (const tag of touches) touched.add(tag)
      if (!rights) continue
      if (tournament !== null) tournaments.add(tournament)
      if (subject !== null) users.add(subject)
    }
    // A switch of what is held from outsiders concerns everybody.
    const isSwitch = touched.has(everythingTag)
    if (isSwitch || tournaments.size > 0 || users.size > 0) this.#steps++
    return [...this.#parties].filter(({ judged, viewer }) => {
      if (judged === null) return false
      if (isSwitch) return true
      const { guid } = viewer.credential.actor
      const isHere = judged.tournament !== null && tournaments.has(judged.tournament)
      return isHere || (guid !== null && users.has(guid)) || judged.tags.some((tag) => touched.has(tag))
    })
  }

  #knownToStrangers({ viewer, address }: Party): Judged | null {
    return viewer.credential.bare ? (this.#strangers.get(address.topic.name)?.judged ?? null) : null
  }

  /**
   * Judges by what is shown, and not by the present, where that is held from a follower.
   * @param judged judges by what a view of the database has
   * @returns null where nothing is held from the follower
   * @throws Problem
   */
  async #judgeLate({ address, viewer, isWriter }: Party, judged: (db: Db) => Promise<Judged>): Promise<Judged | null> {
    const { topic, kind } = address
    const { heldFrom } = this.#options
    if (heldFrom === undefined || isWriter || topic.operation.live.canBeDelayed !== true) return null
    const { held, database } = heldFrom
    const lane = await held.laneOfNow(credentialFor(topic, viewer).actor)
    if (lane === null) return null
    return readHeldRows(database, 'feed', lane, async (db) => {
      const late = await judged(db)
      const { tournament, match, actor } = late
      if (tournament === null || !held.has(tournament) || lane.inside.includes(tournament)) return null
      if (match !== null && actor.guid !== null && (await playsInMatch(db, match, actor.guid))) return null
      // What such a topic shows changes with the present.
      if (kind.mirrors !== undefined) throw hidden()
      return { ...late, isLate: true }
    })
  }

  /**
   * @param upTo gives the number of the newest event that was surely visible, from that of the newest known event
   * @throws Problem
   */
  async #judge(party: Party, db: Db, upTo = (known: number) => known): Promise<Judged> {
    const judged = (view: Db) => this.#judgeBy(party, view, upTo)
    return (await this.#judgeLate(party, judged)) ?? judged(db)
  }

  async #judgeBy(party: Party, db: Db, upTo: (known: number) => number): Promise<Judged> {
    const { address, viewer, isWriter } = party
    const { topic, operation, kind } = address
    const asking = await judgedFor(topic, viewer, this.#options.lifeOf(operation), db).catch(async (error: unknown) => {
      const { judged } = party
      const isHidden = judged !== null && (await kind.remains?.(db, judged.records as never))
      throw isHidden && error instanceof Problem ? hidden() : error
    })
    const { actor, records, tournament, judgedAt } = asking.state
    const beside = isWriter ? kind.beside : undefined
    if (beside === undefined && kind.reads !== undefined) {
      const found = { ...records, ...(await kind.besideReads?.({ db, records: records as never })) }
      if (!kind.reads.allows(actor, found as never)) throw hidden()
    }
    return {
      actor,
      tournament,
      records: { ...records, ...(await beside?.({ db, records: records as never })) },
      match: kind.matchOf?.(records as never) ?? null,
      name: address.nameIn(records),
      tags: kind.endsWith?.(records as never) ?? [],
      isLate: false,
      since: upTo(judgedAt),
    }
  }
}

/** Refused as an unknown topic; earlier followers learn the real reason. (RT13) */
function hidden(): Problem {
  const { code, message } = unknownTopic()
  return new Forbidden('missing', code, message)
}

function actOf(party: Party, judged: Judged | Problem): Act {
  return (sinks) =>
    judged instanceof Problem
      ? party.end(judged instanceof Forbidden ? 'forbidden' : endingOf(judged), sinks)
      : party.stay(judged)
}
