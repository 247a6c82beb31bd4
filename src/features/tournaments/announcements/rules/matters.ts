import type { EventOf, EventType } from '../../../../core/events.ts'
import type { LoggedEvent } from '../../../../infra/events/logged.ts'
import { isPublic } from '../../tournaments/policy.ts'
import type { AnnouncementKind, Tournament } from '../../tournaments/types.ts'
import type { Detail, NewMatter } from '../types.ts'

/** What of the events is said in the chat. (additions: The chat channel tells what happens) */

/** The events that begin or end a match, or change its result. */
const playTypes = ['match.started', 'match.game_reported', 'match.game_removed', 'match.completed'] as const
const correctionTypes = ['match.corrected', 'match.reopened', 'correction.undone'] as const
/** The events after which a round of a bracket may be ready. */
const bracketTypes = [
  'bracket.created',
  'bracket.generated',
  'bracket.entrants_placed',
  'bracket.round_paired',
  'bracket.team_withdrawn',
  'bracket.team_returned',
] as const

export const announcedTypes = [
  ...playTypes,
  ...correctionTypes,
  ...bracketTypes,
  'match.called',
  'match.updated',
  'schedule.applied',
  'tournament.updated',
  'tournament.status_changed',
  'tournament.placements_changed',
  'team.registered',
  'pool.published',
  'stream.online',
] as const satisfies readonly EventType[]

export type AnnouncedEvent = LoggedEvent<EventOf<(typeof announcedTypes)[number]>>

/** The members of a tournament on which it depends what is said. */
export type Announcing = Pick<
  Tournament,
  | 'guid'
  | 'status'
  | 'rehearsalOf'
  | 'approvedAt'
  | 'announcements'
  | 'publicRegistration'
  | 'registrationOpensAt'
  | 'registrationClosesAt'
>

const second = 1_000
const minute = 60 * second

/** How long things of a kind are gathered into one message, from the first of them. */
const gatherMs: Readonly<Record<AnnouncementKind, number>> = {
  match_called: second,
  match_started: 3 * second,
  match_finished: 3 * second,
  round_ready: 5 * second,
  schedule_changed: 5 * minute,
  registration_opened: 0,
  registration_closing: 0,
  team_registered: minute,
  bracket_published: 5 * second,
  pool_published: 5 * second,
  stream_live: 20 * second,
  placements: 5 * second,
}

/** What tells of the competition is said when the stream shows it. */
const delayed: ReadonlySet<AnnouncementKind> = new Set([
  'match_called',
  'match_started',
  'match_finished',
  'round_ready',
  'schedule_changed',
  'bracket_published',
  'placements',
])

/**
 * Nothing is said of a tournament that is not public, nor what its organiser did not switch on; in a rehearsal it is
 * recorded as if the tournament were public. (additions: The chat channel tells what happens; R3)
 */
export function isAnnounced(tournament: Announcing, kind: AnnouncementKind): boolean {
  const { rehearsalOf, status } = tournament
  const isRehearsed = rehearsalOf !== null && status !== 'draft' && status !== 'cancelled'
  return (isPublic(tournament) || isRehearsed) && tournament.announcements[kind] !== undefined
}

/** What an event gives to say by itself, whether or not its kind is switched on. */
export function mattersOf(event: AnnouncedEvent): NewMatter[] {
  const { subject, seq } = event
  switch (event.type) {
    case 'match.called': {
      const { message } = event.after
      const detail = message === undefined ? {} : { message }
      return [ofMatch('match_called', event, `${subject}:${seq}`, detail)]
    }
    case 'match.started':
    case 'match.game_reported':
    case 'match.game_removed':
    case 'match.completed':
      return [
        ...(begins(event) ? [ofMatch('match_started', event, subject)] : []),
        ...(event.type === 'match.completed' ? [ofMatch('match_finished', event, subject)] : []),
      ]
    case 'match.updated': {
      if (event.after.scheduledAt === undefined) return []
      const scheduledBefore = event.before.scheduledAt ?? null
      return [ofMatch('schedule_changed', event, `${subject}:${seq}`, { scheduledBefore })]
    }
    case 'schedule.applied': {
      const { placed } = event.after
      return placed === 0 ? [] : [matter('schedule_changed', event, `schedule:${seq}`, { placed })]
    }
    case 'bracket.created':
    case 'bracket.generated':
      return [matter('bracket_published', event, `${subject}:${seq}`)]
    case 'tournament.status_changed':
      return event.after.status === 'completed' ? [matter('placements', event, subject)] : []
    case 'tournament.placements_changed':
      return [matter('placements', event, subject)]
    case 'team.registered':
      return [matter('team_registered', event, subject)]
    case 'pool.published':
      return [matter('pool_published', event, `${subject}:${seq}`)]
    case 'stream.online':
      return [matter('stream_live', event, subject)]
    default:
      return []
  }
}

