import type { Actor, Policy } from '../../../core/actor.ts'
import { type QueryOperation, query, type RecordsOf } from '../../../core/operation.ts'
import { Problem } from '../../../core/problem.ts'
import type { Db, Tx } from '../../db/database.ts'
import { type LiveOperation, type Topic, Topics } from '../durable/topics.ts'
import type { Place } from '../ephemeral/rights.ts'

/**
 * Documents that several people edit at once. Slices declare them and know their content; this module only passes bytes
 * on. (overlays: Co-editing)
 */

/** An edit as a client sends it. */
export interface Edit {
  readonly connection: string
  readonly user: string
  readonly data: Uint8Array
}

/** A saved edit, as followers receive it. */
export interface Told {
  readonly data: Uint8Array
  readonly revision: number
  /** GUID of the connection that sent the edit; null for an edit by the service. */
  readonly by: string | null
  /** Index of the edit among those just saved; null for an edit saved by another process. */
  readonly edit: number | null
}

/** `anew`: the document was created anew, so that no update leads to it. */
export type News = readonly Told[] | 'anew'

export type Outcome =
  | { readonly isTaken: true; readonly revision: number }
  /** `isHostile`: no well-behaved client sends such an edit. */
  | { readonly isTaken: false; readonly problem: Problem; readonly isHostile: boolean }

export interface Stored {
  readonly news: News
  /** One outcome for each edit, in their order. */
  readonly outcomes: readonly Outcome[]
}

/** The present editors, by the client ids that they were given. */
export interface Present {
  readonly clients: readonly number[]
  readonly now: Date
}

/**
 * A document in memory while it is followed in this process. Its functions are never called concurrently; the changes
 * of a failed call are discarded.
 */
export interface HeldDocument {
  readonly generation: number
  /** The revision of the last saved edit. */
  readonly revision: number
  readonly vector: Uint8Array
  /**
   * The updates that a client with this state vector lacks; the whole document without a vector.
   * @returns null where the vector is invalid
   */
  since(vector: Uint8Array | null): Uint8Array | null
  /**
   * Loads the edits that other processes have saved.
   * @returns null where they cannot be loaded one by one; then call `reopen`
   */
  catchUp(db: Db): Promise<News | null>
  /**
   * Loads the whole document from one snapshot of the database.
   * @returns null where it was deleted
   */
  reopen(db: Db): Promise<News | null>
  /**
   * Checks edits of permitted users, each by itself and in their order, and saves the valid ones.
   * @returns null where the document was deleted
   */
  store(tx: Tx, edits: readonly Edit[], now: Date): Promise<Stored | null>
  /** To be called when the saved edits are committed. */
  confirm(): void
  /** Gives the user a client id for new edits. */
  lend(tx: Tx, user: string, now: Date): Promise<number>
  /** Notes that these clients are still present. */
  keep(tx: Tx, present: Present): Promise<void>
  /** Notes that these clients have left. */
  leave(tx: Tx, present: Present): Promise<void>
}

export interface DocumentSpec<Path extends string, Records> {
  readonly path: Path
  readonly summary: string
  readonly description: string
  /** Which of the callers who see the records may follow the document. */
  readonly reads: Policy<Records>
  /** Which of them may edit it. */
  readonly edits: (actor: Actor, records: Records) => boolean
  /** The refusal for followers who may not edit. */
  readonly readOnly: () => Problem
  /** GUID of the document's record: the document ends with it. */
  readonly guidOf: (records: Records) => string
  /** The channel on which the database announces saved edits, with the GUID. */
  readonly channel: string
  /** Whether the document still exists. */
  readonly exists: (db: Db, guid: string) => Promise<boolean>
  /**
   * Loads it from one snapshot of the database.
   * @returns null where it does not exist
   */
  readonly open: (db: Db, of: { readonly guid: string; readonly tournament: string }) => Promise<HeldDocument | null>
}

/** With the operation whose request would find the document's records. */
export type DocumentKind = DocumentSpec<string, never> & { readonly operation: QueryOperation }

export function documentTopic<const Path extends string>(spec: DocumentSpec<Path, RecordsOf<Path>>): DocumentKind {
  const { path, summary, description } = spec
  const operation = query({
    name: `documents${path.replace(/\/(:?)/g, '.')}`,
    method: 'GET',
    path,
    summary,
    description,
    scope: 'rest:read',
    allow: { who: spec.reads.who, allows: () => true } as never,
    reply: {},
    run: () => {
      throw new Error('a document is followed, and not read')
    },
  })
  return { ...(spec as DocumentSpec<string, never>), operation }
}

/** A document, as a topic's name gives it. */
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

  /** Followers of documents always have a token, so no result is shared by name, and the requested name suffices. */
  nameIn(): string {
    return this.topic.name
  }
}

/** Recognises documents among topic names. */
export class DocumentTopics {
  readonly #topics: Topics
  readonly #kinds = new Map<LiveOperation, DocumentKind>()

  constructor(kinds: readonly DocumentKind[]) {
    for (const kind of kinds) this.#kinds.set({ ...kind.operation, live: {} }, kind)
    this.#topics = new Topics([...this.#kinds.keys()])
  }

  /**
   * null where the name is not that of a document.
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
