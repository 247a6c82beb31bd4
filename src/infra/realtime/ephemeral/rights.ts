import type { Actor } from '../../../core/actor.ts'
import type { Operation } from '../../../core/operation.ts'
import { Problem } from '../../../core/problem.ts'
import type { Db } from '../../db/database.ts'
import type { Life } from '../../http/route.ts'
import type { Sink } from '../doors/frame.ts'
import type { TouchingEvent } from '../durable/facts.ts'
import type { Beside } from '../durable/feed.ts'
import { type Act, carryOut } from '../durable/judging.ts'
import { endingOf, judgedFor, orProblem } from '../durable/reading.ts'
import type { Ending, Viewer } from '../durable/subscription.ts'
import { unknownTopic } from '../durable/topics.ts'
import type { Address } from './topic.ts'

/** By which rights somebody follows or writes an ephemeral topic; they end in the step in which the rights do. (RT12) */

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
}

/** Whoever is here by rights that they may lose. */
export interface Party {
  readonly address: Address
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

  async heed(events: readonly TouchingEvent[], db: Db): Promise<Act[]> {
    const acts: Act[] = []
    const ofStrangers = new Map<string, Promise<Judged | Problem>>()
    for (const party of this.#concernedBy(events)) {
      const { name } = party.address.topic
      const { bare } = party.viewer.credential
      // Whoever comes now is judged by what holds now.
      if (bare) this.#strangers.delete(name)
      const judging = (bare ? ofStrangers.get(name) : undefined) ?? orProblem(this.#judge(party, db))
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

  /** @throws Problem */
  async #judge({ address, viewer, isWriter }: Party, db: Db): Promise<Judged> {
    const { topic, operation, kind } = address
    const asking = await judgedFor(topic, viewer, this.#options.lifeOf(operation), db)
    const { actor, records, tournament } = asking.state
    const beside = isWriter ? kind.beside : undefined
    if (beside === undefined && kind.reads?.allows(actor, records as never) === false) {
      // Answered as one that there is not; whoever followed it is told more. (RT13)
      const { code, message } = unknownTopic()
      throw new Forbidden('missing', code, message)
    }
    return {
      ...{ actor, tournament, records: { ...records, ...(await beside?.({ db, records: records as never })) } },
      match: kind.matchOf?.(records as never) ?? null,
      name: address.nameIn(records),
      tags: kind.endsWith?.(records as never) ?? [],
    }
  }
}

function actOf(party: Party, judged: Judged | Problem): Act {
  return (sinks) =>
    judged instanceof Problem
      ? party.end(judged instanceof Forbidden ? 'forbidden' : endingOf(judged), sinks)
      : party.stay(judged)
}
