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
 * A draft is visible to its staff, to reviewers of the platforms it asked, and to global managers. So is a tournament
 * that was cancelled while it was a draft. Every other tournament is public, except
 * rehearsals, which only the staff of the real tournament see, also where they read as viewers would. (D25, D26, R1) A view token gives access to
 * what it shows of its own tournament, even a draft, and to no other tournament. (OV16)
 */
export function maySeeTournament(
  actor: Actor,
  tournament: Pick<Tournament, 'guid' | 'status' | 'approvedAt' | 'rehearsalOf'>,
  isReviewer: boolean,
): boolean {
  if (actor.view !== null) return actor.view.tournamentGuid === tournament.guid
  return isPublic(tournament) || isAnyStaff(actor) || isReviewer || actor.watches === tournament.guid
}

export function isPublic({
  status,
  approvedAt,
  rehearsalOf,
}: Pick<Tournament, 'status' | 'approvedAt' | 'rehearsalOf'>): boolean {
  return rehearsalOf === null && status !== 'draft' && !(status === 'cancelled' && approvedAt === null)
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
 * The organiser and admins may change any setting, `role:staff` may change texts, images and links (D29), and head
 * casters the stream delay. (RT40)
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

/**
 * Users who may change at least one setting. Whether they may change the requested one is checked once the body names
 * it. (D1)
 */
export const settingChangers: Policy = policy(
  'the organiser, admins, staff and head casters of the tournament',
  (actor) => isOrganiserOrStaff(actor) || isHeadCaster(actor),
)

/** Users who may change settings or post updates to the chat see whether a chat webhook is set. (D29, D33) */
export function maySeeChatSetting(actor: Actor): boolean {
  return isOrganiserOrStaff(actor)
}

/** The prefixes of the event types that only poolers see. */
const poolingEvents = [
  'pool.',
  'flair.',
  'pooling.',
  'suggestion.',
  'pool_plan.',
  'import.',
] as const satisfies readonly EventPrefix[]

/**
 * The prefixes of the event types about sessions that are not public, and about sessions that play a draft of a pool.
 */
const privateSessionEvents: EventPrefix = 'private_session.'
const draftSessionEvents: EventPrefix = 'draft_session.'

/**
 * Events about availability sheets are visible only to the organiser, admins and `role:staff`, even in the audit list.
 * Events about pools are for poolers, events about private sessions for referees, and events about sessions with a
 * draft for users who are both. (additions: Availability; pools: Who may do what; match-flows: FFA)
 * @returns the prefixes of the event types that the actor may not see
 */
export function unseenEvents(actor: Actor): readonly EventPrefix[] {
  return [
    ...(isOrganiserOrStaff(actor) ? [] : ['availability.' as const]),
    ...(isPooler(actor) ? [] : poolingEvents),
    ...(mayReferee(actor) ? [] : [privateSessionEvents]),
    ...(mayReferee(actor) && isPooler(actor) ? [] : [draftSessionEvents]),
  ]
}

/** The audiences of the audit list: all members of one audience see the same entries. */
export const auditAudience = ranksRefereesAndPoolersAudience

/**
 * Whether a member of this staff audience may see an event while following a topic. All members of an audience see the
 * same.
 */
export function staffSeesEvent(audience: string, type: string): boolean {
  if (type.startsWith('availability.')) return audience.startsWith('organisers')
  if (type.startsWith(privateSessionEvents)) return isOfReferees(audience)
  if (type.startsWith(draftSessionEvents)) return isOfReferees(audience) && isOfPoolers(audience)
  return !poolingEvents.some((prefix) => type.startsWith(prefix)) || isOfPoolers(audience)
}

function isOfPoolers(audience: string): boolean {
  return audience.endsWith(withPools) || audience === headPoolerAudience || audience === poolerAudience
}

/** Whether all members of the audience are referees; the organiser and admins count as referees. */
function isOfReferees(audience: string): boolean {
  const [rank = '', ...parts] = audience.split('+')
  return ['organisers', 'referees'].includes(rank) || parts.includes(withReferees.slice(1))
}

/** Types of events that may change whether a tournament is hidden from the public. */
export const hidingEvents = ['tournament.status_changed'] as const

/**
 * Whether the tournament was hidden from the public before the event and is hidden after it; null if the event cannot
 * change that. (D25)
 */
export function hidingOf(event: LoggedEvent): { readonly before: boolean; readonly after: boolean } | null {
  if (event.type !== 'tournament.status_changed') return null
  return { before: event.before.status === 'draft', after: event.after.status === 'draft' }
}
