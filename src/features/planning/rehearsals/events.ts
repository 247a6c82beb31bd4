import type { Event, EventTable, TournamentEvent } from '../../../core/events.ts'

/**
 * They are in no audit list of the real tournament: else its packages would tell of its rehearsals. Changes of a clock
 * are in that of the rehearsal. (R1, R2)
 */
export type RehearsalsEvent =
  | Event<'rehearsal.created'>
  | Event<'rehearsal.renamed', { before: Name; after: Name }>
  | Event<'rehearsal.deleted', { before: Name }>
  | TournamentEvent<'rehearsal.clock_changed'>

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
  'rehearsal.deleted': { subject: 'tournament', members: { name: 'private' } },
}

/** The list of a tournament's rehearsals depends on it. */
export const rehearsalsTag = (tournamentGuid: string): string => `rehearsals ${tournamentGuid}`
