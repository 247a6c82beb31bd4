import { isDeepStrictEqual } from 'node:util'
import type { SignedIn } from '../../../../core/actor.ts'
import { forbidden, missing, Problem } from '../../../../core/problem.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { type CustomWebhookContext, configured } from '../../../listing/platforms/rules.ts'
import { isOrganiser, organisers } from '../../../tournaments/access/policy.ts'
import { differences } from '../../../tournaments/tournaments/commands/differences.ts'
import { lockTournament } from '../../../tournaments/tournaments/commands/lock.ts'
import type { LoggedSettings } from '../events.ts'
import { type MapInput, type MapPlan, planMaps } from '../rules/maps.ts'
import { type QualifierInput, type QualifierRecord, readQualifier, settingNames, unset } from '../rules/settings.ts'
import { checkNotFinal, statusAt } from '../rules/status.ts'
import * as store from '../store/qualifiers.ts'
import type { Qualifier, QualifierMap } from '../types.ts'

export function unknownQualifier() {
  return missing('qualifier.unknown', 'The tournament has no qualifier.')
}

/** @throws Problem `qualifier.unknown` */
export async function lockQualifier(tx: Tx, tournamentGuid: string): Promise<Qualifier> {
  const qualifier = await store.lockQualifier(tx, tournamentGuid)
  if (qualifier === undefined) throw unknownQualifier()
  return qualifier
}

/**
 * Creates the tournament's qualifier, or changes the given settings. Head poolers change only the maps, and only of a
 * qualifier that exists. (additions: Qualifiers; additions: Details, 11)
 * @throws Problem `qualifier.invalid`, `qualifier.status_illegal`, `qualifier.final`, `qualifier.unknown`,
 * `role.missing`, `tournament.unknown`, and those of `planMaps`
 */
export async function putQualifier(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  { maps: wanted, ...input }: QualifierInput & { readonly maps?: readonly MapInput[] },
  { context, now }: { readonly context: CustomWebhookContext; readonly now: Date },
): Promise<{ qualifier: Qualifier; maps: QualifierMap[] }> {
  await lockTournament(tx, tournamentGuid)
  const byOrganiser = isOrganiser(actor)
  const [before, maps] = [await store.lockQualifier(tx, tournamentGuid), await store.listMaps(tx, tournamentGuid)]
  if (before === undefined && !byOrganiser) throw unknownQualifier()

  const record = recordOf(before ?? unset)
  const read = () => readQualifier(input, record, context, now)
  if (!byOrganiser && !isAsBefore(read, record)) {
    throw forbidden('role.missing', `Only ${organisers.who} may change more than the maps.`)
  }
  const next = read()
  const isChanged = before === undefined || !isDeepStrictEqual(next, record)
  const plan = wanted === undefined ? unplanned : planMaps(maps, wanted, await store.listPlayedMaps(tx, tournamentGuid))
  const areMapsChanged = plan.created.length + plan.updated.length + plan.deleted.length > 0
  if (before !== undefined && !isChanged && !areMapsChanged) return { qualifier: before, maps }
  if (before !== undefined) checkNotFinal(statusAt(before, now))

  const made = before ?? (await store.insertQualifier(tx, tournamentGuid, next, now))
  await store.applyMaps(tx, made.guid, plan)
  // The standings change with the settings, if there are any.
  const boardChangedAt = made.boardChangedAt === null ? null : now
  const qualifier = await store.updateQualifier(tx, made.guid, { ...next, boardChangedAt, updatedAt: now })
  emit(tx, {
    type: 'qualifier.updated',
    subject: qualifier.guid,
    tournament: tournamentGuid,
    actor: actor.guid,
    ...loggedChanges(record, next, before === undefined),
  })
  return { qualifier, maps: await store.listMaps(tx, tournamentGuid) }
}

/**
 * Invalid settings count as changed settings, so that a caller without the right to change settings does not learn why
 * they are invalid. (D1)
 */
function isAsBefore(read: () => QualifierRecord, before: QualifierRecord): boolean {
  try {
    return isDeepStrictEqual(read(), before)
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

const unplanned: MapPlan = { created: [], updated: [], deleted: [] }

function recordOf(record: QualifierRecord): QualifierRecord {
  return Object.fromEntries(settingNames.map((name) => [name, record[name]])) as unknown as QualifierRecord
}

/**
 * The log's entry of a change. It leaves out the sync address, which may hold a secret, and the maps, which are secret
 * until the qualifier opens.
 */
function loggedChanges(before: QualifierRecord, after: QualifierRecord, isNew: boolean) {
  if (isNew) return { after: differences(shown(before), shown(after)).after }
  const changes = differences(shown(before), shown(after))
  // A changed address shows as `configured` on both sides; the entry has it anyway.
  const isOtherAddress = before.syncUrl !== after.syncUrl && !('syncUrl' in changes.after)
  const syncUrl = isOtherAddress ? { syncUrl: configured } : {}
  return { before: { ...changes.before, ...syncUrl }, after: { ...changes.after, ...syncUrl } }
}

function shown({ syncUrl, openedAt: _, opensAt, closesAt, ...record }: QualifierRecord): LoggedSettings {
  return {
    ...record,
    opensAt: formatInstant(opensAt),
    closesAt: formatInstant(closesAt),
    syncUrl: syncUrl === null ? null : configured,
  }
}
