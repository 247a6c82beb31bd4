import type { EventTable, TournamentEvent } from '../../../core/events.ts'
import type { Differing } from '../../tournaments/tournaments/commands/differences.ts'
import { rulingMembers } from '../brackets/events.ts'
import type { LoggedRuling } from '../brackets/rules/ties.ts'
import type { Qualifier } from './types.ts'

/**
 * `syncUrl` is `configured` instead of the address. Maps are left out, since they are secret until the qualifier opens.
 */
export type LoggedSettings = Pick<
  Qualifier,
  'status' | 'attempts' | 'hideScores' | 'method' | 'modifiers' | 'settings' | 'cutoff' | 'syncUrl'
> & { readonly opensAt: string | null; readonly closesAt: string | null }

export type QualifierEvent =
  /** `before` is left out if the qualifier was created. */
  | TournamentEvent<'qualifier.updated', { before: Differing<LoggedSettings> | null; after: Differing<LoggedSettings> }>
  /** `attempts` is a count, here and below. */
  | TournamentEvent<'qualifier.attempts_recorded', { after: { readonly attempts: number } }>
  | TournamentEvent<'qualifier.attempt_voided', { after: { readonly attemptGuid: string } }>
  | TournamentEvent<
      'qualifier.synchronised',
      { after: { readonly success: true; readonly attempts: number } | { readonly success: false } }
    >
  /** The best `size` teams were requested, and `teams` of them advanced. */
  | TournamentEvent<'qualifier.seeded', { after: { readonly size: number; readonly teams: number } & LoggedRuling }>

declare module '../../../core/events.ts' {
  interface Events {
    qualifiers: QualifierEvent
  }
}

const settings = {
  status: 'public',
  opensAt: 'public',
  closesAt: 'public',
  attempts: 'public',
  hideScores: 'public',
  method: 'public',
  modifiers: 'public',
  settings: 'public',
  cutoff: 'public',
  syncUrl: 'private',
} as const

export const qualifiersEvents: EventTable<QualifierEvent> = {
  'qualifier.updated': { subject: 'qualifier', members: settings },
  'qualifier.attempts_recorded': { subject: 'qualifier', members: { attempts: 'private' } },
  'qualifier.attempt_voided': { subject: 'qualifier', members: { attemptGuid: 'private' } },
  'qualifier.synchronised': { subject: 'qualifier', members: { success: 'private', attempts: 'private' } },
  'qualifier.seeded': { subject: 'qualifier', members: { size: 'public', teams: 'public', ...rulingMembers } },
}
