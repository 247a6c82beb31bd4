import type { EventOf, EventType } from '../../../core/events.ts'
import { invalid } from '../../../core/problem.ts'
import { isTournamentRole, type TournamentRole } from '../../../core/roles.ts'
import { isScope, scopeWords } from '../../../core/scopes.ts'
import type { NamedTeam, NamedTournament, Notice, StandingMap } from './types.ts'

/** Users are not notified of what they did themselves, except in matters of security: that may have been somebody else. */
export function recipientsOf(
  userGuids: readonly (string | null)[],
  { type, actor }: { readonly type: EventType; readonly actor: string | null },
): string[] {
  const doer = securityTypes.has(type) ? null : actor
  return [...new Set(userGuids)].filter((guid) => guid !== null && guid !== doer) as string[]
}

const securityTypes: ReadonlySet<EventType> = new Set(['sign_in.new_place', 'token.reused', 'application.granted'])

/** What messages are made of. */
type Change<Type extends EventType> = Pick<EventOf<Type>, 'type' | 'before' | 'after'>

export type TeamStep =
  | 'team.registered'
  | 'team.unregistered'
  | 'team.qualified'
  | 'team.disqualified'
  | 'team.withdrawn'
  | 'team.returned'

/**
 * The members of a team learn where it stands; a new seed of a team that is qualified already counts too. Why it was withdrawn is
 * for the tournament's staff. (rest-interface: Team registration; additions: Teams)
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

/** The members of a team learn that answers which they gave privately will be public. (D74) */
export function answersNotice({ after }: Change<'team.answers_announced'>, team: NamedTeam): Notice {
  const fields = after.fields.map((label) => `“${label}”`).join(', ')
  return {
    type: 'team.answers_announced',
    title: `Answers of ${team.name} in ${team.tournament.name} will be public`,
    body: `The organiser made public what is asked as ${fields}. What you answered privately is shown to everybody from ${after.publicAt} on, unless it is changed or taken back before.`,
    data: { teamGuid: team.guid, tournamentGuid: team.tournament.guid, publicAt: after.publicAt },
  }
}

/** The captains of registered teams learn that their tournament will not take place. (D25) */
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

/** The captains of registered teams learn which maps are played, and when these are corrected. (pools: States) */
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
 * Whoever suggested a map learns what was decided, and why; not into which pool it goes, which is for poolers alone. (pools:
 * Suggestions, votes, comments, rule 3)
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

/** Poolers learn that a map in a pool of theirs is not published any more as it stands there. (pools: Version watch) */
export function mapNotice(
  { type, before, after }: Change<MapStep>,
  { pool, poolMapGuid, isLed, map, tournament }: StandingMap,
): Notice | null {
  const { state, currentHash = null } = after
  if (state === before.state && currentHash === (before.currentHash ?? null)) return null
  // Of what is outdated there another event tells.
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

/** Whoever is given a role in a tournament, or loses it, learns which. (rest-interface: Tournament permissions) */
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

/** The organiser learns of decisions as the tournament's staff may know them: a block is a rejection without a reason. (rest-interface: Errors, 5) */
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

/** The holder of an account learns that somebody signed in to it from a network that is new to it. */
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
 * A user learns that an application lost its access because what let it in was used twice, and what that may mean. (D22, D38)
 * @param name of the application; null for one that is gone
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
 * The holder of an account learns what an application may do from now on, whoever agreed to it.
 * @param name of the application; null for one that is gone
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
/** Whoever holds the chat account holds this one. */
const secureAccount = 'change the password of the chat account that you sign in with'

export interface ReadInput {
  readonly guids?: readonly string[]
  readonly all?: true
}

/** Either the messages that are named or all of them are marked as read. (additions: Users) */
export function readTarget({ guids, all }: ReadInput): readonly string[] | 'all' {
  if (guids !== undefined && all === undefined) return guids
  if (all !== undefined && guids === undefined) return 'all'
  throw invalid('notification.target_unclear', 'Give either "guids", a list of GUIDs, or "all": true.')
}
