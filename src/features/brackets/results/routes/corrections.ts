import { Type } from 'typebox'
import { normaliseGuid } from '../../../../core/ids.ts'
import { query, tournamentPath } from '../../../../core/operation.ts'
import { decodeCursor, defaultPageSize, isMakingPosition, makingPosition, toPage } from '../../../../core/page.ts'
import { Guid, Instant, NextCursor, nullable, PageQuery } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import { listUserFacts } from '../../../people/users/store/users.ts'
import { playedTag, UserCard, userCard } from '../../../people/users/views.ts'
import { anyStaff, staffAudience } from '../../../tournaments/access/policy.ts'
import { listCorrections } from '../store.ts'

const Entry = Type.Object(
  {
    guid: Guid,
    bracket: nullable(Guid),
    match: nullable(Guid, 'That was corrected, or opened again.'),
    team: nullable(Guid, 'Whose withdrawal was taken back: in the place of bracket, match and revision.'),
    matches: Type.Array(Type.Integer(), {
      description: 'Numbers of all matches that it altered, the corrected one among them.',
      examples: [[1, 17, 18]],
    }),
    reason: nullable(Type.String()),
    actor: nullable(UserCard, 'Who made it.'),
    revision: nullable(Type.Integer({ examples: [18] }), 'Of the bracket, once it was applied.'),
    createdAt: Instant,
    undoneAt: nullable(Instant),
  },
  { title: 'CorrectionEntry' },
)

const listName = 'corrections'

export const corrections = query({
  name: 'corrections.list',
  method: 'GET',
  path: `${tournamentPath}/corrections`,
  scope: 'rest:read',
  allow: anyStaff,
  summary:
    'Corrections of results, matches that were opened again, and withdrawals that were taken back, newest first.',
  description:
    'Each tells which matches it altered, and by whom; `POST /tournaments/{tournament}/corrections/{correction}/undo` takes one back.',
  query: Type.Object({ match: Type.Optional(Guid), ...PageQuery }),
  reply: { 200: Type.Object({ corrections: Type.Array(Entry), nextCursor: NextCursor }) },
  audience: staffAudience,
  live: { query: ['match'] },
  run: async ({ db, tournament, query: { match, limit = defaultPageSize, before }, depends }) => {
    const after = decodeCursor(listName, before, isMakingPosition)
    const matchGuid = match === undefined ? undefined : normaliseGuid(match)
    const rows = await listCorrections(db, tournament.guid, { matchGuid, after, limit })
    const { items, nextCursor } = toPage(listName, rows, limit, makingPosition)
    const users = await listUserFacts(
      db,
      items.map(({ actorGuid }) => actorGuid),
    )
    depends(tournament.guid, playedTag, ...users.keys())
    return {
      corrections: items.map((correction) => {
        const { guid, bracketGuid, matchGuid: corrected, teamGuid, matches, reason, revision, undoneAt } = correction
        const actor = users.get(correction.actorGuid)
        return {
          guid,
          reason,
          revision,
          matches: [...matches],
          bracket: bracketGuid,
          match: corrected,
          team: teamGuid,
          actor: actor === undefined ? null : userCard(actor),
          createdAt: formatInstant(correction.createdAt),
          undoneAt: formatInstant(undoneAt),
        }
      }),
      nextCursor,
    }
  },
})
