import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import type { Cover } from '../../../../infra/pictures/pictures.ts'
import { poolCovers } from '../tables.ts'

export async function findCover(db: Db, poolGuid: string): Promise<Cover | undefined> {
  const { mediaType, picture, small } = poolCovers
  const [row] = await db.session.orm
    .select({ mediaType, picture, small })
    .from(poolCovers)
    .where(eq(poolCovers.poolGuid, poolGuid))
  return row
}

export async function writeCover(tx: Tx, poolGuid: string, cover: Cover): Promise<void> {
  const { mediaType, picture, small } = cover
  await tx.session.orm
    .insert(poolCovers)
    .values({ poolGuid, mediaType, picture, small })
    .onConflictDoUpdate({ target: poolCovers.poolGuid, set: { mediaType, picture, small } })
}

export async function deleteCover(tx: Tx, poolGuid: string): Promise<void> {
  await tx.session.orm.delete(poolCovers).where(eq(poolCovers.poolGuid, poolGuid))
}
