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

/** The match that `:match` names by its GUID, in any tournament. */
export async function findAddressed(db: Db, value: string): Promise<MatchRecord | undefined> {
  return isGuid(value) ? findMatch(db, normaliseGuid(value)) : undefined
}

/** Resolves `:match` in an address: a GUID, or a number in the division that the query parameter `division` names. */
export const resolveMatch: Resolver = async ({ db, records, query, ahead }, value) => {
  const { guid } = records.tournament as Tournament
  if (isGuid(value)) return { record: matchIn(guid, ahead as MatchRecord | undefined) }
  const division = typeof query.division === 'string' ? query.division : undefined
  return { record: await loadMatch(db, guid, value, division) }
}
