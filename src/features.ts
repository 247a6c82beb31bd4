import { assistantHooks } from './features/assistant/assistantHooks/slice.ts'
import { assistantLinks } from './features/assistant/assistantLinks/slice.ts'
import { assistantSessions } from './features/assistant/assistantSessions/slice.ts'
import { bridgeTickets } from './features/assistant/bridgeTickets/slice.ts'
import { gameTokens } from './features/assistant/gameTokens/slice.ts'
import { proposals } from './features/assistant/proposals/slice.ts'
import { awards } from './features/awards/awards/slice.ts'
import { badgeRequests } from './features/awards/badgeRequests/slice.ts'
import { badges } from './features/awards/badges/slice.ts'
import { brackets } from './features/brackets/brackets/slice.ts'
import { matches } from './features/brackets/matches/slice.ts'
import { outlook } from './features/brackets/outlook/slice.ts'
import { qualifiers } from './features/brackets/qualifiers/slice.ts'
import { results } from './features/brackets/results/slice.ts'
import { flowSessions } from './features/flows/flowSessions/slice.ts'
import { flows } from './features/flows/flows/slice.ts'
import { play } from './features/flows/play/slice.ts'
import { platforms } from './features/listing/platforms/slice.ts'
import { search } from './features/listing/search/slice.ts'
import { serviceHealth } from './features/listing/serviceHealth/slice.ts'
import { visibility } from './features/listing/visibility/slice.ts'
import { webhooks } from './features/listing/webhooks/slice.ts'
import { archive } from './features/maps/archive/slice.ts'
import { catalogue } from './features/maps/catalogue/slice.ts'
import { imports } from './features/maps/imports/slice.ts'
import { plans } from './features/maps/plans/slice.ts'
import { pools } from './features/maps/pools/slice.ts'
import { suggestions } from './features/maps/suggestions/slice.ts'
import { media } from './features/media/media/slice.ts'
import { mirror } from './features/media/mirror/slice.ts'
import { compatOverlays } from './features/overlays/compatOverlays/slice.ts'
import { control } from './features/overlays/control/slice.ts'
import { coordination } from './features/overlays/coordination/slice.ts'
import { overlayData } from './features/overlays/overlayData/slice.ts'
import { overlays } from './features/overlays/overlays/slice.ts'
import { sceneDocuments } from './features/overlays/sceneDocuments/slice.ts'
import { scenes } from './features/overlays/scenes/slice.ts'
import { packages } from './features/packages/packages/slice.ts'
import { accounts } from './features/people/accounts/slice.ts'
import { claims } from './features/people/claims/slice.ts'
import { emails } from './features/people/emails/slice.ts'
import { notifications } from './features/people/notifications/slice.ts'
import { pushDevices } from './features/people/pushDevices/slice.ts'
import { rankings } from './features/people/rankings/slice.ts'
import { sessions } from './features/people/sessions/slice.ts'
import { users } from './features/people/users/slice.ts'
import { agenda } from './features/planning/agenda/slice.ts'
import { availability } from './features/planning/availability/slice.ts'
import { calendar } from './features/planning/calendar/slice.ts'
import { differences } from './features/planning/differences/slice.ts'
import { estimates } from './features/planning/estimates/slice.ts'
import { notices } from './features/planning/notices/slice.ts'
import { playing } from './features/planning/playing/slice.ts'
import { rehearsals } from './features/planning/rehearsals/slice.ts'
import { schedules } from './features/planning/schedules/slice.ts'
import { connections } from './features/realtime/connections/slice.ts'
import { following } from './features/realtime/following/slice.ts'
import type { Slice } from './features/slice.ts'
import { channels } from './features/streaming/channels/slice.ts'
import { streamAssignments } from './features/streaming/streamAssignments/slice.ts'
import { streamKeys } from './features/streaming/streamKeys/slice.ts'
import { streamServers } from './features/streaming/streamServers/slice.ts'
import { streamSessions } from './features/streaming/streamSessions/slice.ts'
import { desk } from './features/teams/desk/slice.ts'
import { registration } from './features/teams/registration/slice.ts'
import { teamImports } from './features/teams/teamImports/slice.ts'
import { teams } from './features/teams/teams/slice.ts'
import { access } from './features/tournaments/access/slice.ts'
import { announcements } from './features/tournaments/announcements/slice.ts'
import { chatDeliveries } from './features/tournaments/chatDeliveries/slice.ts'
import { deliveries } from './features/tournaments/deliveries/slice.ts'
import { health } from './features/tournaments/health/slice.ts'
import { spoilers } from './features/tournaments/spoilers/slice.ts'
import { timeline } from './features/tournaments/timeline/slice.ts'
import { tournaments } from './features/tournaments/tournaments/slice.ts'
import { updates } from './features/tournaments/updates/slice.ts'

