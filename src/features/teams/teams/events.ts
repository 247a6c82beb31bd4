import type { EventTable, MembersOf, TournamentEvent } from '../../../core/events.ts'
import type { WithdrawalPolicy } from '../../../engine/types.ts'
import type { Invitation, Team, TeamMember } from './types.ts'

type Details = MembersOf<Team, 'id' | 'name' | 'imageUrl' | 'color' | 'captainGuid'>
type Standing = Pick<Team, 'status' | 'seed'>
type Roster = Pick<TeamMember, 'userGuid' | 'isActive'>
type Invited = Pick<Invitation, 'teamGuid' | 'userGuid' | 'status'>

/** Ids and names that were derived from the captain's are left out. (D35) */
export type TeamEvent =
  | TournamentEvent<'team.created', { after: MembersOf<Team, 'id' | 'name' | 'captainGuid'> }>
  /** Both sides are absent if the name of a user who deleted their account was removed. */
  | TournamentEvent<'team.updated', { before: Details | null; after: Details | null }>
  | TournamentEvent<
      'team.deleted',
      {
        before: MembersOf<Team, 'id' | 'name' | 'status' | 'captainGuid'> & { readonly memberGuids?: readonly string[] }
      }
    >
  | TournamentEvent<
      'team.withdrawn',
      {
        before: Standing
        /** `correctionGuid`: the return that this withdrawal undoes. */
        after: Standing & {
          readonly reason: string
          readonly policy: WithdrawalPolicy
          readonly correctionGuid?: string
        }
      }
    >
  /** The team's withdrawal was taken back. */
  | TournamentEvent<
      'team.returned',
      { before: Standing; after: Standing & { readonly correctionGuid: string; readonly reason?: string } }
    >
  /** The team's private answers will become public: the labels of their fields, and the date. */
  | TournamentEvent<
      'team.answers_announced',
      { after: { readonly fields: readonly string[]; readonly publicAt: string } }
    >
  /** The team's private answers have become public. */
  | TournamentEvent<'team.answers_published', { after: { readonly fieldGuids: readonly string[] } }>
  | TournamentEvent<'team.member_joined', { after: Roster }>
  | TournamentEvent<'team.member_updated', { before: Roster; after: Roster }>
  /** The member left by their own request. */
  | TournamentEvent<'team.member_left', { before: Roster }>
  /** A manager of the team removed the member. */
  | TournamentEvent<'team.member_removed', { before: Roster }>
  /** Without the message, which is private to the team and the invited user. */
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
    members: { status: 'public', seed: 'public', reason: 'private', policy: 'private', correctionGuid: 'private' },
  },
  'team.returned': {
    subject: 'team',
    members: { status: 'public', seed: 'public', reason: 'private', correctionGuid: 'private' },
  },
  'team.answers_announced': { subject: 'team', members: { fields: 'private', publicAt: 'private' } },
  'team.answers_published': { subject: 'team', members: { fieldGuids: 'private' } },
  'team.member_joined': { subject: 'team', members: roster },
  'team.member_updated': { subject: 'team', members: roster },
  'team.member_left': { subject: 'team', members: roster },
  'team.member_removed': { subject: 'team', members: roster },
  'invitation.created': { subject: 'invitation', members: invited },
  'invitation.declined': { subject: 'invitation', members: invited },
  'invitation.revoked': { subject: 'invitation', members: invited },
}
