import { isGuid, normaliseGuid } from '../../core/ids.ts'
import type { Resolver } from '../../infra/http/admission.ts'
import type { Tournament } from '../tournaments/types.ts'
import { unknownBracket } from './commands/board.ts'
import { findBracket } from './store.ts'
import type { Bracket } from './types.ts'

declare module '../../core/operation.ts' {
  interface Resources {
    bracket: Bracket
  }
}

/** `:bracket` in an address, by GUID, in the tournament that stands before it. (D6) */
export const resolveBracket: Resolver = async ({ db, records }, value) => {
  const tournament = records.tournament as Tournament
  const record = isGuid(value) ? await findBracket(db, normaliseGuid(value)) : undefined
  if (record === undefined || record.tournamentGuid !== tournament.guid) throw unknownBracket()
  return { record }
}
