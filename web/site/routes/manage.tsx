import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root, textsOf } from './root.tsx'

/** Pages of those who run a tournament. `manage/pages.ts` says who sees each. */

const manage = createRoute({
  getParentRoute: () => root,
  path: '/manage/$tournament',
  component: lazyRouteComponent(() => import('../manage/frame.tsx'), 'ManageFrame'),
})
const ofManage = () => manage
const manageOverview = createRoute({
  getParentRoute: ofManage,
  path: '/',
  component: lazyRouteComponent(() => import('../manage/overview/page.tsx'), 'ManageOverview'),
})
const manageSettings = createRoute({
  getParentRoute: ofManage,
  path: '/settings',
  component: lazyRouteComponent(() => import('../manage/settings/page.tsx'), 'ManageSettings'),
})
const manageStaff = createRoute({
  getParentRoute: ofManage,
  path: '/staff',
  component: lazyRouteComponent(() => import('../manage/staff/page.tsx'), 'ManageStaff'),
})
const manageTimeline = createRoute({
  getParentRoute: ofManage,
  path: '/timeline',
  component: lazyRouteComponent(() => import('../manage/timeline/page.tsx'), 'ManageTimeline'),
})
const manageVisibility = createRoute({
  getParentRoute: ofManage,
  path: '/visibility',
  component: lazyRouteComponent(() => import('../manage/visibility/page.tsx'), 'ManageVisibility'),
})

