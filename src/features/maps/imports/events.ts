import type { EventTable, TournamentEvent } from '../../../core/events.ts'
import type { ImportStatus, RowOutcome, SourceKind } from './types.ts'

interface Started {
  readonly poolGuid: string
  readonly kind: SourceKind
  readonly dryRun: boolean
}

interface Finished {
  readonly poolGuid: string
  readonly status: ImportStatus
  readonly reason: string | null
  readonly counts: Readonly<Record<RowOutcome, number>>
}

/** Only poolers see these events. The maps that an import adds to a pool are announced by the pool's own events. */
export type ImportEvent =
  | TournamentEvent<'import.started', { after: Started }>
  | TournamentEvent<'import.finished', { after: Finished }>

declare module '../../../core/events.ts' {
  interface Events {
    imports: ImportEvent
  }
}

export const importsEvents: EventTable<ImportEvent> = {
  'import.started': { subject: 'import', members: { poolGuid: 'private', kind: 'private', dryRun: 'private' } },
  'import.finished': {
    subject: 'import',
    members: { poolGuid: 'private', status: 'private', reason: 'private', counts: 'private' },
  },
}
