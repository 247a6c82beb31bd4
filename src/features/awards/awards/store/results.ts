import { eq, sql } from 'drizzle-orm'
import type { NomineeResult } from '../../../../engine/awards/outcomes.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { badges } from '../../badges/tables.ts'
import { awardCategories, awardEditions, awardNominees } from '../tables.ts'
import type { Correction, EditionResults } from '../types.ts'

/** Replaces the results of all nominees of an edition. Nominees that are not named get none. */
export async function writeNomineeResults(
  tx: Tx,
  editionGuid: string,
  results: ReadonlyMap<string, NomineeResult>,
): Promise<void> {
  const rows = Array.from(results, ([guid, result]) => ({ guid, result }))
  await tx.session.orm.execute(sql`
    update ${awardNominees} n set result = (
      select j.result from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as j (guid uuid, result jsonb)
      where j.guid = n.guid)
    where n.category_guid in (select guid from ${awardCategories} where edition_guid = ${editionGuid})`)
}

export async function writeResults(
  tx: Tx,
  editionGuid: string,
  changes: {
    readonly results: EditionResults
    readonly publishedAt?: Date
    readonly corrections?: readonly Correction[]
    readonly updatedAt: Date
  },
): Promise<void> {
  await tx.session.orm.update(awardEditions).set(changes).where(eq(awardEditions.guid, editionGuid))
}

/** Begins a runoff; null ends it. (A9) */
export async function writeRunoff(
  tx: Tx,
  editionGuid: string,
  runoff: { readonly categories: readonly string[]; readonly closesAt: Date } | null,
): Promise<void> {
  await tx.session.orm
    .update(awardEditions)
    .set({
      runoffCategories: runoff === null ? null : [...runoff.categories],
      runoffClosesAt: runoff?.closesAt ?? null,
    })
    .where(eq(awardEditions.guid, editionGuid))
}

export async function writeRunoffNominees(tx: Tx, categoryGuid: string, nominees: readonly string[]): Promise<void> {
  await tx.session.orm
    .update(awardCategories)
    .set({ runoffNominees: [...nominees] })
    .where(eq(awardCategories.guid, categoryGuid))
}

export async function writeTurnout(tx: Tx, editionGuid: string, turnout: number, now: Date): Promise<void> {
  await tx.session.orm.update(awardEditions).set({ turnout, turnoutAt: now }).where(eq(awardEditions.guid, editionGuid))
}

/** The given badges that are not retired. (B4) */
export async function listGivenBadges(tx: Tx, guids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.session.orm
    .select({ guid: badges.guid })
    .from(badges)
    .where(sql`${badges.guid} = any(${sql.param(guids)}::uuid[]) and ${badges.retiredAt} is null`)
  return new Set(rows.map(({ guid }) => guid))
}
