import type { Event, EventTable, TournamentEvent } from '../../../core/events.ts'
import type { EndReason } from './types.ts'

/** The event of a stream with an assignment belongs to the tournament; other streams have no tournament. */
type StreamEventOf<Type extends string, T extends { before?: object; after?: object }> =
  | Event<Type, T>
  | TournamentEvent<Type, T>

interface Whose {
  readonly user: string
}

export type StreamSessionEvent =
  | StreamEventOf<'stream.online', { after: Whose }>
  /** The reason of the end is for viewers who may see the session. */
  | StreamEventOf<'stream.offline', { before: Whose; after: { readonly endReason: EndReason } }>
  /** Tests are visible only to their user and to staff of the user's tournaments. */
  | Event<'stream.test_started', { after: Whose }>
  | Event<'stream.test_ended', { before: Whose; after: { readonly endReason: EndReason } }>
  /** Cut by staff, or by the service's administrators. */
  | StreamEventOf<'stream.cut', { after: { readonly user: string; readonly reason: string } }>

declare module '../../../core/events.ts' {
  interface Events {
    streamSessions: StreamSessionEvent
  }
}

/** The tag that is touched when a user's stream begins or ends. */
export function streamTag(userGuid: string): string {
  return `stream:${userGuid}`
}

export const streamSessionsEvents: EventTable<StreamSessionEvent> = {
  'stream.online': { subject: 'stream_session', members: { user: 'public' } },
  'stream.offline': { subject: 'stream_session', members: { user: 'public', endReason: 'private' } },
  'stream.test_started': { subject: 'stream_session', members: { user: 'private' } },
  'stream.test_ended': { subject: 'stream_session', members: { user: 'private', endReason: 'private' } },
  'stream.cut': { subject: 'stream_session', members: { user: 'private', reason: 'private' } },
}
