import { invalid } from '../../../../core/problem.ts'
import { readInstant } from '../../../../core/time.ts'
import type { QualifierMethod, QualifierSettings } from '../../../../engine/qualifier-types.ts'
import { defaultPoints } from '../../../../engine/qualifier-types.ts'
import type { ModifierRule } from '../../../../engine/score-limits.ts'
import { type CustomWebhookContext, configured, customWebhookFault } from '../../../listing/platforms/rules.ts'
import type { Qualifier, QualifierStatus } from '../types.ts'
import { moved, statusAt } from './status.ts'

/** The settings of a qualifier without its maps; settings that are not given stay. */
export interface QualifierInput {
  readonly status?: QualifierStatus
  readonly opensAt?: string | null
  readonly closesAt?: string | null
  readonly attempts?: number
  readonly hideScores?: boolean
  readonly method?: QualifierMethod
  readonly modifiers?: ModifierRule
  readonly settings?: Partial<QualifierSettings>
  readonly cutoff?: number | null
  readonly syncUrl?: string | null
}

export const settingNames = [
  'status',
  'openedAt',
  'opensAt',
  'closesAt',
  'attempts',
  'hideScores',
  'method',
  'modifiers',
  'settings',
  'cutoff',
  'syncUrl',
] as const satisfies readonly (keyof Qualifier)[]
export type QualifierRecord = Pick<Qualifier, (typeof settingNames)[number]>

/** The settings of a new qualifier. */
export const unset: QualifierRecord = {
  status: 'draft',
  openedAt: null,
  opensAt: null,
  closesAt: null,
  attempts: 0,
  hideScores: false,
  method: 'average_accuracy',
  modifiers: 'any',
  settings: { countMaps: null, topPlayers: null, points: defaultPoints, missing: 'zero', failCounts: true },
  cutoff: null,
  syncUrl: null,
}

/**
 * The settings with the given changes. A changed closing date closes the qualifier even if it was opened by hand
 * before.
 * @throws Problem `qualifier.invalid`, `qualifier.status_illegal`
 */
export function readQualifier(
  input: QualifierInput,
  before: QualifierRecord,
  context: CustomWebhookContext,
  now: Date,
): QualifierRecord {
  const { status, opensAt, closesAt, settings, syncUrl, ...given } = input
  const dates = {
    opensAt: opensAt === undefined ? before.opensAt : readDate('opensAt', opensAt),
    closesAt: closesAt === undefined ? before.closesAt : readDate('closesAt', closesAt),
  }
  checkDateOrder(dates)
  const isOtherClosing = dates.closesAt?.getTime() !== before.closesAt?.getTime()
  const next: QualifierRecord = {
    ...before,
    ...given,
    ...dates,
    openedAt: isOtherClosing ? null : before.openedAt,
    settings: { ...before.settings, ...settings },
    syncUrl: syncUrl === undefined || syncUrl === configured ? before.syncUrl : readSyncUrl(syncUrl, context),
  }
  return moved(statusAt(before, now), next, status, now)
}

/** The closing date must be after the opening date. */
function checkDateOrder({ opensAt, closesAt }: Pick<Qualifier, 'opensAt' | 'closesAt'>): void {
  if (opensAt !== null && closesAt !== null && opensAt.getTime() >= closesAt.getTime()) {
    throw invalid('qualifier.invalid', '"opensAt" must be before "closesAt".')
  }
}

/** Reads a date of the request; null if it is unset. (D7) */
function readDate(name: string, text: string | null): Date | null {
  return readInstant(text, (reason) => invalid('qualifier.invalid', `"${name}" ${reason}.`))
}

/**
 * Reads the address to fetch results from. The rules of webhook addresses apply; an empty text removes the address.
 * (D34)
 */
function readSyncUrl(url: string | null, context: CustomWebhookContext): string | null {
  if (url === null || url === '') return null
  checkBoardAddress('syncUrl', url, context)
  return url
}

/** @throws Problem `qualifier.invalid` */
export function checkBoardAddress(name: string, url: string, context: CustomWebhookContext): void {
  const fault = customWebhookFault(url, context)
  if (fault !== null) throw invalid('qualifier.invalid', `"${name}" ${fault}.`)
}
