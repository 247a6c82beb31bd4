import { apply } from '../../../../engine/progress.ts'
import { hasResult, leaveAgain, takeBack } from '../../../../engine/returning.ts'
import type { Match, WithdrawalPolicy } from '../../../../engine/types.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import type { LeftBracket } from '../../../teams/teams/types.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import { toEngine } from '../../matches/rules.ts'
import type { MatchRecord } from '../../matches/types.ts'
import { findBracket, listBracketsToLeave, updateBracket, withdrawEntrant } from '../store/brackets.ts'
import { type Altered, type Deliberation, deliberate, type OpenBoard, openBoard, writeBoard } from './board.ts'
import { followPlacements } from './placements.ts'

/** The user who takes the team out, such as its captain or the organiser. */
interface Author {
  readonly guid: string
}

/** The change of one bracket when a team leaves it or returns to it, before anything is saved. */
export interface BracketMove {
  readonly considered: Deliberation
  /** The team's withdrawal in the bracket before and after; null while it plays. */
  readonly earlier: WithdrawalPolicy | null
  readonly policy: WithdrawalPolicy | null
  /**
   * Matches that keep the outcome that the withdrawal gave them, and the later matches that were played because of it.
   */
  readonly stays: readonly Match[]
  /** Results of the team that stop counting (`voided`) or count again (`restored`). */
  readonly voided: readonly Match[]
  readonly restored: readonly Match[]
}

export interface Leaving {
  readonly teamGuid: string
  readonly policy: WithdrawalPolicy
}

/**
 * Takes a team out of every bracket. Its open and future matches become walkovers, and the placements of a completed
 * tournament are updated. A bracket that the team left with the policy `walkover` can still be left with `void`. Call
 * under the tournament's lock; brackets are locked after it, in order. (additions: D, rule 5; G5)
 * @throws Problem `withdrawal.void_not_possible`
 */
export async function leaveBrackets(
  tx: Tx,
  actor: Author,
  tournament: Pick<Tournament, 'guid' | 'status'>,
  leaving: Leaving,
  now: Date,
): Promise<void> {
  const settlePlacements = await followPlacements(tx, tournament, actor.guid, now)
  for (const move of await considerLeaving(tx, leaving)) await writeLeaving(tx, actor, leaving.teamGuid, move, now)
  await settlePlacements()
}

/**
 * Computes what taking a team out of every bracket would change, and locks these brackets.
 * @throws Problem `withdrawal.void_not_possible`
 */
export async function considerLeaving(tx: Tx, { teamGuid, policy: wanted }: Leaving): Promise<readonly BracketMove[]> {
  const moves: BracketMove[] = []
  for (const bracketGuid of await listBracketsToLeave(tx, teamGuid, wanted)) {
    const open = await openBoard(tx, bracketGuid)
    // In a completed bracket the policy is always `walkover`: its results stay, and the withdrawn team plays no match
    // that a correction reopens.
    const policy = open.bracket.status === 'completed' ? 'walkover' : wanted
    const earlier = open.withdrawn.get(teamGuid) ?? null
    if (earlier === policy) continue
    const theirs = matchesOf(open, teamGuid)
    const considered = await deliberate(tx, open, (board) =>
      apply(board, { kind: 'withdraw', team: teamGuid, policy, matches: theirs.map(({ number }) => number) }),
    )
    const voided = policy === 'void' ? theirs.map(toEngine).filter(hasResult) : []
    moves.push({ considered, earlier, policy, stays: [], voided, restored: [] })
  }
  return moves
}

/** The brackets that a computed withdrawal takes a team out of. */
export function leftBy(moves: readonly BracketMove[]): readonly LeftBracket[] {
  return moves.map(({ considered, earlier }) => ({ bracketGuid: considered.open.bracket.guid, earlier }))
}

/**
 * Saves a withdrawal from one bracket.
 * @param undone the return that this withdrawal undoes, and the start and end times that its matches had before it
 */
export async function writeLeaving(
  tx: Tx,
  actor: Author,
  teamGuid: string,
  move: BracketMove,
  now: Date,
  undone?: { readonly undoes: string; readonly instants: Instants },
): Promise<Altered> {
  const { policy, considered } = move
  if (policy === null) throw new Error('a team leaves in some way')
  const origin = { by: actor.guid, ...(undone === undefined ? {} : { undoes: undone.undoes }) }
  const altered = await writeMove(tx, origin, teamGuid, move, now, undone?.instants)
  const { bracket } = considered.open
  emit(tx, {
    type: 'bracket.team_withdrawn',
    subject: bracket.guid,
    tournament: bracket.tournamentGuid,
    actor: actor.guid,
    after: { teamGuid, policy, matches: altered.matches.map(({ number }) => number) },
    touches: [teamGuid, ...altered.matches.map(({ guid }) => guid)],
  })
  return altered
}

