import type { EventTable, TournamentEvent } from '../../../core/events.ts'
import type { Content } from './types.ts'

export type UpdateEvent =
  | TournamentEvent<'update.published', { after: Content & { readonly sendToChat: boolean } }>
  | TournamentEvent<'update.edited', { before: Partial<Content>; after: Partial<Content> }>
  | TournamentEvent<'update.deleted', { before: Pick<Content, 'title' | 'content'> }>

declare module '../../../core/events.ts' {
  interface Events {
    updates: UpdateEvent
  }
}

const content = { title: 'public', content: 'public', changes: 'public' } as const

export const updatesEvents: EventTable<UpdateEvent> = {
  'update.published': { subject: 'update', members: { ...content, sendToChat: 'private' } },
  'update.edited': { subject: 'update', members: content },
  'update.deleted': { subject: 'update', members: { title: 'public', content: 'public' } },
}
