import type { TSchema } from 'typebox'
import { type CommandOperation, parametersOf } from '../../../core/operation.ts'
import { exampleGuid } from '../../../core/schema.ts'
import type { Parameters } from '../../http/admission.ts'
import { exampleOf } from '../../http/examples.ts'
import { Schemas } from '../../http/schemas.ts'
import { DocumentBody, incoming } from '../doors/packets.ts'
import type { DocumentEntry, EphemeralEntry, TopicEntry } from './catalogue.ts'
import {
  type IncomingType,
  incomingWords,
  type OutgoingType,
  outgoingWords,
  packetSchema,
  wireTypeOf,
} from './packet-words.ts'

/** The messages of the description with their schemas, each of which stands once, under a name. */

export type Json = Record<string, unknown>

export function ref(place: string) {
  return { $ref: `#/${place}` }
}

export function resultOf(command: string): string {
  return `${command}.result`
}

const json = { contentType: 'application/json' }
const correlated = { correlationId: ref('components/correlationIds/id') }

export class Messages {
  readonly named: Record<string, Json> = {}
  readonly #schemas = new Schemas()
  /** Names of schemas that have no title, by their text. */
  readonly #untitled = new Map<string, string>()
  readonly #parameters: Parameters

  constructor(parameters: Parameters) {
    this.#parameters = parameters
  }

  get schemas(): Readonly<Record<string, unknown>> {
    return this.#schemas.named
  }

  addPacket(type: IncomingType | OutgoingType): void {
    if (type in this.named) return
    const schema = packetSchema(type)
    const { summary, example } =
      type in incoming ? incomingWords[type as IncomingType] : outgoingWords[type as OutgoingType]
    this.#schemas.named[packetName(type)] = this.#schemas.place(schema)
    this.named[type] = {
      name: wireTypeOf(type),
      title: type,
      summary,
      ...json,
      ...('id' in schema.properties ? correlated : {}),
      payload: ref(`components/schemas/${packetName(type)}`),
      examples: [{ payload: example }],
    }
  }

  /** Answers the name of the message that holds the topic as a whole. */
  addSnapshot({ operation, pattern }: TopicEntry): string {
    const { name, summary, path } = operation
    const message = `${name}.snapshot`
    const body = operation.reply[200] as TSchema
    const { example } = outgoingWords.snapshot
    this.named[message] = {
      name: 'snapshot',
      title: `Snapshot of ${pattern}`,
      summary,
      ...json,
      ...correlated,
      payload: this.#narrowed('snapshot', { body: this.#share(body, `${name}.body`) }, ['position', 'etag']),
      examples: [{ payload: { ...example, topic: examplePath(path), body: exampleOf(body) } }],
    }
    return message
  }

  /** Answers the name of the message with what is lacked of a document. */
  addDocument({ kind: { path, summary }, name, pattern }: DocumentEntry): string {
    const message = `${name}.snapshot`
    const body = { generation: 1, update: 'AAA=', vector: 'AA==', clientId: 73_482_911, readOnly: false, revision: 40 }
    this.named[message] = {
      name: 'snapshot',
      title: `Snapshot of ${pattern}`,
      summary,
      ...json,
      ...correlated,
      payload: this.#narrowed('snapshot', { body: this.#share(DocumentBody, `${name}.body`) }),
      examples: [{ payload: { type: 'snapshot', id: 2, topic: examplePath(path), body } }],
    }
    return message
  }

  /** Answers the name of the message with the values of an ephemeral topic. */
  addState({ topic, name, pattern }: EphemeralEntry): string {
    const message = `${name}.state`
    const values = topic.keys.map(({ form, schema }): [string, unknown] => [form, this.#share(schema, `${name}.value`)])
    const others = values.filter(([form]) => form === ownKey)
    const [first] = topic.keys
    const states = first === undefined ? {} : { [exampleOfKey(first.form)]: exampleOf(first.schema) }
    this.named[message] = {
      name: 'state',
      title: `Values of ${pattern}`,
      summary: topic.summary,
      ...json,
      ...correlated,
      payload: this.#narrowed('state', {
        states: {
          type: 'object',
          patternProperties: Object.fromEntries(
            values
              .filter(([form]) => form !== ownKey)
              .map(([form, schema]) => [`^${form.replace(/\{\w+\}/, '.+')}$`, schema]),
          ),
          ...(others.length === 0 ? {} : { additionalProperties: others[0]?.[1] }),
        },
      }),
      examples: [{ payload: { ...outgoingWords.state.example, topic: examplePath(topic.path), states } }],
    }
    return message
  }

