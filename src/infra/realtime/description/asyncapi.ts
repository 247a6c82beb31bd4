import { type CommandOperation, type Operation, parametersOf } from '../../../core/operation.ts'
import type { Parameters } from '../../http/admission.ts'
import type { DocumentKind } from '../documents/kind.ts'
import { closeCodes, reasonOf } from '../doors/closing.ts'
import { protocol } from '../doors/packets.ts'
import type { EphemeralTopic } from '../ephemeral/topic.ts'
import { type Json, Messages, ref, resultOf } from './asyncapi-messages.ts'
import {
  commandOperation,
  documentOperation,
  documentPackets,
  ephemeralOperation,
  packetOperations,
  refs,
  securitySchemes,
  streamOperation,
  topicOperation,
  topicPackets,
} from './asyncapi-operations.ts'
import {
  commandsIn,
  type DocumentEntry,
  documentsIn,
  type EphemeralEntry,
  ephemeralIn,
  type TopicEntry,
  topicsIn,
} from './catalogue.ts'
import { incomingTypes, sentBy } from './packet-words.ts'

/**
 * The machine-readable description of the real-time service, derived from the records and the packets. It describes the
 * service: `receive` is what clients send, `send` is what they get.
 */

export interface RealtimeApi {
  readonly operations: readonly Operation[]
  readonly ephemeral: readonly EphemeralTopic[]
  readonly documents: readonly DocumentKind[]
  readonly parameters: Parameters
  /** As clients see them, without a slash at the end. */
  readonly socketUrl: string
  readonly publicUrl: string
}

/** The read that opens streams. */
const streamName = 'events.follow'

/** Everything is written out where it stands. `sharedRealtime` makes of it what is published. */
export function describeRealtime(api: RealtimeApi): Json {
  const { operations, parameters, socketUrl, publicUrl } = api
  const messages = new Messages(parameters)
  const topics = topicsIn(operations)
  const ephemeral = ephemeralIn(api.ephemeral, operations)
  const documents = documentsIn(api.documents)
  const commands = commandsIn(operations)
  const streams = operations.filter(({ name }) => name === streamName)
  const channels = {
    connection: connectionChannel(messages),
    ...byName(commands, (command) => commandChannel(command, messages)),
    ...byName(streams, (stream) => streamChannel(stream, messages)),
    ...Object.fromEntries(topics.map((topic) => [topic.operation.name, topicChannel(topic, messages)])),
    ...Object.fromEntries(ephemeral.map((entry) => [entry.name, ephemeralChannel(entry, messages)])),
    ...Object.fromEntries(documents.map((entry) => [entry.name, documentChannel(entry, messages)])),
  }
  const named = [...topics.map(({ operation }) => operation), ...api.ephemeral, ...api.documents].flatMap(({ path }) =>
    parametersOf(path),
  )
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Downbeat in real time',
      version: '1.0.0',
      description: introduction,
      license: { name: 'MIT' },
      externalDocs: { url: `${publicUrl}/api/docs/realtime`, description: 'The same for people.' },
    },
    defaultContentType: 'application/json',
    servers: {
      socket: serverAt(socketUrl, `Everything, over a WebSocket with the subprotocol \`${protocol}\`.`),
      stream: serverAt(`${publicUrl}/api`, 'Topics alone, as lines of JSON or as server-sent events.'),
    },
    channels,
    operations: {
      ...packetOperations(),
      ...byName(streams, streamOperation),
      ...Object.fromEntries(topics.map((topic) => [topic.operation.name, topicOperation(topic)])),
      ...Object.fromEntries(ephemeral.map((entry) => [entry.name, ephemeralOperation(entry)])),
      ...Object.fromEntries(documents.map((entry) => [entry.name, documentOperation(entry)])),
      ...byName(commands, (command) => commandOperation(command, parameters)),
    },
    components: {
      messages: messages.named,
      schemas: messages.schemas,
      parameters: Object.fromEntries(
        [...new Set(named)].map((name) => [name, { description: messages.wordsOf(name) }]),
      ),
      correlationIds: { id: { description: 'Chosen by the client.', location: '$message.payload#/id' } },
      securitySchemes,
    },
  }
}

const introduction = `A topic is a REST read: its name is the path without \`/api\`. Its \`snapshot\` holds what a GET answers, and each \`event\` after that a JSON Patch. Whoever applies the patches in their order holds at all times what a GET would answer.

Topics come over a WebSocket, or as a stream of \`GET /api/events\`. Commands go over the WebSocket alone. What is public can be followed without a token.`

