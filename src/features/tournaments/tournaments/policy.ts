import { type Actor, type Policy, policy } from '../../../core/actor.ts'
import type { EventPrefix } from '../../../core/events.ts'
import type { LoggedEvent } from '../../../infra/events/logged.ts'
import {
  headPoolerAudience,
  isAnyStaff,
  isOrganiser,
  isOrganiserOrStaff,
  isPooler,
  mayReferee,
  organisers,
  organisersAndStaff,
  poolerAudience,
  ranksRefereesAndPoolersAudience,
  withPools,
  withReferees,
} from '../access/policy.ts'
import type { SettingName } from './bodies.ts'
import type { Tournament } from './types.ts'

/**
 * A draft is visible to its staff, to reviewers of platforms that it asked, and to global managers; so is one that was
 * cancelled before anybody else could see it. Every other tournament is public. (D25, D26) A view token leads to what it shows of
 * one tournament, a draft or not, and into no other. (OV16)
 */
export function maySeeTournament(
  actor: Actor,
  tournament: Pick<Tournament, 'guid' | 'status' | 'approvedAt'>,
  isReviewer: boolean,
): boolean {
  if (actor.view !== null) return actor.view.tournamentGuid === tournament.guid
  return isPublic(tournament) || isAnyStaff(actor) || isReviewer
}

export function isPublic(tournament: Pick<Tournament, 'status' | 'approvedAt'>): boolean {
  return tournament.status !== 'draft' && !(tournament.status === 'cancelled' && tournament.approvedAt === null)
}

const shown: ReadonlySet<SettingName> = new Set([
  'name',
  'summary',
  'description',
  'rules',
  'prizes',
  'imageUrl',
  'bannerUrl',
  'links',
])

/**
 * The organiser and admins may change any setting; `role:staff` what is shown: texts, images and links (D29); head casters
 * how far the stream is behind. (RT40)
 */
export function changersOf(name: SettingName): Policy {
  if (name === 'streamDelaySeconds') return streamChangers
  return shown.has(name) ? organisersAndStaff : organisers
}

const streamChangers = policy(
  'the organiser, admins and head casters of the tournament',
  (actor) => isOrganiser(actor) || isHeadCaster(actor),
)

function isHeadCaster(actor: Actor): boolean {
  return actor.roles.has('role:hcaster')
}

/** Whoever may change at least one setting; which ones is told once the body names one. (D1) */
export const settingChangers: Policy = policy(
  'the organiser, admins, staff and head casters of the tournament',
  (actor) => isOrganiserOrStaff(actor) || isHeadCaster(actor),
)

/** Whoever may change settings, and posts updates to the chat, sees whether a chat webhook is set. (D29, D33) */
export function maySeeChatSetting(actor: Actor): boolean {
  return isOrganiserOrStaff(actor)
}

/** How the types of events begin that are told of what poolers do. */
const poolingEvents = [
  'pool.',
  'flair.',
  'pooling.',
  'suggestion.',
  'pool_plan.',
  'import.',
] as const satisfies readonly EventPrefix[]

/** How the types of events begin that are told of sessions which are not public, and of those with a draft of a pool. */
const privateSessionEvents: EventPrefix = 'private_session.'
const draftSessionEvents: EventPrefix = 'draft_session.'

/**
 * Nobody learns of availability sheets that are not for them, from the audit list neither; all of them are for the
 * organiser, admins and `role:staff`. What is done to pools is for poolers, that there is a session which is not public for
 * referees, and what is played of a draft, public or not, for whoever is both. (additions: Availability; pools: Who may do what;
 * match-flows: FFA)
 * @returns how the types of events begin that the actor does not see
 */
export function unseenEvents(actor: Actor): readonly EventPrefix[] {
  return [
    ...(isOrganiserOrStaff(actor) ? [] : ['availability.' as const]),
    ...(isPooler(actor) ? [] : poolingEvents),
    ...(mayReferee(actor) ? [] : [privateSessionEvents]),
    ...(mayReferee(actor) && isPooler(actor) ? [] : [draftSessionEvents]),
  ]
}

/** Who sees the same of the audit list. */
export const auditAudience = ranksRefereesAndPoolersAudience

/** The same of whoever follows something as a member of the staff: what an audience sees, all of its members see. */
export function staffSeesEvent(audience: string, type: string): boolean {
  if (type.startsWith('availability.')) return audience.startsWith('organisers')
  if (type.startsWith(privateSessionEvents)) return isOfReferees(audience)
  if (type.startsWith(draftSessionEvents)) return isOfReferees(audience) && isOfPoolers(audience)
  return !poolingEvents.some((prefix) => type.startsWith(prefix)) || isOfPoolers(audience)
}

function isOfPoolers(audience: string): boolean {
  return audience.endsWith(withPools) || audience === headPoolerAudience || audience === poolerAudience
}

/** Whether all of an audience are referees, as the organiser and admins are. */
function isOfReferees(audience: string): boolean {
  const [rank = '', ...parts] = audience.split('+')
  return ['organisers', 'referees'].includes(rank) || parts.includes(withReferees.slice(1))
}

/** Types of events that may change whether a tournament is hidden from the public. */
export const hidingEvents = ['tournament.status_changed'] as const

/** Whether an event changes that a tournament is hidden from the public; null for one that does not. (D25) */
export function hidingOf(event: LoggedEvent): { readonly before: boolean; readonly after: boolean } | null {
  if (event.type !== 'tournament.status_changed') return null
  return { before: event.before.status === 'draft', after: event.after.status === 'draft' }
}
