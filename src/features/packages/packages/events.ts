import type { EventTable, TournamentEvent } from '../../../core/events.ts'

/** What a tournament came by. Who took or brought packages is no event. (P1) */
export type PackagesEvent = TournamentEvent<'tournament.imported', { after: { readonly mode: 'copy' | 'restore' } }>

declare module '../../../core/events.ts' {
  interface Events {
    packages: PackagesEvent
  }
}

export const packagesEvents: EventTable<PackagesEvent> = {
  'tournament.imported': { subject: 'tournament', members: { mode: 'private' } },
}
