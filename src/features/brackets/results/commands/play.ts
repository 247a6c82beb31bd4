import type { SignedIn } from '../../../../core/actor.ts'
import { conflict, Problem } from '../../../../core/problem.ts'
import { apply, type Change } from '../../../../engine/progress.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { listMembers } from '../../../teams/teams/store/teams.ts'
import { checkNotCancelled } from '../../../tournaments/tournaments/rules/status.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import {
  type Altered,
  around,
  type Deliberation,
  deliberate,
  type OpenBoard,
  openBoard,
  writeBoard,
} from '../../brackets/commands/board.ts'
import { followPlacements } from '../../brackets/commands/placements.ts'
import { unknownMatch } from '../../matches/rules.ts'
import type { GamePlayer, MatchRecord } from '../../matches/types.ts'
import { readMatchView } from '../../matches/views.ts'
import type { CorrectionType, OfCorrection, PlayType } from '../events.ts'
import { checkPlaced, checkPlayers, type GameInput, loggedChange, readGame } from '../rules.ts'

/** The author of a change: a user, or the service (null) when a time runs out. */
export interface Author {
  readonly guid: string | null
}

/** A bracket that is locked for a change of its results. */
interface OpenResults {
  readonly open: OpenBoard
  /** Updates the placements of a completed tournament after the result is saved. */
  readonly settlePlacements: () => Promise<void>
}

/** A locked bracket and one of its matches, as it is under the lock. */
export interface OpenMatch extends OpenResults {
  readonly match: MatchRecord
}

/**
 * Locks a bracket; if its tournament is completed, locks the tournament first.
 * @param near GUIDs of the matches to read; all matches if left out
 * @throws Problem `tournament.cancelled`, `bracket.unknown`
 */
export async function openResults(
  tx: Tx,
  actor: Author,
  tournament: Tournament,
  { bracketGuid, near }: { readonly bracketGuid: string; readonly near?: readonly string[] },
  now: Date,
): Promise<OpenResults> {
  checkNotCancelled(tournament)
  const settlePlacements = await followPlacements(tx, tournament, actor.guid, now)
  return { open: await openBoard(tx, bracketGuid, near), settlePlacements }
}

/**
 * Locks the bracket of a match and reads the matches that its result usually alters.
 * @throws Problem `tournament.cancelled`, `match.unknown`, `bracket.incomplete`
 */
export async function openMatch(
  tx: Tx,
  actor: Author,
  tournament: Tournament,
  found: MatchRecord,
  now: Date,
): Promise<OpenMatch> {
  const address = { bracketGuid: found.bracketGuid, near: around(found) }
  const opened = await openResults(tx, actor, tournament, address, now)
  const match = opened.open.records.get(found.number)
  // The bracket may have been generated anew after the match was read.
  if (match?.guid !== found.guid) throw unknownMatch()
  checkPlaced(opened.open.bracket)
  return { ...opened, match }
}

/** Adds the current match to a conflict, so that the slower of two callers sees the result of the faster one. */
export async function withState<T>(tx: Tx, actor: SignedIn, match: MatchRecord, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'conflict') throw error
    throw conflict(error.code, error.message, { match: await readMatchView(tx, match, actor) })
  }
}

/** Computes what a change of a match would alter. */
export async function consider(tx: Tx, { open }: OpenMatch, change: Change): Promise<Deliberation> {
  return deliberate(tx, open, (board) => apply(board, change))
}

/**
 * Starts a match.
 * @throws Problem `match.not_ready`
 */
export async function startMatch(
  tx: Tx,
  actor: SignedIn,
  tournament: Tournament,
  found: MatchRecord,
  now: Date,
): Promise<MatchRecord> {
  const opened = await openMatch(tx, actor, tournament, found, now)
  return play(tx, actor, opened, { kind: 'start', match: found.number }, 'match.started', now)
}

/**
 * Reports the result of a map, which may decide the match. Reporting the same result again changes nothing. Another
 * result for a map that has one is accepted only with the match's current revision.
 * @param revision the match's revision that the caller has seen
 * @throws Problem `game.player_unknown`, `match.stale`, and what the engine refuses
 */
