import type { EventTable, TournamentEvent } from '../../../core/events.ts'
import type { ImportTotals } from './types.ts'

/** A sheet of teams was imported: how much of it became what. The teams have events of their own before it. */
export type TeamImportEvent = TournamentEvent<'teams.imported', { after: ImportTotals }>

declare module '../../../core/events.ts' {
  interface Events {
    teamImports: TeamImportEvent
  }
}

export const teamImportsEvents: EventTable<TeamImportEvent> = {
  'teams.imported': {
    subject: 'tournament',
    members: {
      ...{ created: 'private', updated: 'private', same: 'private', rejected: 'private' },
      ...{ placeholders: 'private', invited: 'private', joined: 'private', registered: 'private' },
    },
  },
}
