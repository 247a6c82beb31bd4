import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { missing } from '../../../core/problem.ts'
import { type TournamentRole, tournamentRoles } from '../../../core/roles.ts'
import type { Db } from '../../../infra/db/database.ts'
import { findBracket } from '../../brackets/brackets/store/brackets.ts'
import { unknownBracket, unknownMatch } from '../../brackets/matches/rules.ts'
import { listMatchesByGuid } from '../../brackets/matches/store/matches.ts'
import { listOfficials } from '../../brackets/matches/store/officials.ts'
import type { MatchRecord } from '../../brackets/matches/types.ts'
import { listTeamSummaries } from '../../teams/teams/store/summaries.ts'
import { listMembers } from '../../teams/teams/store/teams.ts'
import { listRegisteredTeams, listStaffAnswers, listTeamAnswers } from '../availability/store/answers.ts'
import { findSheet } from '../availability/store/sheets.ts'
import type { Sheet } from '../availability/types.ts'
import type { ProposalBody } from './bodies.ts'
import { teamsIn } from './rules/people.ts'
import type { Facts } from './rules/problem.ts'
import { beginOf } from './rules/times.ts'
import { checkMatches, fault, isToBePlayed, readRules } from './rules/wish.ts'
import * as store from './store.ts'
import type { Wish } from './types.ts'

/**
 * Reads the request for a proposal; a round is replaced by its matches.
 * @throws Problem `schedule.invalid`, `schedule.match_over`, `match.unknown`, `bracket.unknown`
 */
export async function readWish(db: Db, tournamentGuid: string, body: ProposalBody): Promise<Wish> {
  const rules = readRules(body)
  const chosen = await readMatches(db, tournamentGuid, body)
  checkMatches(chosen)
  return { ...rules, matchGuids: chosen.map(({ guid }) => guid) }
}

async function readMatches(
  db: Db,
  tournamentGuid: string,
  { matches, round }: ProposalBody,
): Promise<readonly MatchRecord[]> {
  if ((matches === undefined) === (round === undefined)) throw fault('Give either `matches` or `round`.')
  if (round !== undefined) return readRound(db, tournamentGuid, round)
  const guids = [...new Set((matches ?? []).map(normaliseGuid))]
  const found = await listMatchesByGuid(db, guids)
  const isHere = found.every((match) => match.tournamentGuid === tournamentGuid)
  if (found.length < guids.length || !isHere) throw unknownMatch()
  return found
}

async function readRound(
  db: Db,
  tournamentGuid: string,
  { bracketGuid, section, number }: NonNullable<ProposalBody['round']>,
): Promise<readonly MatchRecord[]> {
  const bracket = isGuid(bracketGuid) ? await findBracket(db, normaliseGuid(bracketGuid)) : undefined
  if (bracket?.tournamentGuid !== tournamentGuid) throw unknownBracket()
  return (await store.listRound(db, { bracketGuid: bracket.guid, section, number })).filter(isToBePlayed)
}

/** @throws Problem `match.unknown`, `sheet.unknown` */
export async function readFacts(db: Db, tournamentGuid: string, wish: Wish): Promise<Facts> {
  const { matchGuids, sheetGuids } = wish
  const roles = tournamentRoles.filter((role): role is TournamentRole => wish.officialsPerMatch[role] !== undefined)
  const [matches, sheets, staffAnswers, teamAnswers, registered] = await Promise.all([
    listMatchesByGuid(db, matchGuids),
    readSheets(db, tournamentGuid, sheetGuids),
    listStaffAnswers(db, sheetGuids, { roles }),
    listTeamAnswers(db, sheetGuids),
    listRegisteredTeams(db, tournamentGuid),
  ])
  if (matches.length < matchGuids.length) throw unknownMatch()
  const chosen = new Set(matchGuids)
  const brackets = [...new Set(matches.map(({ bracketGuid }) => bracketGuid))]
  const others = (await store.listOpen(db, tournamentGuid, brackets)).filter(({ guid }) => !chosen.has(guid))
  const timed = [...matches, ...others.filter((match) => beginOf(match) !== null)]
  const [officials, members, teams] = await Promise.all([
    listOfficials(
      db,
      timed.map(({ guid }) => guid),
    ),
    listMembers(db, [...new Set(timed.flatMap(teamsIn))]),
    listTeamSummaries(db, matches.flatMap(teamsIn)),
  ])
  return {
    matches,
    others,
    officials,
    sheets,
    staffAnswers,
    teamAnswers,
    members: new Map([...members].map(([team, own]) => [team, own.map(({ userGuid }) => userGuid)])),
    statuses: new Map(registered.map(({ guid, status }) => [guid, status])),
    names: new Map([...teams].map(([guid, { name }]) => [guid, name])),
  }
}

async function readSheets(db: Db, tournamentGuid: string, guids: readonly string[]): Promise<readonly Sheet[]> {
  const found = await Promise.all(guids.map((guid) => findSheet(db, guid)))
  const here = found.filter((sheet) => sheet?.tournamentGuid === tournamentGuid).filter((sheet) => sheet !== undefined)
  if (here.length < guids.length) throw missing('sheet.unknown', 'There is no such sheet in this tournament.')
  return here
}