const manageRegistration = createRoute({
  getParentRoute: ofManage,
  path: '/registration',
  validateSearch: textsOf('filter', 'q', 'sort', 'team'),
  component: lazyRouteComponent(() => import('../manage/registration/page.tsx'), 'Registration'),
})
const manageImport = createRoute({
  getParentRoute: ofManage,
  path: '/registration/import',
  component: lazyRouteComponent(() => import('../manage/registration/import.tsx'), 'Import'),
})
const manageLive = createRoute({
  getParentRoute: ofManage,
  path: '/live',
  validateSearch: textsOf('division', 'official'),
  component: lazyRouteComponent(() => import('../manage/live/page.tsx'), 'LiveConsole'),
})
const manageUpdates = createRoute({
  getParentRoute: ofManage,
  path: '/updates',
  validateSearch: textsOf('update'),
  component: lazyRouteComponent(() => import('../manage/updates/page.tsx'), 'ManageUpdates'),
})
const manageAnnouncements = createRoute({
  getParentRoute: ofManage,
  path: '/announcements',
  component: lazyRouteComponent(() => import('../manage/announcements/page.tsx'), 'ManageAnnouncements'),
})
const manageAudit = createRoute({
  getParentRoute: ofManage,
  path: '/audit',
  validateSearch: textsOf('person', 'kind', 'subject', 'from', 'to'),
  component: lazyRouteComponent(() => import('../manage/audit/page.tsx'), 'ManageAudit'),
})
const manageDeliveries = createRoute({
  getParentRoute: ofManage,
  path: '/deliveries',
  validateSearch: textsOf('state'),
  component: lazyRouteComponent(() => import('../manage/deliveries/page.tsx'), 'ManageDeliveries'),
})
const managePools = createRoute({
  getParentRoute: ofManage,
  path: '/pools',
  component: lazyRouteComponent(() => import('../manage/pools/page.tsx'), 'ManagePools'),
})
const managePool = createRoute({
  getParentRoute: ofManage,
  path: '/pools/$pool',
  validateSearch: textsOf('kind', 'open'),
  component: lazyRouteComponent(() => import('../manage/pools/pool.tsx'), 'ManagePool'),
})
const manageMapImport = createRoute({
  getParentRoute: ofManage,
  path: '/pools/$pool/import',
  component: lazyRouteComponent(() => import('../manage/pools/import.tsx'), 'ImportMaps'),
})
const manageTeam = createRoute({
  getParentRoute: ofManage,
  path: '/teams/$team',
  component: lazyRouteComponent(() => import('../manage/registration/team/page.tsx'), 'ManageTeam'),
})
const manageAvailability = createRoute({
  getParentRoute: ofManage,
  path: '/availability',
  validateSearch: textsOf('sheet', 'edit'),
  component: lazyRouteComponent(() => import('../manage/availability/page.tsx'), 'ManageAvailability'),
})
const manageSchedule = createRoute({
  getParentRoute: ofManage,
  path: '/schedule',
  validateSearch: textsOf('view', 'match', 'proposal'),
  component: lazyRouteComponent(() => import('../manage/schedule/page.tsx'), 'Schedule'),
})
const manageBrackets = createRoute({
  getParentRoute: ofManage,
  path: '/brackets',
  validateSearch: textsOf('again', 'new'),
  component: lazyRouteComponent(() => import('../manage/brackets/page.tsx'), 'ManageBrackets'),
})
const manageSeeding = createRoute({
  getParentRoute: ofManage,
  path: '/brackets/$bracket/seeding',
  component: lazyRouteComponent(() => import('../manage/seeding/page.tsx'), 'ManageSeeding'),
})
const manageCockpit = createRoute({
  getParentRoute: ofManage,
  path: '/live/$match',
  component: lazyRouteComponent(() => import('../tournament/match/cockpit/page.tsx'), 'Cockpit'),
})
const manageStreams = createRoute({
  getParentRoute: ofManage,
  path: '/streams',
  component: lazyRouteComponent(() => import('../manage/streams/page.tsx'), 'ManageStreams'),
})
const manageMedia = createRoute({
  getParentRoute: ofManage,
  path: '/media',
  component: lazyRouteComponent(() => import('../manage/media/page.tsx'), 'ManageMedia'),
})
const manageBadges = createRoute({
  getParentRoute: ofManage,
  path: '/badges',
  component: lazyRouteComponent(() => import('../manage/badges/page.tsx'), 'ManageBadges'),
})
const manageOverlays = createRoute({
  getParentRoute: ofManage,
  path: '/overlays',
  component: lazyRouteComponent(() => import('../manage/overlays/page.tsx'), 'ManageOverlays'),
})
const manageQualifier = createRoute({
  getParentRoute: ofManage,
  path: '/qualifier',
  validateSearch: textsOf('map', 'team', 'user'),
  component: lazyRouteComponent(() => import('../manage/qualifier/page.tsx'), 'ManageQualifier'),
})
const manageFlows = createRoute({
  getParentRoute: ofManage,
  path: '/flows',
  component: lazyRouteComponent(() => import('../manage/flows/page.tsx'), 'ManageFlows'),
})
const manageFlow = createRoute({
  getParentRoute: ofManage,
  path: '/flows/$flow',
  component: lazyRouteComponent(() => import('../manage/flows/flow-page.tsx'), 'ManageFlow'),
})
const manageAssistant = createRoute({
  getParentRoute: ofManage,
  path: '/assistant',
  component: lazyRouteComponent(() => import('../manage/assistant/page.tsx'), 'ManageAssistant'),
})
const manageCaster = createRoute({
  getParentRoute: ofManage,
  path: '/live/$match/caster',
  component: lazyRouteComponent(() => import('../tournament/match/cockpit/caster.tsx'), 'CasterView'),
})
const newTournament = createRoute({
  getParentRoute: () => root,
  path: '/new',
  validateSearch: textsOf('draft', 'step'),
  component: lazyRouteComponent(() => import('../manage/new/page.tsx'), 'NewTournament'),
})
const bringPackage = createRoute({
  getParentRoute: () => root,
  path: '/new/package',
  component: lazyRouteComponent(() => import('../packages/bring.tsx'), 'BringPackage'),
})
const managePackage = createRoute({
  getParentRoute: ofManage,
  path: '/package',
  component: lazyRouteComponent(() => import('../manage/package/page.tsx'), 'ManagePackage'),
})
const manageRehearsals = createRoute({
  getParentRoute: ofManage,
  path: '/rehearsal',
  component: lazyRouteComponent(() => import('../manage/rehearsal/page.tsx'), 'ManageRehearsals'),
})
const manageRehearsal = createRoute({
  getParentRoute: ofManage,
  path: '/rehearsal/$rehearsal',
  validateSearch: textsOf('part', 'kind', 'status'),
  component: lazyRouteComponent(() => import('../manage/rehearsal/one.tsx'), 'ManageRehearsal'),
})
const overlayEditor = createRoute({
  getParentRoute: () => root,
  path: '/overlay/manage/$tournament/$overlay',
  validateSearch: textsOf('scene', 'data'),
  component: lazyRouteComponent(() => import('../overlay/editor/page.tsx'), 'OverlayEditor'),
})
const ofTournament = manage.addChildren([
  manageOverview,
  manageLive,
  manageCockpit,
  manageCaster,
  manageSettings,
  manageRegistration,
  manageImport,
  manageTeam,
  manageStreams,
  manageMedia,
  manageBadges,
  manageOverlays,
  manageStaff,
  manageTimeline,
  manageVisibility,
  manageAvailability,
  manageSchedule,
  manageBrackets,
  manageSeeding,
  managePools,
  managePool,
  manageMapImport,
  manageQualifier,
  manageFlows,
  manageFlow,
  manageAssistant,
  manageUpdates,
  manageAnnouncements,
  manageAudit,
  manageDeliveries,
  managePackage,
  manageRehearsals,
  manageRehearsal,
])

export const manageRoutes = [newTournament, bringPackage, overlayEditor, ofTournament] as const
