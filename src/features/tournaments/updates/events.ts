import type { EventTable, TournamentEvent } from '../../../core/events.ts'
import type { Content } from './types.ts'

/** The texts of an update are removed from the log when the update is deleted. */
export type UpdateEvent =
  | TournamentEvent<'update.published', { after: Partial<Content> & { readonly sendToChat: boolean } }>
  | TournamentEvent<'update.edited', { before: Partial<Content>; after: Partial<Content> }>
  | TournamentEvent<'update.deleted'>

declare module '../../../core/events.ts' {
  interface Events {
    updates: UpdateEvent
  }
}

const content = { title: 'public', content: 'public', changes: 'public' } as const

export const updatesEvents: EventTable<UpdateEvent> = {
  'update.published': { subject: 'update', members: { ...content, sendToChat: 'private' } },
  'update.edited': { subject: 'update', members: content },
  'update.deleted': { subject: 'update', isPublic: true },
}
