import { audit } from './audit.ts'
import { bracketsKind, divisionsKind, entrants, games, matchesKind, officials } from './brackets.ts'
import { correctionsKind } from './corrections.ts'
import { flowPlan, flowsKind, plannedFlowsKind, sessionRows, sessions } from './flows.ts'
import type { Kind } from './kind.ts'
import { covers, flairsKind, mapsKind, poolingKind, poolMapsKind, poolsKind } from './maps.ts'
import { badgesKind, grants, mediaKind } from './media.ts'
import { parts } from './overlay-parts.ts'
import { controls, editors, overlaysKind, versions } from './overlays.ts'
import { peopleOf } from './people.ts'
import { availability, proposals, sheetMatches, sheets, teamAvailability } from './planning.ts'
import { poolChangesKind } from './pool-changes.ts'
import { plannedPoolsKind, poolPlan } from './pool-plans.ts'
import { attempts, qualifier, qualifierMapsKind } from './qualifiers.ts'
import { assignments, channelList, channelsKind, queues } from './streaming.ts'
import { comments, suggestionsKind, votes } from './suggestions.ts'
import { answers, appearancesKind, invitations, members, notes, teamsKind, withdrawals } from './teams.ts'
import { placements, roles, timeline, tournament, updatesKind } from './tournament.ts'

const withoutPeople: readonly Kind[] = [
  ...[tournament, placements, roles, timeline, updatesKind],
  ...[teamsKind, withdrawals, members, invitations, answers, appearancesKind, notes],
  ...[divisionsKind, bracketsKind, entrants, matchesKind, officials, games, correctionsKind],
  ...[qualifier, qualifierMapsKind, attempts],
  ...[sheets, sheetMatches, availability, teamAvailability, proposals],
  ...[poolsKind, covers, flairsKind, poolMapsKind, poolChangesKind, poolingKind, poolPlan, plannedPoolsKind],
  ...[suggestionsKind, votes, comments, mapsKind],
  ...[flowsKind, flowPlan, plannedFlowsKind, sessions, sessionRows],
  ...[overlaysKind, editors, versions, parts, controls],
  ...[channelsKind, channelList, queues, assignments],
  ...[badgesKind, grants, mediaKind, audit],
]

/** All kinds of rows. (P3) */
export const kinds: readonly Kind[] = [...withoutPeople, peopleOf(withoutPeople)]

const secret = 'never: secrets, keys and tokens'
const account = 'never: of accounts, not of a tournament'
const delivery = 'never: deliveries, and what waits to be sent'
const platform = 'never: requests to platforms and reviewers, and what they decide'
const work = 'never: work that is under way'
const assistant = 'never: of the connection to an assistant; what it reported is in games'
const awards = 'never: of awards of the service'
const search = 'follows from the rows that are searched'

/** The tables that no kind reads, with the reason; those whose columns have decisions of their own are in `kinds`. (P3) */
export const otherTables: Readonly<Record<string, string>> = {
  access_tokens: secret,
  announcement_matters: delivery,
  announcements: delivery,
  applications: account,
  assistant_commands: work,
  assistant_deliveries: delivery,
  assistant_finishes: assistant,
  assistant_links: secret,
  assistant_plays: assistant,
  assistant_pools: assistant,
  assistant_sessions: work,
  assistant_token_days: account,
  authorization_codes: secret,
  award_ballots: awards,
  award_categories: awards,
  award_editions: awards,
  award_exclusions: awards,
  award_nominations: awards,
  award_nominees: awards,
  award_roll: awards,
  award_voters: awards,
  award_votes: awards,
  badge_imports: work,
  badge_requests: platform,
  bridge_tickets: secret,
  calendar_tokens: secret,
  catalogue_answers: 'never: what other services answer',
  chat_channels: delivery,
  chat_deliveries: delivery,
  chat_parts: delivery,
  claim_links: secret,
  claims: account,
  command_results: 'never: idempotency keys',
  connection_processes: work,
  connection_tickets: secret,
  connections: work,
  consents: account,
  device_requests: secret,
  earlier_rows: 'follows from the rows as they were',
  email_verifications: account,
  flow_map_results: 'follows from sessionRows',
  followers: work,
  game_proofs: secret,
  game_proposals: assistant,
  grants: account,
  held_changes: 'follows from the rows as they become',
  held_events: 'follows from the rows as they become',
  identities: 'exported as people.links',
  imported_people: 'never: recognises a sheet that is sent again',
  imported_teams: 'never: recognises a sheet that is sent again',
  imports: work,
  leases: work,
  listed_pools: search,
  listings: 'exported as tournament.listed',
  map_terms: search,
  map_usage: search,
  match_delays: 'follows from queues and channels',
  migrations: 'never: of the database',
  media_blocked: 'never: of media that are in no tournament',
  media_origins: 'never: of the service',
  media_quotas: 'follows from media',
  media_usages: 'follows from the records that use media',
  media_variant_uses: 'never: of files that are made again',
  notices: 'never: of the service',
  notifications: delivery,
  outbox_messages: 'never: what a rehearsal would send',
  overlay_client_leases: work,
  overlay_templates: account,
  overlay_tokens: secret,
  overlay_updates: 'exported as overlays.document',
  package_downloads: 'never: who took packages is not in them',
  package_numbers: 'never: of packages without names',
  package_people: 'exported as people.guid',
  platform_members: platform,
  platform_settings: secret,
  platforms: platform,
  pool_terms: search,
  push_devices: account,
  push_reminders: delivery,
  qualifier_syncs: 'never: what other services answer',
  qualifier_unmatched: 'never: what other services answer',
  ranking_profiles: account,
  refresh_tokens: secret,
  rehearsals: 'never: a rehearsal is in no package',
  remote_pictures: 'never: pictures elsewhere stay addresses',
  sessions: account,
  set_aside_events: work,
  sign_in_places: account,
  spoiler_horizons: 'of the view that is under way',
  stream_health: work,
  stream_keys: secret,
  stream_servers: secret,
  stream_sessions: 'never: network addresses, and work that is under way',
  team_terms: search,
  tournament_packages: 'never: who took packages is not in them',
  tournament_terms: search,
  visibility_decisions: platform,
  visibility_requests: platform,
  webhook_attempts: delivery,
  webhook_deliveries: delivery,
  webhook_queues: delivery,
  withdrawn_pool_maps: 'exported as qualifierMaps.withdrawn',
}
