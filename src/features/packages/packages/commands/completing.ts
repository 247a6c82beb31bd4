import { seatNumbers, speakersOf } from '../../../../engine/flows/machine.ts'
import { replay } from '../../../../engine/flows/replay.ts'
import { recovered } from '../../../../engine/recovery.ts'
import { readSettings, settingNames } from '../../../../engine/settings.ts'
import type { Match } from '../../../../engine/types.ts'
import { isOver } from '../../../../engine/verdict.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { maxEntrants } from '../../../brackets/brackets/rules/entrants.ts'
import { planMatches, withdrawnOf } from '../../../brackets/brackets/rules/plan.ts'
import { maxBrackets } from '../../../brackets/brackets/rules/structure.ts'
import { listBrackets, listEntrants } from '../../../brackets/brackets/store/brackets.ts'
import type { Bracket, BracketEntrant } from '../../../brackets/brackets/types.ts'
import { toEngine } from '../../../brackets/matches/rules.ts'
import { listMatchesOfBracket } from '../../../brackets/matches/store/matches.ts'
import type { MatchRecord, StoredSide } from '../../../brackets/matches/types.ts'
import { listRows } from '../../../flows/flowSessions/store/rows.ts'
import { rowFault } from '../rules.ts'
import * as store from '../store/completing.ts'
import type { Skipped } from '../types.ts'

/** Works out what a package of what everybody may read does not tell, from what it tells. (P6) */

/**
 * Results and tables stay as they are told; the brackets can be played on.
 * @throws Problem `package.row`
 */
export async function completeBrackets(tx: Tx, tournament: string): Promise<void> {
  const brackets = await listBrackets(tx, tournament)
  if (brackets.length > maxBrackets) {
    throw rowFault({ kind: 'brackets', line: null, member: null }, `there may be ${maxBrackets} at most`)
  }
  for (const bracket of brackets) {
    const [entrants, matches] = [await listEntrants(tx, bracket.guid), await listMatchesOfBracket(tx, bracket.guid)]
    await completeBracket(tx, bracket, entrants, matches)
  }
  await store.writeTeamsOfAttempts(tx, tournament)
}

/** What settings of brackets depend on is at least this. */
const fewestEntrants = 2

async function completeBracket(
  tx: Tx,
  bracket: Bracket,
  entrants: readonly BracketEntrant[],
  records: readonly MatchRecord[],
): Promise<void> {
  const { guid, format } = bracket
  if (records.some(({ sides }) => sides.length !== 2)) {
    throw rowFault({ kind: 'matches', line: null, member: 'sides' }, 'must be two')
  }
  const given = Object.fromEntries(
    Object.entries(bracket.settings).filter(([name]) => settingNames[format].some((each) => each === name)),
  )
  const settings = readSettings(format, given, Math.max(fewestEntrants, entrants.length))
  const matches = recovered(
    records.map((record) => ({
      ...toEngine(record),
      ...{ startedAt: record.startedAt?.getTime() ?? null, completedAt: record.completedAt?.getTime() ?? null },
    })),
    { entrants, withdrawn: withdrawnOf(entrants), planned: plannedOf({ format, settings }, entrants, records) },
  )
  await store.writeBracket(tx, {
    ...{ guid, settings, started: matches.filter(({ started }) => started).length },
    open: matches.filter((match) => !isOver(match)).length,
    roundsMade: format === 'swiss' ? matches.reduce((last, { round }) => Math.max(last, round), 0) : 0,
  })
  await store.writeReports(
    tx,
    matches.map((match, index) => reportOf(match, records[index] as MatchRecord)),
  )
}

/** Only places without a team do not say by themselves which slot they are. */
function plannedOf(
  { format, settings }: Pick<Bracket, 'format' | 'settings'>,
  entrants: readonly BracketEntrant[],
  records: readonly MatchRecord[],
): (number: number) => Match | undefined {
  const isPossible = entrants.length >= fewestEntrants && entrants.length <= maxEntrants
  if (!isPossible || entrants.every(({ team }) => team !== null)) return () => undefined
  // Matches are in the order of their numbers, which go on through the brackets of a division.
  const offset = (records[0]?.number ?? 1) - 1
  const planned = new Map(planMatches(format, entrants, settings).matches.map((match) => [match.number, match]))
  return (number) => planned.get(number - offset)
}

function reportOf(
  { decision, started, reopened, winnerTo, loserTo, sides }: Match,
  { guid, sides: told }: MatchRecord,
) {
  const [first, second] = sides
  const side = ({ slot, empty }: Match['sides'][number], own: StoredSide): StoredSide => ({ ...own, slot, empty })
  return {
    ...{ guid, decision, started, reopened, winnerTo, loserTo },
    sides: [side(first, told[0]), side(second, told[1])] as const,
  }
}

/**
 * Says who had the seats of sessions. A log that cannot be read without its secrets is left out.
 * @returns what was left out
 */
export async function completeSessions(tx: Tx, tournament: string): Promise<readonly Skipped[]> {
  let [sessions, rows] = [0, 0]
  for (const session of await store.listSessions(tx, tournament)) {
    const machine = replayed(session, await listRows(tx, session))
    if (machine === null) {
      sessions++
      rows += await store.deleteSession(tx, session)
      continue
    }
    await store.writeSeats(tx, session, {
      teams: machine.start.teams.flatMap(({ team }) => team ?? []),
      speakers: seatNumbers(machine).map((seat) => speakersOf(machine, seat)),
    })
  }
  if (sessions === 0) return []
  return [
    { path: 'data/sessions.ndjson', member: null, rows: sessions },
    { path: 'data/sessionRows.ndjson', member: null, rows },
  ]
}

function replayed(session: string, rows: Parameters<typeof replay>[1]) {
  try {
    return replay(session, rows)
  } catch {
    return null
  }
}
