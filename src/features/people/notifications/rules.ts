import type { EventOf, EventType } from '../../../core/events.ts'
import { invalid } from '../../../core/problem.ts'
import { isTournamentRole, type TournamentRole } from '../../../core/roles.ts'
import { isScope, scopeWords } from '../../../core/scopes.ts'
import type { Judge } from '../../../infra/outbox/types.ts'
import type { NamedTeam, NamedTournament, Notice, StandingMap } from './types.ts'

/**
 * Users are not notified of their own actions, except for security events: another person may have used the account.
 */
export function recipientsOf(
  userGuids: readonly (string | null)[],
  { type, actor }: { readonly type: EventType; readonly actor: string | null },
): string[] {
  const doer = securityTypes.has(type) ? null : actor
  return [...new Set(userGuids)].filter((guid) => guid !== null && guid !== doer) as string[]
}

const securityTypes: ReadonlySet<EventType> = new Set(['sign_in.new_place', 'token.reused', 'application.granted'])

/** The members of an event from which a notification is made. */
type Change<Type extends EventType> = Pick<EventOf<Type>, 'type' | 'before' | 'after'>

export type TeamStep =
  | 'team.registered'
  | 'team.unregistered'
  | 'team.qualified'
  | 'team.disqualified'
  | 'team.withdrawn'
  | 'team.returned'

/**
 * Notifies the members of a team of a change of its registration. A new seed of a team that is qualified already
 * counts, too. The reason of a withdrawal is only for the tournament's staff.
 * (rest-interface: Team registration; additions: Teams)
 */
export function teamNotice({ type, before, after }: Change<TeamStep>, team: NamedTeam): Notice | null {
  const { seed } = after
  const wasQualified = before.status === 'qualified'
  if (type === 'team.qualified' && wasQualified && before.seed === seed) return null
  return {
    type,
    title: teamSentences[type](team.name, team.tournament.name, wasQualified),
    body: type === 'team.qualified' && seed !== null ? `Its seed is ${seed}.` : '',
    data: { teamGuid: team.guid, tournamentGuid: team.tournament.guid },
  }
}

type TeamSentence = (team: string, tournament: string, wasQualified: boolean) => string

const teamSentences: Readonly<Record<TeamStep, TeamSentence>> = {
  'team.registered': (team, tournament) => `${team} is registered for ${tournament}`,
  'team.unregistered': (team, tournament) => `${team} is no longer registered for ${tournament}`,
  'team.qualified': (team, tournament, wasQualified) =>
    wasQualified ? `${team} has another seed in ${tournament}` : `${team} has qualified in ${tournament}`,
  'team.disqualified': (team, tournament) => `${team} is no longer among the qualified teams of ${tournament}`,
  'team.withdrawn': (team, tournament) => `${team} was withdrawn from ${tournament}`,
  'team.returned': (team, tournament) => `${team} is back in ${tournament}`,
}

/** Notifies the members of a team that their private answers will become public. (D74) */
export function answersNotice({ after }: Change<'team.answers_announced'>, team: NamedTeam): Notice {
  const fields = after.fields.map((label) => `“${label}”`).join(', ')
  return {
    type: 'team.answers_announced',
    title: `Answers of ${team.name} in ${team.tournament.name} will be public`,
    body: `The organiser made public what is asked as ${fields}. What you answered privately is shown to everybody from ${after.publicAt} on, unless it is changed or taken back before.`,
    data: { teamGuid: team.guid, tournamentGuid: team.tournament.guid, publicAt: after.publicAt },
  }
}

/** Notifies the members of both teams that their match is called. (D85) */
export function callNotice(
  { type, subject, after }: Change<'match.called'> & { readonly subject: string },
  tournament: Pick<NamedTournament, 'guid' | 'name'>,
): Notice {
  return {
    type,
    title: `Your match in ${tournament.name} is called`,
    body: after.message ?? '',
    data: { tournamentGuid: tournament.guid, matchGuid: subject },
  }
}

