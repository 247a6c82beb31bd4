import { type EventTable, everyMember, type TournamentEvent } from '../../../core/events.ts'
import type { Differing } from './commands/differences.ts'
import type { Tournament } from './types.ts'
import type { SettingsView } from './views.ts'

type Settings = Differing<SettingsView> & Partial<Pick<Tournament, 'visibilityScope'>>
type Status = Pick<Tournament, 'status'>
type Organiser = Pick<Tournament, 'organiserGuid'>

/** The tournament is both the subject and the tournament of these events. */
export type TournamentChange =
  /** The settings that differ from their defaults. */
  | TournamentEvent<'tournament.created', { after: Differing<SettingsView> }>
  /** Changed settings, or `visibilityScope` alone. The event has `rights` if it changes who may follow live scores. */
  | TournamentEvent<'tournament.updated', { before: Settings; after: Settings }>
  | TournamentEvent<'tournament.updated', { before: Settings; after: Settings; rights: true }>
  /** `reason` is the organiser's reason, if given. A platform's reason is not logged: the staff may not read it. */
  | TournamentEvent<
      'tournament.status_changed',
      { before: Status; after: Status & { readonly reason?: string }; rights: true }
    >
  /** The tournament's place on public lists changed, but its status did not. */
  | TournamentEvent<'tournament.listing_refreshed'>
  | TournamentEvent<'tournament.handed_over', { before: Organiser; after: Organiser; rights: true }>
  | TournamentEvent<'tournament.deleted', { before: Pick<Tournament, 'id' | 'name'>; rights: true }>

declare module '../../../core/events.ts' {
  interface Events {
    tournaments: TournamentChange
  }
}

const settingNames = [
  'id',
  'name',
  'summary',
  'description',
  'rules',
  'prizes',
  'imageUrl',
  'bannerUrl',
  'timezone',
  'startsAt',
  'endsAt',
  'registrationOpensAt',
  'registrationClosesAt',
  'rosterLocksAt',
  'teamSize',
  'capacity',
  'publicRegistration',
  'requirements',
  'additionalFields',
  'links',
  'language',
  'streamDelaySeconds',
  'liveScores',
  'spoilerMode',
] as const satisfies readonly (keyof SettingsView)[]

/** For those alone who may change settings. */
const ofChat = everyMember(['chatWebhookUrl', 'chatWebhooks', 'announcements', 'announcementRoles'], 'private')

export const tournamentsEvents: EventTable<TournamentChange> = {
  'tournament.created': {
    subject: 'tournament',
    members: { ...everyMember(settingNames, 'private'), ...ofChat },
  },
  'tournament.updated': {
    subject: 'tournament',
    members: { ...everyMember(settingNames, 'public'), ...ofChat, visibilityScope: 'public' },
  },
  'tournament.status_changed': { subject: 'tournament', members: { status: 'public', reason: 'private' } },
  'tournament.listing_refreshed': { subject: 'tournament' },
  'tournament.handed_over': { subject: 'tournament', members: { organiserGuid: 'private' } },
  'tournament.deleted': { subject: 'tournament', members: { id: 'private', name: 'private' } },
}
