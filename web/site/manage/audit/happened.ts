import { type WordId, words } from '../../data/words.ts'

/** What happened, in words. What the pages have none for has its name in the log. */

/** What events are about, by the first words of their types, as readers choose among them. */
export const kinds = {
  settings: 'tournament,timeline,visibility,pooling,flow_plan',
  people: 'access,claim,users,availability',
  teams: 'team,teams,registration,invitation',
  matches: 'match,correction,bracket,division,schedule',
  qualifier: 'qualifier',
  pools: 'pool,flair,suggestion,pool_plan,import,map',
  updates: 'update',
  streams: 'assignment,channel,channels,overlay,overlay_template,media,badge_request',
  /** What a match tells while it is played. */
  play: 'flow,private_session,draft_session,assistant,stream',
} as const satisfies Readonly<Record<string, string>>

export type Kind = keyof typeof kinds

/** What people change, which is shown at first: matches tell so much while they are played that it would be lost. */
const { play: _play, ...changed } = kinds

/** The kinds of a choice; empty for all that there are. */
export function kindsOf(choice: string | undefined): string {
  if (choice === 'all') return ''
  return choice !== undefined && choice in kinds ? kinds[choice as Kind] : Object.values(changed).join(',')
}

const happened: Readonly<Record<string, WordId>> = {
  'tournament.created': 'happened.tournament-created',
  'tournament.imported': 'happened.tournament-imported',
  'tournament.updated': 'happened.tournament-updated',
  'tournament.status_changed': 'happened.tournament-status',
  'tournament.handed_over': 'happened.tournament-handed-over',
  'tournament.placements_changed': 'happened.placements',
  'timeline.replaced': 'happened.timeline',
  'visibility.requested': 'happened.visibility-requested',
  'visibility.approved': 'happened.visibility-approved',
  'visibility.rejected': 'happened.visibility-rejected',
  'visibility.withdrawn': 'happened.visibility-withdrawn',
  'access.granted': 'happened.role-given',
  'access.revoked': 'happened.role-taken',
  'users.placed': 'happened.users-placed',
  'claim.link_made': 'happened.claim-link',
  'claim.made': 'happened.claim-made',
  'claim.undone': 'happened.claim-undone',
  'update.published': 'happened.update-published',
  'update.edited': 'happened.update-edited',
  'update.deleted': 'happened.update-deleted',
  'team.created': 'happened.team-created',
  'team.updated': 'happened.team-updated',
  'team.deleted': 'happened.team-deleted',
  'team.registered': 'happened.team-registered',
  'team.unregistered': 'happened.team-unregistered',
  'team.qualified': 'happened.team-qualified',
  'team.disqualified': 'happened.team-disqualified',
  'team.withdrawn': 'happened.team-withdrawn',
  'team.returned': 'happened.team-returned',
  'team.member_joined': 'happened.member-joined',
  'team.member_updated': 'happened.member-updated',
  'team.member_left': 'happened.member-left',
  'team.member_removed': 'happened.member-removed',
  'invitation.created': 'happened.invitation',
  'teams.imported': 'happened.teams-imported',
  'registration.noted': 'happened.noted',
  'registration.messaged': 'happened.messaged',
  'division.created': 'happened.division-created',
  'division.updated': 'happened.division-updated',
  'division.deleted': 'happened.division-deleted',
  'bracket.created': 'happened.bracket-created',
  'bracket.updated': 'happened.bracket-updated',
  'bracket.generated': 'happened.bracket-generated',
  'bracket.entrants_placed': 'happened.bracket-placed',
  'bracket.round_paired': 'happened.bracket-paired',
  'bracket.deleted': 'happened.bracket-deleted',
  'match.called': 'happened.match-called',
  'match.started': 'happened.match-started',
  'match.game_reported': 'happened.match-game',
  'match.game_removed': 'happened.match-game-removed',
  'match.completed': 'happened.match-completed',
  'match.corrected': 'happened.match-corrected',
  'match.reopened': 'happened.match-reopened',
  'match.updated': 'happened.match-updated',
  'correction.undone': 'happened.correction-undone',
  'flow.begun': 'happened.flow-begun',
  'flow.row': 'happened.flow-row',
  'flow.shown': 'happened.flow-shown',
  'flow.overdue': 'happened.flow-overdue',
  'flow_plan.replaced': 'happened.flow-plan',
  'media.uploaded': 'happened.media-uploaded',
  'media.deleted': 'happened.media-deleted',
  'schedule.applied': 'happened.schedule-applied',
  'qualifier.updated': 'happened.qualifier-updated',
  'qualifier.attempts_recorded': 'happened.attempts-recorded',
  'qualifier.attempt_voided': 'happened.attempt-voided',
  'qualifier.synchronised': 'happened.qualifier-synchronised',
  'qualifier.seeded': 'happened.qualifier-seeded',
  'pool.created': 'happened.pool-created',
  'pool.drafted': 'happened.pool-drafted',
  'pool.published': 'happened.pool-published',
  'pool.corrected': 'happened.pool-corrected',
  'pool.deleted': 'happened.pool-deleted',
  'suggestion.created': 'happened.suggestion-created',
  'suggestion.accepted': 'happened.suggestion-accepted',
  'suggestion.rejected': 'happened.suggestion-rejected',
}

export function happenedIn(type: string): string {
  const word = happened[type]
  return word === undefined ? type.replaceAll(/[._]/g, ' ') : words(word)
}
