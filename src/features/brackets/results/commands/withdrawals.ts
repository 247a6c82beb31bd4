import type { SignedIn } from '../../../../core/actor.ts'
import { conflict } from '../../../../core/problem.ts'
import { type AffectedByWithdrawal, describeWithdrawal } from '../../../../engine/returning.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { standingOf } from '../../../teams/registration/policy.ts'
import { checkPlaceLeft } from '../../../teams/registration/rules/eligibility.ts'
import { checkSeedFree } from '../../../teams/registration/rules/registration-status.ts'
import { findSeedHolder } from '../../../teams/registration/store.ts'
import type { Changed } from '../../../teams/teams/commands/teams.ts'
import {
  type LockedLeaver,
  leaveAgain,
  lockToLeaveAgain,
  lockToReturn,
  lockToWithdraw,
  returnTeam,
  type Target,
  type Withdrawal,
  withdrawTeam,
} from '../../../teams/teams/commands/withdrawing.ts'
import type { Team } from '../../../teams/teams/types.ts'
import { newGuids } from '../../../tournaments/tournaments/store/tournaments.ts'
import type { Altered } from '../../brackets/commands/board.ts'
import {
  type BracketMove,
  considerLeaving,
  considerLeavingAgain,
  considerReturning,
  leftBy,
  writeLeaving,
  writeReturning,
} from '../../brackets/commands/withdrawals.ts'
import { findBracket, listBracketsOfTeams } from '../../brackets/store/brackets.ts'
import { checkAllSeen, checkCorrections, checkIsStanding, type Seen } from '../rules.ts'
import { countReturns, findCorrection, insertCorrection, markUndone } from '../store.ts'
import type { ReturnCorrection, ReturnedBracket } from '../types.ts'
import { guidsOf, instantsOf, kept, matchesOf, recordsOf } from './corrections.ts'

type State = Pick<Team, 'status' | 'seed'>

/** The changes made by a withdrawal, by taking a withdrawal back, or by undoing that. */
export interface WithdrawalConsequences {
  readonly dryRun: boolean
  /** Revisions of the altered brackets by GUID: before the change in a dry run, otherwise after it. */
  readonly revisions: ReadonlyMap<string, number>
  /** null in a dry run. */
  readonly correctionGuid: string | null
  readonly team: { readonly guid: string; readonly before: State; readonly after: State }
  readonly affected: readonly AffectedByLeaving[]
}

export interface AffectedByLeaving extends AffectedByWithdrawal {
  readonly bracketGuid: string
  readonly matchGuid: string
}

const out: State = { status: 'unregistered', seed: null }

/**
 * Withdraws a team from the tournament and from every bracket in one step.
 * @returns the consequences in a dry run; otherwise the team
 * @throws Problem `tournament.over`, `team.withdrawn`, `withdrawal.void_not_possible`, `correction.stale`
 */
export async function withdraw(
  tx: Tx,
  actor: SignedIn,
  target: Target,
  { seen, dryRun, ...withdrawal }: Withdrawal & { readonly seen: Seen; readonly dryRun: boolean },
  now: Date,
): Promise<Changed | WithdrawalConsequences> {
  const locked = await lockToWithdraw(tx, actor, target)
  const moves = await considerLeaving(tx, { teamGuid: target.teamGuid, policy: withdrawal.policy })
  if (dryRun) return previewOf(moves, { guid: target.teamGuid, before: stateOf(locked.team), after: out })
  if (seen.revision !== undefined || seen.revisions !== undefined) checkAllSeen(seen, bracketsOf(moves))
  const changed = await withdrawTeam(tx, locked, withdrawal, leftBy(moves), now)
  for (const move of moves) await writeLeaving(tx, actor, target.teamGuid, move, now)
  return changed
}

/**
 * Takes a withdrawal back: the team gets its status, its seed and its places in brackets back. (D60, D85)
 * @throws Problem `tournament.over`, `team.not_withdrawn`, `registration.full`, `seed.taken`, `correction.stale`,
 * `correction.limit_reached`
 */
export async function takeWithdrawalBack(
  tx: Tx,
  actor: SignedIn,
  target: Target,
  { seen, dryRun, reason }: { readonly seen: Seen; readonly dryRun: boolean; readonly reason: string },
  now: Date,
): Promise<WithdrawalConsequences> {
  const { tournamentGuid, teamGuid } = target
  const locked = await lockToReturn(tx, actor, target)
  await checkHasRoom(tx, locked)
  const moves = await considerReturning(tx, teamGuid, locked.withdrawal.brackets)
  const team = { guid: teamGuid, before: stateOf(locked.team), after: stateOf(locked.withdrawal.state) }
  if (dryRun) return previewOf(moves, team)
  checkAllSeen(seen, bracketsOf(moves))
  checkCorrections(await countReturns(tx, teamGuid))
  const [correctionGuid = ''] = await newGuids(tx, 1)
  const kind = { correctionGuid, reason: reason === '' ? null : reason }
  const withdrawal = await returnTeam(tx, locked, kind, now)
  const written: Written[] = []
  for (const move of moves) {
    const altered = await writeReturning(tx, actor, { teamGuid, correctionGuid, reason }, move, now)
    written.push({ move, altered })
  }
  await insertCorrection(tx, {
    guid: correctionGuid,
    tournamentGuid,
    teamGuid,
    actorGuid: actor.guid,
    reason: kind.reason,
    bracketGuid: null,
    matchGuid: null,
    revision: null,
    before: [],
    after: [],
    returned: { withdrawal, brackets: written.map(returnedOf) },
    createdAt: now,
  })
  return consequencesOf(written, team, correctionGuid)
}

