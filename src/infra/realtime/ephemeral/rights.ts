import type { Actor, Policy } from '../../../core/actor.ts'
import type { Operation } from '../../../core/operation.ts'
import { Problem } from '../../../core/problem.ts'
import type { Db } from '../../db/database.ts'
import type { Life } from '../../http/route.ts'
import type { Sink } from '../doors/frame.ts'
import type { Beside } from '../durable/beside.ts'
import type { TouchingEvent } from '../durable/facts.ts'
import { type Act, carryOut } from '../durable/judging.ts'
import { endingOf, judgedFor, orProblem } from '../durable/reading.ts'
import type { Ending, Viewer } from '../durable/subscription.ts'
import { type Topic, unknownTopic } from '../durable/topics.ts'

/** By which rights somebody follows or writes what is no read; they end in the step in which the rights do. (RT12) */

/** What is followed: an ephemeral topic, or a document. */
export interface Place {
  readonly topic: Topic
  /** Which decides who may follow. */
  readonly operation: Operation
  readonly kind: {
    /** Who of them may. */
    readonly reads?: Policy<never>
    readonly besideReads?: (context: { readonly db: Db; readonly records: never }) => Promise<object>
    readonly beside?: (context: { readonly db: Db; readonly records: never }) => Promise<object>
    readonly matchOf?: (records: never) => string
    readonly endsWith?: (records: never) => readonly string[]
    /** Whether it is still there, for somebody who does not see it any more. */
    readonly remains?: (db: Db, records: never) => Promise<boolean>
  }
  /** The name that is the same however its records are spelt. */
  nameIn(records: Readonly<Record<string, unknown>>): string
}

/** What somebody was found to be in what a topic is about. */
export interface Judged {
  readonly actor: Actor
  readonly records: Readonly<Record<string, unknown>>
  readonly tournament: string | null
  /** GUID of the match by whose delay it is late, if it is about one. */
  readonly match: string | null
  /** Of the topic, however it was spelt. */
  readonly name: string
  /** Records with whose end it ends. */
  readonly tags: readonly string[]
  /** Number of an event: whatever is behind it was not looked at. */
  readonly since: number
}

/** Whoever is here by rights that they may lose. */
export interface Party {
  readonly address: Place
  readonly viewer: Viewer
  /** They write it, rather than follow it. */
  readonly isWriter?: true
  /** null until they were judged. */
  judged: Judged | null
  /** They were judged again, and may stay. */
  stay(judged: Judged): void
  end(reason: Ending, sinks: Set<Sink>): void
}

export interface RightsOptions {
  readonly lifeOf: (operation: Operation) => Life
  readonly db: Db
  /** Has steps look after the rights of those who are here. */
  readonly begin: () => Promise<void>
}

/** They see the record, and not this of it. */
class Forbidden extends Problem {}

export class Rights implements Beside {
  readonly #options: RightsOptions
  readonly #parties = new Set<Party>()
  /** Somebody without a token who was let in to a topic, by its name: the next one sees the same. */
  readonly #strangers = new Map<string, Party>()
  /** Counts steps in which somebody may have lost a right. */
  #steps = 0

  constructor(options: RightsOptions) {
    this.#options = options
  }

  get isFollowed(): boolean {
    return this.#parties.size > 0
  }

  /**
   * Finds what somebody may; from then on they are judged again whenever they may have lost it.
   * @throws Problem `topic.unknown`
   */
  async admit(party: Party): Promise<Judged> {
    // Only of one who is not here yet does the feed know that it begins.
    if (!this.isFollowed) await this.#options.begin()
    this.#parties.add(party)
    try {
      for (;;) {
        const steps = this.#steps
        const judged = this.#knownToStrangers(party) ?? (await this.#judge(party, this.#options.db))
        // The step in which they lose a right has not met them here.
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

  /** Judges somebody who has another credential from now on. */
  async judgeAgain(party: Party): Promise<void> {
    carryOut([actOf(party, await orProblem(this.#judge(party, this.#options.db)))])
  }

  /**
   * Finds what somebody may who was found to have lost something.
   * @param upTo number of an event that is known to be seen
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
      // Whoever comes now is judged by what holds now.
      if (bare) this.#strangers.delete(name)
      const judging =
        (bare ? ofStrangers.get(name) : undefined) ??
        orProblem(this.#judge(party, db, (known) => Math.min(known, events.at(-1)?.seq ?? known)))
      if (bare) ofStrangers.set(name, judging)
      acts.push(actOf(party, await judging))
    }
    return acts
  }

  /** Who may have lost a right, and who follows what may be no more. */
  #concernedBy(events: readonly TouchingEvent[]): readonly Party[] {
    if (events.length === 0 || this.#parties.size === 0) return []
    const [tournaments, users, touched] = [new Set<string>(), new Set<string>(), new Set<string>()]
    for (const { rights, tournament, subject, touches } of events) {
      for (const tag of touches) touched.add(tag)
      if (!rights) continue
      if (tournament !== null) tournaments.add(tournament)
      if (subject !== null) users.add(subject)
    }
    if (tournaments.size > 0 || users.size > 0) this.#steps++
    return [...this.#parties].filter(({ judged, viewer }) => {
      if (judged === null) return false
      const { guid } = viewer.credential.actor
      const isHere = judged.tournament !== null && tournaments.has(judged.tournament)
      return isHere || (guid !== null && users.has(guid)) || judged.tags.some((tag) => touched.has(tag))
    })
  }

  #knownToStrangers({ viewer, address }: Party): Judged | null {
    return viewer.credential.bare ? (this.#strangers.get(address.topic.name)?.judged ?? null) : null
  }

  /**
   * @param upTo number of the newest event that was surely seen, by that of the newest that is known in the process
   * @throws Problem
   */
  async #judge(party: Party, db: Db, upTo = (known: number) => known): Promise<Judged> {
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
      ...{ actor, tournament, records: { ...records, ...(await beside?.({ db, records: records as never })) } },
      match: kind.matchOf?.(records as never) ?? null,
      name: address.nameIn(records),
      tags: kind.endsWith?.(records as never) ?? [],
      since: upTo(judgedAt),
    }
  }
}

/** Answered as one that there is not; whoever followed it is told more. (RT13) */
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
