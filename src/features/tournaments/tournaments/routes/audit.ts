import { Type } from 'typebox'
import { normaliseGuid } from '../../../../core/ids.ts'
import { query } from '../../../../core/operation.ts'
import { decodeCursor, defaultPageSize, encodeCursor, jsonBytes, type Position, toPage } from '../../../../core/page.ts'
import { invalid } from '../../../../core/problem.ts'
import { Guid, Instant, NextCursor, nullable, PageQuery } from '../../../../core/schema.ts'
import { formatInstant, readInstant } from '../../../../core/time.ts'
import { type EventFilter, listEventsOf } from '../../../../infra/events/read.ts'
import { listUserFacts } from '../../../people/users/store/users.ts'
import { playedTag, UserCard, userCard } from '../../../people/users/views.ts'
import { anyStaff } from '../../access/policy.ts'
import { auditAudience, unseenEvents } from '../policy.ts'

const State = Type.Unsafe<unknown>({ type: ['object', 'null'], additionalProperties: true })

const Entry = Type.Object(
  {
    seq: Type.Integer({ description: 'Grows with time.', examples: [1204] }),
    at: Instant,
    type: Type.String({ description: 'What happened.', examples: ['tournament.updated'] }),
    subject: nullable(Guid, 'The record that it happened to.'),
    actor: nullable(UserCard, 'Who did it; null for the service itself.'),
    simulated: Type.Optional(
      Type.Boolean({
        description: 'Given, and true, where simulated players of a rehearsal did it.',
        examples: [true],
      }),
    ),
    before: Type.Unsafe<unknown>({ ...State, description: 'What changed, as it was.', examples: [{ capacity: 16 }] }),
    after: Type.Unsafe<unknown>({ ...State, description: 'What changed, as it is.', examples: [{ capacity: 32 }] }),
  },
  { title: 'AuditEntry' },
)

const listName = 'tournaments.audit'
const isLogPosition = (position: Position): position is readonly [number] =>
  position.length === 1 && typeof position[0] === 'number'

export const audit = query({
  name: 'tournaments.audit',
  method: 'GET',
  path: '/tournaments/:tournament/audit',
  scope: 'rest:read',
  allow: anyStaff,
  summary: 'Who changed what in the tournament, newest first.',
  description:
    'Each entry names who did what to which record, with what changed as it was and as it is. With a filter, a page may be short or empty though there are more: each looks through so many entries at most. What is told of availability sheets is for the organiser, admins and `role:staff`, what is told of map pools for poolers. Kept as long as the tournament. Of an update that was deleted, the text is not.',
  query: Type.Object({
    actor: Type.Optional(Type.String({ ...Guid, description: 'GUID of the user who did it.' })),
    subject: Type.Optional(Type.String({ ...Guid, description: 'GUID of the record that it happened to.' })),
    kind: Type.Optional(
      Type.String({
        maxLength: 500,
        pattern: '^[a-z_]+(,[a-z_]+)*$',
        description: 'Comma list of the first words of types.',
        examples: ['team,match'],
      }),
    ),
    from: Type.Optional(Instant),
    to: Type.Optional(Instant),
    ...PageQuery,
  }),
  reply: { 200: Type.Object({ entries: Type.Array(Entry), nextCursor: NextCursor }) },
  audience: auditAudience,
  problems: { 'audit.range_invalid': 400 },
  live: { query: ['actor', 'subject', 'kind', 'from', 'to'] },
  run: async ({ db, actor, tournament, query, depends }) => {
    const { limit = defaultPageSize } = query
    const [seq] = decodeCursor(listName, query.before, isLogPosition) ?? []
    const part = { ...(seq === undefined ? {} : { before: seq }), without: unseenEvents(actor) }
    const { events, next } = await listEventsOf(db, tournament.guid, limit, { ...part, ...filterOf(query) })
    const page = toPage(listName, events, limit, (event) => [event.seq], events.map(jsonBytes))
    const nextCursor = page.nextCursor ?? (next === null ? null : encodeCursor(listName, [next]))
    const actors = await listUserFacts(
      db,
      page.items.flatMap(({ actor }) => actor ?? []),
    )
    depends(tournament.guid, playedTag, ...actors.keys())
    const entries = page.items.map(({ simulated, ...event }) => {
      const doer = actors.get(event.actor ?? '')
      const shown = { ...event, at: formatInstant(event.at), actor: doer === undefined ? null : userCard(doer) }
      return simulated === true ? { ...shown, simulated } : shown
    })
    return { entries, nextCursor }
  },
})

interface Asked {
  readonly actor?: string
  readonly subject?: string
  readonly kind?: string
  readonly from?: string
  readonly to?: string
}

function filterOf({ actor, subject, kind, from, to }: Asked): EventFilter {
  return {
    by: actor && normaliseGuid(actor),
    about: subject && normaliseGuid(subject),
    kinds: kind?.split(','),
    from: readBound('from', from),
    to: readBound('to', to),
  }
}

function readBound(name: string, text: string | undefined): Date | undefined {
  return readInstant(text, (reason) => invalid('audit.range_invalid', `"${name}" ${reason}.`)) ?? undefined
}
