import { and, eq, isNull, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../../../../infra/db/database.ts'
import { users } from '../../../people/users/tables.ts'
import { teamMembers, teams } from '../../../teams/teams/tables.ts'
import { tournamentRoleHolders } from '../../../tournaments/access/tables.ts'
import { isSeenByAll, tournaments } from '../../../tournaments/tournaments/tables.ts'
import { awardCategories, awardNominees } from '../tables.ts'
import type { NomineeType } from '../types.ts'

/** Nominated records: what is shown of them, and the users they belong to. */

interface NamedTournament {
  readonly guid: string
  readonly id: string
  readonly name: string
}

export type ShownTarget =
  | { readonly type: 'user'; readonly guid: string; readonly preferredName: string }
  | ({ readonly type: 'tournament' } & NamedTournament)
  | {
      readonly type: 'team'
      readonly guid: string
      readonly id: string
      readonly name: string
      readonly tournament: NamedTournament
    }

const isOneOf = (column: PgColumn, guids: readonly string[]) => sql`${column} = any(${sql.param([...guids])}::uuid[])`

const named = { guid: tournaments.guid, id: tournaments.id, name: tournaments.name }

export interface Targets {
  /** The records that everybody may see now, by GUID. Each record is of one type. */
  readonly shown: ReadonlyMap<string, ShownTarget>
  /** GUIDs of all records that decide what is shown. */
  readonly tags: readonly string[]
}

/** Reads what is shown of these records. */
export async function listTargets(
  db: Db,
  guids: Readonly<Record<'user' | 'tournament' | 'team', readonly string[]>>,
): Promise<Targets> {
  const { orm } = db.session
  const [people, cups, groups] = await Promise.all([
    guids.user.length === 0
      ? []
      : orm
          .select({ guid: users.guid, preferredName: users.preferredName })
          .from(users)
          .where(and(isOneOf(users.guid, guids.user), isNull(users.anonymisedAt))),
    guids.tournament.length === 0
      ? []
      : orm
          .select(named)
          .from(tournaments)
          .where(and(isOneOf(tournaments.guid, guids.tournament), isSeenByAll(tournaments))),
    guids.team.length === 0
      ? []
      : orm
          .select({
            guid: teams.guid,
            id: teams.id,
            name: teams.name,
            tournament: named,
            isPublic: sql<boolean>`${isSeenByAll(tournaments)}`,
          })
          .from(teams)
          .innerJoin(tournaments, eq(tournaments.guid, teams.tournamentGuid))
          .where(isOneOf(teams.guid, guids.team)),
  ])
  const shown: ShownTarget[] = [
    ...people.map((one) => ({ type: 'user' as const, ...one })),
    ...cups.map((one) => ({ type: 'tournament' as const, ...one })),
    ...groups.flatMap(({ isPublic: isSeen, ...one }) => (isSeen ? [{ type: 'team' as const, ...one }] : [])),
  ]
  return {
    shown: new Map(shown.map((one) => [one.guid, one])),
    tags: [...Object.values(guids).flat(), ...groups.map(({ tournament }) => tournament.guid)],
  }
}

/**
 * GUIDs of the users who may decline for a record: the user, the organiser and admins of a tournament, the captain of a
 * team; the one who represents the record first. Empty for words and for a deleted record.
 */
export async function listDeciders(db: Db, type: NomineeType, guid: string | null): Promise<string[]> {
  if (guid === null) return []
  const { orm } = db.session
  if (type === 'user') {
    const rows = await orm
      .select({ guid: users.guid })
      .from(users)
      .where(and(eq(users.guid, guid), isNull(users.anonymisedAt)))
    return rows.map((row) => row.guid)
  }
  if (type === 'team') {
    const rows = await orm.select({ guid: teams.captainGuid }).from(teams).where(eq(teams.guid, guid))
    return rows.map((row) => row.guid)
  }
  if (type !== 'tournament') return []
  const [organisers, admins] = await Promise.all([
    orm.select({ guid: tournaments.organiserGuid }).from(tournaments).where(eq(tournaments.guid, guid)),
    orm
      .select({ guid: tournamentRoleHolders.userGuid })
      .from(tournamentRoleHolders)
      .where(and(eq(tournamentRoleHolders.tournamentGuid, guid), eq(tournamentRoleHolders.role, 'role:admin')))
      .orderBy(tournamentRoleHolders.userGuid),
  ])
  return [...new Set([...organisers, ...admins].map((row) => row.guid))]
}

/** Whether the target is the user, a team of the user, or a tournament that the user organises or administers. (A3) */
export async function isOwnTarget(db: Db, type: NomineeType, guid: string, userGuid: string): Promise<boolean> {
  if ((await listDeciders(db, type, guid)).includes(userGuid)) return true
  if (type !== 'team') return false
  const rows = await db.session.orm
    .select({ guid: teamMembers.userGuid })
    .from(teamMembers)
    .where(and(eq(teamMembers.teamGuid, guid), eq(teamMembers.userGuid, userGuid)))
  return rows.length > 0
}

/** GUIDs of the organisers of an edition's nominated tournaments, by the tournament's GUID. */
export async function listOrganisers(db: Db, editionGuid: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db.session.orm
    .select({ tournament: tournaments.guid, organiser: tournaments.organiserGuid })
    .from(awardNominees)
    .innerJoin(awardCategories, eq(awardCategories.guid, awardNominees.categoryGuid))
    .innerJoin(tournaments, eq(tournaments.guid, awardNominees.targetGuid))
    .where(and(eq(awardCategories.editionGuid, editionGuid), eq(awardCategories.nomineeType, 'tournament')))
  return new Map(rows.map(({ tournament, organiser }) => [tournament, organiser]))
}
