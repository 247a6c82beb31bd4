import { type EventTable, everyMember, type TournamentEvent } from '../../../core/events.ts'
import type { Kind } from '../../../engine/flows/rows.ts'

/** A row as everybody sees it: what is chosen in secret is not in it. */
interface LoggedRow {
  readonly position: number
  readonly kind: Kind
  readonly step: string | null
  readonly seat: number | null
  readonly onBehalf: boolean
  /** Left out of a secret choice. */
  readonly map?: string | null
}

/** In its place where not everybody may know of the row, or may not yet. */
interface WithheldRow {
  readonly withheld: number
}

export type FlowSessionEvent =
  /** Who may speak is told anew: what was let in before is judged again. */
  | TournamentEvent<'flow.begun', { after: { readonly match: string | null }; rights: true }>
  | TournamentEvent<'flow.row', { after: LoggedRow | WithheldRow }>
  /** Outsiders see the log up to here by now. */
  | TournamentEvent<'flow.shown', { after: { readonly position: number } }>
  /** The time of a clock is over, and its lapse is still to come. */
  | TournamentEvent<'flow.overdue', { after: { readonly clock: number } }>
  | TournamentEvent<'flow.speakers_changed', { rights: true }>
  | HiddenEvent<'private_session'>
  | HiddenEvent<'draft_session'>

/** Of a session that is not for everybody no more is told than that it has changed: the position of a row, or of what is shown. */
type HiddenEvent<Noun extends HiddenNoun> =
  | TournamentEvent<`${Noun}.begun`, { rights: true }>
  | TournamentEvent<`${Noun}.changed`, { after: { readonly position: number } }>
  | TournamentEvent<`${Noun}.speakers_changed`, { rights: true }>
  | TournamentEvent<`${Noun}.deleted`, { rights: true }>

/** What is not public; and what is played of a pool that not everybody may read, public or not. */
export type HiddenNoun = 'private_session' | 'draft_session'

declare module '../../../core/events.ts' {
  interface Events {
    flowSessions: FlowSessionEvent
  }
}

/**
 * Touched by whatever changes in sessions of matches that are over, or outsiders see of them: what is made of all of these cannot name
 * each of them.
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
