import type { Actor, Policy } from '../../../core/actor.ts'
import { type QueryOperation, query, type RecordsOf } from '../../../core/operation.ts'
import { Problem } from '../../../core/problem.ts'
import type { Db, Tx } from '../../db/database.ts'
import { type LiveOperation, type Topic, Topics } from '../durable/topics.ts'
import type { Place } from '../ephemeral/rights.ts'

/**
 * Documents that several people edit at once. Slices declare them, and know what is in them: here it is bytes that are handed on.
 * (overlays: Co-editing)
 */

/** What somebody sends. */
export interface Edit {
  readonly connection: string
  readonly user: string
  readonly data: Uint8Array
}

/** What those who follow are to be told. */
export interface Told {
  readonly data: Uint8Array
  readonly revision: number
  /** Connection that it came over; null for what the service did. */
  readonly by: string | null
  /** Which of the edits it is that were stored just now; null for what was stored elsewhere. */
  readonly edit: number | null
}

/** `anew`: it was made anew, so that no update leads there. */
export type News = readonly Told[] | 'anew'

export type Outcome =
  | { readonly isTaken: true; readonly revision: number }
  /** `isHostile`: no well-behaved client sends it. */
  | { readonly isTaken: false; readonly problem: Problem; readonly isHostile: boolean }

export interface Stored {
  readonly news: News
  /** One for each edit, in their order. */
  readonly outcomes: readonly Outcome[]
}

/** Who is still here, by the ids that they were lent. */
export interface Present {
  readonly clients: readonly number[]
  readonly now: Date
}

/**
 * A document as a process holds it while somebody follows it. Its functions are never called before the one before is over; whatever
 * one of them was about when it failed counts for nothing.
 */
export interface HeldDocument {
  readonly generation: number
  /** Of what was stored last. */
  readonly revision: number
  readonly vector: Uint8Array
  /**
   * What somebody lacks who has what the vector says; all of it without one.
   * @returns null where it is no vector
   */
  since(vector: Uint8Array | null): Uint8Array | null
  /**
   * Takes what other processes have stored.
   * @returns null where that cannot be done piece by piece; then `reopen`
   */
  catchUp(db: Db): Promise<News | null>
  /**
   * Loads all of it, from one snapshot of the database.
   * @returns null where it is no more
   */
  reopen(db: Db): Promise<News | null>
  /**
   * Judges edits of those who may change it, each for itself and in their order, and stores those that are right.
   * @returns null where the document is no more
   */
  store(tx: Tx, edits: readonly Edit[], now: Date): Promise<Stored | null>
  /** What was stored is committed. */
  confirm(): void
  /** An id by which somebody may write from now on. */
  lend(tx: Tx, user: string, now: Date): Promise<number>
  /** They are still here. */
  keep(tx: Tx, present: Present): Promise<void>
  /** They are here no more. */
  leave(tx: Tx, present: Present): Promise<void>
}

export interface DocumentSpec<Path extends string, Records> {
  readonly path: Path
  readonly summary: string
  readonly description: string
  /** Who of those who see the records may follow. */
  readonly reads: Policy<Records>
  /** Who of them may change it. */
  readonly edits: (actor: Actor, records: Records) => boolean
  /** What those are told who may not. */
  readonly readOnly: () => Problem
  /** GUID of the record that the document is of: it ends with that. */
  readonly guidOf: (records: Records) => string
  /** That the database tells of what was stored, with the GUID. */
  readonly channel: string
  /** Whether there still is such a document. */
  readonly exists: (db: Db, guid: string) => Promise<boolean>
  /**
   * From one snapshot of the database.
   * @returns null where there is none
   */
  readonly open: (db: Db, of: { readonly guid: string; readonly tournament: string }) => Promise<HeldDocument | null>
}

/** With the operation that finds its records, as a request for it would. */
export type DocumentKind = DocumentSpec<string, never> & { readonly operation: QueryOperation }

export function documentTopic<const Path extends string>(spec: DocumentSpec<Path, RecordsOf<Path>>): DocumentKind {
  const { path, summary, description } = spec
  const operation = query({
    ...{ name: `documents${path.replace(/\/(:?)/g, '.')}`, method: 'GET', path, summary, description },
    ...{ scope: 'rest:read', allow: { who: spec.reads.who, allows: () => true } as never, reply: {} },
    run: () => {
      throw new Error('a document is followed, and not read')
    },
  })
  return { ...(spec as DocumentSpec<string, never>), operation }
}

/** A document that somebody names. */
export class DocumentAddress implements Place {
  readonly topic: Topic
  readonly document: DocumentKind
  readonly kind: Place['kind']

  constructor(document: DocumentKind, topic: Topic) {
    this.topic = topic
    this.document = document
    const { reads, guidOf, exists } = document
    this.kind = {
      reads,
      endsWith: (records) => [guidOf(records)],
      remains: (db, records) => exists(db, guidOf(records)),
    }
  }

  get operation(): QueryOperation {
    return this.document.operation
  }

  /** Whoever reads documents is known, so that nobody shares what they were found to be. */
  nameIn(): string {
    return this.topic.name
  }
}

/** Finds documents among the names of topics. */
export class DocumentTopics {
  readonly #topics: Topics
  readonly #kinds = new Map<LiveOperation, DocumentKind>()

  constructor(kinds: readonly DocumentKind[]) {
    for (const kind of kinds) this.#kinds.set({ ...kind.operation, live: {} }, kind)
    this.#topics = new Topics([...this.#kinds.keys()])
  }

  /**
   * null for what is no document.
   * @throws Problem `topic.invalid`, `topic.not_delayed`
   */
  find(name: string, isDelayed = false): DocumentAddress | null {
    try {
      const topic = this.#topics.read(name, isDelayed)
      return new DocumentAddress(this.#kinds.get(topic.operation) as DocumentKind, topic)
    } catch (error) {
      if (error instanceof Problem && error.code === 'topic.unknown') return null
      throw error
    }
  }
}
