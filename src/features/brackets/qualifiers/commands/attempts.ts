import type { SignedIn } from '../../../../core/actor.ts'
import { isGuid, normaliseGuid } from '../../../../core/ids.ts'
import { missing } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { enqueue } from '../../../../infra/jobs/jobs.ts'
import { checkNotCancelled } from '../../../tournaments/tournaments/rules/status.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import { checkNotVoid, type GivenAttempt, type Recording, sortOut, supersededReason } from '../rules/recording.ts'
import { checkNotFinal, checkOpen, statusAt } from '../rules/status.ts'
import {
  countUsed,
  findAttempt,
  findUsers,
  insertAttempts,
  listKnown,
  listTeamsOf,
  voidAttempts,
} from '../store/attempts.ts'
import { listMaps, updateQualifier } from '../store/qualifiers.ts'
import type { Attempt, Qualifier, QualifierMap } from '../types.ts'
import { lockQualifier } from './qualifier.ts'

/** An attempt whose player is named by any identifier, including `@me`. (D6) */
export type NamedAttempt = Omit<GivenAttempt, 'userGuid'> & { readonly user: string }

export interface Recorded extends Omit<Recording, 'accepted' | 'supersededGuids'> {
  readonly accepted: readonly Attempt[]
  readonly maps: readonly QualifierMap[]
}

/**
 * Adds attempts to the ledger if the tournament's teams and maps and the attempt limit allow them.
 * @throws Problem `qualifier.unknown`, `qualifier.not_open`, `tournament.cancelled`
 */
export async function recordAttempts(
  tx: Tx,
  actor: SignedIn,
  tournament: Pick<Tournament, 'guid' | 'status'>,
  named: readonly NamedAttempt[],
  now: Date,
): Promise<Recorded> {
  const qualifier = await lockQualifier(tx, tournament.guid)
  checkNotCancelled(tournament)
  checkOpen(statusAt(qualifier, now))
  const users = await findUsers(
    tx,
    named.map(({ user }) => nameOf(user, actor)),
  )
  const given = named.map(({ user, ...attempt }) => ({ ...attempt, userGuid: users.get(nameOf(user, actor)) ?? null }))
  const maps = await listMaps(tx, tournament.guid)
  const recorded = await record(tx, actor.guid, { qualifier, maps }, given, now)
  if (recorded.accepted.length > 0) {
    await updateQualifier(tx, qualifier.guid, { boardChangedAt: now })
    emit(tx, {
      type: 'qualifier.attempts_recorded',
      subject: qualifier.guid,
      tournament: tournament.guid,
      actor: actor.guid,
      after: { attempts: recorded.accepted.length },
    })
  }
  return { ...recorded, maps }
}

function nameOf(user: string, actor: SignedIn): string {
  return user === '@me' ? actor.guid : user
}

/** Adds attempts to the ledger of a locked qualifier. The caller emits the event. */
export async function record(
  tx: Tx,
  recordedByGuid: string,
  { qualifier, maps }: { readonly qualifier: Qualifier; readonly maps: readonly QualifierMap[] },
  given: readonly GivenAttempt[],
  now: Date,
): Promise<Omit<Recorded, 'maps'>> {
  const userGuids = given.flatMap(({ userGuid }) => userGuid ?? [])
  const [teams, used, known] = await Promise.all([
    listTeamsOf(tx, qualifier.tournamentGuid, userGuids),
    countUsed(tx, qualifier.guid, userGuids),
    listKnown(tx, qualifier.guid, given),
  ])
  const sorted = sortOut(
    given,
    { maps, limit: qualifier.attempts, modifiers: qualifier.modifiers, teams, used, known },
    now,
  )
  await voidAttempts(tx, sorted.supersededGuids, { voidedAt: now, voidReason: supersededReason, voidedByGuid: null })
  const common = { qualifierGuid: qualifier.guid, recordedByGuid, createdAt: now }
  const accepted = await insertAttempts(tx, sorted.accepted, common)
  return { accepted, duplicates: sorted.duplicates, rejected: sorted.rejected }
}

export const refundJobName = 'qualifiers.refund'

/**
 * Makes an attempt void and so gives it back to its player. The assistant is asked for a refund after the commit; its
 * answer changes nothing here. (AS24)
 * @throws Problem `qualifier.unknown`, `attempt.unknown`, `attempt.void`, `qualifier.final`
 */
export async function voidAttempt(
  tx: Tx,
  actor: SignedIn,
  target: { readonly tournamentGuid: string; readonly guid: string },
  { reason, refund }: { readonly reason: string; readonly refund: boolean },
  now: Date,
): Promise<{ attempt: Attempt; maps: QualifierMap[] }> {
  const qualifier = await lockQualifier(tx, target.tournamentGuid)
  const guid = normaliseGuid(target.guid)
  const before = isGuid(guid) ? await findAttempt(tx, qualifier.guid, guid) : undefined
  if (before === undefined) throw missing('attempt.unknown', 'The qualifier has no such attempt.')
  checkNotFinal(statusAt(qualifier, now))
  checkNotVoid(before)
  const voiding = { voidedAt: now, voidReason: reason, voidedByGuid: actor.guid }
  const [attempt] = await voidAttempts(tx, [guid], voiding)
  if (attempt === undefined) throw new Error('an attempt that was made void was not returned')
  await updateQualifier(tx, qualifier.guid, { boardChangedAt: now })
  if (refund) await enqueue(tx, refundJobName, { payload: { tournament: target.tournamentGuid, attempt: guid } })
  emit(tx, {
    type: 'qualifier.attempt_voided',
    subject: qualifier.guid,
    tournament: target.tournamentGuid,
    actor: actor.guid,
    after: { attemptGuid: guid },
  })
  return { attempt, maps: await listMaps(tx, target.tournamentGuid) }
}
