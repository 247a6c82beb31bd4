import { type Event, type EventTable, everyMember, type TournamentEvent } from '../../../core/events.ts'

interface OfUser {
  /** GUID of the user. */
  readonly user: string
}

interface Kept {
  readonly version: number
  readonly name: string | null
}

export type SceneDocumentEvent =
  /**
   * A user edits the draft. Emitted only from time to time: single edits emit no events, and their history is the
   * versions.
   */
  | TournamentEvent<'overlay.edited'>
  | TournamentEvent<'overlay.published', { after: Kept }>
  | TournamentEvent<'overlay.version_kept', { after: Kept }>
  /** The draft became equal to that version. */
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
