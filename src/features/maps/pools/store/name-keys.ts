import { asc, sql } from 'drizzle-orm'
import { nameKeyOf } from '../../../../core/names.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { pools } from '../tables.ts'

const atOnce = 500

/**
 * Sets the name keys of pools that were saved under the old comparison of names. Returns whether there were any. The
 * old rule counted more names as equal, so no two keys of these pools are equal. A process of the old version may have
 * taken a key in the meantime; then the pool's GUID is appended to the key.
 */
export async function setMissingNameKeys(tx: Tx): Promise<boolean> {
  const rows = await tx.session.orm
    .select({ guid: pools.guid, name: pools.name })
    .from(pools)
    .where(sql`${pools.nameKey} like E'\\n%'`)
    .orderBy(asc(pools.guid))
    .limit(atOnce)
    .for('update')
  if (rows.length === 0) return false
  const keys = rows.map(({ guid, name }) => ({ guid, key: nameKeyOf(name) }))
  await tx.session.orm.execute(sql`
    update ${pools} p set name_key = case when exists (
        select from ${pools} o where o.tournament_guid = p.tournament_guid and o.name_key = n.key)
      then n.key || E'\\n' || p.guid else n.key end
    from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as n (guid uuid, key text)
    where p.guid = n.guid`)
  return true
}
