import { type TSchema, Type } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { documentTopics, operations } from '../../src/app.ts'
import { DocumentTopics } from '../../src/infra/realtime/documents/kind.ts'
import { DocumentBody, incoming, outgoing } from '../../src/infra/realtime/doors/packets.ts'
import { isLive, Topics } from '../../src/infra/realtime/durable/topics.ts'

/** Checks every packet of a test against its message in the API description. */

export type Direction = 'incoming' | 'outgoing'

// biome-ignore lint/suspicious/noExplicitAny: whatever came over the wire.
type Packet = any

const schemas: Readonly<Record<Direction, Readonly<Record<string, TSchema>>>> = {
  incoming,
  // The two directions have different packets of the same type.
  outgoing: { ...outgoing, update: outgoing.updated },
}
const topics = new Topics(operations.filter(isLive))
const documents = new DocumentTopics(documentTopics)

/**
 * Checks a packet, and the body of a snapshot. Every member that the service sends must be described; a client may send
 * more.
 * @throws Error that names the packet, the place in it and the fault
 */
export function checkPacket(packet: Packet, direction: Direction): void {
  const schema = schemas[direction][packet?.type]
  if (schema === undefined) throw new Error(`the description has no ${direction} packet ${JSON.stringify(packet)}`)
  const what = `the ${direction} packet ${packet.type}`
  check(`${direction} ${packet.type}`, () => (direction === 'outgoing' ? closed(schema) : schema), packet, what)
  if (direction === 'outgoing' && packet.type === 'snapshot') checkBody(packet)
}

/**
 * Checks a sent packet and its answer. A packet that the service refuses to read may be anything.
 * @throws Error as above
 */
export function checkAnswer(sent: Packet, answer: Packet): void {
  const isUnread = answer.type === 'error' && /^packets?\./.test(answer.code)
  if (isUnread) return
  checkPacket(sent, 'incoming')
  if (sent.type !== 'command' || answer.type !== 'result') return
  const operation = operations.find(({ name }) => name === sent.name)
  const reply = operation?.reply[answer.status]
  if (operation?.kind !== 'command' || !operation.socket || reply === undefined) {
    throw new Error(`the description has no command ${sent.name} with the result ${answer.status}`)
  }
  const { body } = operation
  const isGiven = body !== undefined && !(operation.bodyOptional && sent.body === undefined)
  if (isGiven) check(`${sent.name} body`, () => body, sent.body, `the body of the command ${sent.name}`)
  const result = answer.status === 204 ? Type.Null() : reply
  check(`${sent.name} ${answer.status}`, () => result, answer.body, `the result of ${sent.name}`)
}

function checkBody({ topic, body }: Packet): void {
  if (documents.find(topic) !== null) {
    check('document', () => DocumentBody, body, `the snapshot of ${topic}`)
    return
  }
  const { operation } = topics.read(withoutOptions(topic))
  check(`${operation.name} body`, () => operation.reply[200] as TSchema, body, `the snapshot of ${topic}`)
}

function withoutOptions(topic: string): string {
  const [path = '', query] = topic.split('?')
  const members = new URLSearchParams(query)
  for (const option of ['facts', 'delayed', 'rate']) members.delete(option)
  return members.size === 0 ? path : `${path}?${members}`
}

const validators = new Map<string, Validator>()

function check(key: string, schema: () => TSchema, value: unknown, what: string): void {
  const validator = validators.get(key) ?? Compile(schema())
  validators.set(key, validator)
  if (validator.Check(value)) return
  const faults = validator.Errors(value).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`)
  throw new Error(`${what} is not as described: ${faults.slice(0, 5).join('; ')} in ${shortened(value)}`)
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length <= 1_000 ? text : `${text.slice(0, 1_000)}…`
}

/** Forbids members that the schema does not name. */
function closed(schema: TSchema): TSchema {
  const { properties, items, anyOf, ...rest } = schema as TSchema & {
    readonly properties?: Readonly<Record<string, TSchema>>
    readonly items?: TSchema
    readonly anyOf?: readonly TSchema[]
  }
  return {
    ...rest,
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, closed(member)])),
          additionalProperties: false,
        }),
    ...(items === undefined ? {} : { items: closed(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(closed) }),
  }
}
