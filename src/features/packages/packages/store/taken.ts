import { and, desc, eq, sql } from 'drizzle-orm'
import type { MakingPosition } from '../../../../core/page.ts'
import { madeBefore } from '../../../../infra/db/creation-order.ts'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { declarePersonalData, rowsOf } from '../../../../infra/db/personal-data.ts'
import { packageDownloads, packagePeople, tournamentPackages } from '../tables.ts'
import type { Downloads, TakenPackage } from '../types.ts'

interface Taken extends Pick<TakenPackage, 'tournamentGuid' | 'createdAt' | 'variant' | 'isPrivate' | 'bytes'> {
  /** null for a caller without a token, whose package is only counted. */
  readonly byGuid: string | null
  /** In hex. */
  readonly sha256: string
}

export async function noteTaken(tx: Tx, taken: Taken): Promise<void> {
  const { tournamentGuid, createdAt, byGuid, variant, isPrivate, bytes, sha256 } = taken
  if (byGuid === null) return countDownload(tx, tournamentGuid, createdAt)
  const facts = { tournamentGuid, createdAt, byGuid, variant, isPrivate, bytes, digest: Buffer.from(sha256, 'hex') }
  await insertTaken(tx, { ...facts, direction: 'export', signer: 'known' })
}

export async function insertTaken(tx: Tx, taken: Omit<TakenPackage, 'guid'>): Promise<void> {
  await tx.session.orm.insert(tournamentPackages).values(taken)
}

async function countDownload(tx: Tx, tournamentGuid: string, now: Date): Promise<void> {
  const day = now.toISOString().slice(0, 10)
  await tx.session.orm
    .insert(packageDownloads)
    .values({ tournamentGuid, day, count: 1 })
    .onConflictDoUpdate({
      target: [packageDownloads.tournamentGuid, packageDownloads.day],
      set: { count: sql`${packageDownloads.count} + 1` },
    })
}

const mostDays = 30

/** The last days on which packages were taken without signing in, newest first. */
export async function listDownloads(db: Db, tournamentGuid: string): Promise<Downloads[]> {
  return db.session.orm
    .select({ day: packageDownloads.day, count: packageDownloads.count })
    .from(packageDownloads)
    .where(eq(packageDownloads.tournamentGuid, tournamentGuid))
    .orderBy(desc(packageDownloads.day))
    .limit(mostDays)
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

/**
 * The packages that a user took, and what packages of restored tournaments call them. The tournament keeps the list after
 * the account is deleted, and its packages go on calling the deleted account by the same GUID.
 */
export const packagesPersonalData = declarePersonalData({
  sections: {
    packages: rowsOf(tournamentPackages, 'byGuid', {
      shows: ['tournamentGuid', 'createdAt', 'variant', 'isPrivate', 'bytes', 'direction'],
    }),
    packageNames: rowsOf(packagePeople, 'userGuid', {
      shows: ['tournamentGuid', 'packageGuid', 'wasPlaceholder'],
      order: ['tournamentGuid'],
    }),
  },
})