function serverAt(url: string, description: string): Json {
  const { host, protocol: scheme, pathname } = new URL(url)
  return { host, protocol: scheme.slice(0, -1), ...(pathname === '/' ? {} : { pathname }), description }
}

function byName<O extends Operation>(operations: readonly O[], describe: (operation: O) => Json): Json {
  return Object.fromEntries(operations.map((operation) => [operation.name, describe(operation)]))
}

// Channels

function connectionChannel(messages: Messages): Json {
  const packets = [...incomingTypes, ...sentBy('socket')]
  for (const type of packets) messages.addPacket(type)
  return {
    address: '/',
    title: 'Connection',
    description: 'One JSON object a message, as text, in both directions. Answers have the `id` of what they answer.',
    servers: refs('servers', ['socket']),
    messages: pointers(packets),
    bindings: { ws: { method: 'GET', query: handshakeQuery, headers: handshakeHeaders, bindingVersion: '0.1.0' } },
    'x-close-codes': Object.fromEntries(closeCodes.map((code) => [code, reasonOf(code)])),
  }
}

/**
 * Each command has a channel of its own at the same address: for each operation, parsers expand all messages of its
 * channel, which would take minutes if one channel had all commands.
 */
function commandChannel(command: CommandOperation, messages: Messages): Json {
  const { name } = command
  messages.addCommand(command)
  return {
    address: '/',
    title: name,
    summary: 'Over the connection.',
    servers: refs('servers', ['socket']),
    messages: pointers([name, resultOf(name), 'error']),
  }
}

const handshakeQuery = {
  type: 'object',
  properties: { ticket: { type: 'string', description: 'In place of a token.' } },
}
const handshakeHeaders = {
  type: 'object',
  required: ['Sec-WebSocket-Protocol'],
  properties: {
    'Sec-WebSocket-Protocol': { type: 'string', const: protocol },
    Authorization: { type: 'string', description: '`Bearer`, and an access token with `ws:read`.' },
  },
}

function streamChannel({ path, summary, description }: Operation, messages: Messages): Json {
  for (const type of sentBy('stream')) messages.addPacket(type)
  return {
    address: path,
    title: 'Stream',
    summary,
    description,
    servers: refs('servers', ['stream']),
    messages: pointers(sentBy('stream')),
  }
}

function topicChannel(topic: TopicEntry, messages: Messages): Json {
  const { operation, pattern, query, audiences, facts, canBeDelayed } = topic
  const { name, path, summary, description } = operation
  const snapshot = messages.addSnapshot(topic)
  for (const type of topicPackets) messages.addPacket(type)
  return {
    address: pattern,
    title: name,
    summary,
    ...(description === undefined ? {} : { description }),
    servers: refs('servers', ['socket', 'stream']),
    parameters: namedIn(path),
    messages: { snapshot: ref(`components/messages/${snapshot}`), ...pointers(topicPackets) },
    'x-query': Object.fromEntries(query.map((member) => [member.name, messages.place(member.schema)])),
    'x-audiences': audiences,
    'x-facts': facts,
    'x-delayed': canBeDelayed,
  }
}

function ephemeralChannel(entry: EphemeralEntry, messages: Messages): Json {
  const { topic, name, pattern } = entry
  return {
    address: pattern,
    title: name,
    summary: topic.summary,
    servers: refs('servers', ['socket', 'stream']),
    parameters: namedIn(topic.path),
    messages: { state: ref(`components/messages/${messages.addState(entry)}`), ...pointers(['ended']) },
    'x-keys': Object.fromEntries(topic.keys.map(({ form, description }) => [form, description])),
    'x-expires-ms': topic.expiresMs,
    'x-delayed': topic.canBeDelayed === true,
  }
}

function documentChannel(entry: DocumentEntry, messages: Messages): Json {
  const { kind, name, pattern } = entry
  return {
    address: pattern,
    title: name,
    summary: kind.summary,
    description: kind.description,
    servers: refs('servers', ['socket']),
    parameters: namedIn(kind.path),
    messages: { snapshot: ref(`components/messages/${messages.addDocument(entry)}`), ...pointers(documentPackets) },
  }
}

function namedIn(path: string): Json {
  return Object.fromEntries(parametersOf(path).map((each) => [each, ref(`components/parameters/${each}`)]))
}

function pointers(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, ref(`components/messages/${name}`)]))
}