/** Notifies the captains of registered teams that their tournament was cancelled. (D25) */
export function cancellationNotice(
  { after }: Change<'tournament.status_changed'>,
  tournament: NamedTournament,
): Notice | null {
  if (after.status !== 'cancelled') return null
  return {
    type: 'tournament.cancelled',
    title: `${tournament.name} was cancelled`,
    body: '',
    data: { tournamentGuid: tournament.guid },
  }
}

/** Notifies the captains of registered teams which maps are played, and of corrections. (pools: States) */
export function poolNotice(
  { type, subject, after }: Change<'pool.published' | 'pool.announced'> & { readonly subject: string },
  tournament: NamedTournament,
): Notice {
  const isNew = type === 'pool.published'
  return {
    type: isNew ? 'pool.published' : 'pool.corrected',
    title: isNew
      ? `The map pool ${after.name} of ${tournament.name} is published`
      : `The map pool ${after.name} of ${tournament.name} was corrected`,
    body: '',
    data: { tournamentGuid: tournament.guid, poolGuid: subject },
  }
}

/**
 * Notifies the user who suggested a map of the decision and its reason. The pool of the map is only for poolers.
 * (pools: Suggestions, votes, comments, rule 3)
 */
export function suggestionNotice(
  { type, subject, after }: Change<'suggestion.accepted' | 'suggestion.rejected'> & { readonly subject: string },
  tournament: NamedTournament,
): Notice {
  const map = after.name === null ? 'a map' : `“${after.name}”`
  return {
    type,
    title: `Your suggestion of ${map} for ${tournament.name} was ${type === 'suggestion.accepted' ? 'accepted' : 'rejected'}`,
    body: after.reason ?? '',
    data: { tournamentGuid: tournament.guid, suggestionGuid: subject },
  }
}

export type MapStep = 'map.resolved' | 'map.changed' | 'pool.map_described'

/**
 * Notifies poolers that the version of a map in their pool is no longer published. (pools: Version watch) Only the
 * catalogue itself, which is no actor, is a reason for it: nothing is sent because of an import. (P6)
 */
export function mapNotice(
  { type, actor, before, after }: Change<MapStep> & Pick<EventOf<MapStep>, 'actor'>,
  { pool, poolMapGuid, isLed, map, tournament }: StandingMap,
): Notice | null {
  const { state, currentHash = null } = after
  if (actor !== null || (state === before.state && currentHash === (before.currentHash ?? null))) return null
  // Another event reports this map as outdated.
  if (state === 'missing' && isLed && type !== 'pool.map_described') return null
  const data = { tournamentGuid: tournament.guid, poolGuid: pool.guid, poolMapGuid, hash: map.hash }
  const name = map.name ?? map.hash
  if (state === 'missing') {
    const title = `The catalogue has ${name} of the pool ${pool.name} no more`
    return { type: 'pool.map_missing', title, body: tournament.name, data }
  }
  if (state !== 'outdated') return null
  const title = `Another version of ${name} of the pool ${pool.name} is published`
  return { type: 'pool.map_outdated', title, body: tournament.name, data: { ...data, currentHash } }
}

/**
 * Notifies a user of a role in a tournament that was granted to them or revoked.
 * (rest-interface: Tournament permissions)
 */
export function roleNotice(
  change: Change<'access.granted'> | Change<'access.revoked'>,
  tournament: NamedTournament,
): Notice | null {
  const isGranted = change.type === 'access.granted'
  const { role } = isGranted ? change.after : change.before
  // The event may name a role that has since been removed from the service.
  if (!isTournamentRole(role)) return null
  return {
    type: change.type,
    title: isGranted
      ? `You are now ${roleWords[role]} of ${tournament.name}`
      : `You are no longer ${roleWords[role]} of ${tournament.name}`,
    body: '',
    data: { tournamentGuid: tournament.guid, role },
  }
}

const roleWords: Readonly<Record<TournamentRole, string>> = {
  'role:admin': 'an admin',
  'role:staff': 'a member of the staff',
  'role:coordinator': 'a coordinator',
  'role:hcoordinator': 'a head coordinator',
  'role:pooler': 'a pooler',
  'role:hpooler': 'a head pooler',
  'role:caster': 'a caster',
  'role:hcaster': 'a head caster',
  'role:host': 'a host',
  'role:referee': 'a referee',
}

