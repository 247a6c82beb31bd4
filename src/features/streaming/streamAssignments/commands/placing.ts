import type { SignedIn } from '../../../../core/actor.ts'
import { membersOf, type NewEvent } from '../../../../core/events.ts'
import { missing } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import { notify } from '../../../people/notifications/commands.ts'
import { lockUser } from '../../../people/users/store/users.ts'
import { findTeamOfUser } from '../../../teams/teams/store/teams.ts'
import { lockTournament } from '../../../tournaments/tournaments/commands/lock.ts'
import { checkNotCancelled } from '../../../tournaments/tournaments/rules/status.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import type { AssignmentChangesBody } from '../bodies.ts'
import type { StreamAssignmentEvent } from '../events.ts'
import {
  changedMembers,
  checkRoom,
  checkTimes,
  noticeOf,
  type Occasion,
  overlap,
  readTime,
  sideFor,
  slotFor,
  statusOf,
  unknownAssignment,
} from '../rules.ts'
import * as store from '../store.ts'
import type { ListedAssignment, NewAssignment, StreamAssignment } from '../types.ts'
import { assignmentViews } from '../views.ts'

/** The actor, the tournament and the time of a change. */
export interface Doing {
  readonly actor: SignedIn
  readonly tournament: Tournament
  readonly now: Date
}

/**
 * The assignments with which a place is compared: the others of the same match, and those of other matches except some.
 */
export interface Beside {
  readonly others: readonly ListedAssignment[]
  readonly except: readonly string[]
}

/**
 * Locks the tournament, which serialises changes of its assignments.
 * @throws Problem `tournament.unknown`, `tournament.cancelled`
 */
export async function lockForAssigning(tx: Tx, { guid }: Tournament): Promise<Tournament> {
  const { tournament } = await lockTournament(tx, guid)
  checkNotCancelled(tournament)
  return tournament
}

/**
 * Locks users, so that their times in all tournaments can be compared. Take these locks after the tournament's, in the
 * order of GUIDs that all transactions use. Concurrent assignments of one user are serialised.
 * @param wanted accounts that must exist; the others may have been deleted in the meantime
 * @throws Problem `user.unknown`
 */
export async function lockAccounts(tx: Tx, wanted: readonly string[], others: readonly string[] = []): Promise<void> {
  for (const guid of [...new Set([...wanted, ...others])].sort()) {
    const user = await lockUser(tx, guid)
    if (user === undefined && wanted.includes(guid)) throw missing('user.unknown', 'There is no such user.')
  }
}

/** Locks the assignment's user and returns the current assignment. The caller must hold the tournament's lock. */
export async function lockAssignment(tx: Tx, guid: string, userGuid: string): Promise<ListedAssignment> {
  // A deleted account is no error: it has no future assignments, but its past ones may still get notes.
  await lockUser(tx, userGuid)
  const found = await store.findAssignment(tx, guid)
  if (found === undefined) throw unknownAssignment()
  return found
}

export type NewPlace = Pick<NewAssignment, 'userGuid' | 'role' | 'startsAt' | 'endsAt'> & {
  readonly match: MatchRecord | null
  readonly side?: 1 | 2 | null
  readonly slot?: number
  readonly note?: string | null
}

/**
 * Inserts an assignment. Call it under the tournament's lock.
 * @throws Problem `assignment.limit_reached`, `assignment.side_invalid`, `assignment.not_a_player`,
 *   `assignment.slot_taken`, `assignment.overlap`
 */
export async function insertPlace(
  tx: Tx,
  doing: Doing,
  { match, side: wantedSide, slot: wantedSlot, note, ...place }: NewPlace,
  beside: Beside,
): Promise<ListedAssignment> {
  const { tournament, now } = doing
  const made = await store.countMade(tx, tournament.guid, match?.guid ?? null)
  checkRoom(made, match === null ? 'tournament' : 'match')
  const team = await findTeamOfUser(tx, tournament.guid, place.userGuid)
  const side = sideFor({ role: place.role, match, teamGuid: team?.guid ?? null }, wantedSide)
  if (match !== null) await checkTime(tx, doing, place, beside)
  const placed = await store.insertAssignment(
    tx,
    {
      ...place,
      tournamentGuid: tournament.guid,
      matchGuid: match?.guid ?? null,
      side,
      slot: slotFor({ ...place, side }, beside.others, wantedSlot),
      note: note || null,
    },
    now,
  )
  await notifyUser(tx, doing, placed, 'created')
  emitChange(tx, doing.actor.guid, placed, null, {
    user: placed.userGuid,
    match: placed.matchGuid,
    status: statusOf(placed, now),
    ...membersOf(placed, ['role', 'side', 'slot', 'startsAt', 'endsAt']),
  })
  return placed
}

