import type { Event, EventTable } from '../../../core/events.ts'

/** They are in no audit list: else packages of the tournament would tell of its rehearsals. (R1) */
export type RehearsalsEvent =
  | Event<'rehearsal.created'>
  | Event<'rehearsal.renamed', { before: Name; after: Name }>
  | Event<'rehearsal.deleted', { before: Name }>

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
  'rehearsal.deleted': { subject: 'tournament', members: { name: 'private' } },
}

/** The list of a tournament's rehearsals depends on it. */
export const rehearsalsTag = (tournamentGuid: string): string => `rehearsals ${tournamentGuid}`
