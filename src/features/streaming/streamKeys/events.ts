import type { Event, EventTable } from '../../../core/events.ts'

interface OfUser {
  readonly user: string
}

/** Never contains a key or anything derived from one. (S2) */
export type StreamKeyEvent =
  | Event<'stream_key.created', { after: OfUser }>
  /** The key has a successor. It ends by itself, or was revoked in the same transaction. */
  | Event<'stream_key.rotated', { after: OfUser & { readonly successor: string } }>
  /** Revoked by its owner or an administrator, or by a rotation without grace. */
  | Event<'stream_key.revoked', { after: OfUser }>
  /** The grace period of a rotation is over. */
  | Event<'stream_key.expired', { after: OfUser }>

declare module '../../../core/events.ts' {
  interface Events {
    streamKeys: StreamKeyEvent
  }
}

const ofUser = { subject: 'stream_key', members: { user: 'private' } } as const

export const streamKeysEvents: EventTable<StreamKeyEvent> = {
  'stream_key.created': ofUser,
  'stream_key.rotated': { subject: 'stream_key', members: { user: 'private', successor: 'private' } },
  'stream_key.revoked': ofUser,
  'stream_key.expired': ofUser,
}
