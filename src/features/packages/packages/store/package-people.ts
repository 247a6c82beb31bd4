import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { packagePeople } from '../tables.ts'

export interface PackagePerson {
  readonly packageGuid: string
  readonly wasPlaceholder: boolean
}

/** The people of a restored tournament, by the GUIDs that they have here. */
export async function listPackagePeople(db: Db, tournament: string): Promise<ReadonlyMap<string, PackagePerson>> {
  const rows = await db.session.orm.select().from(packagePeople).where(eq(packagePeople.tournamentGuid, tournament))
  return new Map(rows.map(({ userGuid, packageGuid, wasPlaceholder }) => [userGuid, { packageGuid, wasPlaceholder }]))
}

export async function insertPackagePeople(
  tx: Tx,
  tournament: string,
  people: readonly (PackagePerson & { readonly userGuid: string })[],
): Promise<void> {
  await tx.session.orm.execute(sql`
    insert into ${packagePeople} (tournament_guid, package_guid, user_guid, was_placeholder)
    select ${tournament}::uuid, p."packageGuid", p."userGuid", p."wasPlaceholder"
    from jsonb_to_recordset(${JSON.stringify(people)}::jsonb)
      as p ("packageGuid" uuid, "userGuid" uuid, "wasPlaceholder" boolean)`)
}
