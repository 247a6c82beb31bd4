import { readNameOrNone } from '../../../../core/names.ts'
import { conflict, invalid, missing, type Problem } from '../../../../core/problem.ts'
import { readInstant } from '../../../../core/time.ts'
import type { Notice } from '../../../people/notifications/types.ts'
import type { Badge, Grant, Recipient } from '../types.ts'

export function unknownGrant(): Problem {
  return missing('badge.grant_unknown', 'This badge was never granted so.')
}

/**
 * A grant can be revoked once only. (B1)
 * @throws Problem `badge.grant_revoked`
 */
export function checkIsHeld({ revokedAt }: Pick<Grant, 'revokedAt'>): void {
  if (revokedAt !== null) throw conflict('badge.grant_revoked', 'This badge was revoked from the user already.')
}

/** Reads a grant's label, on one line. An empty or invisible text becomes null. (badges: Records; D56) */
export function readLabel(text: string | null | undefined): string | null {
  return readNameOrNone(text)
}

/**
 * When the badge was earned; by default now, and never in the future. (badges: Records; D7)
 * @throws Problem `badge.invalid`
 */
export function readAwardedAt(text: string | null | undefined, now: Date): Date {
  const at = readInstant(text, (reason) => invalid('badge.invalid', `"awardedAt" ${reason}.`)) ?? now
  if (at > now) throw invalid('badge.invalid', '"awardedAt" must not be in the future.')
  return at
}

/** A user that a manager names. */
export interface NamedRecipient {
  readonly user: string
  readonly label?: string | null
  readonly place?: number | null
}

export interface SortedRecipients {
  /** Each user once, in the order of the list. */
  readonly recipients: readonly Recipient[]
  /** GUIDs of users who are in the list more than once. */
  readonly repeated: readonly string[]
  /** Positions of unknown users in the list. */
  readonly unknown: readonly number[]
}

/**
 * Finds the users of a list. A user who is named twice, even under different identifiers, gets the badge once and is
 * also reported as holding it already. (B1)
 */
export function sortRecipients(
  named: readonly NamedRecipient[],
  guids: ReadonlyMap<string, string>,
  awardedAt: Date,
): SortedRecipients {
  const recipients = new Map<string, Recipient>()
  const repeated = new Set<string>()
  const unknown: number[] = []
  for (const [index, { user, label, place }] of named.entries()) {
    const userGuid = guids.get(user)
    if (userGuid === undefined) unknown.push(index)
    else if (recipients.has(userGuid)) repeated.add(userGuid)
    else recipients.set(userGuid, { userGuid, label: readLabel(label), place: place ?? null, awardedAt })
  }
  return { recipients: [...recipients.values()], repeated: [...repeated], unknown }
}

type Named = Pick<Badge, 'guid' | 'name'>

/** Notifies a user of a granted badge. (badges: Operations) */
export function grantedNotice({ guid, name }: Named): Notice {
  return { type: 'badge.granted', title: `You were given the badge ${name}`, body: '', data: { badgeGuid: guid } }
}

/** Notifies a user of a revoked badge, with the reason. (badges: Operations) */
export function revokedNotice({ guid, name }: Named, reason: string): Notice {
  return {
    type: 'badge.revoked',
    title: `The badge ${name} was taken from you`,
    body: reason,
    data: { badgeGuid: guid },
  }
}
