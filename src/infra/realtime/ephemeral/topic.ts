import type { TObject, TSchema } from 'typebox'
import type { Actor, Policy } from '../../../core/actor.ts'
import type { EventType } from '../../../core/events.ts'
import type { Operation, QueryOperation, RecordsOf } from '../../../core/operation.ts'
import { invalid, Problem } from '../../../core/problem.ts'
import { type Shape, shapeOf } from '../../../core/shape.ts'
import type { Db } from '../../db/database.ts'
import { type LiveOperation, type Topic, Topics } from '../durable/topics.ts'
import type { Place } from './rights.ts'

/** Topics without a database: a value exists for as long as its writer renews it. Slices declare them. (RT20, RT21) */

/** The gateway's own data about a value, independent of its writer. (RT22) */
export interface Stamps {
  /** GUID of the writer; null for the service itself. */
  readonly user: string | null
  /** GUID of the writer's connection, as its `hello` gives it. */
  readonly connection: string | null
  /** The source of the value, as `writes` returns it. */
  readonly source: string
  readonly at: string
  readonly seq: number
}

export interface EphemeralKey<Records = never> {
  /**
   * A word; a word with a user's GUID, as `player:{user}`; or `connection`, which is replaced by the GUID of the
   * writer's connection.
   */
  readonly form: string
  readonly description: string
  /** The schema of values; missing members are sent as null, and unknown ones are dropped. */
  readonly schema: TObject
  /**
   * The source of a value that the actor writes over a socket; null for an actor without the right.
   * @param guid the one in the key
   */
  readonly writes: (actor: Actor, records: Records, guid: string | null) => string | null
  /** Members that the gateway adds. */
  readonly stamp?: (stamps: Stamps) => object
}

export interface Mirroring<Records = never> {
  /** Types of events in the tournament that may change the mirrored topic. */
  readonly changedBy: readonly EventType[]
  /** The topic mirrored at present; null for none. */
  readonly find: (context: { readonly db: Db; readonly records: Records }) => Promise<Mirrored | null>
}

/** A topic that a mirror shows. */
export interface Mirrored {
  /** Its name, with GUIDs alone. */
  readonly name: string
  readonly tournament: string
  /** GUID of the match that it is about; null for none. */
  readonly match: string | null
}

export interface EphemeralSpec<Path extends string, Records> {
  readonly path: Path
  readonly summary: string
  /** Name of the read whose callers may follow the topic. The topic's path begins with the path of this read. */
  readonly follows: string
  /** Which of these callers may. */
  readonly reads?: Policy<Records>
  /** Further records on which `reads` depends. */
  readonly besideReads?: (context: { readonly db: Db; readonly records: Records }) => Promise<object>
  readonly keys: readonly EphemeralKey<Records>[]
  /**
   * Further records on which the right to write a key depends. A caller who sees the topic's record may write their
   * keys, even if they may not follow the topic.
   */
  readonly beside?: (context: { readonly db: Db; readonly records: Records }) => Promise<object>
  /** Lifetime of a value that is not renewed, in milliseconds. */
  readonly expiresMs: number
  /** The topic shows how matches proceed, and may be followed with the delay of a stream. (RT40) */
  readonly canBeDelayed?: true
  /** GUID of the topic's match: the topic has the delay of the channel that shows the match. (RT40) */
  readonly matchOf?: (records: Records) => string
  /**
   * The topic shows another topic, which may change; its keys are those of the other topic, and it cannot be written.
   */
  readonly mirrors?: Mirroring<Records>
  /** GUIDs of other records with which the topic ends. */
  readonly endsWith?: (records: Records) => readonly string[]
}

export type EphemeralTopic = EphemeralSpec<string, never>

/** Lifetimes of values in milliseconds. (RT21) */
export const expiry = { live: 15_000, presence: 45_000 } as const

export function ephemeral<const Path extends string, Beside = unknown>(
  spec: EphemeralSpec<Path, RecordsOf<Path> & Beside>,
): EphemeralTopic {
  return spec as EphemeralTopic
}

/** A key, as a client names it. */
export interface NamedKey {
  readonly key: string
  readonly guid: string | null
  readonly rule: KeyRule
}

const maxValue = 2 * 1024
const guidPattern = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

class KeyRule {
  readonly spec: EphemeralKey
  readonly #pattern: RegExp
  readonly #shape: Shape<unknown>

  constructor(spec: EphemeralKey) {
    this.spec = spec
    this.#pattern = new RegExp(`^${spec.form.replace(/\{\w+\}/, `(${guidPattern})`)}$`, 'i')
    this.#shape = shapeOf(spec.schema as TSchema)
  }

