import type { Event, EventTable, TournamentEvent } from '../../../core/events.ts'
import type { Medium } from './types.ts'

type Facts = Pick<Medium, 'kind' | 'name'>
type Name = Pick<Medium, 'name'>

/** The staff of a tournament sees the events of its media. All other media events are internal. */
type MediaEventOf<Type extends string, T extends { before?: object; after?: object }> =
  | Event<Type, T>
  | TournamentEvent<Type, T>

export type MediaEvent =
  | MediaEventOf<'media.uploaded', { after: Facts }>
  | MediaEventOf<'media.renamed', { before: Name; after: Name }>
  /** The actor is null if the sweep deleted the unused medium. */
  | MediaEventOf<'media.deleted', { before: Facts }>
  /** An administrator of the service took it down. */
  | MediaEventOf<'media.taken_down', { before: Facts; after: { readonly reason: string } }>

declare module '../../../core/events.ts' {
  interface Events {
    media: MediaEvent
  }
}

const facts = { kind: 'private', name: 'private' } as const

export const mediaEvents: EventTable<MediaEvent> = {
  'media.uploaded': { subject: 'media', members: facts },
  'media.renamed': { subject: 'media', members: { name: 'private' } },
  'media.deleted': { subject: 'media', members: facts },
  'media.taken_down': { subject: 'media', members: { ...facts, reason: 'private' } },
}
