import { normaliseGuid } from '../../../../core/ids.ts'
import { conflict, invalid } from '../../../../core/problem.ts'
import { takePlaces, tiesCut } from '../../../../engine/ties.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { listTeamSummaries } from '../../../teams/teams/store/summaries.ts'
import { toEngine, unknownBracket } from '../../matches/rules.ts'
import { listMatchesOfBracket } from '../../matches/store/matches.ts'
import {
  checkMayPlay,
  type EntrantsInput,
  isIn,
  maxEntrants,
  readManual,
  readPlaces,
  type Seeding,
  seedPlaces,
  seedTeams,
} from '../rules/entrants.ts'
import { standingsOf } from '../rules/plan.ts'
import { decisionOf, ruleTies, type TieContext, undecidedTies } from '../rules/ties.ts'
import { listEntrants } from '../store/brackets.ts'
import { listEnteringTeams, listTeamsNamed } from '../store/entering.ts'
import type { Bracket, TieRuling } from '../types.ts'

/** The teams that enter, and how the ties among them were decided. */
export interface EnteringTeams extends Seeding {
  readonly ruling: TieRuling | null
}

/**
 * Returns the teams of a new bracket in the order of its places. Call under the lock of the tournament, which
 * registering and leaving teams also take.
 * @param source the bracket that `input` takes its teams from, locked
 * @throws Problem `bracket.entrants_invalid`, `bracket.too_few_teams`, `bracket.too_many_teams`, `bracket.unknown`,
 * `bracket.not_completed`, `team.unknown`, `team.withdrawn`, `team.not_registered`, `tie.undecided`,
 * `tie.order_invalid`
 */
export async function listEntering(
  tx: Tx,
  tournamentGuid: string,
  input: EntrantsInput,
  source: Bracket | undefined,
  drawing: Drawing,
): Promise<EnteringTeams> {
  if (input.source === 'bracket') return listFromBracket(tx, tournamentGuid, input, source, drawing)
  const none = { origins: null, ruling: null }
  if (input.source === 'manual') {
    const places = readManual(input)
    const named = places.flatMap(({ team }) => team ?? [])
    checkMayPlay(named, await listTeamsNamed(tx, tournamentGuid, named))
    return { ...none, teams: places }
  }
  const statuses = input.source === 'qualified' ? (['qualified'] as const) : (['registered', 'qualified'] as const)
  const found = await listEnteringTeams(tx, tournamentGuid, statuses, maxEntrants + 1)
  return { ...none, teams: seedTeams(found, input.size) }
}

/** What a draw of ties needs. */
export type Drawing = Omit<TieContext, 'subject'>

async function listFromBracket(
  tx: Tx,
  tournamentGuid: string,
  { from, size }: EntrantsInput,
  source: Bracket | undefined,
  drawing: Drawing,
): Promise<EnteringTeams> {
  if (from === undefined) throw invalid('bracket.entrants_invalid', 'Give `from` with the source `bracket`.')
  if (source === undefined || source.tournamentGuid !== tournamentGuid) throw unknownBracket()
  if (source.status !== 'completed') {
    throw conflict('bracket.not_completed', `“${source.name}” is not completed, so that its places are still open.`)
  }
  const [entrants, matches] = await Promise.all([listEntrants(tx, source.guid), listMatchesOfBracket(tx, source.guid)])
  const rows = standingsOf(source, matches.map(toEngine), entrants)
  const guids = rows.map(({ team }) => team)
  const teams = await listTeamsNamed(tx, tournamentGuid, guids)
  const wanted = readPlaces(rows, from.places, size, (team) => isIn(teams.get(team)))
  const ties = tiesCut(wanted)
  const tied = await listTeamSummaries(
    tx,
    ties.flatMap((tie) => tie.teams),
  )
  const ruling = ruleTies(ties, from, { ...drawing, subject: source.guid }, (cut, commitment) =>
    undecidedTies(cut, commitment, tied),
  )
  return { ...seedPlaces(takePlaces(wanted, ties, ruling && decisionOf(ruling))), ruling }
}

/** GUID of the bracket that the entrants come from; undefined for every other source. */
export function sourceOf({ source, from }: EntrantsInput): string | undefined {
  return source === 'bracket' && from !== undefined ? normaliseGuid(from.bracketGuid) : undefined
}
