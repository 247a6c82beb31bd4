import { Type } from 'typebox'
import { anyone, everybody } from '../../../../core/actor.ts'
import { normaliseGuid } from '../../../../core/ids.ts'
import { query, tournamentPath } from '../../../../core/operation.ts'
import { decodeCursor, defaultPageSize, isMakingPosition, makingPosition, toPage } from '../../../../core/page.ts'
import { Guid, Instant, NextCursor, nullable, PageQuery } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import { listUserFacts } from '../../../people/users/store/users.ts'
import { playedTag, UserCard, userCard } from '../../../people/users/views.ts'
import { anyStaff, staffAudience } from '../../../tournaments/access/policy.ts'
import { DivisionQuery } from '../../matches/bodies.ts'
import type { MatchRecord } from '../../matches/types.ts'
import { listCorrections, listCorrectionsOfMatch } from '../store.ts'
import { listMatchCorrectionViews, MatchCorrectionView } from '../views.ts'

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

/** Everybody could see what a match was, so everybody may see that it was something else before. */
export const ofMatch = query({
  name: 'corrections.ofMatch',
  method: 'GET',
  path: `${tournamentPath}/matches/:match/corrections`,
  scope: 'public',
  allow: anyone,
  summary: 'What a match was before it was corrected or opened again, and what it became by that; newest first.',
  description: 'Who corrected it, and why, is in `GET /tournaments/{tournament}/corrections`, for staff.',
  query: Type.Object(DivisionQuery),
  reply: { 200: Type.Object({ corrections: Type.Array(MatchCorrectionView) }) },
  problems: { 'match.ambiguous': 409 },
  audience: everybody,
  live: { canBeDelayed: true, matchOf: ({ match }) => (match as MatchRecord).guid, query: ['division'] },
  run: async ({ db, tournament, match, depends }) => {
    const corrected = await listMatchCorrectionViews(db, await listCorrectionsOfMatch(db, match))
    const teams = corrected.flatMap(({ before, after }) =>
      [...before.sides, ...after.sides].flatMap(({ team }) => team?.guid ?? []),
    )
    depends(tournament.guid, match.guid, ...new Set(teams))
    return { corrections: [...corrected] }
  },
})