export interface PlaceChange {
  readonly before: ListedAssignment
  readonly match: MatchRecord | null
  /** Absent members stay unchanged. */
  readonly body: AssignmentChangesBody
  /** null for the first free slot. */
  readonly slot: number | null
}

/**
 * Changes an assignment.
 * @throws Problem as `insertPlace`, and `assignment.times_invalid`
 */
export async function changePlace(
  tx: Tx,
  doing: Doing,
  { before, match, body, slot }: PlaceChange,
  beside: Beside,
): Promise<ListedAssignment> {
  const { now } = doing
  const others = beside.others.filter(({ guid }) => guid !== before.guid)
  const times = {
    startsAt: body.startsAt === undefined ? before.startsAt : readTime('startsAt', body.startsAt),
    endsAt: body.endsAt === undefined ? before.endsAt : readTime('endsAt', body.endsAt),
  }
  checkTimes(times)
  const side = body.side === undefined ? before.side : await sideOf(tx, { before, match }, body.side)
  const changes = changedMembers(before, {
    ...times,
    side,
    slot: slotFor({ role: before.role, side, ...times }, others, slot ?? undefined),
    ...(body.note === undefined ? {} : { note: body.note || null }),
  })
  const { note, ...shown } = changes
  const isMoved = shown.startsAt !== undefined || shown.endsAt !== undefined
  if (isMoved && match !== null) {
    const except = [...beside.except, before.guid]
    await checkTime(tx, doing, { userGuid: before.userGuid, ...times }, { others, except })
  }
  const isShown = Object.keys(shown).length > 0
  if (!isShown && note === undefined) return before
  const after = await store.updateAssignment(tx, before.guid, changes, isShown, now)
  if (isMoved) await notifyUser(tx, doing, after, 'moved')
  const names = Object.keys(shown) as (keyof typeof shown)[]
  const [was, is] = [statusOf(before, now), statusOf(after, now)]
  emitChange(
    tx,
    doing.actor.guid,
    after,
    { ...membersOf(before, names), ...(was === is ? {} : { status: was }) },
    {
      ...membersOf(after, names),
      ...(was === is ? {} : { status: is }),
      ...(note === undefined ? {} : { noteChanged: true }),
    },
  )
  return after
}

async function sideOf(
  tx: Tx,
  { before, match }: Pick<PlaceChange, 'before' | 'match'>,
  wanted: 1 | 2 | null,
): Promise<1 | 2 | null> {
  const team = await findTeamOfUser(tx, before.tournamentGuid, before.userGuid)
  return sideFor({ role: before.role, match, teamGuid: team?.guid ?? null }, wanted)
}

async function checkTime(
  tx: Tx,
  { tournament, now }: Doing,
  place: Pick<StreamAssignment, 'userGuid' | 'startsAt' | 'endsAt'>,
  { except }: Beside,
): Promise<void> {
  const other = await store.findOverlapping(tx, place.userGuid, place, except)
  if (other === undefined) return
  const isHere = other.tournamentGuid === tournament.guid
  // The actor is staff, since they may assign.
  const views = isHere ? await assignmentViews(tx, tournament, [other], { isStaff: true, now }) : []
  throw overlap(other, views[0])
}

/** Cancels an assignment that has not ended. */
export async function cancelPlace(tx: Tx, doing: Doing, before: ListedAssignment): Promise<void> {
  const { actor, now } = doing
  const after = await store.updateAssignment(tx, before.guid, { cancelledAt: now }, true, now)
  await notifyUser(tx, doing, after, 'cancelled')
  emitChange(tx, actor.guid, after, { status: statusOf(before, now) }, { status: 'cancelled' })
}

/** Notifies the user about a change that somebody else made. */
async function notifyUser(
  tx: Tx,
  { actor, tournament }: Doing,
  assignment: ListedAssignment,
  occasion: Occasion,
): Promise<void> {
  if (assignment.userGuid === actor.guid) return
  await notify(tx, { userGuid: assignment.userGuid, ...noticeOf(occasion, assignment, tournament) })
}

type AssignmentEvent = NewEvent<StreamAssignmentEvent>

export function emitChange(
  tx: Tx,
  actorGuid: string,
  { guid, tournamentGuid, userGuid, matchGuid }: ListedAssignment,
  before: NonNullable<AssignmentEvent['before']> | null,
  after: AssignmentEvent['after'],
): void {
  emit(tx, {
    type: 'assignment.changed',
    subject: guid,
    tournament: tournamentGuid,
    actor: actorGuid,
    before,
    after,
    touches: [userGuid, ...(matchGuid === null ? [] : [matchGuid])],
  })
}
