import type { EventTable, MembersOf, TournamentEvent } from '../../../core/events.ts'
import type { WithdrawalPolicy } from '../../../engine/types.ts'
import type { Invitation, Team, TeamMember } from './types.ts'

type Details = MembersOf<Team, 'id' | 'name' | 'imageUrl' | 'color' | 'captainGuid'>
type Standing = Pick<Team, 'status' | 'seed'>
type Roster = Pick<TeamMember, 'userGuid' | 'isActive'>
type Invited = Pick<Invitation, 'teamGuid' | 'userGuid' | 'status'>

/** Ids and names that were made of the captain's are left out. (D35) */
export type TeamEvent =
  | TournamentEvent<'team.created', { after: MembersOf<Team, 'id' | 'name' | 'captainGuid'> }>
  /** With neither side where the name of somebody who gave up their account was taken out. */
  | TournamentEvent<'team.updated', { before: Details | null; after: Details | null }>
  | TournamentEvent<
      'team.deleted',
      {
        before: MembersOf<Team, 'id' | 'name' | 'status' | 'captainGuid'> & { readonly memberGuids?: readonly string[] }
      }
    >
  | TournamentEvent<
      'team.withdrawn',
      { before: Standing; after: Standing & { readonly reason: string; readonly policy: WithdrawalPolicy } }
    >
  | TournamentEvent<'team.member_joined', { after: Roster }>
  | TournamentEvent<'team.member_updated', { before: Roster; after: Roster }>
  /** By themselves. */
  | TournamentEvent<'team.member_left', { before: Roster }>
  /** By those who manage the team. */
  | TournamentEvent<'team.member_removed', { before: Roster }>
  /** The message is between the team and the invited user. */
  | TournamentEvent<'invitation.created' | 'invitation.declined' | 'invitation.revoked', { after: Invited }>

declare module '../../../core/events.ts' {
  interface Events {
    teams: TeamEvent
  }
}

const details = { id: 'private', name: 'private', captainGuid: 'private' } as const
const roster = { userGuid: 'private', isActive: 'private' } as const
const invited = { teamGuid: 'private', userGuid: 'private', status: 'private' } as const

export const teamsEvents: EventTable<TeamEvent> = {
  'team.created': { subject: 'team', members: { id: 'public', name: 'public', captainGuid: 'public' } },
  'team.updated': { subject: 'team', members: { ...details, imageUrl: 'private', color: 'private' } },
  'team.deleted': { subject: 'team', members: { ...details, status: 'private', memberGuids: 'private' } },
  'team.withdrawn': {
    subject: 'team',
    members: { status: 'public', seed: 'public', reason: 'private', policy: 'private' },
  },
  'team.member_joined': { subject: 'team', members: roster },
  'team.member_updated': { subject: 'team', members: roster },
  'team.member_left': { subject: 'team', members: roster },
  'team.member_removed': { subject: 'team', members: roster },
  'invitation.created': { subject: 'invitation', members: invited },
  'invitation.declined': { subject: 'invitation', members: invited },
  'invitation.revoked': { subject: 'invitation', members: invited },
}
