import { isGuid, normaliseGuid, parseIdentifier } from '../../../core/ids.ts'
import { conflict } from '../../../core/problem.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { unknownMatch } from './rules.ts'
import { listMatchesByNumber } from './store/list.ts'
import { findMatch } from './store/matches.ts'
import type { MatchRecord } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    match: MatchRecord
  }
}

const numberPattern = /^[1-9]\d{0,5}$/

/**
 * `:match` in an address, by GUID, or by its number in the division that the query names as `division`; where the
 * tournament has one match of that number alone, the division can be left out.
 */
export const resolveMatch: Resolver = async ({ db, records, query }, value) => {
  const tournament = records.tournament as Tournament
  if (isGuid(value)) {
    const record = await findMatch(db, normaliseGuid(value))
    if (record?.tournamentGuid !== tournament.guid) throw unknownMatch()
    return { record }
  }
  if (!numberPattern.test(value)) throw unknownMatch()
  const division = typeof query.division === 'string' ? parseIdentifier(query.division.trim()) : undefined
  if (division === null) throw unknownMatch()
  const [record, another] = await listMatchesByNumber(db, tournament.guid, Number(value), division)
  if (record === undefined) throw unknownMatch()
  if (another !== undefined) {
    throw conflict('match.ambiguous', `Several divisions have a match ${value}; name one as \`division\` in the query.`)
  }
  return { record }
}
