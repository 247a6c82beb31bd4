import { type Static, Type } from 'typebox'
import type { Operation } from '../../../core/operation.ts'
import { nullable, oneOf } from '../../../core/schema.ts'
import {
  type DocumentEntry,
  documentsIn,
  type EphemeralEntry,
  ephemeralIn,
  type TopicEntry,
  topicScopes,
  topicsIn,
} from '../../../infra/realtime/description/catalogue.ts'
import type { Services } from '../../../services.ts'

export const TopicPattern = Type.Object(
  {
    pattern: Type.String({
      description: 'The name of the topic, with `{name}` where it names a record.',
      examples: ['/tournaments/{tournament}/matches'],
    }),
    kind: oneOf(['read', 'ephemeral', 'document'], {
      description:
        '`read`: it holds what a GET answers. `ephemeral`: values that are told as they come, and that nobody keeps. `document`: several people edit it, over sockets alone.',
    }),
    operation: nullable(
      Type.String({ examples: ['matches.list'] }),
      'As `operationId` of the description, the read whose answer it holds; of an ephemeral topic, the read that decides who may follow it; null for a document.',
    ),
    summary: Type.String({ examples: ['Matches of a tournament.'] }),
    query: Type.Array(
      Type.Object({
        name: Type.String({ examples: ['status'] }),
        description: Type.String({ examples: ['Comma list of statuses.'] }),
      }),
      { description: 'Members of the query that may stand behind the name, and narrow what it holds.' },
    ),
    scope: oneOf(topicScopes, {
      description: 'What a token must hold; `public` needs none, and `ws:read` does for all.',
    }),
    who: Type.String({ description: 'Who may follow it.', examples: ['anyone'] }),
    audiences: Type.Array(Type.String({ examples: ['public'] }), {
      description:
        'Classes of callers, within each of which everybody holds the same: `public` is whoever is in no other, in `own` everybody is alone. Empty for what is no read: all who may follow it are told the same.',
    }),
    facts: Type.Array(Type.String({ examples: ['match.completed'] }), {
      description: 'Types of events that everybody may be told of; the staff of the tournament are told of all.',
    }),
    delayed: Type.Boolean({
      description: 'Whether it can be followed as viewers of a stream that is behind see it, with `delayed`.',
    }),
  },
  { title: 'TopicPattern', description: 'Topics that can be followed in real time.' },
)

type Pattern = Static<typeof TopicPattern>

/** All topics, in the order of their patterns. (RT1, RT19, D83) */
export function topicPatterns(
  operations: readonly Operation[],
  { ephemeral, documents }: Services['topics'],
): Pattern[] {
  return [
    ...topicsIn(operations).map(readPattern),
    ...ephemeralIn(ephemeral, operations).map(ephemeralPattern),
    ...documentsIn(documents).map(documentPattern),
  ].sort((a, b) => (a.pattern < b.pattern ? -1 : 1))
}

function readPattern({ operation, ...entry }: TopicEntry): Pattern {
  const { pattern, query, scope, audiences, facts, canBeDelayed } = entry
  return {
    pattern,
    kind: 'read',
    operation: operation.name,
    summary: operation.summary,
    query: query.map(({ name, description }) => ({ name, description })),
    scope,
    who: operation.allow.who,
    audiences: [...audiences],
    facts: [...facts],
    delayed: canBeDelayed,
  }
}

const plain = { query: [], audiences: [], facts: [] }

function ephemeralPattern({ topic, pattern, scope, who }: EphemeralEntry): Pattern {
  const { follows, summary, canBeDelayed } = topic
  return {
    ...plain,
    pattern,
    kind: 'ephemeral',
    operation: follows,
    summary,
    scope,
    who,
    delayed: canBeDelayed === true,
  }
}

function documentPattern({ kind, pattern }: DocumentEntry): Pattern {
  const { summary, reads } = kind
  return {
    ...plain,
    pattern,
    kind: 'document',
    operation: null,
    summary,
    scope: 'ws:read',
    who: reads.who,
    delayed: false,
  }
}
