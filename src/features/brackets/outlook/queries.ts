import { outlookOfQualifier, type QualifierOutlookRow } from '../../../engine/outlook/qualifier.ts'
import { outlookOfTable } from '../../../engine/outlook/table.ts'
import { activeMembersOf, sum } from '../../../engine/qualifier-results.ts'
import type { Db } from '../../../infra/db/database.ts'
import { listTeamSummaries } from '../../teams/teams/store/summaries.ts'
import { standingsOf, withdrawnOf } from '../brackets/rules/plan.ts'
import { listEntrants } from '../brackets/store/brackets.ts'
import type { Bracket } from '../brackets/types.ts'
import { toEngine } from '../matches/rules.ts'
import { listMatchesOfBracket } from '../matches/store/matches.ts'
import { type Board, readBoard } from '../qualifiers/queries.ts'
import { usageKey } from '../qualifiers/rules/recording.ts'
import type { Qualifier, QualifierMap } from '../qualifiers/types.ts'
import { attemptsOf, readTable } from './rules.ts'
import { countUsages } from './store.ts'
import { type BracketOutlookView, bracketOutlookView } from './views.ts'

/** @throws Problem `outlook.not_a_table`, `outlook.not_by_points` */
export async function readBracketOutlook(db: Db, bracket: Bracket, places: number): Promise<BracketOutlookView> {
  const format = readTable(bracket)
  const [entrants, records] = await Promise.all([
    listEntrants(db, bracket.guid),
    listMatchesOfBracket(db, bracket.guid),
  ])
  const teams = await listTeamSummaries(
    db,
    entrants.map(({ team }) => team),
  )
  const matches = records.map(toEngine)
  const board = {
    format,
    settings: bracket.settings,
    matches,
    withdrawn: withdrawnOf(entrants),
    standings: standingsOf(bracket, matches, entrants),
  }
  const guids = new Map(records.map(({ number, guid }) => [number, guid]))
  return bracketOutlookView(outlookOfTable(board, places), { places, teams, guids })
}

export interface QualifierOutlook {
  readonly board: Board
  readonly rows: readonly QualifierOutlookRow[]
  /** The number of attempts on these maps that all active members of a team have left; null without a limit. */
  readonly attemptsLeft: (team: string, maps: readonly string[]) => number | null
}

/** @param isOver whether no attempt can be made any more */
export async function readQualifierOutlook(
  db: Db,
  qualifier: Qualifier,
  maps: readonly QualifierMap[],
  isOver: boolean,
): Promise<QualifierOutlook> {
  const isCounted = !isOver && qualifier.attempts > 0
  const [board, usages] = await Promise.all([
    readBoard(db, qualifier, maps),
    isCounted ? countUsages(db, qualifier.guid) : nobodys,
  ])
  const ofPlayer = (userGuid: string, mapGuid: string) =>
    attemptsOf(usages.get(usageKey({ userGuid, mapGuid })), isOver ? null : qualifier.attempts)
  const members = activeMembersOf(board.input.players)
  return {
    board,
    rows: outlookOfQualifier({
      input: board.input,
      standings: board.standings,
      modifiers: qualifier.modifiers,
      isOver,
      attemptsOf: ofPlayer,
    }),
    attemptsLeft(team, onMaps) {
      if (!isOver && qualifier.attempts === 0) return null
      const own = members.get(team) ?? []
      return sum(own.flatMap(({ player }) => onMaps.map((map) => ofPlayer(player, map).left)))
    },
  }
}

const nobodys: Awaited<ReturnType<typeof countUsages>> = new Map()