/**
 * Computes what giving a team its places in brackets back would change, and locks these brackets. Leaves out deleted
 * brackets, and brackets in which the team has been placed again. (D60)
 */
export async function considerReturning(
  tx: Tx,
  teamGuid: string,
  left: readonly LeftBracket[],
): Promise<readonly BracketMove[]> {
  const moves: BracketMove[] = []
  for (const { bracketGuid, earlier: policy } of inOrder(left)) {
    if ((await findBracket(tx, bracketGuid)) === undefined) continue
    const open = await openBoard(tx, bracketGuid)
    const earlier = open.withdrawn.get(teamGuid) ?? null
    if (earlier === null || earlier === policy) continue
    moves.push(await returningTo(tx, open, { teamGuid, earlier, policy }))
  }
  return moves
}

async function returningTo(
  tx: Tx,
  open: OpenBoard,
  { teamGuid, earlier, policy }: { readonly teamGuid: string } & Pick<BracketMove, 'earlier' | 'policy'>,
): Promise<BracketMove> {
  const theirs = matchesOf(open, teamGuid)
  const numbers = theirs.map(({ number }) => number)
  const rounds = open.bracket.format === 'swiss' ? [...open.records.values()].map(toEngine) : []
  let staying: readonly number[] = []
  const considered = await deliberate(tx, open, (board) => {
    if (policy !== null) return []
    const { altered, stays } = takeBack(board, teamGuid, numbers, rounds)
    staying = stays
    return altered
  })
  const stays = staying.flatMap((number) => open.records.get(number) ?? []).map(toEngine)
  const restored = earlier === 'void' ? theirs.map(toEngine).filter(hasResult) : []
  return { considered, earlier, policy, stays, voided: [], restored }
}

export async function writeReturning(
  tx: Tx,
  actor: Author,
  {
    teamGuid,
    correctionGuid,
    reason,
  }: { readonly teamGuid: string; readonly correctionGuid: string; readonly reason: string },
  move: BracketMove,
  now: Date,
): Promise<Altered> {
  const { bracket } = move.considered.open
  const altered = await writeMove(tx, { by: actor.guid, correction: correctionGuid, reason }, teamGuid, move, now)
  emit(tx, {
    type: 'bracket.team_returned',
    subject: bracket.guid,
    tournament: bracket.tournamentGuid,
    actor: actor.guid,
    after: { teamGuid, correctionGuid, matches: altered.matches.map(({ number }) => number) },
    touches: [teamGuid, ...altered.matches.map(({ guid }) => guid)],
  })
  return altered
}

/** The record of a return in one bracket, needed to undo it. */
export interface Returned {
  readonly bracketGuid: string
  readonly earlier: WithdrawalPolicy | null
  readonly policy: WithdrawalPolicy | null
  readonly before: readonly Match[]
  readonly after: readonly Match[]
}

/**
 * Computes what undoing a return would change in a bracket, and locks the bracket.
 * @throws Problem `correction.overtaken`, `bracket.unknown`
 */
export async function considerLeavingAgain(
  tx: Tx,
  teamGuid: string,
  { bracketGuid, earlier: policy, before, after }: Returned,
): Promise<BracketMove> {
  if (policy === null) throw new Error('a team returns from where it was out')
  const open = await openBoard(tx, bracketGuid)
  const earlier = open.withdrawn.get(teamGuid) ?? null
  const theirs = matchesOf(open, teamGuid)
  const considered = await deliberate(tx, open, (board) =>
    leaveAgain(board, { team: teamGuid, policy, numbers: theirs.map(({ number }) => number) }, before, after),
  )
  const voided = policy === 'void' ? theirs.map(toEngine).filter(hasResult) : []
  return { considered, earlier, policy, stays: [], voided, restored: [] }
}

type Origin = Parameters<typeof writeBoard>[2]
type Instants = Parameters<typeof writeBoard>[4]

async function writeMove(
  tx: Tx,
  origin: Origin,
  teamGuid: string,
  { considered, policy }: BracketMove,
  now: Date,
  instants?: Instants,
): Promise<Altered> {
  const { bracket } = considered.open
  await withdrawEntrant(tx, bracket.guid, teamGuid, policy)
  const altered = await writeBoard(tx, considered, origin, now, instants)
  if (altered.matches.length > 0) return altered
  return { bracket: await updateBracket(tx, bracket.guid, {}, now), matches: [] }
}

/** The order in which every transaction locks brackets. */
function inOrder(left: readonly LeftBracket[]): readonly LeftBracket[] {
  return left.toSorted((one, other) => (one.bracketGuid < other.bracketGuid ? -1 : 1))
}

function matchesOf({ records }: OpenBoard, teamGuid: string): MatchRecord[] {
  return [...records.values()].filter(({ team1Guid, team2Guid }) => team1Guid === teamGuid || team2Guid === teamGuid)
}