export async function reportGame(
  tx: Tx,
  actor: SignedIn,
  tournament: Tournament,
  found: MatchRecord,
  { number, input, revision }: { readonly number: number; readonly input: GameInput; readonly revision?: number },
  now: Date,
): Promise<MatchRecord> {
  const game = readGame(number, input)
  const opened = await openMatch(tx, actor, tournament, found, now)
  const { match } = opened
  return withState(tx, actor, match, async () => {
    const considered = await consider(tx, opened, { kind: 'game', match: match.number, game })
    // The same result again is no change, even if the match has moved on and the caller's revision is old.
    if (considered.after.length === 0) return match
    const isSecondWord = match.games.some((known) => known.number === number)
    if (isSecondWord || revision !== undefined) checkUpToDate(match, revision)
    await checkPlayersOf(tx, match, game.detail?.players)
    return finish(tx, actor, opened, considered, 'match.game_reported', now)
  })
}

async function checkPlayersOf(tx: Tx, match: MatchRecord, players: readonly GamePlayer[] = []): Promise<void> {
  if (players.length === 0) return
  const teams = [match.team1Guid, match.team2Guid].filter((team) => team !== null)
  checkPlayers(players, match, await listMembers(tx, teams))
}

function checkUpToDate(match: MatchRecord, revision: number | undefined): void {
  if (revision === undefined) {
    throw conflict(
      'game.reported',
      'This map has another result already; to change it, give the `revision` of the match.',
    )
  }
  if (revision !== match.revision) {
    throw conflict('match.stale', 'The match has changed since this revision; look at it again.')
  }
}

/**
 * Removes the result of the last map.
 * @throws Problem what the engine refuses
 */
export async function removeGame(
  tx: Tx,
  actor: SignedIn,
  tournament: Tournament,
  found: MatchRecord,
  number: number,
  now: Date,
): Promise<MatchRecord> {
  const opened = await openMatch(tx, actor, tournament, found, now)
  return play(tx, actor, opened, { kind: 'remove_game', match: found.number, number }, 'match.game_removed', now)
}

async function play(
  tx: Tx,
  actor: SignedIn,
  opened: OpenMatch,
  change: Change,
  type: PlayType,
  now: Date,
): Promise<MatchRecord> {
  return withState(tx, actor, opened.match, async () => {
    const considered = await consider(tx, opened, change)
    return finish(tx, actor, opened, considered, type, now)
  })
}

/**
 * Saves a computed change and emits its event. If nothing is altered, nothing is emitted.
 * @param session the flow session whose log has the change already
 */
export async function finish(
  tx: Tx,
  actor: Author,
  { match, settlePlacements }: OpenMatch,
  considered: Deliberation,
  type: PlayType,
  now: Date,
  session?: string,
): Promise<MatchRecord> {
  if (considered.after.length === 0) return match
  const origin = { by: actor.guid, ...(session === undefined ? {} : { session }) }
  const altered = await writeBoard(tx, considered, origin, now)
  await settlePlacements()
  const after = altered.matches.find(({ guid }) => guid === match.guid) ?? match
  const completes = after.status === 'completed' && match.status !== 'completed'
  emitMatchEvent(tx, actor, { type: completes ? 'match.completed' : type, before: match, after, altered })
  return after
}

type MatchChange = {
  readonly before: MatchRecord
  readonly after: MatchRecord
  readonly altered: Altered
} & ({ readonly type: PlayType } | { readonly type: CorrectionType; readonly more: OfCorrection })

/** Emits one event for the match. It touches the bracket and the other altered matches. */
export function emitMatchEvent(tx: Tx, actor: Author, matchChange: MatchChange): void {
  const { before, after, altered } = matchChange
  const others = altered.matches.filter(({ guid }) => guid !== after.guid)
  const [was, is] = loggedChange(before, after)
  const common = {
    subject: after.guid,
    tournament: after.tournamentGuid,
    actor: actor.guid,
    before: was,
    touches: [altered.bracket.guid, ...others.map(({ guid }) => guid)],
  }
  const now = { ...is, ...(others.length === 0 ? {} : { altered: others.map(({ number }) => number) }) }
  if ('more' in matchChange) emit(tx, { ...common, type: matchChange.type, after: { ...now, ...matchChange.more } })
  else emit(tx, { ...common, type: matchChange.type, after: now })
}
