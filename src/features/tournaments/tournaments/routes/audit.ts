import { Type } from 'typebox'
import { query } from '../../../../core/operation.ts'
import { decodeCursor, defaultPageSize, jsonBytes, type Position, toPage } from '../../../../core/page.ts'
import { Guid, Instant, NextCursor, nullable, PageQuery } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import { listEventsOf } from '../../../../infra/events/read.ts'
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
    'Each entry names who did what to which record, with what changed as it was and as it is. What is told of availability sheets is for the organiser, admins and `role:staff`, what is told of map pools for poolers. Kept as long as the tournament. Of an update that was deleted, the text is not.',
  query: Type.Object(PageQuery),
  reply: { 200: Type.Object({ entries: Type.Array(Entry), nextCursor: NextCursor }) },
  audience: auditAudience,
  live: {},
  run: async ({ db, actor, tournament, query: { limit = defaultPageSize, before }, depends }) => {
    const [seq] = decodeCursor(listName, before, isLogPosition) ?? []
    const part = { ...(seq === undefined ? {} : { before: seq }), without: unseenEvents(actor) }
    const events = await listEventsOf(db, tournament.guid, limit, part)
    const page = toPage(listName, events, limit, (event) => [event.seq], events.map(jsonBytes))
    const actors = await listUserFacts(
      db,
      page.items.flatMap(({ actor }) => actor ?? []),
    )
    depends(tournament.guid, playedTag, ...actors.keys())
    const entries = page.items.map((event) => {
      const doer = actors.get(event.actor ?? '')
      return { ...event, at: formatInstant(event.at), actor: doer === undefined ? null : userCard(doer) }
    })
    return { entries, nextCursor: page.nextCursor }
  },
})