  get isOfConnection(): boolean {
    return this.spec.form === 'connection'
  }

  read(text: string): NamedKey | null {
    const match = this.#pattern.exec(text)
    if (match === null) return null
    const guid = match[1]?.toLowerCase() ?? null
    return { key: guid === null ? this.spec.form : text.toLowerCase(), guid, rule: this }
  }

  /**
   * The value as it is sent.
   * @throws Problem `value.invalid`, `value.too_large`
   */
  render(value: unknown, stamps: Stamps): string {
    if (Buffer.byteLength(JSON.stringify(value)) > maxValue) {
      throw new Problem('too_large', 'value.too_large', `A value has at most ${maxValue} bytes.`)
    }
    if (!this.#shape.check(value)) {
      const [fault] = this.#shape.errors(value)
      const member = fault?.instancePath.slice(1, 60) ?? ''
      throw invalid(
        'value.invalid',
        member === ''
          ? 'The value does not have the documented form.'
          : `The value's member "${member}" does not have the documented form.`,
      )
    }
    return JSON.stringify({ ...filled(this.spec.schema, value), ...this.spec.stamp?.(stamps) })
  }
}

/** The members of the schema, with null for missing ones. */
function filled(schema: TObject, value: unknown): Record<string, unknown> {
  const given = value as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, member]) => {
      const part = Object.hasOwn(given, name) ? (given[name] ?? null) : null
      return [name, part !== null && 'properties' in member ? filled(member as TObject, part) : part]
    }),
  )
}

/** An ephemeral topic, as a topic's name gives it. */
export class Address implements Place {
  readonly kind: EphemeralTopic
  /** The topic under the name that was requested. */
  readonly topic: Topic
  /** The operation that decides who may follow. */
  readonly operation: QueryOperation
  readonly #rules: readonly KeyRule[]

  constructor(kind: EphemeralTopic, topic: Topic, operation: QueryOperation, rules: readonly KeyRule[]) {
    this.kind = kind
    this.topic = topic
    this.operation = operation
    this.#rules = rules
  }

  get name(): string {
    return this.topic.name
  }

  get undelayedName(): string {
    return this.topic.undelayedName
  }

  /** The canonical name, whichever way its records are spelt, and without the delay. */
  nameIn(records: Readonly<Record<string, unknown>>): string {
    return this.kind.path.replace(/:(\w+)/g, (_all, name: string) => {
      const record = records[name] as { readonly guid?: string } | string | undefined
      return typeof record === 'object' && record.guid !== undefined ? record.guid : (this.topic.params[name] ?? '')
    })
  }

  /**
   * @param connection of the writer
   * @throws Problem `key.invalid`
   */
  keyOf(text: string, connection: string): NamedKey {
    for (const rule of this.#rules) {
      if (rule.isOfConnection && (text === 'connection' || text === connection)) {
        return { key: connection, guid: null, rule }
      }
      const named = rule.isOfConnection ? null : rule.read(text)
      if (named !== null) return named
    }
    throw invalid('key.invalid', 'The topic has no such key.')
  }
}

/** Recognises ephemeral topics among topic names. */
export class EphemeralTopics {
  readonly #topics: Topics
  readonly #byOperation = new Map<
    LiveOperation,
    { readonly kind: EphemeralTopic; readonly operation: QueryOperation; readonly rules: readonly KeyRule[] }
  >()

  /** @throws Error for a topic whose read does not exist */
  constructor(kinds: readonly EphemeralTopic[], operations: readonly Operation[]) {
    for (const kind of kinds) {
      const operation = operations.find(({ name }) => name === kind.follows)
      if (operation?.kind !== 'query' || !kind.path.startsWith(operation.path)) {
        throw new Error(`${kind.path} follows ${kind.follows}, which is no read of what it is about`)
      }
      const rules = kind.keys.map((key) => new KeyRule(key))
      const { canBeDelayed } = kind
      const live = canBeDelayed ? { canBeDelayed } : {}
      this.#byOperation.set({ ...operation, path: kind.path, live }, { kind, operation, rules })
    }
    this.#topics = new Topics([...this.#byOperation.keys()])
  }

  /**
   * null where the name is not that of an ephemeral topic.
   * @throws Problem `topic.invalid`, `topic.not_delayed`
   */
  find(name: string, isDelayed = false): Address | null {
    try {
      const topic = this.#topics.read(name, isDelayed)
      const found = this.#byOperation.get(topic.operation)
      return found === undefined ? null : new Address(found.kind, topic, found.operation, found.rules)
    } catch (error) {
      if (error instanceof Problem && error.code === 'topic.unknown') return null
      throw error
    }
  }
}
