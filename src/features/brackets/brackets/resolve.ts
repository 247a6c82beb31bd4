import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { unknownBracket, unknownDivision } from '../matches/rules.ts'
import { findBracket } from './store/brackets.ts'
import { findDivision } from './store/divisions.ts'
import type { Bracket, Division } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    bracket: Bracket
    division: Division
  }
}

/** Resolves `:bracket` in an address: a GUID, in the tournament that the address names before it. (D6) */
export const resolveBracket: Resolver = async ({ db, records }, value) => {
  const tournament = records.tournament as Tournament
  const record = isGuid(value) ? await findBracket(db, normaliseGuid(value)) : undefined
  if (record === undefined || record.tournamentGuid !== tournament.guid) throw unknownBracket()
  return { record }
}

/** Resolves `:division` in an address: a GUID or short id, in the tournament that the address names before it. (D6) */
export const resolveDivision: Resolver = async ({ db, records }, value) => {
  const tournament = records.tournament as Tournament
  const record = await findDivision(db, tournament.guid, value)
  if (record === undefined) throw unknownDivision()
  return { record }
}
