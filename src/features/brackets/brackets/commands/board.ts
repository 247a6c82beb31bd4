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
 * A bracket that this transaction has locked, with the matches that were read. A result alters few of hundreds of
 * matches, so only the match and the matches that its teams go to are read first. All matches are read only when the
 * engine needs more.
 */
export interface OpenBoard {
  readonly bracket: Bracket
  /** Matches by number. */
  readonly records: ReadonlyMap<number, MatchRecord>
  readonly withdrawn: ReadonlyMap<string, WithdrawalPolicy>
}

/**
 * Locks a bracket and reads its matches.
 * @param near GUIDs of the matches to read; all matches if left out
 * @throws Problem `bracket.unknown`
 */
export async function openBoard(tx: Tx, bracketGuid: string, near?: readonly string[]): Promise<OpenBoard> {
  // A connection runs its statements in order, so the queries sent after the lock run while it is held.
  const [bracket, records, withdrawn] = await Promise.all([
    lockBracket(tx, bracketGuid),
    near === undefined ? listMatchesOfBracket(tx, bracketGuid) : listMatchesByGuid(tx, near),
    listWithdrawn(tx, bracketGuid),
  ])
  if (bracket === undefined) throw unknownBracket()
  return { bracket, withdrawn, records: byNumber(records) }
}

/** The matches to read first when this match changes: the match itself and the matches that its teams go to. */
export function around(match: Pick<MatchRecord, 'guid' | 'nextMatchGuid' | 'loserMatchGuid'>): readonly string[] {
  return [match.guid, match.nextMatchGuid, match.loserMatchGuid].filter((guid) => guid !== null)
}

/** The engine's result of a change, before anything is saved. */
export interface Deliberation {
  readonly open: OpenBoard
  readonly before: readonly Match[]
  readonly after: readonly Match[]
}

/**
 * Lets the engine compute a change. If the engine needs a match that was not read, all matches of the bracket are read.
 * @param think returns the altered matches; called again after all matches were read
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
  /** The bracket and its matches after the change. */
  readonly bracket: Bracket
  readonly matches: readonly MatchRecord[]
}

/**
 * Saves what the engine computed, and updates the logs of the altered matches' flow sessions. If nothing is altered,
 * nothing is saved, and the revision stays.
 * @param instants start and end times to restore, by match number
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
  // The flow sessions are queried in the same batch as the writes, and after them.
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
