import { isGuid } from '../../core/ids.ts'
import { invalid } from '../../core/problem.ts'
import { isTournamentRole, type TournamentRole } from '../../core/roles.ts'
import type { NamedTeam, NamedTournament, Notice } from './types.ts'

/** Nobody is told of what they did themselves. */
export function recipientsOf(userGuids: readonly (string | null)[], actor: string | null): string[] {
  return [...new Set(userGuids)].filter((guid) => guid !== null && guid !== actor) as string[]
}

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
  const guid = memberOf(after, 'platformGuid')
  return typeof guid === 'string' && isGuid(guid) ? guid : null
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
