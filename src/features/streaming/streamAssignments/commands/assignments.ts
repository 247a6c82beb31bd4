import type { SignedIn } from '../../../../core/actor.ts'
import { invalid } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { loadMatch } from '../../../brackets/matches/queries.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import { loadUser } from '../../../teams/teams/commands/lock.ts'
import { lockTournament } from '../../../tournaments/tournaments/commands/lock.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import type { AssignmentBody, AssignmentChangesBody, OfMatchBody } from '../bodies.ts'
import { mayAssign } from '../policy.ts'
import { checkIsToCome, checkNamedOnce, over, readTimes, roleForbidden, statusOf } from '../rules.ts'
import * as store from '../store.ts'
import type { ListedAssignment, StreamRole } from '../types.ts'
import {
  cancelPlace,
  changePlace,
  emitChange,
  insertPlace,
  lockAccounts,
  lockAssignment,
  lockForAssigning,
} from './placing.ts'

/**
 * Assigns a user to a stream.
 * @throws Problem `tournament.unknown`, `tournament.cancelled`, `user.unknown`, `match.unknown`, `match.ambiguous`, and
 *   the problems of an `assignment`
 */
export async function assign(
  tx: Tx,
  actor: SignedIn,
  found: Tournament,
  { match: identifier, division, ...input }: AssignmentBody,
  now: Date,
): Promise<ListedAssignment> {
  checkMayAssign(actor, input)
  const times = readTimes(input)
  checkIsToCome(times, now)
  const doing = { actor, tournament: await lockForAssigning(tx, found), now }
  const match = identifier == null ? null : await loadMatch(tx, found.guid, identifier, division)
  const user = await loadUser(tx, actor, input.user)
  await lockAccounts(tx, [user.guid])
  const others = match === null ? [] : await store.listOfMatch(tx, match.guid)
  return insertPlace(tx, doing, { ...input, ...times, match, userGuid: user.guid }, { others, except: [] })
}

/** @throws Problem `assignment.role_forbidden` */
function checkMayAssign(actor: SignedIn, { role }: { readonly role: StreamRole }): void {
  if (!mayAssign(actor, role)) throw roleForbidden(role)
}

/**
 * Changes an assignment that is not cancelled. To end it immediately, give it an end that has passed.
 * @throws Problem `tournament.unknown`, `tournament.cancelled`, and the problems of an `assignment`
 */
export async function changeAssignment(
  tx: Tx,
  actor: SignedIn,
  found: Tournament,
  { guid, userGuid }: ListedAssignment,
  body: AssignmentChangesBody,
  now: Date,
): Promise<ListedAssignment> {
  if (Object.keys(body).length === 0) {
    throw invalid('assignment.nothing_to_change', 'Give at least one of startsAt, endsAt, side, slot and note.')
  }
  const doing = { actor, tournament: await lockForAssigning(tx, found), now }
  const before = await lockAssignment(tx, guid, userGuid)
  if (before.cancelledAt !== null) throw over('cancelled')
  const match = before.matchGuid === null ? null : await loadMatch(tx, found.guid, before.matchGuid)
  const others = match === null ? [] : await store.listOfMatch(tx, match.guid)
  return changePlace(tx, doing, { before, match, body, slot: body.slot ?? before.slot }, { others, except: [] })
}

/**
 * Cancels an assignment. A stream that was let in by it is cut a minute later. (S11)
 * @throws Problem `tournament.unknown`, `assignment.unknown`, `assignment.over`
 */
export async function cancelAssignment(
  tx: Tx,
  actor: SignedIn,
  found: Tournament,
  { guid, userGuid }: ListedAssignment,
  now: Date,
): Promise<void> {
  const { tournament } = await lockTournament(tx, found.guid)
  const before = await lockAssignment(tx, guid, userGuid)
  const status = statusOf(before, now)
  if (status === 'cancelled' || status === 'ended') throw over(status)
  await cancelPlace(tx, { actor, tournament, now }, before)
}

/**
 * Replaces a match's assignments in the roles that the actor may assign. A user who is named again in the same role
 * keeps the assignment with the new values, a user who is not named loses it, and ended assignments do not change.
 * @throws Problem `tournament.unknown`, `tournament.cancelled`, `user.unknown`, `match.unknown`, and the problems of an
 *   `assignment`
 */
export async function replaceOfMatch(
  tx: Tx,
  actor: SignedIn,
  found: Tournament,
  { guid: matchGuid }: MatchRecord,
  inputs: readonly OfMatchBody[],
  now: Date,
): Promise<readonly ListedAssignment[]> {
  for (const input of inputs) checkMayAssign(actor, input)
  const timed = inputs.map((input) => ({ ...input, ...readTimes(input) }))
  const doing = { actor, tournament: await lockForAssigning(tx, found), now }
  const match = await loadMatch(tx, found.guid, matchGuid)
  const wanted = await Promise.all(
    timed.map(async ({ user, ...rest }) => ({ ...rest, userGuid: (await loadUser(tx, actor, user)).guid })),
  )
  checkNamedOnce(wanted)
  const listPresent = async () =>
    (await store.listOfMatch(tx, match.guid)).filter(
      (one) => mayAssign(actor, one.role) && statusOf(one, now) !== 'ended',
    )
  const usersOf = (places: readonly { readonly userGuid: string }[]) => places.map(({ userGuid }) => userGuid)
  await lockAccounts(tx, usersOf(wanted), usersOf(await listPresent()))
  // Read again: a user may have deleted their account before it was locked.
  const present = await listPresent()
  const keptOf = ({ userGuid, role }: (typeof wanted)[number]) =>
    present.find((one) => one.userGuid === userGuid && one.role === role)
  const kept = new Set(wanted.map(keptOf))
  for (const before of present) if (!kept.has(before)) await cancelPlace(tx, doing, before)
  // The kept assignments that are not changed yet. Each new place is compared only with the assignments that have their
  // final values.
  const pending = new Set([...kept].flatMap((one) => one?.guid ?? []))
  // Requests with a slot come first, so that an automatic slot never takes a requested one.
  for (const input of wanted.toSorted(
    (one, other) => Number(other.slot !== undefined) - Number(one.slot !== undefined),
  )) {
    const before = keptOf(input)
    const others = (await store.listOfMatch(tx, match.guid)).filter(({ guid }) => !pending.has(guid))
    const beside = { others, except: [...pending] }
    if (before === undefined) {
      checkIsToCome(input, now)
      await insertPlace(tx, doing, { ...input, match }, beside)
    } else {
      const { side = null, slot = null, note = null } = input
      const [startsAt, endsAt] = [input.startsAt.toISOString(), input.endsAt.toISOString()]
      await changePlace(tx, doing, { before, match, body: { startsAt, endsAt, side, note }, slot }, beside)
      pending.delete(before.guid)
    }
  }
  return store.listOfMatch(tx, match.guid)
}

/** Cancels the assignments of a user who deletes their account; ended ones stay. */
export async function forgetAssignments(tx: Tx, userGuid: string, now: Date): Promise<void> {
  for (const cancelled of await store.cancelAllOf(tx, userGuid, now)) {
    const before = statusOf({ ...cancelled, cancelledAt: null }, now)
    emitChange(tx, userGuid, cancelled, { status: before }, { status: 'cancelled' })
  }
}
