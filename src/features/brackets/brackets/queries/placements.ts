import type { Db } from '../../../../infra/db/database.ts'
import type { Placement } from '../../../tournaments/tournaments/types.ts'
import { toEngine } from '../../matches/rules.ts'
import { listMatchesOfBracket } from '../../matches/store/matches.ts'
import { placementsOf, type Table } from '../rules/placements.ts'
import { standingsOf, withdrawnOf } from '../rules/plan.ts'
import { listBrackets, listEntrants } from '../store/brackets.ts'
import { listDivisions } from '../store/divisions.ts'
import type { Bracket } from '../types.ts'

/**
 * The placements of a tournament, for its record. They come from the first division, since later divisions are played
 * for places of their own. Empty until a bracket of the first division is completed.
 */
export async function listPlacements(db: Db, tournamentGuid: string): Promise<readonly Placement[]> {
  const [[first], brackets] = await Promise.all([listDivisions(db, tournamentGuid), listBrackets(db, tournamentGuid)])
  const own = brackets.filter((bracket) => bracket.divisionGuid === first?.guid)
  return placementsOf(await Promise.all(own.map((bracket) => readTable(db, bracket))))
}

async function readTable(db: Db, bracket: Bracket): Promise<Table> {
  const [entrants, matches] = await Promise.all([
    listEntrants(db, bracket.guid),
    listMatchesOfBracket(db, bracket.guid),
  ])
  return {
    isCompleted: bracket.status === 'completed',
    rows: standingsOf(bracket, matches.map(toEngine), entrants),
    withdrawn: withdrawnOf(entrants),
  }
}
