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
import * as store from '../store/assignments.ts'
import type { ListedAssignment, StreamRole } from '../types.ts'
import {
  cancelPlace,
  changePlace,
  insertPlace,
  lockAccounts,
  lockAssignment,
  lockForAssigning,
  tell,
} from './placing.ts'

/**
 * Assigns somebody.
 * @throws Problem `tournament.unknown`, `tournament.cancelled`, `user.unknown`, `match.unknown`, `match.ambiguous`, and those of
 *   an `assignment`
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
 * Changes an assignment that was not cancelled. To end it at once, it is given an end that has come.
 * @throws Problem `tournament.unknown`, `tournament.cancelled`, and those of an `assignment`
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
 * Takes an assignment back; who streams on it is cut off a minute later. (S11)
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
 * Puts these in the place of a match's assignments in the roles that the actor may assign. Whoever is named again in the same
 * role keeps the assignment, changed to what is given; whoever is not named is cancelled; what has ended stays as it was.
 * @throws Problem `tournament.unknown`, `tournament.cancelled`, `user.unknown`, `match.unknown`, and those of an `assignment`
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
  // Somebody may have given up their account before it was locked.
  const present = await listPresent()
  const keptOf = ({ userGuid, role }: (typeof wanted)[number]) =>
    present.find((one) => one.userGuid === userGuid && one.role === role)
  const kept = new Set(wanted.map(keptOf))
  for (const before of present) if (!kept.has(before)) await cancelPlace(tx, doing, before)
  // Each is compared with those before it as they have become, and by these with it.
  const pending = new Set([...kept].flatMap((one) => one?.guid ?? []))
  // Whoever leaves the slot to us takes none that another asks for.
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

/** Whoever gives up their account is shown nowhere any more; what they have shown stays. */
export async function forgetAssignments(tx: Tx, userGuid: string, now: Date): Promise<void> {
  for (const cancelled of await store.cancelAllOf(tx, userGuid, now)) {
    const before = statusOf({ ...cancelled, cancelledAt: null }, now)
    tell(tx, userGuid, cancelled, { status: before }, { status: 'cancelled' })
  }
}
