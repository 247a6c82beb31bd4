import { shortIdFault } from '../../../../core/ids.ts'
import { listEntries, readWords } from '../../../../core/list.ts'
import { readName } from '../../../../core/names.ts'
import { conflict, forbidden, invalid, type Problem } from '../../../../core/problem.ts'
import { oneLine } from '../../../../core/text.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import {
  type Invitation,
  type InvitationCounts,
  type Team,
  type TeamMember,
  type TeamStatus,
  teamStatuses,
} from '../types.ts'

export const maxNameCharacters = 64
/** Of the message of an invitation. */
export const maxMessageCharacters = 500
export const maxPendingOfTeam = 200
export const maxPendingOfUser = 200
/** The maximum number of invitations that a team may send: in total, and to one person. Closed ones count too. */
export const maxSent = { team: 500, person: 10 } as const

/**
 * A name is one line of 1 to 64 characters, at least one of them visible. (additions: Teams; D56)
 * @throws Problem `team.invalid`
 */
export function readTeamName(text: string): string {
  const name = readName(text)
  if (!name.ok) throw invalid('team.invalid', `The name of a team ${name.reason}.`)
  if (Array.from(name.value).length > maxNameCharacters) {
    throw invalid('team.invalid', `The name of a team must have at most ${maxNameCharacters} characters.`)
  }
  return name.value
}

/**
 * A short id has the form that D6 defines, and is saved in lower case.
 * @throws Problem `team.invalid`
 */