/** Checks that the tournament still has a place for the team and that its seed is free. */
async function checkHasRoom(tx: Tx, { actor, tournament, counts, team, withdrawal }: LockedLeaver): Promise<void> {
  const { status, seed } = withdrawal.state
  if (status === 'unregistered') return
  checkPlaceLeft(tournament, counts.registered, standingOf(actor))
  if (seed !== null) checkSeedFree(seed, await findSeedHolder(tx, tournament.guid, seed, team.guid))
}

/**
 * Undoes a return: the team is withdrawn again, and every match is as it was before the return. A dry run only tells
 * what that would be.
 * @throws Problem `tournament.over`, `correction.undone`, `correction.overtaken`
 */
export async function undoReturn(
  tx: Tx,
  actor: SignedIn,
  { found, dryRun }: { readonly found: ReturnCorrection; readonly dryRun: boolean },
  now: Date,
): Promise<WithdrawalConsequences> {
  const { guid, tournamentGuid, teamGuid, returned } = found
  const { withdrawal, brackets } = returned
  const target = { tournamentGuid, teamGuid }
  const locked = await lockToLeaveAgain(tx, actor, target, withdrawal, async () =>
    checkIsStanding(await findCorrection(tx, guid)),
  )
  await checkNoFurtherPlaces(tx, teamGuid, brackets)
  const moves: { readonly move: BracketMove; readonly before: ReturnedBracket['before'] }[] = []
  for (const each of brackets) {
    if ((await findBracket(tx, each.bracketGuid)) === undefined)
      throw isOvertaken('A bracket of the team is gone since')
    const parts = { ...each, before: matchesOf(each.before), after: matchesOf(each.after) }
    const move = await considerLeavingAgain(tx, teamGuid, parts)
    if (move.earlier !== each.policy) throw isOvertaken('The team was taken out of a bracket since')
    moves.push({ move, before: each.before })
  }
  if (dryRun) {
    const team = { guid: teamGuid, before: stateOf(locked.team), after: out }
    return previewOf(
      moves.map(({ move }) => move),
      team,
    )
  }
  const changed = await leaveAgain(tx, locked, withdrawal, guid, now)
  const written: Written[] = []
  for (const { move, before } of moves) {
    const undone = { undoes: guid, instants: instantsOf(before, move.considered.after) }
    written.push({ move, altered: await writeLeaving(tx, actor, teamGuid, move, now, undone) })
  }
  await markUndone(tx, guid, now)
  return consequencesOf(written, { guid: teamGuid, before: stateOf(locked.team), after: stateOf(changed.team) }, guid)
}

/** A place in a further bracket depends on the team's return, so the return can no longer be undone. */
async function checkNoFurtherPlaces(tx: Tx, teamGuid: string, brackets: readonly ReturnedBracket[]): Promise<void> {
  const returned = new Set(brackets.map(({ bracketGuid }) => bracketGuid))
  const further = (await listBracketsOfTeams(tx, [teamGuid])).find((bracket) => !returned.has(bracket.guid))
  if (further !== undefined) throw isOvertaken(`The team has a place in “${further.name}” since`)
}

function isOvertaken(why: string) {
  return conflict('correction.overtaken', `${why}: withdraw the team anew instead.`)
}

interface Written {
  readonly move: BracketMove
  readonly altered: Altered
}

function stateOf({ status, seed }: State): State {
  return { status, seed }
}

function bracketsOf(moves: readonly BracketMove[]) {
  return moves.map(({ considered }) => considered.open.bracket)
}

function returnedOf({ move: { considered, earlier, policy }, altered }: Written): ReturnedBracket {
  const { open, before, after } = considered
  return {
    bracketGuid: open.bracket.guid,
    earlier,
    policy,
    before: kept(before, open.records),
    after: kept(after, recordsOf(altered)),
  }
}

function previewOf(moves: readonly BracketMove[], team: WithdrawalConsequences['team']): WithdrawalConsequences {
  const revisions = new Map(bracketsOf(moves).map((bracket) => [bracket.guid, bracket.revision]))
  return { dryRun: true, revisions, correctionGuid: null, team, affected: moves.flatMap(affectedBy) }
}

function consequencesOf(
  written: readonly Written[],
  team: WithdrawalConsequences['team'],
  correctionGuid: string,
): WithdrawalConsequences {
  const revisions = new Map(written.map(({ altered }) => [altered.bracket.guid, altered.bracket.revision]))
  return { dryRun: false, revisions, correctionGuid, team, affected: written.flatMap(({ move }) => affectedBy(move)) }
}

function affectedBy({ considered, stays, voided, restored }: BracketMove): AffectedByLeaving[] {
  const { open, before, after } = considered
  const guids = guidsOf(open.records)
  return describeWithdrawal(before, after, { stays, voided, restored }).map((affected) => {
    const matchGuid = guids.get(affected.number)
    if (matchGuid === undefined) throw new Error('an affected match was not read')
    return { ...affected, bracketGuid: open.bracket.guid, matchGuid }
  })
}
