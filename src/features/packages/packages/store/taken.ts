import { and, desc, eq } from 'drizzle-orm'
import type { MakingPosition } from '../../../../core/page.ts'
import { madeBefore } from '../../../../infra/db/creation-order.ts'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { declarePersonalData, rowsOf } from '../../../../infra/db/personal-data.ts'
import { tournamentPackages } from '../tables.ts'
import type { TakenPackage } from '../types.ts'

export async function insertTaken(tx: Tx, taken: Omit<TakenPackage, 'guid'>): Promise<void> {
  await tx.session.orm.insert(tournamentPackages).values(taken)
}

/** The packages of a tournament, newest first; up to `limit` + 1. */
export async function listTaken(
  db: Db,
  tournamentGuid: string,
  { after, limit }: { readonly after: MakingPosition | undefined; readonly limit: number },
): Promise<TakenPackage[]> {
  return db.session.orm
    .select()
    .from(tournamentPackages)
    .where(and(eq(tournamentPackages.tournamentGuid, tournamentGuid), madeBefore(tournamentPackages, after)))
    .orderBy(desc(tournamentPackages.createdAt), desc(tournamentPackages.guid))
    .limit(limit + 1)
}

/** The packages that a user took. The tournament keeps the list after the account is deleted. */
export const packagesPersonalData = declarePersonalData({
  sections: {
    packages: rowsOf(tournamentPackages, 'byGuid', {
      shows: ['tournamentGuid', 'createdAt', 'variant', 'isPrivate', 'bytes', 'direction'],
    }),
  },
})