export function readTeamId(text: string): string {
  const fault = shortIdFault(text)
  if (fault !== null) throw invalid('team.invalid', `The id of a team ${fault}.`)
  return text.toLowerCase()
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/**
 * The default name of a team: its captain's name with a possessive suffix and, from the second attempt on, a number.
 * (rest-interface: Teams)
 */
export function defaultTeamName(preferredName: string, attempt: number): string {
  const suffix = attempt === 1 ? "'s team" : `'s team ${attempt}`
  let owner = ''
  for (const { segment } of graphemes.segment(oneLine(preferredName))) {
    if (Array.from(owner + segment + suffix).length > maxNameCharacters) break
    owner += segment
  }
  return owner.trimEnd() + suffix
}

/** The default short id of a team: its captain's chat-platform ID, numbered like names. (rest-interface: Teams) */
export function defaultTeamId(chatPlatformId: string, attempt: number): string {
  return attempt === 1 ? chatPlatformId : `${chatPlatformId}-${attempt}`
}

const defaultName = /'s team(?: \d+)?$/
const defaultId = /^\d{15,20}(?:-\d+)?$/

/** Whether a name has the form of a default name. */
export function isDefaultName(name: string): boolean {
  return defaultName.test(name)
}

/**
 * Returns the members of a team that may be logged. The log outlives accounts, so ids and names that were derived from
 * the captain's are left out, and how a name is spoken, which tells it. (D35)
 */
export function loggedMembers<Members extends Readonly<Record<string, unknown>>>(members: Members): Partial<Members> {
  const { id, name } = members
  const derived = { id: defaultId.test(String(id)), name: isDefaultName(String(name)), pronunciation: true }
  const kept = Object.entries(members).filter(
    ([member]) => !(member in derived && derived[member as keyof typeof derived]),
  )
  return Object.fromEntries(kept) as Partial<Members>
}

/**
 * Players may create teams while the tournament is approved; its organiser also before that and while it is ongoing.
 * (rest-interface: Teams)
 * @throws Problem `team.entries_closed`
 */
export function checkEntriesOpen(tournament: Pick<Tournament, 'status'>, byOrganiser: boolean): void {
  const { status } = tournament
  if (status === 'approved') return
  if (byOrganiser && (status === 'draft' || status === 'ongoing')) return
  throw conflict('team.entries_closed', `The tournament is ${status}, so that no team can be entered.`)
}

/**
 * Once a tournament is completed or cancelled, only its organiser may change its teams. (D25)
 * @throws Problem `tournament.over`
 */
export function checkNotOver(tournament: Pick<Tournament, 'status'>, byOrganiser: boolean): void {
  if (!byOrganiser && isTournamentOver(tournament)) throw tournamentOver(tournament)
}

/**
 * Teams can withdraw only from a tournament that is not over. (additions: Teams)
 * @throws Problem `tournament.over`
 */
export function checkWithdrawable(tournament: Pick<Tournament, 'status'>): void {
  if (isTournamentOver(tournament)) throw tournamentOver(tournament)
}

export function isTournamentOver({ status }: Pick<Tournament, 'status'>): boolean {
  return status === 'completed' || status === 'cancelled'
}

function tournamentOver({ status }: Pick<Tournament, 'status'>): Problem {
  return conflict('tournament.over', `The tournament is ${status}; its teams stay as they are.`)
}

/**
 * Users can be invited and can join while the tournament is approved or ongoing. Before that, only its staff may know
 * about it. (D25)
 * @throws Problem `tournament.not_open`
 */
export function checkJoinable({ status }: Pick<Tournament, 'status'>): void {
  if (status === 'approved' || status === 'ongoing') return
  throw conflict('tournament.not_open', `The tournament is ${status}, so that nobody can join a team.`)
}

/** A roster is locked by the team's registration, or from the tournament's lock date on. (D45) */
export function isRosterLocked(
  team: Pick<Team, 'rosterLocked'>,
  tournament: Pick<Tournament, 'rosterLocksAt'>,
  now: Date,
): boolean {
  const { rosterLocksAt } = tournament
  return team.rosterLocked || (rosterLocksAt !== null && rosterLocksAt.getTime() <= now.getTime())
}

/**
 * Only the organiser may change a locked roster and the team's name, id, looks and captain with it. (D45)
 * @throws Problem `team.roster_locked`
 */
export function checkRosterUnlocked(
  team: Pick<Team, 'rosterLocked'>,
  tournament: Pick<Tournament, 'rosterLocksAt'>,
  byOrganiser: boolean,
  now: Date,
): void {
  if (byOrganiser || !isRosterLocked(team, tournament, now)) return
  throw forbidden('team.roster_locked', 'The roster is locked; ask the organiser of the tournament to change it.')
}

/**
 * A user can be in only one team of a tournament, as captain or member. (D30)
 * @throws Problem `user.has_team`
 */
export function checkHasNoTeam(team: Team | undefined): void {
  if (team !== undefined) throw hasTeam()
}

export function hasTeam(): Problem {
  return conflict('user.has_team', 'This user already has a team, or is on another team, in this tournament.')
}

/**
 * A team may have only as many members as the tournament allows. (additions: Tournament record)
 * @throws Problem `team.full`
 */
export function checkHasRoom(members: readonly TeamMember[], tournament: Pick<Tournament, 'teamSizeMax'>): void {
  if (members.length < tournament.teamSizeMax) return
  throw conflict('team.full', `The team is full; it can have at most ${tournament.teamSizeMax} members.`)
}

/** Whether another member can be active. (additions: Tournament record) */
export function hasActiveRoom(members: readonly TeamMember[], tournament: Pick<Tournament, 'teamSizeActive'>): boolean {
  return members.filter((member) => member.isActive).length < tournament.teamSizeActive
}

/**
 * At most `teamSize.active` members can be active. (additions: Tournament record)
 * @throws Problem `team.active_full`
 */
export function checkHasActiveRoom(
  members: readonly TeamMember[],
  tournament: Pick<Tournament, 'teamSizeActive'>,
): void {
  if (hasActiveRoom(members, tournament)) return
  throw conflict(
    'team.active_full',
    `At most ${tournament.teamSizeActive} members can be active; make another one a substitute first.`,
  )
}

/**
 * The captain cannot leave the team; another member has to become captain first. (additions: Teams)
 * @throws Problem `member.is_captain`
 */
export function checkIsNotCaptain(team: Pick<Team, 'captainGuid'>, userGuid: string): void {
  if (team.captainGuid !== userGuid) return
  throw conflict('member.is_captain', 'The captain cannot leave; make another member the captain, or delete the team.')
}

/**
 * Users cannot invite themselves. (additions: Teams)
 * @throws Problem `invitation.self`
 */
export function checkIsNotSelf(inviterGuid: string, userGuid: string): void {
  if (inviterGuid === userGuid) throw conflict('invitation.self', 'You cannot invite yourself.')
}

/**
 * A team can have only one pending invitation to a user. The number of pending invitations is limited for the team and
 * for the user, so that each list fits into one answer. The number of sent ones is limited too: all of them are kept
 * and the user is notified of each, so inviting and revoking cannot go on without end. (D8)
 * @throws Problem `invitation.exists`, `invitation.limit_reached`, `invitation.too_many`
 */
export function checkMayInviteMore({ sent, pending }: InvitationCounts): void {
  if (pending.ofBoth > 0) throw invitationExists()
  if (sent.ofBoth >= maxSent.person) {
    throw conflict(
      'invitation.limit_reached',
      `The team has invited this user ${maxSent.person} times, as often as it may.`,
    )
  }
  if (sent.ofTeam >= maxSent.team) {
    throw conflict('invitation.limit_reached', `The team has sent ${maxSent.team} invitations, as many as it may.`)
  }
  if (pending.ofTeam >= maxPendingOfTeam) {
    throw conflict('invitation.too_many', `A team can have ${maxPendingOfTeam} pending invitations; revoke some first.`)
  }
  if (pending.ofUser >= maxPendingOfUser) {
    throw conflict('invitation.too_many', 'This user has too many pending invitations to be sent another one.')
  }
}

export function invitationExists(): Problem {
  return conflict('invitation.exists', 'This user is already invited to the team.')
}

/**
 * An invitation can be answered or revoked only once. (additions: Teams)
 * @throws Problem `invitation.closed`
 */
export function checkIsPending({ status }: Pick<Invitation, 'status'>): void {
  if (status !== 'pending') throw conflict('invitation.closed', `The invitation was ${status} before.`)
}

/**
 * The captain can delete the team until the tournament starts, the organiser at any time. (rest-interface: Teams)
 * @throws Problem `team.deletion_closed`
 */
export function checkDeletable({ status }: Pick<Tournament, 'status'>, byOrganiser: boolean): void {
  if (byOrganiser || status === 'draft' || status === 'approved') return
  throw forbidden('team.deletion_closed', `The tournament is ${status}; only its organiser can delete the team now.`)
}

/**
 * Parses a comma-separated list of statuses; undefined if it is empty. (additions: Teams)
 * @throws Problem `team.status_unknown`
 */
export function readStatuses(text: string | undefined): readonly TeamStatus[] | undefined {
  const named = listEntries(text ?? '').filter((entry) => entry !== '')
  return named.length === 0 ? undefined : readWords(named, teamStatuses, 'status', 'team.status_unknown')
}
