import { and, desc, eq } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { tournamentPackages } from '../../../packages/packages/tables.ts'

/** Signers of packages that are not known here. (P6) */
export const foreignSigners = ['unknown', 'unsigned'] as const
export type ForeignSigner = (typeof foreignSigners)[number]

/** Finds who signed the package from which a tournament was imported, unless that is known here. */
export async function findForeignSigner(db: Db, tournamentGuid: string): Promise<ForeignSigner | undefined> {
  const [row] = await db.session.orm
    .select({ signer: tournamentPackages.signer })
    .from(tournamentPackages)
    .where(and(eq(tournamentPackages.tournamentGuid, tournamentGuid), eq(tournamentPackages.direction, 'import')))
    .orderBy(desc(tournamentPackages.createdAt))
    .limit(1)
  return foreignSigners.find((signer) => signer === row?.signer)
}
