import { sql } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import { media } from '../../../../infra/media/tables.ts'

/** Which of these files (SHA-256 in hex) some medium has. A lock keeps these media until the transaction ends. */
export async function lockStored(tx: Tx, digests: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await tx.session.orm.execute<{ digest: string }>(sql`
    select encode(${media.digest}, 'hex') as digest from ${media}
    where ${media.digest} in (select decode(hex, 'hex') from unnest(${sql.param([...digests])}::text[]) as hex)
    order by ${media.guid} for share`)
  return new Set(rows.map(({ digest }) => digest))
}
