import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import type { Db } from '../../../infra/db/database.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { loadMatch, matchIn } from './queries.ts'
import { findMatch } from './store/matches.ts'
import type { MatchRecord } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    match: MatchRecord
  }
}

/** The match that `:match` names by its GUID, of whichever tournament. */
export async function findAddressed(db: Db, value: string): Promise<MatchRecord | undefined> {
  return isGuid(value) ? findMatch(db, normaliseGuid(value)) : undefined
}

/** `:match` in an address, by GUID, or by its number in the division that the query names as `division`. */
export const resolveMatch: Resolver = async ({ db, records, query, ahead }, value) => {
  const { guid } = records.tournament as Tournament
  if (isGuid(value)) return { record: matchIn(guid, ahead as MatchRecord | undefined) }
  const division = typeof query.division === 'string' ? query.division : undefined
  return { record: await loadMatch(db, guid, value, division) }
}