/**
 * Notifies the organiser of a decision, with what the tournament's staff may know: a block is shown as a rejection
 * without a reason. (rest-interface: Errors, 5)
 */
export function decisionNotice(
  { type, after }: Change<'visibility.approved' | 'visibility.rejected'>,
  tournament: NamedTournament,
  platformName: string,
): Notice {
  const { platformGuid, reason } = after
  return {
    type,
    title:
      type === 'visibility.approved'
        ? `${platformName} lists ${tournament.name}`
        : `${platformName} does not list ${tournament.name}`,
    body: reason ?? '',
    data: { tournamentGuid: tournament.guid, platformGuid },
  }
}

/** Notifies the holder of an account of a sign-in from a network that is new for the account. */
export function newPlaceNotice({ type, after }: Change<'sign_in.new_place'>): Notice {
  const { sessionGuid, userAgent } = after
  const means = userAgent !== null ? ` What was used calls itself “${userAgent}”.` : ''
  return {
    type,
    title: 'Somebody signed in to your account from a new place',
    body: `If this was you, there is nothing to do. If this was not you, end that sign-in in the ${list} and ${secureAccount}.${means}`,
    data: { sessionGuid },
  }
}

/**
 * Notifies a user that an application lost its access because its credential was used twice, and what that may mean.
 * (D22, D38)
 * @param name the application's name; null if it was deleted
 */
export function reuseNotice({ type, after }: Change<'token.reused'>, name: string | null): Notice {
  const { clientId, kind } = after
  return {
    type,
    title: `The access of ${name ?? anApplication} to your account was ended`,
    body: `${secretWords[kind]} was used a second time, so somebody may have copied it. Nothing that was given for it works any more. If you use this application, let it in again. If you do not, or this happens again, end what it was granted in the ${list} and tell those who make it.`,
    data: { clientId },
  }
}

const secretWords: Readonly<Record<EventOf<'token.reused'>['after']['kind'], string>> = {
  code: 'The code that let it in',
  refresh_token: 'A token that keeps it signed in',
  device_code: 'The code that let it in on a device',
}

/**
 * Notifies the holder of an account what an application may do from now on, even if they agreed to it themselves.
 * @param name the application's name; null if it was deleted
 */
export function grantNotice({ type, after }: Change<'application.granted'>, name: string | null): Notice {
  const { clientId, scopes } = after
  // The event may name a scope that has since been removed from the service.
  const words = scopes.filter(isScope).map((scope) => scopeWords[scope])
  const may = words.length === 0 ? '' : `It may: ${words.join('; ')}. `
  return {
    type,
    title: `Your account now lets ${name ?? anApplication} act for you`,
    body: `${may}If this was not you, end that in the ${list}, with every sign-in there that is not yours, and ${secureAccount}.`,
    data: { clientId },
  }
}

const anApplication = 'an application'
const list = 'list of your sign-ins'
/** A person who can use the chat account can use this account, too. */
const secureAccount = 'change the password of the chat account that you sign in with'

export interface ReadInput {
  readonly guids?: readonly string[]
  readonly all?: true
}

/** A request marks either the named notifications or all of them as read. (additions: Users) */
export function readTarget({ guids, all }: ReadInput): readonly string[] | 'all' {
  if (guids !== undefined && all === undefined) return guids
  if (all !== undefined && guids === undefined) return 'all'
  throw invalid('notification.target_unclear', 'Give either "guids", a list of GUIDs, or "all": true.')
}

const firstWaitMs = 1_000
const maxAttempts = 12

/** The service itself keeps notifications and tries again with growing waits, for about an hour. (R3) */
export const judgeNotice: Judge = ({ attempts }, { status, retryAfterMs }, now) => {
  if (status < 300) return { kind: 'sent' }
  if (attempts + 1 >= maxAttempts) return { kind: 'dropped' }
  return { kind: 'retry', at: new Date(now.getTime() + Math.max(firstWaitMs * 2 ** attempts, retryAfterMs ?? 0)) }
}
