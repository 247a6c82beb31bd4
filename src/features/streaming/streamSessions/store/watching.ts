import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { matches } from '../../../brackets/matches/tables.ts'
import { teamMembers, teams } from '../../../teams/teams/tables.ts'
import { tournamentRoleHolders } from '../../../tournaments/access/tables.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import { streamAssignments } from '../../streamAssignments/tables.ts'
import type { StreamRole } from '../../streamAssignments/types.ts'

/** Whether the viewer is staff of a tournament that is not over and in which the user plays or is to stream. (S4) */
export async function mayWatchTests(db: Db, viewer: string, user: string): Promise<boolean> {
  const { rows } = await db.session.orm.execute(sql`
    select from ${tournaments} t
    where t.status not in ('completed', 'cancelled')
      and (t.organiser_guid = ${viewer} or exists (
        select from ${tournamentRoleHolders} h where h.tournament_guid = t.guid and h.user_guid = ${viewer}))
      and (exists (
          select from ${streamAssignments} a
          where a.tournament_guid = t.guid and a.user_guid = ${user} and a.cancelled_at is null and a.ends_at > now())
        or exists (select from ${teams} o where o.tournament_guid = t.guid and o.captain_guid = ${user})
        or exists (
          select from ${teamMembers} m join ${teams} o on o.guid = m.team_guid
          where o.tournament_guid = t.guid and m.user_guid = ${user}))
    limit 1`)
  return rows.length > 0
}

/** A user whose stream a tournament shows now or later. */
export interface Shown {
  readonly guid: string
  readonly userGuid: string
  readonly role: StreamRole
  readonly side: 1 | 2 | null
  readonly slot: number
  readonly match: { readonly guid: string; readonly number: number } | null
  readonly startsAt: Date
  readonly endsAt: Date
}

const maxShown = 500

/** Lists the assignments of a tournament that are not over, in the order of their starts. */
export async function listShown(db: Db, tournamentGuid: string): Promise<Shown[]> {
  const rows = await db.session.orm
    .select({
      guid: streamAssignments.guid,
      userGuid: streamAssignments.userGuid,
      role: streamAssignments.role,
      side: streamAssignments.side,
      slot: streamAssignments.slot,
      startsAt: streamAssignments.startsAt,
      endsAt: streamAssignments.endsAt,
      matchGuid: matches.guid,
      number: matches.number,
    })
    .from(streamAssignments)
    .leftJoin(matches, eq(matches.guid, streamAssignments.matchGuid))
    .where(
      and(
        eq(streamAssignments.tournamentGuid, tournamentGuid),
        isNull(streamAssignments.cancelledAt),
        gt(streamAssignments.endsAt, sql`now()`),
      ),
    )
    .orderBy(streamAssignments.startsAt, streamAssignments.side, streamAssignments.slot, streamAssignments.guid)
    .limit(maxShown)
  return rows.map(({ matchGuid, number, ...rest }) => ({
    ...rest,
    match: matchGuid === null || number === null ? null : { guid: matchGuid, number },
  }))
}