  addCommand(command: CommandOperation): void {
    const { name, path, summary, query, body, bodyOptional } = command
    const names = parametersOf(path)
    const members: Json = {
      name: { const: name },
      ...(names.length === 0 ? {} : { params: this.#params(names) }),
      ...(query === undefined ? {} : { query: this.#share(query, `${name}.query`) }),
      ...(body === undefined ? {} : { body: this.#share(body, `${name}.body`) }),
    }
    const optional = [...(needsQuery(command) ? [] : ['query']), ...(bodyOptional ? ['body'] : [])]
    const required = Object.keys(members).filter((member) => !optional.includes(member))
    this.named[name] = {
      name: 'command',
      title: name,
      summary,
      ...json,
      ...correlated,
      payload: this.#narrowed('command', members, required),
      examples: [{ payload: exampleOfCommand(command) }],
    }
    this.#addResult(command)
  }

  #addResult({ name, reply }: CommandOperation): void {
    const bodies = Object.entries(reply).filter(([status]) => Number(status) < 400)
    const schemas = bodies.map(([status, schema]) => (status === '204' ? none : this.#share(schema, `${name}.reply`)))
    const [status, schema] = bodies[0] as [string, TSchema]
    const example = { status: Number(status), body: status === '204' ? null : exampleOf(schema) }
    this.named[resultOf(name)] = {
      name: 'result',
      title: `Result of ${name}`,
      ...json,
      ...correlated,
      payload: this.#narrowed('result', { body: schemas.length === 1 ? schemas[0] : { anyOf: schemas } }),
      examples: [{ payload: { type: 'result', id: 4, ...example, replayed: false } }],
    }
  }

  /** A packet of the type, of which more is known. */
  #narrowed(type: IncomingType | OutgoingType, properties: Json, required: readonly string[] = []): Json {
    this.addPacket(type)
    const more = { type: 'object', ...(required.length === 0 ? {} : { required }), properties }
    return { allOf: [ref(`components/schemas/${packetName(type)}`), more] }
  }

  #params(names: readonly string[]): Json {
    const members = names.map((name): [string, unknown] => {
      const schema = { type: ['string', 'integer'], description: this.wordsOf(name) }
      return [name, this.#share(schema, `parameter.${name}`)]
    })
    return { type: 'object', required: names, properties: Object.fromEntries(members) }
  }

  wordsOf(parameter: string): string {
    return this.#parameters[parameter]?.description ?? ''
  }

  /** With what has a title as a reference. */
  place(schema: TSchema): unknown {
    return this.#schemas.place(schema)
  }

  /** A schema by its title, or else by the name that it gets where it is first met. */
  #share(schema: TSchema, name: string): unknown {
    if ('title' in schema) return this.#schemas.place(schema)
    const text = JSON.stringify(schema)
    const known = this.#untitled.get(text) ?? name
    if (!this.#untitled.has(text)) {
      this.#untitled.set(text, name)
      this.#schemas.named[name] = this.#schemas.place(schema)
    }
    return ref(`components/schemas/${known}`)
  }
}

/** Stands for the name of the writer's connection. */
const ownKey = 'connection'

function exampleOfKey(form: string): string {
  return form.replace(/\{\w+\}/, exampleGuid)
}

const none = { type: 'null' }

function packetName(type: string): string {
  return `packet.${type}`
}

function needsQuery({ query }: CommandOperation): boolean {
  return (query?.required ?? []).length > 0
}

/** As a client sends it, without what may be left out but the key. */
export function exampleOfCommand(command: CommandOperation): Json {
  const { name, path, query, body } = command
  const names = parametersOf(path)
  const members = (query?.required ?? []).map((member): [string, unknown] => [
    member,
    exampleOf(query?.properties[member] as TSchema),
  ])
  return {
    type: 'command',
    id: 4,
    name,
    ...(names.length === 0
      ? {}
      : { params: Object.fromEntries(names.map((each) => [each, exampleOfParameter(each)])) }),
    ...(needsQuery(command) ? { query: Object.fromEntries(members) } : {}),
    ...(body === undefined ? {} : { body: exampleOf(body) }),
    key: 'sent-1',
  }
}

/** A topic's name. */
function examplePath(path: string): string {
  return path.replace(/:(\w+)/g, (_all, name: string) => exampleOfParameter(name))
}

/** What may stand in addresses: short ids and numbers are easier to read than GUIDs. */
function exampleOfParameter(name: string): string {
  return shortNames[name] ?? exampleGuid
}

const shortNames: Readonly<Record<string, string>> = {
  tournament: 'spring-cup',
  team: 'the-quavers',
  match: '1',
  number: '1',
  platform: 'main',
}
