import { type EventTable, everyMember, type MembersOf, type TournamentEvent } from '../../../core/events.ts'
import type { Overlay } from './types.ts'

interface Token {
  readonly token: string
  readonly label: string
  readonly preview: boolean
  readonly expiresAt: string | null
}

/** The events never contain a token, or anything derived from one. */
export type OverlayEvent =
  | TournamentEvent<'overlay.created', { after: MembersOf<Overlay, 'name' | 'access'> }>
  | TournamentEvent<
      'overlay.updated',
      { before: MembersOf<Overlay, 'name' | 'access'>; after: MembersOf<Overlay, 'name' | 'access'>; rights: true }
    >
  | TournamentEvent<
      'overlay.editors_changed',
      { before: MembersOf<Overlay, 'editors'>; after: MembersOf<Overlay, 'editors'>; rights: true }
    >
  | TournamentEvent<'overlay.deleted', { before: MembersOf<Overlay, 'name' | 'access'>; rights: true }>
  | TournamentEvent<'overlay.token_created', { after: Token }>
  | TournamentEvent<'overlay.token_revoked', { before: Token; rights: true }>

declare module '../../../core/events.ts' {
  interface Events {
    overlays: OverlayEvent
  }
}

const recordMembers = everyMember(['name', 'access'], 'private')
const tokenMembers = everyMember(['token', 'label', 'preview', 'expiresAt'], 'private')

export const overlaysEvents: EventTable<OverlayEvent> = {
  'overlay.created': { subject: 'overlay', members: recordMembers },
  'overlay.updated': { subject: 'overlay', members: recordMembers },
  'overlay.editors_changed': { subject: 'overlay', members: everyMember(['editors'], 'private') },
  'overlay.deleted': { subject: 'overlay', members: recordMembers },
  'overlay.token_created': { subject: 'overlay', members: tokenMembers },
  'overlay.token_revoked': { subject: 'overlay', members: tokenMembers },
}
