import type { Event, EventTable, MembersOf } from '../../../core/events.ts'
import type { StoredControl, StreamServer } from './types.ts'

/** The members of a server that are logged: neither its secrets nor its password. */
export interface LoggedServer
  extends Pick<StreamServer, 'name' | 'enabled' | 'assignmentRequired' | 'ingest' | 'play' | 'networks'> {
  readonly control: Omit<StoredControl, 'sealedPassword'> | null
}

type LoggedServerOfKind = LoggedServer & Pick<StreamServer, 'kind'>

export type StreamServerEvent =
  | Event<'stream_server.created', { after: LoggedServerOfKind }>
  /** `control` is included even if only its password changed; the password itself is never logged. */
  | Event<'stream_server.updated', { before: MembersOf<LoggedServer>; after: MembersOf<LoggedServer> }>
  | Event<'stream_server.secret_rotated'>
  | Event<'stream_server.deleted', { before: LoggedServerOfKind }>

declare module '../../../core/events.ts' {
  interface Events {
    streamServers: StreamServerEvent
  }
}

const loggedMembers = {
  name: 'private',
  enabled: 'private',
  assignmentRequired: 'private',
  ingest: 'private',
  play: 'private',
  networks: 'private',
  control: 'private',
} as const

export const streamServersEvents: EventTable<StreamServerEvent> = {
  'stream_server.created': { subject: 'stream_server', members: { ...loggedMembers, kind: 'private' } },
  'stream_server.updated': { subject: 'stream_server', members: loggedMembers },
  'stream_server.secret_rotated': { subject: 'stream_server' },
  'stream_server.deleted': { subject: 'stream_server', members: { ...loggedMembers, kind: 'private' } },
}
