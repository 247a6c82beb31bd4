import { type Static, Type } from 'typebox'
import { oneOf } from '../../../core/schema.ts'
import { type TopicEntry, topicScopes } from '../../../infra/realtime/description/catalogue.ts'

export const TopicPattern = Type.Object(
  {
    pattern: Type.String({
      description: 'The name of the topic, with `{name}` where it names a record.',
      examples: ['/tournaments/{tournament}/matches'],
    }),
    operation: Type.String({
      description: 'The read whose answer it holds, as `operationId` of the description.',
      examples: ['matches.list'],
    }),
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
        'Classes of callers, within each of which everybody holds the same: `public` is whoever is in no other, in `own` everybody is alone.',
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

export function topicPattern({ operation, ...entry }: TopicEntry): Static<typeof TopicPattern> {
  const { pattern, query, scope, audiences, facts, canBeDelayed } = entry
  return {
    ...{ pattern, operation: operation.name, summary: operation.summary },
    query: query.map(({ name, description }) => ({ name, description })),
    ...{ scope, who: operation.allow.who, audiences: [...audiences], facts: [...facts], delayed: canBeDelayed },
  }
}
