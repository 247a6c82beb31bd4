import { desc, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { tournamentRoleHolders as holders } from '../tables.ts'

/** What a user is in tournaments of others. Who granted a role stays on record with the role. */
export const accessPersonalData = {
  sections: { tournamentRoles: listRolesOf },
  forget: deleteRolesOf,
}

async function listRolesOf(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      tournamentGuid: holders.tournamentGuid,
      role: holders.role,
      grantedAt: holders.grantedAt,
      grantedByGuid: holders.grantedBy,
    })
    .from(holders)
    .where(eq(holders.userGuid, userGuid))
    .orderBy(desc(holders.grantedAt), holders.tournamentGuid)
    .limit(limit)
}

async function deleteRolesOf(tx: Tx, { guid }: { readonly guid: string }): Promise<void> {
  await tx.session.orm.delete(holders).where(eq(holders.userGuid, guid))
}
