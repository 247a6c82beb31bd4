import { type EventTable, everyMember, type TournamentEvent } from '../../../core/events.ts'
import type { Kind } from '../../../engine/flows/rows.ts'

/** A row as everybody may see it, without secret choices. */
interface LoggedRow {
  readonly position: number
  readonly kind: Kind
  readonly step: string | null
  readonly seat: number | null
  readonly onBehalf: boolean
  /** Left out if the choice is secret. */
  readonly map?: string | null
}

/** Replaces a row that not everybody may see, or may not see yet. */
interface WithheldRow {
  readonly withheld: number
}

export type FlowSessionEvent =
  /** The event gives speakers their rights, so subscribers are checked again. */
  | TournamentEvent<'flow.begun', { after: { readonly match: string | null }; rights: true }>
  | TournamentEvent<'flow.row', { after: LoggedRow | WithheldRow }>
  /** Outsiders now see the log up to this position. */
  | TournamentEvent<'flow.shown', { after: { readonly position: number } }>
  /** The time of a clock is over; its lapse is not written yet. */
  | TournamentEvent<'flow.overdue', { after: { readonly clock: number } }>
  | TournamentEvent<'flow.speakers_changed', { rights: true }>
  | HiddenEvent<'private_session'>
  | HiddenEvent<'draft_session'>

/**
 * The events of a session that not everybody may see. They say only that it has changed, with the position of the new
 * row or of the last shown row.
 */
type HiddenEvent<Noun extends HiddenNoun> =
  | TournamentEvent<`${Noun}.begun`, { rights: true }>
  | TournamentEvent<`${Noun}.changed`, { after: { readonly position: number } }>
  | TournamentEvent<`${Noun}.speakers_changed`, { rights: true }>
  | TournamentEvent<`${Noun}.deleted`, { rights: true }>

/** A session that is not public, or one with a draft pool, public or not. */
export type HiddenNoun = 'private_session' | 'draft_session'

declare module '../../../core/events.ts' {
  interface Events {
    flowSessions: FlowSessionEvent
  }
}

/**
 * The tag of all finished sessions of a tournament. Every change of such a session, and of what outsiders see of it,
 * touches the tag, since an answer computed from all of them cannot list each session as a dependency.
 */
export function resultsTag(tournament: string): string {
  return `${tournament} session results`
}

const row = ['position', 'kind', 'step', 'seat', 'onBehalf', 'map'] as const

export const flowSessionsEvents: EventTable<FlowSessionEvent> = {
  'flow.begun': { subject: 'flow_session', members: everyMember(['match'], 'private') },
  'flow.row': { subject: 'flow_session', members: { ...everyMember(row, 'public'), withheld: 'private' } },
  'flow.shown': { subject: 'flow_session', members: { position: 'public' } },
  'flow.overdue': { subject: 'flow_session', members: { clock: 'private' } },
  'flow.speakers_changed': { subject: 'flow_session' },
  'private_session.begun': { subject: 'flow_session' },
  'private_session.changed': { subject: 'flow_session', members: { position: 'private' } },
  'private_session.speakers_changed': { subject: 'flow_session' },
  'private_session.deleted': { subject: 'flow_session' },
  'draft_session.begun': { subject: 'flow_session' },
  'draft_session.changed': { subject: 'flow_session', members: { position: 'private' } },
  'draft_session.speakers_changed': { subject: 'flow_session' },
  'draft_session.deleted': { subject: 'flow_session' },
}
