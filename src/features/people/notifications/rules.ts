import { isGuid } from '../../../core/ids.ts'
import { invalid } from '../../../core/problem.ts'
import { isTournamentRole, type TournamentRole } from '../../../core/roles.ts'
import { isScope, scopeWords } from '../../../core/scopes.ts'
import type { NamedTeam, NamedTournament, Notice } from './types.ts'

/** Nobody is told of what they did themselves, but in matters of security: there it may have been somebody else. */
export function recipientsOf(
  userGuids: readonly (string | null)[],
  { type, actor }: { readonly type: string; readonly actor: string | null },
): string[] {
  const doer = securityTypes.has(type) ? null : actor
  return [...new Set(userGuids)].filter((guid) => guid !== null && guid !== doer) as string[]
}

const securityTypes: ReadonlySet<string> = new Set(['sign_in.new_place', 'token.reused', 'application.granted'])

/** What an event tells of the state before or after it: whatever its slice wrote there. */
type State = unknown

export interface Change {
  readonly type: string
  readonly before: State
  readonly after: State
}

/** The members of a team learn where it stands; a new seed of a team that is qualified already counts too. (rest-interface: Team registration) */
export function teamNotice({ type, before, after }: Change, team: NamedTeam): Notice | null {
  const seed = memberOf(after, 'seed')
  const wasQualified = memberOf(before, 'status') === 'qualified'
  if (type === 'team.qualified' && wasQualified && memberOf(before, 'seed') === seed) return null
  const sentence = teamSentences[type]
  if (sentence === undefined) return null
  return {
    type,
    title: sentence(team.name, team.tournament.name, wasQualified),
    body: type === 'team.qualified' && typeof seed === 'number' ? `Its seed is ${seed}.` : '',
    data: { teamGuid: team.guid, tournamentGuid: team.tournament.guid },
  }
}

type TeamSentence = (team: string, tournament: string, wasQualified: boolean) => string

const teamSentences: Readonly<Record<string, TeamSentence>> = {
  'team.registered': (team, tournament) => `${team} is registered for ${tournament}`,
  'team.unregistered': (team, tournament) => `${team} is no longer registered for ${tournament}`,
  'team.qualified': (team, tournament, wasQualified) =>
    wasQualified ? `${team} has another seed in ${tournament}` : `${team} has qualified in ${tournament}`,
  'team.disqualified': (team, tournament) => `${team} is no longer among the qualified teams of ${tournament}`,
}

/** The captains of registered teams learn that their tournament will not take place. (D25) */
export function cancellationNotice({ after }: Change, tournament: NamedTournament): Notice | null {
  if (memberOf(after, 'status') !== 'cancelled') return null
  return {
    type: 'tournament.cancelled',
    title: `${tournament.name} was cancelled`,
    body: '',
    data: { tournamentGuid: tournament.guid },
  }
}

/** Whoever is given a role in a tournament, or loses it, learns which. (rest-interface: Tournament permissions) */
export function roleNotice({ type, before, after }: Change, tournament: NamedTournament): Notice | null {
  const isGranted = type === 'access.granted'
  const role = memberOf(isGranted ? after : before, 'role')
  if (typeof role !== 'string' || !isTournamentRole(role)) return null
  return {
    type,
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

/** The platform that a decision on visibility comes from. */
export function platformOfDecision({ after }: Change): string | null {
  return guidIn(after, 'platformGuid')
}

/** The organiser learns of decisions as the tournament's staff may know them: a block is a rejection without a reason. (rest-interface: Errors 5) */
export function decisionNotice(
  { type, after }: Change,
  tournament: NamedTournament,
  platform: { readonly guid: string; readonly name: string },
): Notice {
  const reason = memberOf(after, 'reason')
  return {
    type,
    title:
      type === 'visibility.approved'
        ? `${platform.name} lists ${tournament.name}`
        : `${platform.name} does not list ${tournament.name}`,
    body: typeof reason === 'string' ? reason : '',
    data: { tournamentGuid: tournament.guid, platformGuid: platform.guid },
  }
}

/** The holder of an account learns that somebody signed in to it from a network that is new to it. */
export function newPlaceNotice({ type, after }: Change): Notice | null {
  const sessionGuid = guidIn(after, 'sessionGuid')
  if (sessionGuid === null) return null
  const userAgent = memberOf(after, 'userAgent')
  const means = typeof userAgent === 'string' ? ` What was used calls itself “${userAgent}”.` : ''
  return {
    type,
    title: 'Somebody signed in to your account from a new place',
    body: `If this was you, there is nothing to do. If this was not you, end that sign-in in the ${list} and ${secureAccount}.${means}`,
    data: { sessionGuid },
  }
}

/** The application that an event is about. */
export function applicationOf({ after }: Change): string | null {
  return guidIn(after, 'clientId')
}

export interface NamedApplication {
  readonly clientId: string
  /** null for one that is gone. */
  readonly name: string | null
}

/** A user learns that an application lost its access because what let it in was used twice, and what that may mean. (D22, D38) */
export function reuseNotice({ type, after }: Change, { clientId, name }: NamedApplication): Notice {
  const secret = secretWords.get(memberOf(after, 'kind')) ?? 'What let it in'
  return {
    type,
    title: `The access of ${name ?? anApplication} to your account was ended`,
    body: `${secret} was used a second time, so somebody may have copied it. Nothing that was given for it works any more. If you use this application, let it in again. If you do not, or this happens again, end what it was granted in the ${list} and tell those who make it.`,
    data: { clientId },
  }
}

const secretWords: ReadonlyMap<unknown, string> = new Map([
  ['code', 'The code that let it in'],
  ['refresh_token', 'A token that keeps it signed in'],
  ['device_code', 'The code that let it in on a device'],
])

/** The holder of an account learns what an application may do from now on, whoever agreed to it. */
export function grantNotice({ type, after }: Change, { clientId, name }: NamedApplication): Notice {
  const scopes = memberOf(after, 'scopes')
  const named: readonly unknown[] = Array.isArray(scopes) ? scopes : []
  const words = named.flatMap((scope) => (typeof scope === 'string' && isScope(scope) ? [scopeWords[scope]] : []))
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

function guidIn(state: State, name: string): string | null {
  const guid = memberOf(state, name)
  return typeof guid === 'string' && isGuid(guid) ? guid : null
}

function memberOf(state: State, name: string): unknown {
  return typeof state === 'object' && state !== null ? (state as Readonly<Record<string, unknown>>)[name] : undefined
}

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
