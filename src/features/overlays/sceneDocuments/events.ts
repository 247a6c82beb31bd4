import { type Event, type EventTable, everyMember, type TournamentEvent } from '../../../core/events.ts'

interface OfUser {
  /** GUID. */
  readonly user: string
}

interface Kept {
  readonly version: number
  readonly name: string | null
}

export type SceneDocumentEvent =
  /** Somebody begins to edit, or goes on: told once in a while. Edits themselves are no events; their history is the versions. */
  | TournamentEvent<'overlay.edited'>
  | TournamentEvent<'overlay.published', { after: Kept }>
  | TournamentEvent<'overlay.version_kept', { after: Kept }>
  /** The draft is as that version was. */
  | TournamentEvent<'overlay.restored', { after: { readonly version: number } }>
  | Event<'overlay_template.created', { after: OfUser }>
  | Event<'overlay_template.deleted', { after: OfUser }>

declare module '../../../core/events.ts' {
  interface Events {
    sceneDocuments: SceneDocumentEvent
  }
}

const template = { subject: 'overlay_template', members: { user: 'private' } } as const

export const sceneDocumentsEvents: EventTable<SceneDocumentEvent> = {
  'overlay.edited': { subject: 'overlay' },
  'overlay.published': { subject: 'overlay', members: { ...everyMember(['version'], 'public'), name: 'private' } },
  'overlay.version_kept': { subject: 'overlay', members: everyMember(['version', 'name'], 'private') },
  'overlay.restored': { subject: 'overlay', members: everyMember(['version'], 'private') },
  'overlay_template.created': template,
  'overlay_template.deleted': template,
}
