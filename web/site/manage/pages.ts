import type { WordId } from '../data/words.ts'

/**
 * The pages of those who run a tournament. The menu, the gate of the frame, the links of warnings and the tests follow this
 * list. A page exists for a reader where `access.read` names the operation that it is seen by. (W2)
 */

export interface ManagePage {
  readonly to: `/manage/$tournament${string}`
  readonly word: WordId
  /** Where the menu has it; pages without a group are reached from others. */
  readonly group?: (typeof groups)[number]
  /** It has the whole width: the menu is left out. */
  readonly isWhole?: boolean
  /** The operation of those who see the page. */
  readonly sees: string
  /** What can be done there, each by those who may use it. */
  readonly acts: readonly string[]
}

/** The parts of the menu, in the order of the work. */
export const groups = ['due', 'before', 'draw', 'day', 'after'] as const

export const managePages = [
  {
    to: '/manage/$tournament',
    word: 'manage.overview',
    group: 'due',
    sees: 'tournaments.health',
    acts: ['tournaments.changeStatus'],
  },
  {
    to: '/manage/$tournament/settings',
    word: 'manage.settings',
    group: 'before',
    sees: 'tournaments.update',
    acts: ['tournaments.update', 'tournaments.delete'],
  },
  {
    to: '/manage/$tournament/registration',
    word: 'manage.registration',
    group: 'before',
    sees: 'registration.desk',
    acts: ['registration.desk', 'registration.qualify', 'registration.setNote', 'registration.message'],
  },
  {
    to: '/manage/$tournament/registration/import',
    word: 'import.title',
    sees: 'teams.import',
    acts: ['teams.import'],
  },
  {
    to: '/manage/$tournament/teams/$team',
    word: 'manage.team',
    sees: 'teams.takeWithdrawalBack',
    acts: ['teams.withdraw', 'teams.takeWithdrawalBack'],
  },
  {
    to: '/manage/$tournament/staff',
    word: 'manage.staff',
    group: 'before',
    sees: 'access.grant',
    acts: ['access.grant', 'access.revoke', 'tournaments.handOver'],
  },
  {
    to: '/manage/$tournament/timeline',
    word: 'manage.timeline',
    group: 'before',
    sees: 'timeline.replace',
    acts: ['timeline.replace'],
  },
  {
    to: '/manage/$tournament/visibility',
    word: 'manage.visibility',
    group: 'before',
    sees: 'visibility.read',
    acts: ['visibility.choose'],
  },
  {
    to: '/manage/$tournament/updates',
    word: 'manage.updates',
    group: 'before',
    sees: 'updates.publish',
    acts: ['updates.publish', 'updates.edit', 'updates.delete', 'updates.retryChat'],
  },
  {
    to: '/manage/$tournament/announcements',
    word: 'manage.announcements',
    group: 'before',
    sees: 'announcements.test',
    acts: ['announcements.test'],
  },
  {
    to: '/manage/$tournament/pools',
    word: 'manage.pools',
    group: 'draw',
    sees: 'pooling.read',
    acts: ['pools.create', 'flairs.replace', 'pooling.update', 'plans.replace'],
  },
  {
    to: '/manage/$tournament/pools/$pool',
    word: 'manage.pools',
    sees: 'pooling.read',
    acts: ['pools.publish', 'pools.orderMaps', 'suggestions.vote', 'suggestions.accept'],
  },
  {
    to: '/manage/$tournament/pools/$pool/import',
    word: 'manage.pools-import',
    sees: 'imports.start',
    acts: ['imports.start'],
  },
  {
    to: '/manage/$tournament/flows',
    word: 'manage.flows',
    group: 'draw',
    sees: 'tournaments.health',
    acts: ['flows.create', 'flowPlans.replace'],
  },
  {
    to: '/manage/$tournament/flows/$flow',
    word: 'manage.flow',
    sees: 'tournaments.health',
    acts: ['flows.replace', 'flows.delete'],
  },
  {
    to: '/manage/$tournament/qualifier',
    word: 'manage.qualifier',
    group: 'draw',
    sees: 'qualifiers.recordAttempts',
    acts: ['qualifiers.put', 'qualifiers.voidAttempt', 'qualifiers.synchronise', 'qualifiers.seed'],
  },
  {
    to: '/manage/$tournament/brackets',
    word: 'draw.title',
    group: 'draw',
    sees: 'brackets.create',
    acts: [
      'divisions.create',
      'divisions.update',
      'divisions.delete',
      'brackets.create',
      'brackets.update',
      'brackets.generate',
      'brackets.placeEntrants',
      'brackets.pairRound',
      'brackets.delete',
    ],
  },
  {
    to: '/manage/$tournament/brackets/$bracket/seeding',
    word: 'seeding.title',
    sees: 'brackets.placeEntrants',
    acts: [],
  },
  {
    to: '/manage/$tournament/availability',
    word: 'manage.availability',
    group: 'draw',
    sees: 'availability.createSheet',
    acts: ['availability.createSheet', 'availability.replaceSheet', 'availability.deleteSheet'],
  },
  {
    to: '/manage/$tournament/schedule',
    word: 'manage.schedule',
    group: 'draw',
    sees: 'matches.update',
    acts: ['matches.update', 'schedules.propose', 'schedules.apply', 'estimates.make'],
  },
  {
    to: '/manage/$tournament/rehearsal',
    word: 'manage.rehearsal',
    group: 'draw',
    sees: 'rehearsals.list',
    acts: ['rehearsals.create', 'rehearsals.rename', 'rehearsals.delete'],
  },
  {
    to: '/manage/$tournament/rehearsal/$rehearsal',
    word: 'rehearse.title',
    sees: 'rehearsals.read',
    acts: ['rehearsals.setClock', 'rehearsals.play', 'rehearsals.setFaults', 'rehearsals.apply'],
  },
  {
    to: '/manage/$tournament/live',
    word: 'manage.live',
    group: 'day',
    sees: 'tournaments.health',
    acts: [
      'matches.start',
      'matches.call',
      'matches.update',
      'matches.reportResult',
      'flowSessions.begin',
      'flowSessions.override',
      'channels.replaceQueue',
      'registration.message',
    ],
  },
  {
    to: '/manage/$tournament/live/$match',
    word: 'cockpit.title',
    isWhole: true,
    sees: 'flowSessions.override',
    acts: [
      ...['flowSessions.act', 'flowSessions.claim', 'flowSessions.cancelClaim', 'flowSessions.undo'],
      ...['flowSessions.setClock', 'flowSessions.reportScores', 'flowSessions.correctScore', 'flowSessions.penalise'],
      ...['flowSessions.voidPenalty', 'flowSessions.override', 'flowSessions.restart', 'flowSessions.begin'],
      ...['matches.start', 'matches.reportGame', 'matches.removeGame', 'matches.reportResult', 'matches.reopen'],
      'corrections.undo',
    ],
  },
  {
    to: '/manage/$tournament/live/$match/caster',
    word: 'caster.title',
    isWhole: true,
    sees: 'tournaments.health',
    acts: [],
  },
  {
    to: '/manage/$tournament/streams',
    word: 'manage.streams',
    group: 'day',
    sees: 'streamSessions.list',
    acts: ['streamAssignments.create', 'channels.replace', 'channels.replaceQueue', 'streamSessions.cut'],
  },
  {
    to: '/manage/$tournament/overlays',
    word: 'manage.overlays',
    group: 'day',
    sees: 'overlays.list',
    acts: ['overlays.create', 'overlays.createToken'],
  },
  {
    to: '/manage/$tournament/media',
    word: 'manage.media',
    group: 'day',
    sees: 'media.listOfTournament',
    acts: ['media.listOfTournament'],
  },
  {
    to: '/manage/$tournament/assistant',
    word: 'manage.assistant',
    group: 'day',
    sees: 'assistant.read',
    acts: ['assistant.update', 'assistant.remove', 'assistant.test', 'assistant.push'],
  },
  {
    to: '/manage/$tournament/badges',
    word: 'manage.badges',
    group: 'after',
    sees: 'badgeRequests.list',
    acts: ['badgeRequests.create'],
  },
  {
    to: '/manage/$tournament/audit',
    word: 'manage.audit',
    group: 'after',
    sees: 'tournaments.audit',
    acts: ['corrections.undo'],
  },
  {
    to: '/manage/$tournament/deliveries',
    word: 'manage.deliveries',
    group: 'after',
    sees: 'deliveries.list',
    acts: ['deliveries.retry'],
  },
  {
    to: '/manage/$tournament/package',
    word: 'manage.package',
    group: 'after',
    sees: 'packages.list',
    acts: ['packages.export'],
  },
] as const satisfies readonly ManagePage[]

export type ManagePath = (typeof managePages)[number]['to']

/** The page on which something is done, where there is one for the reader. */
export function pageOfAct(act: string, may: (operation: string) => boolean): ManagePage | undefined {
  if (!may(act)) return undefined
  return managePages.find(({ sees, acts }: ManagePage) => acts.includes(act) && may(sees))
}