/** A slice, and the other slices whose files it may import. */
export interface Feature {
  readonly slice: Slice
  readonly uses: readonly Slice[]
}

/**
 * The slices, each with the slices that it may import: the executable architecture. A slice comes after the slices that
 * it uses, so the list has no cycle; test/architecture.test.ts checks the code against it.
 */
export const features: readonly Feature[] = [
  { slice: rankings, uses: [] },
  { slice: users, uses: [rankings] },
  { slice: sessions, uses: [users] },
  { slice: emails, uses: [users] },
  { slice: access, uses: [users] },
  { slice: notifications, uses: [users] },
  { slice: platforms, uses: [users, access] },
  { slice: tournaments, uses: [users, access, platforms] },
  { slice: timeline, uses: [access, tournaments] },
  { slice: spoilers, uses: [access, tournaments] },
  { slice: notices, uses: [users] },
  { slice: visibility, uses: [users, access, platforms, tournaments] },
  { slice: serviceHealth, uses: [platforms] },
  { slice: webhooks, uses: [users, platforms, tournaments, visibility] },
  { slice: chatDeliveries, uses: [platforms, tournaments] },
  { slice: updates, uses: [access, platforms, tournaments, chatDeliveries] },
  { slice: claims, uses: [users, access, notifications, tournaments] },
  { slice: teams, uses: [users, access, notifications, tournaments, claims] },
  { slice: media, uses: [users, access, notifications, platforms, tournaments, teams] },
  { slice: mirror, uses: [users] },
  { slice: catalogue, uses: [] },
  { slice: pools, uses: [users, access, notifications, tournaments, catalogue] },
  { slice: matches, uses: [users, access, tournaments, teams] },
  {
    slice: flowSessions,
    uses: [users, access, notifications, tournaments, teams, catalogue, pools, matches],
  },
  { slice: brackets, uses: [users, access, tournaments, teams, matches, flowSessions] },
  { slice: registration, uses: [rankings, users, access, tournaments, teams, brackets] },
  { slice: desk, uses: [users, access, notifications, tournaments, teams, registration] },
  { slice: teamImports, uses: [users, access, tournaments, teams, registration] },
  { slice: results, uses: [users, access, tournaments, teams, matches, brackets, registration, flowSessions] },
  { slice: assistantLinks, uses: [users, access, tournaments, pools] },
  { slice: qualifiers, uses: [assistantLinks, users, access, platforms, tournaments, teams, registration, brackets] },
  { slice: outlook, uses: [access, tournaments, teams, matches, brackets, qualifiers] },
  { slice: availability, uses: [users, access, tournaments, teams] },
  { slice: schedules, uses: [users, access, tournaments, teams, brackets, matches, availability] },
  { slice: estimates, uses: [access, tournaments, matches, brackets] },
  { slice: suggestions, uses: [users, access, notifications, tournaments, catalogue, pools] },
  { slice: imports, uses: [users, access, tournaments, catalogue, pools] },
  { slice: plans, uses: [users, access, tournaments, teams, matches, brackets, qualifiers, catalogue, pools] },
  { slice: flows, uses: [users, access, tournaments, teams, matches, brackets, flowSessions] },
  {
    slice: play,
    uses: [
      ...[access, tournaments, teams, matches, brackets, results, catalogue, pools, flows, flowSessions],
      ...[assistantLinks],
    ],
  },
  {
    slice: proposals,
    uses: [
      ...[users, access, tournaments, teams, matches, brackets, results, catalogue, pools],
      ...[flows, flowSessions, play, assistantLinks],
    ],
  },
  {
    slice: assistantSessions,
    uses: [
      ...[users, access, tournaments, teams, matches, brackets, results, catalogue, pools],
      ...[flows, flowSessions, play, assistantLinks, proposals],
    ],
  },
  {
    slice: assistantHooks,
    uses: [access, tournaments, pools, qualifiers, assistantLinks, proposals],
  },
  { slice: gameTokens, uses: [rankings, users] },
  { slice: bridgeTickets, uses: [users, tournaments, matches, results, proposals, assistantSessions] },
  { slice: archive, uses: [users, access, tournaments, catalogue, pools] },
  { slice: search, uses: [users, tournaments, teams, archive] },
  { slice: streamServers, uses: [users, access] },
  { slice: streamKeys, uses: [users, access, streamServers] },
  { slice: streamAssignments, uses: [users, access, notifications, tournaments, teams, matches] },
  { slice: channels, uses: [access, tournaments, matches, flowSessions, brackets, results] },
  {
    slice: streamSessions,
    uses: [users, access, notifications, tournaments, teams, matches, streamServers, streamKeys, streamAssignments],
  },
  {
    slice: overlayData,
    uses: [...[users, tournaments, teams, matches, brackets, qualifiers, flowSessions, streamSessions]],
  },
  { slice: sceneDocuments, uses: [users, tournaments, media] },
  { slice: overlays, uses: [users, access, notifications, tournaments, media, sceneDocuments] },
  {
    slice: control,
    uses: [
      ...[users, access, tournaments, matches, flowSessions, results, media],
      ...[sceneDocuments, overlays, overlayData],
    ],
  },
  { slice: scenes, uses: [users, access, tournaments, media, sceneDocuments, overlays, control] },
  {
    slice: coordination,
    uses: [
      ...[users, access, tournaments, teams, matches, flowSessions, proposals, assistantSessions, streamSessions],
      ...[overlays, control],
    ],
  },
  {
    slice: compatOverlays,
    uses: [
      ...[users, access, tournaments, teams, matches, brackets, flowSessions, assistantLinks],
      ...[overlays, control, overlayData],
    ],
  },
  {
    slice: announcements,
    uses: [
      access,
      tournaments,
      chatDeliveries,
      teams,
      matches,
      brackets,
      pools,
      streamAssignments,
      streamSessions,
      users,
    ],
  },
  { slice: badges, uses: [rankings, users, notifications, tournaments, media] },
  { slice: badgeRequests, uses: [users, access, notifications, tournaments, teams, brackets, media, badges] },
  { slice: awards, uses: [rankings, users, access, notifications, tournaments, teams, catalogue, media, badges] },
  { slice: calendar, uses: [users, platforms, tournaments] },
  {
    slice: agenda,
    uses: [
      ...[users, tournaments, teams, matches, registration, qualifiers, availability, streamAssignments, calendar],
    ],
  },
  { slice: deliveries, uses: [access, tournaments, chatDeliveries, updates, announcements] },
  { slice: health, uses: [users, access, tournaments, chatDeliveries, teams, registration] },
  { slice: pushDevices, uses: [users, notifications, flowSessions] },
  { slice: accounts, uses: [users, access, teams] },
  {
    slice: packages,
    uses: [
      ...[users, access, tournaments, timeline, updates, claims, media, teams, registration, desk],
      ...[brackets, matches, results, qualifiers, availability, schedules, catalogue, pools, suggestions],
      ...[flowSessions, flows, play, overlays, control, sceneDocuments, channels, streamAssignments, badges],
    ],
  },
  {
    slice: rehearsals,
    uses: [users, access, tournaments, packages, teams, brackets, qualifiers, results, flowSessions, channels],
  },
  {
    slice: playing,
    uses: [access, tournaments, matches, brackets, results, flowSessions, play, estimates, rehearsals],
  },
  { slice: differences, uses: [access, tournaments, matches, brackets, results, channels, rehearsals] },
  { slice: following, uses: [] },
  { slice: connections, uses: [] },
]
