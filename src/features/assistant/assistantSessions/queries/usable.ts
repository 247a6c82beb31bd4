import type { Db } from '../../../../infra/db/database.ts'
import { missingPermissionsOf, unusableWith } from '../../assistantLinks/rules/permissions.ts'
import { findLink } from '../../assistantLinks/store/links.ts'

/** The operations that the tournament's assistant is known to disallow. (AS3) */
export async function listUnusable(db: Db, tournamentGuid: string): Promise<readonly string[]> {
  const link = await findLink(db, tournamentGuid)
  return link === undefined ? [] : unusableWith(missingPermissionsOf(link))
}
