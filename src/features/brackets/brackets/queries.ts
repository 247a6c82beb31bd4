import type { Actor } from '../../../core/actor.ts'
import type { Db } from '../../../infra/db/database.ts'
import { listTeamSummaries } from '../../teams/teams/store/summaries.ts'
import type { Placement, Tournament } from '../../tournaments/tournaments/types.ts'
import { toEngine, unknownBracket } from '../matches/rules.ts'
import { listMatchesOfBracket, listMatchOutlines } from '../matches/store/matches.ts'
import { placementsOf, type Table } from './rules/placements.ts'
import { standingsOf, withdrawnOf } from './rules/plan.ts'
import { maxListed } from './rules/structure.ts'
import { countListed, findBracket, listBrackets, listEntrants, listEntrantsOfTournament } from './store/brackets.ts'
import { listDivisions } from './store/divisions.ts'
import type { Bracket } from './types.ts'
import { bracketView, type WholeBracketView, wholeBracketView } from './views/bracket.ts'
import { type DivisionWithBracketsView, divisionWithBracketsView } from './views/division.ts'
import { type StandingView, standingView } from './views/standing.ts'

/** A bracket with its matches and its table, as `viewer` may see them. */
export async function readWholeBracket(db: Db, bracket: Bracket, viewer: Actor): Promise<WholeBracketView> {
  const [entrants, matches] = await Promise.all([
    listEntrants(db, bracket.guid),
    listMatchesOfBracket(db, bracket.guid),
  ])
  return wholeBracketView(db, { bracket, entrants, matches }, viewer)
}

/** Reads a bracket and its matches again after a change. */
export async function reloadWholeBracket(db: Db, guid: string, viewer: Actor): Promise<WholeBracketView> {
  const bracket = await findBracket(db, guid)
  if (bracket === undefined) throw unknownBracket()
  return readWholeBracket(db, bracket, viewer)
}

export async function readStandings(db: Db, bracket: Bracket): Promise<readonly StandingView[]> {
  const [entrants, matches] = await Promise.all([
    listEntrants(db, bracket.guid),
    listMatchesOfBracket(db, bracket.guid),
  ])
  const teams = await listTeamSummaries(
    db,
    entrants.map(({ team }) => team),
  )
  return standingsOf(bracket, matches.map(toEngine), entrants).map((row) => standingView(row, teams))
}

/**
 * All divisions of a tournament with their brackets, without matches. The number of queries is the same for any number
 * of divisions. If the tournament has more entrants and matches than one answer holds, its brackets come without them.
 */
export async function readDivisions(
  db: Db,
  { guid }: Pick<Tournament, 'guid'>,
): Promise<readonly DivisionWithBracketsView[]> {
  const [divisions, brackets, listed] = await Promise.all([
    listDivisions(db, guid),
    listBrackets(db, guid),
    countListed(db, guid, maxListed + 1),
  ])
  const limited = listed > maxListed ? { limited: true } : {}
  const [entrants, outlines] = limited.limited
    ? [[], []]
    : await Promise.all([listEntrantsOfTournament(db, guid), listMatchOutlines(db, guid)])
  const teams = await listTeamSummaries(
    db,
    entrants.map(({ team }) => team),
  )
  const entrantsOf = Map.groupBy(entrants, ({ bracketGuid }) => bracketGuid)
  const outlinesOf = Map.groupBy(outlines, ({ bracketGuid }) => bracketGuid)
  const views = Map.groupBy(brackets, ({ divisionGuid }) => divisionGuid)
  return divisions.map((division) =>
    divisionWithBracketsView(
      division,
      (views.get(division.guid) ?? []).map((bracket) => ({
        ...bracketView(bracket, entrantsOf.get(bracket.guid) ?? [], outlinesOf.get(bracket.guid) ?? [], teams),
        ...limited,
      })),
    ),
  )
}

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
