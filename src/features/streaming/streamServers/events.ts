import type { Event, EventTable, MembersOf } from '../../../core/events.ts'
import type { StoredControl, StreamServer } from './types.ts'

/** The members of a server that are logged: neither its secrets nor its password. */
export interface ToldServer
  extends Pick<StreamServer, 'name' | 'enabled' | 'assignmentRequired' | 'ingest' | 'play' | 'networks'> {
  readonly control: Omit<StoredControl, 'sealedPassword'> | null
}

type Told = ToldServer & Pick<StreamServer, 'kind'>

export type StreamServerEvent =
  | Event<'stream_server.created', { after: Told }>
  /** `control` is included even if only its password changed; the password itself is never logged. */
  | Event<'stream_server.updated', { before: MembersOf<ToldServer>; after: MembersOf<ToldServer> }>
  | Event<'stream_server.secret_rotated'>
  | Event<'stream_server.deleted', { before: Told }>

declare module '../../../core/events.ts' {
  interface Events {
    streamServers: StreamServerEvent
  }
}

const told = {
  name: 'private',
  enabled: 'private',
  assignmentRequired: 'private',
  ingest: 'private',
  play: 'private',
  networks: 'private',
  control: 'private',
} as const

export const streamServersEvents: EventTable<StreamServerEvent> = {
  'stream_server.created': { subject: 'stream_server', members: { ...told, kind: 'private' } },
  'stream_server.updated': { subject: 'stream_server', members: told },
  'stream_server.secret_rotated': { subject: 'stream_server' },
  'stream_server.deleted': { subject: 'stream_server', members: { ...told, kind: 'private' } },
}
