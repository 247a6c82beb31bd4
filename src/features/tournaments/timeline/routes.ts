import { Type } from 'typebox'
import { anyone, everybody } from '../../../core/actor.ts'
import { command, query } from '../../../core/operation.ts'
import { Guid, Instant, nullable, OptionalInstant } from '../../../core/schema.ts'
import type { Db } from '../../../infra/db/database.ts'
import { organisersAndStaff } from '../access/policy.ts'
import type { Include } from '../tournaments/rules/includes.ts'
import type { Tournament } from '../tournaments/types.ts'
import { replaceTimeline } from './commands.ts'
import { iconPattern, maxDescriptionCharacters, maxTitleCharacters } from './rules.ts'
import { listTimeline } from './store.ts'
import { TimelineEvent, timelineEventView } from './views.ts'

const maxEvents = 200

const TimelineEventInput = Type.Object({
  guid: Type.Optional(Guid),
  title: Type.String({ minLength: 1, maxLength: maxTitleCharacters, examples: ['Qualifiers'] }),
  description: Type.Optional(nullable(Type.String({ maxLength: maxDescriptionCharacters }), 'Plain text.')),
  icon: Type.String({
    pattern: iconPattern,
    description: 'Name of an icon: lower-case letters, digits, hyphens and underscores.',
    examples: ['flag'],
  }),
  startTime: Instant,
  endTime: OptionalInstant,
})

const replace = command({
  name: 'timeline.replace',
  method: 'PUT',
  path: '/tournaments/:tournament/timelineEvents',
  scope: 'rest:write',
  allow: organisersAndStaff,
  inRehearsals: true,
  forbidden: 401,
  summary: 'Replace the timeline of the tournament as a whole.',
  description:
    'Events with a GUID are updated, those without are created, and those left out are deleted, in one step.',
  body: Type.Object(
    { timelineEvents: Type.Array(TimelineEventInput, { maxItems: maxEvents }) },
    {
      examples: [
        {
          timelineEvents: [
            {
              title: 'Qualifiers',
              description: 'Two weeks to play ten maps.',
              icon: 'flag',
              startTime: '2027-04-01T16:00:00.000Z',
              endTime: '2027-04-14T22:00:00.000Z',
            },
          ],
        },
      ],
    },
  ),
  reply: {
    200: Type.Object({ success: Type.String(), events: Type.Array(TimelineEvent), deleted: Type.Integer() }),
  },
  problems: { 'timeline.event_unknown': 400, 'timeline.event_twice': 400, 'timeline.time_invalid': 400 },
  run: async ({ tx, actor, tournament, body }) => {
    const { events, deleted } = await replaceTimeline(tx, actor, tournament.guid, body.timelineEvents)
    return { success: 'Timeline saved.', events: events.map(timelineEventView), deleted }
  },
})

const Timeline = Type.Array(TimelineEvent)

async function readTimeline(db: Db, tournament: Pick<Tournament, 'guid'>) {
  return (await listTimeline(db, tournament.guid)).map(timelineEventView)
}

const list = query({
  name: 'timeline.list',
  method: 'GET',
  path: '/tournaments/:tournament/timelineEvents',
  scope: 'public',
  allow: anyone,
  summary: 'The timeline of the tournament, ordered by start.',
  description: 'Dates that are announced, such as the start of the qualifiers; matches have times of their own.',
  reply: { 200: Timeline },
  audience: everybody,
  live: { sends: ['timeline.replaced'] },
  run: async ({ db, tournament, depends }) => {
    depends(tournament.guid)
    return readTimeline(db, tournament)
  },
})

/** The timeline as a part of the tournament's record. */
export const timelineInclude: Include = {
  schema: Timeline,
  load: ({ db, tournament, depends }) => {
    depends(tournament.guid)
    return readTimeline(db, tournament)
  },
}

export const timelineOperations = [replace, list]
