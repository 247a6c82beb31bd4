import type { TObject, TSchema } from 'typebox'
import type { Actor, Policy } from '../../../core/actor.ts'
import type { EventType } from '../../../core/events.ts'
import type { Operation, QueryOperation, RecordsOf } from '../../../core/operation.ts'
import { invalid, Problem } from '../../../core/problem.ts'
import { type Shape, shapeOf } from '../../../core/shape.ts'
import type { Db } from '../../db/database.ts'
import { type LiveOperation, type Topic, Topics } from '../durable/topics.ts'
import type { Place } from './rights.ts'

/** Topics that are in no database: what is there while somebody keeps telling it. Slices declare them. (RT20, RT21) */

/** What the gateway knows of a value, whatever its writer says. (RT22) */
export interface Stamps {
  /** GUID of the writer; null for the service itself. */
  readonly user: string | null
  /** As the `hello` of the writer's connection names it. */
  readonly connection: string | null
  /** What the value comes from, as `writes` has it. */
  readonly source: string
  readonly at: string
  readonly seq: number
}

export interface EphemeralKey<Records = never> {
  /**
   * A word; a word with somebody's GUID, as `player:{user}`; or `connection`, which stands for the writer's own and is
   * replaced by its name.
   */
  readonly form: string
  readonly description: string
  /** Of what is written; members that are not given are told as null, and others are dropped. */
  readonly schema: TObject
  /**
   * What the value comes from where the actor writes it over a socket; null for somebody who may not.
   * @param guid the one in the key
   */
  readonly writes: (actor: Actor, records: Records, guid: string | null) => string | null
  /** Members that are the gateway's to tell. */
  readonly stamp?: (stamps: Stamps) => object
}

export interface Mirroring<Records = never> {
  /** Types of events in the tournament after which it may be another one. */
  readonly changedBy: readonly EventType[]
  /** Which it is now; null for none. */
  readonly find: (context: { readonly db: Db; readonly records: Records }) => Promise<Mirrored | null>
}

/** A topic that another one shows. */
export interface Mirrored {
  /** Its name, with GUIDs alone. */
  readonly name: string
  readonly tournament: string
  /** GUID of the match that it is about, if it is about one. */
  readonly match: string | null
}

export interface EphemeralSpec<Path extends string, Records> {
  readonly path: Path
  readonly summary: string
  /** Name of the read that decides who may follow: whoever it would be answered to. Its path begins this one. */
  readonly follows: string
  /** Who of them may. */
  readonly reads?: Policy<Records>
  /** What else decides who of them may: it stands among the records for `reads`. */
  readonly besideReads?: (context: { readonly db: Db; readonly records: Records }) => Promise<object>
  readonly keys: readonly EphemeralKey<Records>[]
  /**
   * What else decides who may write which key: it stands among the records then. Whoever may see what the topic is about may write
   * their keys, if not follow it.
   */
  readonly beside?: (context: { readonly db: Db; readonly records: Records }) => Promise<object>
  /** How long a value is there without being renewed. */
  readonly expiresMs: number
  /** It tells how matches go, and may be asked for as a stream that is behind shows it. (RT40) */
  readonly canBeDelayed?: true
  /** GUID of the match that it is about: it is as late as the channel that shows that. (RT40) */
  readonly matchOf?: (records: Records) => string
  /** It shows what another topic holds, which may be another one later; its keys are those of that, and nobody writes them here. */
  readonly mirrors?: Mirroring<Records>
  /** GUIDs of other records with whose end the topic ends. */
  readonly endsWith?: (records: Records) => readonly string[]
}

export type EphemeralTopic = EphemeralSpec<string, never>

/** Milliseconds. (RT21) */
export const expiry = { live: 15_000, presence: 45_000 } as const

export function ephemeral<const Path extends string, Beside = unknown>(
  spec: EphemeralSpec<Path, RecordsOf<Path> & Beside>,
): EphemeralTopic {
  return spec as EphemeralTopic
}

/** A key as somebody names it. */
export interface NamedKey {
  readonly key: string
  readonly guid: string | null
  readonly rule: KeyRule
}

const largestValue = 2 * 1024
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
   * The value as it is told.
   * @throws Problem `value.invalid`, `value.too_large`
   */
  render(value: unknown, stamps: Stamps): string {
    if (Buffer.byteLength(JSON.stringify(value)) > largestValue) {
      throw new Problem('too_large', 'value.too_large', `A value has at most ${largestValue} bytes.`)
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

/** What the schema names, with null for what is not known. */
function filled(schema: TObject, value: unknown): Record<string, unknown> {
  const given = value as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, member]) => {
      const part = Object.hasOwn(given, name) ? (given[name] ?? null) : null
      return [name, part !== null && 'properties' in member ? filled(member as TObject, part) : part]
    }),
  )
}

/** A topic that somebody names. */
export class Address implements Place {
  readonly kind: EphemeralTopic
  /** As it is asked for. */
  readonly topic: Topic
  /** Which decides who may follow. */
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

  /** The name that is the same however its records are spelt, and whether or not it is late. */
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

/** Finds the ephemeral topics among the names of topics. */
export class EphemeralTopics {
  readonly #topics: Topics
  readonly #byOperation = new Map<
    LiveOperation,
    { readonly kind: EphemeralTopic; readonly operation: QueryOperation; readonly rules: readonly KeyRule[] }
  >()

  /** @throws Error for one that follows no read */
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
   * null for what is no ephemeral topic.
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
