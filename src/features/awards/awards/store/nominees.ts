import { and, asc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { teamMembers } from '../../../teams/teams/tables.ts'
import { awardCategories, awardEditions, awardNominations, awardNominees } from '../tables.ts'
import type { Nominee, PlacedNominee } from '../types.ts'
import { editionColumns } from './editions.ts'

const columns = getTableColumns(awardNominees)

export async function findNominee(db: Db, guid: string): Promise<Nominee | undefined> {
  const [nominee] = await db.session.orm.select(columns).from(awardNominees).where(eq(awardNominees.guid, guid))
  return nominee
}

/** Finds a nominee with its edition and category. */
export async function findPlacedNominee(db: Db, guid: string): Promise<Omit<PlacedNominee, 'deciders'> | undefined> {
  const [row] = await db.session.orm
    .select({ nominee: columns, category: getTableColumns(awardCategories), edition: editionColumns })
    .from(awardNominees)
    .innerJoin(awardCategories, eq(awardCategories.guid, awardNominees.categoryGuid))
    .innerJoin(awardEditions, eq(awardEditions.guid, awardCategories.editionGuid))
    .where(eq(awardNominees.guid, guid))
  return row && { ...row.nominee, category: row.category, edition: row.edition }
}

/** The nominees of all categories of an edition, by GUID; declined ones included. */
export async function listNominees(db: Db, editionGuid: string): Promise<Nominee[]> {
  return db.session.orm
    .select(columns)
    .from(awardNominees)
    .innerJoin(awardCategories, eq(awardCategories.guid, awardNominees.categoryGuid))
    .where(eq(awardCategories.editionGuid, editionGuid))
    .orderBy(asc(awardNominees.guid))
}

/** The nominees of a category, declined ones included. */
export async function listNomineesOf(db: Db, categoryGuid: string): Promise<Nominee[]> {
  return db.session.orm
    .select(columns)
    .from(awardNominees)
    .where(eq(awardNominees.categoryGuid, categoryGuid))
    .orderBy(asc(awardNominees.guid))
}

export type NewNominee = Pick<
  Nominee,
  'categoryGuid' | 'label' | 'imageUrl' | 'link' | 'description' | 'targetGuid' | 'members'
>

export async function insertNominee(tx: Tx, nominee: NewNominee, now: Date): Promise<Nominee> {
  const [row] = await tx.session.orm
    .insert(awardNominees)
    .values({ ...nominee, members: [...nominee.members], createdAt: now, updatedAt: now })
    .returning(columns)
  if (row === undefined) throw new Error('an inserted nominee was not returned')
  return row
}

export type NomineeChanges = Partial<Omit<NewNominee, 'categoryGuid'> & Pick<Nominee, 'declinedAt'>>

export async function updateNominee(tx: Tx, guid: string, changes: NomineeChanges, now: Date): Promise<Nominee> {
  const { members, ...rest } = changes
  const [row] = await tx.session.orm
    .update(awardNominees)
    .set({ ...rest, ...(members === undefined ? {} : { members: [...members] }), updatedAt: now })
    .where(eq(awardNominees.guid, guid))
    .returning(columns)
  if (row === undefined) throw new Error('an updated nominee was not returned')
  return row
}

/** Deletes a nominee. Its nominations are no longer merged. */
export async function deleteNominee(tx: Tx, guid: string): Promise<void> {
  await tx.session.orm.delete(awardNominees).where(eq(awardNominees.guid, guid))
}

/** Saves the present members of all nominated teams, also of teams that may become nominees later. (A12) */
export async function updateNominatedMembers(tx: Tx, editionGuid: string): Promise<void> {
  for (const table of [awardNominees, awardNominations]) {
    await tx.session.orm.execute(sql`
      update ${table} n
      set members = array(select m.user_guid from ${teamMembers} m where m.team_guid = n.target_guid order by m.user_guid)
      from ${awardCategories} c
      where c.guid = n.category_guid and c.edition_guid = ${editionGuid} and c.nominee_type = 'team' and n.target_guid is not null`)
  }
}

/** The members of a nominated team when nominations closed; undefined if nobody had nominated it. (A12) */
export async function findKeptMembers(
  db: Db,
  categoryGuid: string,
  teamGuid: string,
): Promise<readonly string[] | undefined> {
  const [row] = await db.session.orm
    .select({ members: awardNominations.members })
    .from(awardNominations)
    .where(
      and(
        eq(awardNominations.categoryGuid, categoryGuid),
        eq(awardNominations.targetGuid, teamGuid),
        isNull(awardNominations.withdrawnAt),
      ),
    )
    .limit(1)
  return row?.members
}

/** GUIDs of the team's present members who had joined by that time. (A12) */
export async function listMembersSince(db: Db, teamGuid: string, joinedBy: Date): Promise<string[]> {
  const rows = await db.session.orm
    .select({ userGuid: teamMembers.userGuid })
    .from(teamMembers)
    .where(
      and(eq(teamMembers.teamGuid, teamGuid), sql`${teamMembers.joinedAt} <= ${joinedBy.toISOString()}::timestamptz`),
    )
    .orderBy(teamMembers.userGuid)
  return rows.map(({ userGuid }) => userGuid)
}

/** GUID of the category's nominee for a record. */
export async function findNomineeOf(db: Db, categoryGuid: string, targetGuid: string): Promise<string | undefined> {
  const [row] = await db.session.orm
    .select({ guid: awardNominees.guid })
    .from(awardNominees)
    .where(and(eq(awardNominees.targetGuid, targetGuid), eq(awardNominees.categoryGuid, categoryGuid)))
  return row?.guid
}

export async function countNominees(db: Db, categoryGuid: string): Promise<number> {
  return db.session.orm.$count(awardNominees, eq(awardNominees.categoryGuid, categoryGuid))
}
