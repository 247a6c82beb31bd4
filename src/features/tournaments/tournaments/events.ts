import { type EventTable, everyMember, type TournamentEvent } from '../../../core/events.ts'
import type { Differing } from './commands/differences.ts'
import type { Tournament } from './types.ts'
import type { SettingsView } from './views.ts'

type Settings = Differing<SettingsView> & Partial<Pick<Tournament, 'visibilityScope'>>
type Status = Pick<Tournament, 'status'>
type Organiser = Pick<Tournament, 'organiserGuid'>

/** The tournament is the subject, too. */
export type TournamentChange =
  /** What is not as it is by default. */
  | TournamentEvent<'tournament.created', { after: Differing<SettingsView> }>
  /** Settings, or `visibilityScope` alone; with `rights` where they change who may follow live scores. */
  | TournamentEvent<'tournament.updated', { before: Settings; after: Settings }>
  | TournamentEvent<'tournament.updated', { before: Settings; after: Settings; rights: true }>
  /** `reason` where the organiser's side gave one; why a platform decided so is not for them to read here. */
  | TournamentEvent<
      'tournament.status_changed',
      { before: Status; after: Status & { readonly reason?: string }; rights: true }
    >
  /** Another place on public lists, with the status as it was. */
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
  'streamDelaySeconds',
  'liveScores',
] as const satisfies readonly (keyof SettingsView)[]

export const tournamentsEvents: EventTable<TournamentChange> = {
  'tournament.created': {
    subject: 'tournament',
    members: { ...everyMember(settingNames, 'private'), chatWebhookUrl: 'private' },
  },
  'tournament.updated': {
    subject: 'tournament',
    members: { ...everyMember(settingNames, 'public'), chatWebhookUrl: 'private', visibilityScope: 'public' },
  },
  'tournament.status_changed': { subject: 'tournament', members: { status: 'public', reason: 'private' } },
  'tournament.listing_refreshed': { subject: 'tournament' },
  'tournament.handed_over': { subject: 'tournament', members: { organiserGuid: 'private' } },
  'tournament.deleted': { subject: 'tournament', members: { id: 'private', name: 'private' } },
}
