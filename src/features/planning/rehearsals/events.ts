import type { Event, EventTable, TournamentEvent } from '../../../core/events.ts'

/**
 * They are in no audit list of the real tournament: else its packages would tell of its rehearsals. Changes of a clock
 * and of faults are in that of the rehearsal. (R1, R2, R3)
 */
export type RehearsalsEvent =
  | Event<'rehearsal.created'>
  | Event<'rehearsal.renamed', { before: Name; after: Name }>
  | Event<'rehearsal.deleted', { before: Name }>
  | TournamentEvent<'rehearsal.clock_changed'>
  | TournamentEvent<'rehearsal.faults_changed'>
  /** Something was recorded that would have left a rehearsal; the event touches its list. (R3) */
  | Event<'rehearsal.messages_recorded', { subject: null }>

interface Name {
  readonly name: string
}

declare module '../../../core/events.ts' {
  interface Events {
    rehearsals: RehearsalsEvent
  }
}

export const rehearsalsEvents: EventTable<RehearsalsEvent> = {
  'rehearsal.created': { subject: 'tournament' },
  'rehearsal.renamed': { subject: 'tournament', members: { name: 'private' } },
  'rehearsal.clock_changed': { subject: 'tournament' },
  'rehearsal.faults_changed': { subject: 'tournament' },
  'rehearsal.messages_recorded': { subject: null },
  'rehearsal.deleted': { subject: 'tournament', members: { name: 'private' } },
}

/** The list of a tournament's rehearsals depends on it. */
export const rehearsalsTag = (tournamentGuid: string): string => `rehearsals ${tournamentGuid}`
