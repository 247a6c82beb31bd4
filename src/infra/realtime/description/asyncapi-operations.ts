import type { CommandOperation, Operation } from '../../../core/operation.ts'
import type { Parameters } from '../../http/admission.ts'
import { problemsOf } from '../../http/outcomes.ts'
import { type Json, ref, resultOf } from './asyncapi-messages.ts'
import {
  type DocumentEntry,
  type EphemeralEntry,
  scopesOfCommand,
  scopesOfTopic,
  type TopicEntry,
} from './catalogue.ts'
import { incomingTypes, incomingWords, type OutgoingType, outgoingWords, sentBy } from './packet-words.ts'

/** The operations of the description of the real-time service, each over a channel. */

export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'Access token, or view token of an overlay, in the header of the handshake, or of the request for a stream.',
  },
  ticket: {
    type: 'httpApiKey',
    in: 'query',
    name: 'ticket',
    description: 'Ticket of `POST /realtime/tickets`, for browsers, which cannot set the header. It is good once.',
  },
  packet: {
    type: 'apiKey',
    in: 'password',
    description:
      'Access token, ticket or view token of an overlay in the packet `authenticate`, once the connection is open.',
  },
}

export const topicPackets: readonly OutgoingType[] = ['event', 'resumed', 'ended']

/** Packets that tell of a document, beside its snapshot. */
export const documentPackets: readonly OutgoingType[] = ['updated', 'accepted', 'ended']

export function refs(place: string, names: readonly string[]) {
  return names.map((name) => ref(`${place}/${name}`))
}

export function documentOperation({ kind, name }: DocumentEntry): Json {
  return {
    ...over(name, 'send', ['snapshot', ...documentPackets]),
    summary: kind.summary,
    ...requiring(scopesOfTopic('ws:read')),
    'x-allowed': kind.reads.who.replace(/,$/, ''),
  }
}

export function packetOperations(): Json {
  const asked = incomingTypes.filter((type) => type !== 'command')
  const unasked = sentBy('socket').filter((type) => outgoingWords[type].isUnasked)
  return {
    ...Object.fromEntries(asked.map((type) => [type, asking(type, incomingWords[type].answers)])),
    ...Object.fromEntries(unasked.map((type) => [type, telling(type)])),
  }
}

function asking(type: (typeof incomingTypes)[number], answers: readonly OutgoingType[]): Json {
  return {
    ...over('connection', 'receive', [type]),
    summary: incomingWords[type].summary,
    ...(answers.length === 0 ? {} : { reply: replyOf('connection', answers) }),
    'x-required-scopes': type === 'authenticate' ? ['ws:read'] : [],
  }
}

function telling(type: OutgoingType): Json {
  return {
    ...over('connection', 'send', [type]),
    summary: outgoingWords[type].summary,
    'x-required-scopes': [],
  }
}

export function streamOperation({ name, summary, parameters }: Operation): Json {
  return {
    ...over(name, 'send', sentBy('stream')),
    summary,
    'x-required-scopes': [],
    ...(parameters === undefined
      ? {}
      : { bindings: { http: { method: 'GET', query: parameters, bindingVersion: '0.3.0' } } }),
  }
}

export function topicOperation({ operation, scope }: TopicEntry): Json {
  return {
    ...over(operation.name, 'send', ['snapshot', ...topicPackets]),
    summary: operation.summary,
    ...requiring(scopesOfTopic(scope)),
    'x-allowed': operation.allow.who,
  }
}

export function ephemeralOperation({ topic, name, scope, who }: EphemeralEntry): Json {
  return {
    ...over(name, 'send', ['state', 'ended']),
    summary: topic.summary,
    ...requiring(scopesOfTopic(scope)),
    'x-allowed': who,
  }
}

export function commandOperation(command: CommandOperation, parameters: Parameters): Json {
  const { name, summary, description, allow } = command
  const problems = [...problemsOf(command, parameters)].map(([status, codes]) => [status, [...codes].sort()])
  return {
    ...over(name, 'receive', [name]),
    summary,
    ...(description === undefined ? {} : { description }),
    reply: replyOf(name, [resultOf(name)]),
    ...requiring(scopesOfCommand(command)),
    'x-allowed': allow.who,
    'x-problems': Object.fromEntries(problems),
  }
}

function over(channel: string, action: 'send' | 'receive', messages: readonly string[]): Json {
  return { action, channel: ref(`channels/${channel}`), messages: refs(`channels/${channel}/messages`, messages) }
}

function replyOf(channel: string, messages: readonly string[]): Json {
  return {
    channel: ref(`channels/${channel}`),
    messages: refs(`channels/${channel}/messages`, [...messages, 'error']),
  }
}

/** Any one of the ways to say who one is. What needs no scope needs none of them. */
function requiring(scopes: readonly string[]): Json {
  const security = refs('components/securitySchemes', Object.keys(securitySchemes))
  return { ...(scopes.length === 0 ? {} : { security }), 'x-required-scopes': scopes }
}
