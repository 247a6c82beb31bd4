import { asc, sql } from 'drizzle-orm'
import type { TournamentRole } from '../../../../core/roles.ts'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { matchOfficials } from '../tables.ts'

/** Somebody who works at a match, in one of the roles of the tournament. */
export interface Official {
  readonly userGuid: string
  readonly role: TournamentRole
}

const ofMatches = statement('matches.officials', (orm) =>
  orm
    .select({ matchGuid: matchOfficials.matchGuid, userGuid: matchOfficials.userGuid, role: matchOfficials.role })
    .from(matchOfficials)
    .where(sql`${matchOfficials.matchGuid} = any(${sql.placeholder('guids')}::uuid[])`)
    .orderBy(asc(matchOfficials.matchGuid), asc(matchOfficials.role), asc(matchOfficials.userGuid)),
)

/** By match, in the order of their roles; matches without any have no entry. */
export async function listOfficials(
  db: Db,
  matchGuids: readonly string[],
): Promise<ReadonlyMap<string, readonly Official[]>> {
  const officials = new Map<string, Official[]>()
  if (matchGuids.length === 0) return officials
  for (const { matchGuid, userGuid, role } of await ofMatches(db, { guids: matchGuids })) {
    const others = officials.get(matchGuid)
    if (others === undefined) officials.set(matchGuid, [{ userGuid, role }])
    else others.push({ userGuid, role })
  }
  return officials
}
