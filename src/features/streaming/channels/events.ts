import { type EventTable, everyMember, type TournamentEvent } from '../../../core/events.ts'
import type { Channel } from './types.ts'

export type LoggedChannel = Pick<Channel, 'guid' | 'name' | 'url' | 'delaySeconds'>

interface List {
  readonly revision: number
  readonly channels: readonly LoggedChannel[]
}

/** A queue in the log: the GUIDs of the live and the next match, and the number of matches. */
interface Queue {
  readonly revision: number
  readonly live: string | null
  readonly next: string | null
  readonly entries: number
}

export type ChannelEvent =
  | TournamentEvent<'channels.replaced', { before: List; after: List }>
  /** The actor is a caster; there is no actor if the queue changed because a match began or ended. */
  | TournamentEvent<'channel.queue_changed', { before: Queue; after: Queue }>

declare module '../../../core/events.ts' {
  interface Events {
    channels: ChannelEvent
  }
}

export const channelsEvents: EventTable<ChannelEvent> = {
  'channels.replaced': { subject: 'tournament', members: everyMember(['revision', 'channels'], 'public') },
  'channel.queue_changed': {
    subject: 'channel',
    members: everyMember(['revision', 'live', 'next', 'entries'], 'public'),
  },
}
