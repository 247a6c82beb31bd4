import { isGuid, normaliseGuid, parseIdentifier } from '../../../core/ids.ts'
import { conflict } from '../../../core/problem.ts'
import type { Db } from '../../../infra/db/database.ts'
import { unknownMatch } from './rules.ts'
import { listMatchesByNumber } from './store/list.ts'
import { findMatch } from './store/matches.ts'
import type { MatchRecord } from './types.ts'

const numberPattern = /^[1-9]\d{0,5}$/

/**
 * Loads a match of the tournament by GUID, or by its number in a division. The division can be left out if the
 * tournament has only one match with that number.
 * @param division GUID or short id
 * @throws Problem `match.unknown`, `match.ambiguous`
 */
export async function loadMatch(
  db: Db,
  tournamentGuid: string,
  identifier: string,
  division?: string,
): Promise<MatchRecord> {
  if (isGuid(identifier)) return matchIn(tournamentGuid, await findMatch(db, normaliseGuid(identifier)))
  const within = division === undefined ? undefined : parseIdentifier(division.trim())
  if (!numberPattern.test(identifier) || within === null) throw unknownMatch()
  const [found, another] = await listMatchesByNumber(db, tournamentGuid, Number(identifier), within)
  if (found === undefined) throw unknownMatch()
  if (another !== undefined) {
    throw conflict(
      'match.ambiguous',
      `Several divisions have a match ${identifier}; name one as \`division\`, or the match by its GUID.`,
    )
  }
  return found
}

/** @throws Problem `match.unknown`, also for a match of another tournament */
export function matchIn(tournamentGuid: string, found: MatchRecord | undefined): MatchRecord {
  if (found?.tournamentGuid !== tournamentGuid) throw unknownMatch()
  return found
}
