import type { Resolver } from '../../../infra/http/admission.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { loadMatch } from './queries.ts'
import type { MatchRecord } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    match: MatchRecord
  }
}

/** `:match` in an address, by GUID, or by its number in the division that the query names as `division`. */
export const resolveMatch: Resolver = async ({ db, records, query }, value) => {
  const { guid } = records.tournament as Tournament
  const division = typeof query.division === 'string' ? query.division : undefined
  return { record: await loadMatch(db, guid, value, division) }
}
