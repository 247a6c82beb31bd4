import { Type } from 'typebox'
import { anyone, isSignedIn } from '../../../core/actor.ts'
import { Answer, query } from '../../../core/operation.ts'
import { unauthenticated } from '../../../core/problem.ts'
import { mayConnect } from '../../../core/scopes.ts'
import { readForm, readOption, readRate, readWait } from './rules.ts'
import { TopicPattern, topicPatterns } from './views.ts'

const Packet = Type.String({
  description:
    'One packet a line (`application/x-ndjson`), or one an event (`text/event-stream`): `snapshot` with the body of the topic, then `event` with a JSON Patch for each change, `ended`, and `closing` at the end.',
})

const follow = query({
  name: 'events.follow',
  method: 'GET',
  path: '/events',
  scope: 'public',
  takesViewToken: true,
  allow: anyone,
  summary: 'Follow topics as they change: a stream of packets, or the next of them.',
  description:
    'A topic is the path of a read, without `/api` (`/realtime/topics` lists which). The first packet of each holds what a GET answers; whoever applies each patch after it holds at all times what a GET would answer. The last packet of a change has a position, as `since` or as the event’s id: ask with it as `since`, or `Last-Event-ID`, to go on after a break. Topics that are not public need a token with `ws:read`, or with the scope that `/realtime/topics` names; what broadcasts show needs the view token of its overlay.',
  parameters: Type.Object({
    topic: Type.Array(Type.String({ examples: ['/tournaments/spring-cup/matches'] }), {
      minItems: 1,
      maxItems: 20,
      description: 'Repeated for each topic.',
    }),
    since: Type.Optional(Type.String({ description: 'Position after which to go on, with the same topics.' })),
    facts: Type.Optional(Type.Boolean({ description: 'Tell of what happened, too: who may see that.' })),
    delayed: Type.Optional(
      Type.Boolean({ description: 'As viewers of a stream that is behind see them; of topics that tell of results.' }),
    ),
    ticket: Type.Optional(Type.String({ description: 'In place of a token in the header; used up by this.' })),
    rate: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10,
        default: 4,
        description: 'Packets a second at most, of topics whose values are told as they come.',
      }),
    ),
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 60,
        description: 'NDJSON only: answer what there is, or what comes within so many seconds, and end.',
      }),
    ),
  }),
  headers: Type.Object({
    accept: Type.Optional(Type.String()),
    'last-event-id': Type.Optional(
      Type.String({
        maxLength: 1_000,
        description: 'Where a stream broke off, as browsers say it; in place of `since`.',
      }),
    ),
  }),
  contentType: 'application/x-ndjson',
  reply: { 200: Packet },
  problems: {
    'topic.unknown': 404,
    'topic.invalid': 400,
    'topic.subscribed': 409,
    'topic.not_delayed': 400,
    'topic.too_large': 413,
    'streams.limit': 429,
    'wait.invalid': 400,
    'rate.invalid': 400,
    'token.scope_missing': 401,
    'token.missing': 401,
    'ticket.invalid': 401,
    'service.unavailable': 503,
  },
  run: async ({ actor, headers, services, request: { parameters, address } }) => {
    if (isSignedIn(actor) && !mayConnect(actor.scopes)) {
      throw unauthenticated('token.scope_missing', 'The access token lacks the scope ws:read.')
    }
    const form = readForm(headers.accept)
    const waitMs = readWait(parameters.get('wait'), form)
    const stream = await services.realtime.openStream(
      {
        topics: parameters.getAll('topic'),
        since: parameters.get('since') ?? headers['last-event-id'],
        facts: readOption('facts', parameters.get('facts')),
        delayed: readOption('delayed', parameters.get('delayed')),
        rate: readRate(parameters.get('rate')),
        ticket: parameters.get('ticket') ?? undefined,
        form,
        waitMs,
      },
      { actor, ip: address },
    )
    return new Answer(200, {
      body: stream.body,
      contentType: form === 'sse' ? 'text/event-stream; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
      headers: { 'x-accel-buffering': 'no' },
    })
  },
})

const listTopics = query({
  name: 'realtime.topics',
  method: 'GET',
  path: '/realtime/topics',
  scope: 'public',
  allow: anyone,
  compressed: true,
  summary: 'What can be followed: the patterns of all topics, who may follow them, and what they tell.',
  description:
    'Most are reads, by the path of the read; `kind` marks the others: `ephemeral` topics, which sockets and `GET /events` follow alike and whose values nobody keeps, and documents that several people edit, over sockets alone. Of each read the members of a query by which it is narrowed, whether all who may follow it see the same, and which events it tells to those who ask for facts.',
  reply: { 200: Type.Object({ topics: Type.Array(TopicPattern) }) },
  run: ({ services: { operations, topics } }) => ({ topics: topicPatterns(operations, topics) }),
})

export const followingOperations = [follow, listTopics]
