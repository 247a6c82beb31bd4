import { NeedsMatch } from '../../../../engine/progress.ts'
import type { Board, Match, WithdrawalPolicy } from '../../../../engine/types.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { followMatches, type Origin } from '../../../flows/flowSessions/commands/following.ts'
import { played, toEngine, unknownBracket } from '../../matches/rules.ts'
import { advanceMatches, listMatchesByGuid, listMatchesOfBracket } from '../../matches/store/matches.ts'
import type { MatchRecord } from '../../matches/types.ts'
import { progress } from '../rules/board.ts'
import { advanceBracket, listWithdrawn, lockBracket } from '../store/brackets.ts'
import type { Bracket } from '../types.ts'

/**
 * A bracket that this transaction has locked, with as many of its matches as it takes: a result alters few of hundreds,
 * so that the match and those that its teams go to are read first, and all of them only when the engine asks for more.
 */
export interface OpenBoard {
  readonly bracket: Bracket
  /** By number. */
  readonly records: ReadonlyMap<number, MatchRecord>
  readonly withdrawn: ReadonlyMap<string, WithdrawalPolicy>
}

/**
 * @param near the matches to begin with; without them, all
 * @throws Problem `bracket.unknown`
 */
export async function openBoard(tx: Tx, bracketGuid: string, near?: readonly string[]): Promise<OpenBoard> {
  // A connection runs its statements in order: what is sent behind the lock is read under it.
  const [bracket, records, withdrawn] = await Promise.all([
    lockBracket(tx, bracketGuid),
    near === undefined ? listMatchesOfBracket(tx, bracketGuid) : listMatchesByGuid(tx, near),
    listWithdrawn(tx, bracketGuid),
  ])
  if (bracket === undefined) throw unknownBracket()
  return { bracket, withdrawn, records: byNumber(records) }
}

/** The matches to begin with for a change of one: itself, and those that its teams go to. */
export function around(match: Pick<MatchRecord, 'guid' | 'nextMatchGuid' | 'loserMatchGuid'>): readonly string[] {
  return [match.guid, match.nextMatchGuid, match.loserMatchGuid].filter((guid) => guid !== null)
}

/** What the engine makes of a change, before anything is written. */
export interface Deliberation {
  readonly open: OpenBoard
  readonly before: readonly Match[]
  readonly after: readonly Match[]
}

/**
 * Asks the engine, with all matches of the bracket where it needs more than are there.
 * @param think called a second time then; answers with the matches that are altered
 */
export async function deliberate(
  tx: Tx,
  open: OpenBoard,
  think: (board: Board) => readonly Match[],
): Promise<Deliberation> {
  try {
    return weigh(open, think)
  } catch (error) {
    if (!(error instanceof NeedsMatch)) throw error
    return weigh({ ...open, records: byNumber(await listMatchesOfBracket(tx, open.bracket.guid)) }, think)
  }
}

function weigh(open: OpenBoard, think: (board: Board) => readonly Match[]): Deliberation {
  const after = think(boardOf(open))
  return { open, after, before: after.map(({ number }) => toEngine(recordOf(open, number))) }
}

function boardOf({ bracket, records, withdrawn }: OpenBoard): Board {
  return {
    withdrawn,
    allowDraws: bracket.settings.allowDraws,
    match(number) {
      const record = records.get(number)
      return record && toEngine(record)
    },
  }
}

export interface Altered {
  /** As they are now. */
  readonly bracket: Bracket
  readonly matches: readonly MatchRecord[]
}

/**
 * Writes what the engine decided, and has the sessions of the matches say so. Nothing altered leaves everything as it is,
 * the revision included.
 * @param instants of matches that get back when they began and ended, by number
 */
export async function writeBoard(
  tx: Tx,
  { open, after }: Deliberation,
  origin: Origin,
  now: Date,
  instants?: ReadonlyMap<number, Pick<MatchRecord, 'startedAt' | 'completedAt'>>,
): Promise<Altered> {
  const { bracket } = open
  if (after.length === 0) return { bracket, matches: [] }
  const changed = after.map((match) => {
    const before = recordOf(open, match.number)
    return { before, after: { ...played(before, match, now), ...instants?.get(match.number) } }
  })
  const advanced: Bracket = {
    ...bracket,
    ...progress(bracket, changed),
    revision: bracket.revision + 1,
    updatedAt: now,
  }
  const matches = changed.map((change) => change.after)
  // Which sessions there are is asked along with the writes, and behind them.
  await Promise.all([
    advanceMatches(tx, matches, now),
    advanceBracket(tx, advanced),
    followMatches(tx, matches, origin),
  ])
  return { bracket: advanced, matches }
}

function recordOf({ records }: OpenBoard, number: number): MatchRecord {
  const record = records.get(number)
  if (record === undefined) throw new NeedsMatch(number)
  return record
}

function byNumber(records: readonly MatchRecord[]): ReadonlyMap<number, MatchRecord> {
  return new Map(records.map((record) => [record.number, record]))
}