/** A map that is reported begins its match, too. A result that is given at once is announced as a result alone. */
function begins({ type, before, after }: EventOf<(typeof playTypes)[number]>): boolean {
  return type !== 'match.completed' && after.status === 'running' && before.status !== 'running'
}

function ofMatch(kind: AnnouncementKind, event: AnnouncedEvent, key: string, detail: Detail = {}): NewMatter {
  return { ...matter(kind, event, key, detail), matchGuid: event.subject }
}

function matter(kind: AnnouncementKind, event: AnnouncedEvent, key: string, detail: Detail = {}): NewMatter {
  return newMatter(
    kind,
    { tournamentGuid: event.tournament as string, subjectGuid: event.subject, at: event.at },
    key,
    detail,
  )
}

/** @param about `at`: when it happened */
export function newMatter(
  kind: AnnouncementKind,
  { tournamentGuid, subjectGuid, at }: Pick<NewMatter, 'tournamentGuid' | 'subjectGuid'> & { readonly at: Date },
  key: string,
  detail: Detail = {},
): NewMatter {
  return {
    tournamentGuid,
    kind,
    subjectGuid,
    detail,
    key,
    matchGuid: null,
    isDelayed: delayed.has(kind),
    happenedAt: at,
    notBefore: new Date(at.getTime() + gatherMs[kind]),
  }
}

/** The matches whose results an event changed after they were told. */
export interface Revision {
  /** A match, or its bracket. */
  readonly subjectGuid: string
  /** Numbers in the bracket. */
  readonly numbers: readonly number[]
  readonly at: Date
}

/** What was said of a match is corrected when its result is. (additions: The chat channel tells what happens) */
export function revisionOf(event: AnnouncedEvent): Revision | null {
  const { subject: subjectGuid, at } = event
  switch (event.type) {
    case 'match.corrected':
    case 'match.reopened':
    case 'correction.undone':
      return { subjectGuid, at, numbers: [event.after.number, ...(event.after.altered ?? [])] }
    case 'bracket.team_withdrawn':
    case 'bracket.team_returned':
      return { subjectGuid, at, numbers: event.after.matches }
    default:
      return null
  }
}

const roundTypes: ReadonlySet<string> = new Set([...bracketTypes, ...correctionTypes, 'match.completed'])

/** Whether the event may have made a round ready. */
export function mayReadyRound({ type }: Pick<AnnouncedEvent, 'type'>): boolean {
  return roundTypes.has(type)
}

const day = 24 * 60 * minute
/** A follower that is late by more says nothing of an opening any more. */
const patience = 10 * minute

/**
 * When the opening and the coming end of the registration are told: at the opening, or when the tournament becomes
 * public later; 24 hours before the end. (additions: The chat channel tells what happens)
 * @param isNew whether the tournament has become public just now
 */
export function registrationMatters(tournament: Announcing, isNew: boolean, now: Date): NewMatter[] {
  const { guid, registrationOpensAt: opensAt, registrationClosesAt: closesAt } = tournament
  const isOpenFor = tournament.status === 'approved' || tournament.status === 'ongoing'
  if (!tournament.publicRegistration || !isOpenFor) return []
  if (closesAt !== null && closesAt <= now) return []
  const about = (at: Date) => ({ tournamentGuid: guid, subjectGuid: guid, at })
  const opens = isNew ? later(opensAt, now) : opensAt
  const closing = closesAt === null ? null : later(later(new Date(closesAt.getTime() - day), opens), now)
  return [
    ...(opens !== null && opens.getTime() > now.getTime() - patience
      ? [newMatter('registration_opened', about(opens), `${opensAt?.toISOString() ?? 'approved'}`)]
      : []),
    ...(closing !== null ? [newMatter('registration_closing', about(closing), `${closesAt?.toISOString()}`)] : []),
  ]
}

function later(one: Date | null, other: Date): Date
function later(one: Date, other: Date | null): Date
function later(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other
  return one > other ? one : other
}
