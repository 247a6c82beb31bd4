import { asc, sql } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import { targetKeyOf } from '../rules/nominating.ts'
import { awardNominations } from '../tables.ts'

const atOnce = 500

/**
 * Computes the keys of older nominations by words, which have no key by the present rule yet. Returns whether there
 * were any. The earlier rule treated more words as equal, so two nominations of a user never get the same key here. A
 * process of the earlier version may have used the key in the meantime; then the nomination's GUID is added.
 */
export async function setMissingTargetKeys(tx: Tx): Promise<boolean> {
  const rows = await tx.session.orm
    .select({
      guid: awardNominations.guid,
      targetGuid: awardNominations.targetGuid,
      label: awardNominations.label,
      link: awardNominations.link,
    })
    .from(awardNominations)
    .where(sql`${awardNominations.targetKey} like E'\\n%'`)
    .orderBy(asc(awardNominations.guid))
    .limit(atOnce)
    .for('update')
  if (rows.length === 0) return false
  const keys = rows.map((row) => ({ guid: row.guid, key: targetKeyOf(row) }))
  await tx.session.orm.execute(sql`
    update ${awardNominations} a set target_key = case when a.withdrawn_at is null and exists (
        select from ${awardNominations} o where o.category_guid = a.category_guid and o.user_guid = a.user_guid
          and o.target_key = n.key and o.withdrawn_at is null)
      then n.key || E'\\n' || a.guid else n.key end
    from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as n (guid uuid, key text)
    where a.guid = n.guid`)
  return true
}
