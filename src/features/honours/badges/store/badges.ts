import { eq, getTableColumns } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { badges } from '../tables.ts'
import type { Badge } from '../types.ts'

const { importDigest: _known, ...columns } = getTableColumns(badges)

export async function findBadge(db: Db, guid: string): Promise<Badge | undefined> {
  const [badge] = await db.session.orm.select(columns).from(badges).where(eq(badges.guid, guid))
  return badge
}

/** Nobody else changes or grants it until the transaction ends. */
export async function lockBadge(tx: Tx, guid: string): Promise<Badge | undefined> {
  const [badge] = await tx.session.orm.select(columns).from(badges).where(eq(badges.guid, guid)).for('update')
  return badge
}
