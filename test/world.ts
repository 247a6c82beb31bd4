import { randomUUID } from 'node:crypto'
import { canonicalJson } from '../src/core/canonical-json.ts'
import { type Operation, parametersOf } from '../src/core/operation.ts'
import { findPreset } from '../src/engine/flows/presets.ts'
import type { SceneDocument } from '../src/engine/scenes/document.ts'
import { builtInTemplates } from '../src/engine/scenes/templates/templates.ts'
import { defaultValues } from '../src/features/assistant/assistantLinks/rules/links.ts'
import { defaultOptions } from '../src/features/maps/pools/rules/maps.ts'
import { stateOf } from '../src/features/overlays/sceneDocuments/rules/compaction.ts'
import { digestOfText } from '../src/features/overlays/sceneDocuments/rules/digest.ts'
import { digestOf, newSecret } from '../src/infra/secrets.ts'
import { makeSession } from './flow-sessions.ts'
import type { Caller, Harness } from './harness.ts'
import {
  type MadePlatform,
  type MadeTournament,
  makeApplication,
  makePlatform,
  makeTournament,
  platformMember,
  roleHolder,
  type TournamentOptions,
} from './make.ts'
import { makePlaceholder } from './placeholders.ts'
import { makeAssignment, makeStreamKey, makeStreamServer } from './streaming.ts'

/**
 * A tournament with a record of every kind, a platform that it has asked, and users with accounts elsewhere, so that
 * every path parameter has an existing value.
 */
export interface World {
  readonly organiser: Caller
  readonly captain: Caller
  readonly member: Caller
  /** The user with the invitation of the team. */
  readonly invited: Caller
  readonly referee: Caller
  /** An owner of the service. */
  readonly owner: Caller
  readonly tournament: MadeTournament
  /** The GUID of the team. */
  readonly team: string
  readonly platform: MadePlatform
  /** The values of path parameters, by name. */
  readonly named: Names
  /** Values for single operations that replace these, by the operation's name. */
  readonly namedIn: Readonly<Record<string, Names>>
}

export interface WorldOptions extends TournamentOptions {
  /** Whether the team is registered; otherwise its roster is open, and sheets for teams do not include it. */
  readonly registered?: boolean
}

type MadeName =
  | 'invitation'
  | 'update'
  | 'chatDelivery'
  | 'attempt'
  | 'notice'
  | 'pool'
  | 'poolMap'
  | 'suggestion'
  | 'comment'
  | 'import'
  | 'flow'
  | 'media'

type Names = Readonly<Record<string, string>>

export async function makeWorld(api: Harness, options: WorldOptions = {}): Promise<World> {
  const [organiser, captain, member, invited, owner] = await Promise.all([
    ...[api.user(), api.user(), api.user(), api.user()],
    api.user({ globalRoles: ['role:owner'] }),
  ] as const)
  const tournament = await makeTournament(api, organiser, options)
  const referee = await roleHolder(api, tournament, 'role:referee')
  const [team, platform] = await Promise.all([
    makeTeam(api, tournament, { captain, member }, options.registered ?? false),
    makePlatform(api),
  ])
  const [played, asked, planned, ofMember, reviewer, made] = await Promise.all([
    makeMatch(api, tournament, organiser),
    askPlatform(api, tournament, platform, member),
    plan(api, tournament, organiser),
    makeAccounts(api, member),
    platformMember(api, platform, 'reviewer'),
    api.sql<Record<MadeName, string>>(
      `with invitation as (
         insert into team_invitations (team_guid, tournament_guid, user_guid, invited_by_guid)
         values ($1, $2, $3, $4) returning guid),
       update as (
         insert into updates (guid, tournament_guid, author_guid, title, content, changes, published_hash)
         values (gen_random_uuid(), $2, $5, 'Finals moved', 'To **Sunday**.', '[]', '') returning guid),
       chat_delivery as (
         insert into chat_deliveries (guid, tournament_guid, status, revision, attempts, failures, updated_at)
         select guid, $2, 'delivered', 0, 1, 0, now() from update returning guid),
       qualifier as (
         insert into qualifiers (tournament_guid, status, opened_at, attempts, hide_scores, method, settings)
         values ($2, 'open', now(), 0, false, 'average_accuracy', $6) returning guid),
       map as (
         insert into qualifier_maps (qualifier_guid, hash, difficulty, characteristic, weight, "order")
         select guid, repeat('8', 40), 'ExpertPlus', 'Standard', 1, 0 from qualifier returning guid),
       attempt as (
         insert into qualifier_attempts (qualifier_guid, map_guid, user_guid, team_guid, score, completion, source,
           played_at, recorded_by_guid)
         select qualifier.guid, map.guid, $7, $1, 500, 'passed', 'manual', now(), $5 from qualifier, map returning guid),
       pool as (
         insert into pools (tournament_guid, name, name_key, kind, "order", status, revision, last_revision,
           published_at, shown_at)
         values ($2, 'Finals', 'finals', 'match', 0, 'published', 1, 1, now(), now()) returning guid),
       catalogue_map as (
         insert into maps (hash, characteristic, difficulty, name, state)
         values (left(encode(sha256(gen_random_uuid()::text::bytea), 'hex'), 40), 'Standard', 'Expert', 'Cadenza', 'known') returning guid),
       pool_map as (
         insert into pool_maps (pool_guid, map_guid, "order", is_tiebreaker, modifiers, player_options, options, weight,
           released_at)
         select pool.guid, catalogue_map.guid, 0, false, '{}', '{}', $8, 1, now() from pool, catalogue_map returning guid),
       suggested_map as (
         insert into maps (hash, characteristic, difficulty, name, state)
         values (left(encode(sha256(gen_random_uuid()::text::bytea), 'hex'), 40), 'Standard', 'Hard', 'Galop', 'known') returning guid),
       suggestion as (
         insert into suggestions (tournament_guid, map_guid, target_pool_guid, suggested_by_guid)
         select $2, suggested_map.guid, pool.guid, $5 from suggested_map, pool returning guid),
       comment as (
         insert into pool_comments (tournament_guid, suggestion_guid, author_guid, text)
         select $2, suggestion.guid, $5, 'A fine map.' from suggestion returning guid),
       import as (
         insert into imports (tournament_guid, pool_guid, request, dry_run, status, started_by_guid, finished_at)
         select $2, guid, $9, false, 'done', $5, now() from pool returning guid),
       flow as (
         insert into flows (tournament_guid, name, based_on, seats, best_of, definition)
         values ($2, 'Best of three', 'accsaber-bo3', 2, 3, $10) returning guid),
       medium as (
         insert into media (kind, name, owner_guid, tournament_guid, type, bytes, width, height, color, digest, upload_digest)
         values ('tournament_image', 'logo.png', $5, $2, 'image/webp', 44, 200, 200, '#204060', sha256('logo'),
           sha256(gen_random_uuid()::text::bytea)) returning guid),
       notice as (
         insert into notices (title, content, level, starts_at, dismissible, audience, created_by_guid)
         values ('Maintenance', 'On Sunday.', 'info', now(), true, 'everyone', $5) returning guid)
       select invitation.guid as invitation, update.guid as update, attempt.guid as attempt, notice.guid as notice,
         chat_delivery.guid as "chatDelivery", pool.guid as pool, pool_map.guid as "poolMap", catalogue_map.guid as "mapGuid", suggestion.guid as suggestion,
         comment.guid as comment, import.guid as import, flow.guid as flow,
         medium.guid as media
       from invitation, update, chat_delivery, attempt, notice, pool, pool_map, catalogue_map, suggestion, comment, import, flow, medium`,
      [
        ...[team, tournament.guid, invited.guid, captain.guid, organiser.guid],
        ...[JSON.stringify(plainQualifier), member.guid, JSON.stringify(defaultOptions)],
        ...[JSON.stringify(plainImport), JSON.stringify(findPreset('accsaber-bo3')?.flow)],
      ],
    ),
  ])
  // A link that leads nowhere and is not used: it never connects.
  await api.sql(
    `insert into assistant_links (tournament_guid, host, port, tls, certificate, assistant_guid, assistant_name, token_kind,
       acts_as, enabled, allow_modify, defaults)
     values ($1, '127.0.0.1', 9, true, 'public', 'a-tournament', 'Cup', 'own', $2, false, false, $3)`,
    [tournament.guid, organiser.guid, JSON.stringify(defaultValues)],
  )
  const session = await makeSession(api, {
    // A flow without draws, because responses for two worlds are compared.
    tournamentGuid: tournament.guid,
    by: organiser.guid,
    flow: 'referee-picks',
    seats: [captain, member].map(({ guid }) => ({ team: null, captain: guid })),
  })
  const [streams, keyOfMember, honours, shown] = await Promise.all([
    stream(api, tournament, member),
    makeStreamKey(api, member),
    honour(api, tournament, { organiser, member }),
    show(api, tournament, organiser),
  ])
  const { teamSheet, ...ofPlan } = planned
  const { table, ...ofPlay } = played
  return {
    organiser,
    captain,
    member,
    invited,
    referee,
    owner,
    tournament,
    team,
    platform,
    named: {
      tournament: tournament.guid,
      platform: platform.contextId,
      team,
      user: member.guid,
      member: member.guid,
      rehearsal: await makeRehearsalRow(api, tournament, organiser),
      ...ofPlay,
      ...asked,
      ...ofPlan,
      ...ofMember,
      ...made[0],
      flowSession: session.guid,
      claim: nobody,
      score: nobody,
      penalty: nobody,
      identity: 'ranking-a',
      number: '1',
      preset: 'accsaber-bo3',
      poolGuid: made[0]?.pool ?? '',
      ...(await makeOwn(api, organiser)),
      ...streams,
      ...honours,
      ...shown,
      ...(await makeClaims(api, tournament, { organiser, member })),
    },
    namedIn: {
      'outlook.ofBracket': { bracket: table },
      'availability.respondForTeam': { sheet: teamSheet },
      'platforms.removeMember': { user: reviewer.guid },
      'streamKeys.revokeOf': { streamKey: keyOfMember.guid },
    },
  }
}

/** A rehearsal without anything in it. */
export async function makeRehearsalRow(
  api: Harness,
  { guid }: Pick<MadeTournament, 'guid'>,
  { guid: organiser }: Caller,
): Promise<string> {
  const [made] = await api.sql<{ guid: string }>(
    `with person as (
       insert into users (chat_platform_id, username, preferred_name, avatar_url, is_placeholder)
       values ('placeholder:' || gen_random_uuid(), 'conductor', 'Conductor', 'https://cdn.example.org/a.png', true) returning guid),
     made as (
       insert into tournaments (id, name, team_size_min, team_size_max, team_size_active, links, organiser_guid, rehearsal_of)
       select 'rehearsal-' || substr(gen_random_uuid()::text, 1, 8), name, team_size_min, team_size_max, team_size_active,
         links, person.guid, t.guid from tournaments t, person where t.guid = $1 returning guid),
     counted as (insert into tournament_counts (tournament_guid) select guid from made),
     named as (insert into rehearsals (guid, name, is_reset, seed, no_shows, created_by)
       select guid, 'Dry run', false, 'evening', '{}', $2 from made)
     select guid from made`,
    [guid, organiser],
  )
  return made?.guid ?? ''
}

async function makeTeam(
  api: Harness,
  tournament: MadeTournament,
  { captain, member }: Readonly<Record<'captain' | 'member', Caller>>,
  isRegistered: boolean,
): Promise<string> {
  const [team] = await api.sql<{ guid: string }>(
    `insert into teams (tournament_guid, id, name, captain_guid, status, roster_locked, registered_at)
     values ($1, $2, $2, $3, case when $4 then 'registered' else 'unregistered' end, $4, case when $4 then now() end)
     returning guid`,
    [tournament.guid, 'the-team', captain.guid, isRegistered],
  )
  await api.sql('insert into team_members (team_guid, tournament_guid, user_guid) values ($1, $2, $3), ($1, $2, $4)', [
    team?.guid,
    tournament.guid,
    captain.guid,
    member.guid,
  ])
  await api.sql(
    'update tournament_counts set teams = 1, players = 2, registered = $2::boolean::integer where tournament_guid = $1',
    [tournament.guid, isRegistered],
  )
  return team?.guid as string
}

/** The tournament's request to the platform, and a delivery to the platform's receiver. */
async function askPlatform(api: Harness, tournament: MadeTournament, platform: MadePlatform, member: Caller) {
  const [made] = await api.sql<Record<'visibilityRequest' | 'delivery', string>>(
    `with request as (
       insert into visibility_requests (tournament_guid, platform_guid, status) values ($1, $2, 'pending') returning guid),
     delivery as (
       insert into webhook_deliveries (platform_guid, channel, event, event_seq, user_guid, body, status, created_at,
         queued_at, next_attempt_at, finished_at)
       values ($2, 'custom', 'member_added', 1, $3, '{}', 'delivered', now(), now(), now(), now()) returning guid)
     select request.guid as "visibilityRequest", delivery.guid as delivery from request, delivery`,
    [tournament.guid, platform.guid, member.guid],
  )
  return made
}

/** A sheet for the staff, one for teams, and a proposal that places no match. */
async function plan(api: Harness, tournament: MadeTournament, organiser: Caller) {
  const [made] = await api.sql<Record<'sheet' | 'teamSheet' | 'proposal', string>>(
    `with sheets as (
       insert into availability_sheets (tournament_guid, created_by_guid, audience, team_eligibility, slot_minutes,
         accepted_statuses, title, mode, roles, timezone, windows)
       select $1, $2, audience, 'both', 15, '{available,unavailable}', 'Finals', 'days', '{}', 'UTC',
         '[{"guid":"11111111-1111-4111-8111-111111111111","start":1777658400000,"end":1777662000000}]'
       from unnest('{staff,teams}'::text[]) as audience
       returning guid, audience),
     proposal as (
       insert into schedule_proposals (tournament_guid, created_by_guid, wish, schedule, digest)
       values ($1, $2, $3, '{"placements":[],"unplaced":[],"teams":[],"officials":[]}', '') returning guid)
     select proposal.guid as proposal, s.guid as sheet, t.guid as "teamSheet"
     from proposal, sheets s, sheets t where s.audience = 'staff' and t.audience = 'teams'`,
    [tournament.guid, organiser.guid, JSON.stringify(plainWish)],
  )
  if (made === undefined) throw new Error('nothing was planned')
  return made
}

/** A media server, on which the member is live with an assignment, and a channel. */
async function stream(api: Harness, tournament: MadeTournament, member: Caller) {
  const [{ guid: server }, assignment] = await Promise.all([
    makeStreamServer(api, { kind: 'nginx-rtmp' }),
    makeAssignment(api, tournament, member),
  ])
  const [made] = await api.sql<Record<'streamSession' | 'channel', string>>(
    `with session as (
       insert into stream_sessions (user_guid, server_guid, protocol, path, assignment_guid, tournament_guid, test)
       values ($1, $2, 'rtmp', 'live/' || $1::uuid, $3, $4, false) returning guid),
     channel as (
       insert into channels (tournament_guid, name, url, delay_seconds, position)
       values ($4, 'Main', 'https://live.example.org/main', 0, 0) returning guid)
     select session.guid as "streamSession", channel.guid as channel from session, channel`,
    [member.guid, server, assignment, tournament.guid],
  )
  if (made === undefined) throw new Error('nothing is live')
  return { ...made, assignment, streamServer: server, mediaServer: server }
}

/** A badge of the member, a requested one, and awards with the member as a nominee. */
async function honour(
  api: Harness,
  tournament: MadeTournament,
  { organiser, member }: Readonly<Record<'organiser' | 'member', Caller>>,
) {
  const rules = {
    accountBefore: '2099-01-01T00:00:00.000Z',
    link: 'none',
    linkBefore: null,
    minTournamentsPlayed: 0,
    selfNomination: false,
    nominationsPerCategory: 3,
    tie: 'shared',
    showCounts: true,
  }
  const [made] = await api.sql<
    Record<
      | 'badge'
      | 'badgeMedium'
      | 'badgeGrant'
      | 'badgeImport'
      | 'badgeRequest'
      | 'edition'
      | 'category'
      | 'nominee'
      | 'nomination',
      string
    >
  >(
    `with medium as (
       insert into media (kind, name, owner_guid, tournament_guid, type, bytes, width, height, color, digest, upload_digest)
       values ('badge_image', 'badge.png', $2, $1, 'image/webp', 44, 800, 300, '#204060', sha256('badge'),
         sha256(gen_random_uuid()::text::bytea)) returning guid),
     badge as (
       insert into badges (name, description, kind, media_guid, image_url, holders, created_by)
       select 'Finalist', 'Of the Spring Cup.', 'placement', guid, '/badge.webp', 1, $2 from medium returning guid),
     granted as (
       insert into badge_grants (badge_guid, user_guid, label, place, awarded_at, source)
       select guid, $3, '2nd place', 2, now(), 'manual' from badge returning guid),
     import as (
       insert into badge_imports (status, dry_run, report, created_by, finished_at)
       values ('done', false, '{"made":0,"granted":0,"skipped":0,"failures":0,"failed":[],"after":null,"counted":[]}', $2, now()) returning guid),
     request as (
       insert into badge_requests (tournament_guid, status, message, badges, created_by)
       select $1, 'pending', 'For our finalists.', jsonb_build_array(jsonb_build_object('name', 'Finalist', 'description',
         'Of the Spring Cup.', 'kind', 'placement', 'mediaGuid', guid, 'recipients', jsonb_build_array(
         jsonb_build_object('userGuid', $3::uuid, 'label', null, 'place', 2)))), $2 from medium returning guid),
     edition as (
       insert into award_editions (id, title, description, status, nominations_open_at, nominations_close_at, voting_opens_at,
         voting_closes_at, rules)
       values ($4, 'Awards', 'Of the year.', 'nominating', '2026-01-01Z', '2099-02-01Z', '2099-03-01Z', '2099-04-01Z', $5)
       returning guid),
     category as (
       insert into award_categories (edition_guid, name, description, "order", nominee_type, shortlist_size, badge_guid)
       select edition.guid, 'Player of the year', '', 0, 'user', 10, badge.guid from edition, badge returning guid),
     nominee as (
       insert into award_nominees (category_guid, label, target_guid) select guid, 'Quaver', $3 from category returning guid),
     nomination as (
       insert into award_nominations (category_guid, user_guid, target_guid, target_key, nominee_guid)
       select category.guid, $2, $3, $3::text, nominee.guid from category, nominee returning guid)
     select badge.guid as badge, medium.guid as "badgeMedium", granted.guid as "badgeGrant", import.guid as "badgeImport", request.guid as "badgeRequest",
       edition.guid as edition, category.guid as category, nominee.guid as nominee, nomination.guid as nomination
     from medium, badge, granted, import, request, edition, category, nominee, nomination`,
    [
      ...[tournament.guid, organiser.guid, member.guid],
      ...[`awards-${process.pid}-${++sequence}`, JSON.stringify(rules)],
    ],
  )
  if (made === undefined) throw new Error('nobody was honoured')
  return made
}

/** A published overlay of the match with a token, and a template of the organiser. */
async function show(api: Harness, tournament: MadeTournament, organiser: Caller) {
  const document = builtInTemplates[0]?.document as SceneDocument
  const text = canonicalJson(document)
  const [made] = await api.sql<Record<'overlay' | 'viewToken' | 'overlayTemplate', string>>(
    `with overlay as (
       insert into overlays (tournament_guid, name) values ($1, 'Main') returning guid),
     version as (
       insert into overlay_versions (overlay_guid, number, kind, by, bytes, digest, document)
       select guid, 1, 'published', $2, length($3), $4, $3 from overlay),
     draft as (
       insert into overlay_drafts (overlay_guid, state, digest, json_bytes, canvas_width, canvas_height, updated_by,
         published_version, next_version)
       select guid, $5, $4, length($3), 1920, 1080, $2, 1, 2 from overlay),
     control as (
       insert into overlay_controls (overlay_guid, match_guid, updated_by)
       select overlay.guid, (select guid from matches where tournament_guid = $1), $2 from overlay),
     token as (
       insert into overlay_tokens (overlay_guid, digest, label, last_four, preview, created_by)
       select guid, sha256(gen_random_uuid()::text::bytea), 'Studio', 'a1B2', false, $2 from overlay returning guid),
     template as (
       insert into overlay_templates (user_guid, name, bytes, document) values ($2, 'House style', length($3), $3)
       returning guid)
     select overlay.guid as overlay, token.guid as "viewToken", template.guid as "overlayTemplate"
     from overlay, token, template`,
    [tournament.guid, organiser.guid, text, digestOfText(text), Buffer.from(stateOf(document, 1))],
  )
  if (made === undefined) throw new Error('nothing is shown')
  return { ...made, version: '1' }
}

let sequence = 0

/** The user's records: an account on a ranking platform, an unanswered verification mail, a calendar, and a device. */
async function makeAccounts(api: Harness, user: Caller) {
  const platformId = `7${String(process.pid).padStart(8, '0')}${++sequence}`
  const pushDevice = randomUUID()
  const [token, calendarToken] = [`verification-${platformId}`, `calendar-${platformId}`]
  await Promise.all([
    api.sql(
      `insert into push_devices (guid, user_guid, endpoint, endpoint_digest, p256dh, auth)
       values ($1, $2, $3, $4, 'p256dh', 'auth')`,
      [pushDevice, user.guid, `https://push.example.org/${pushDevice}`, digestOf(pushDevice)],
    ),
    api.sql('insert into calendar_tokens (user_guid, digest) values ($1, $2)', [user.guid, digestOf(calendarToken)]),
    api.sql(
      `insert into identities (user_guid, platform, external_id, verified_at) values ($1, 'ranking-b', $2, now())`,
      [user.guid, platformId],
    ),
    api.sql(
      `insert into email_verifications (user_guid, email, token_hash, expires_at)
       values ($1, $2, $3, now() + interval '1 day')`,
      [user.guid, `${platformId}@example.org`, digestOf(token)],
    ),
  ])
  return { platformId, token, calendarToken, pushDevice }
}

/** Records that only their own user may name: an application, a sign-in, a claimed account and a stream key. */
export async function makeOwn(
  api: Harness,
  user: Caller,
): Promise<Readonly<Record<'application' | 'session' | 'connection' | 'streamKey' | 'awaitedPlaceholder', string>>> {
  const [cup] = await api.sql<{ guid: string }>('select guid from tournaments order by created_at limit 1')
  const [{ clientId }, [session], connection, { guid: streamKey }, { guid: awaitedPlaceholder }] = await Promise.all([
    makeApplication(api, user),
    api.sql<{ guid: string }>(
      `insert into sessions (user_guid, expires_at) values ($1, now() + interval '1 day') returning guid`,
      [user.guid],
    ),
    makeConnection(api, user),
    makeStreamKey(api, user),
    makePlaceholder(api, { guid: cup?.guid ?? nobody }, { awaitedChatId: user.chatPlatformId }),
    api.sql(
      `insert into identities (user_guid, platform, external_id) values ($1, 'ranking-a', '1') on conflict do nothing`,
      [user.guid],
    ),
  ])
  return { application: clientId, session: session?.guid as string, connection, streamKey, awaitedPlaceholder }
}

/** A connection of the user, as if another process held it. Returns its GUID. */
export async function makeConnection(api: Harness, user: Caller): Promise<string> {
  const [made] = await api.sql<{ guid: string }>(
    `with process as (
       insert into connection_processes (guid, seen_at) values (gen_random_uuid(), now() + interval '1 day') returning guid)
     insert into connections (guid, process_guid, user_guid, door, address, connected_at, subscriptions)
     select gen_random_uuid(), guid, $1, 'socket', '127.0.0.1', now(), 1 from process returning guid`,
    [user.guid],
  )
  return made?.guid as string
}

/** A division with a bracket of one match, whose result was corrected. */
async function makeMatch(api: Harness, tournament: MadeTournament, organiser: Caller) {
  const [made] = await api.sql<
    Record<'division' | 'bracket' | 'match' | 'correction' | 'table' | 'gameProposal', string>
  >(
    `with division as (
       insert into divisions (tournament_guid, id, name, "order") values ($1, 'a', 'Division A', 1) returning guid, id),
     bracket as (
       insert into brackets (tournament_guid, division_guid, name, "order", format, settings, status, open)
       select $1, guid, 'Playoffs', 1, 'single_elimination', $3, 'ready', 1 from division returning guid),
     table_bracket as (
       insert into brackets (tournament_guid, division_guid, name, "order", format, settings, status, open)
       select $1, guid, 'Groups', 2, 'round_robin', $5, 'ready', 0 from division returning guid),
     match as (
       insert into matches (tournament_guid, division_guid, bracket_guid, number, section, round, status, sides, best_of)
       select $1, division.guid, bracket.guid, 1, 'upper', 1, 'locked', $4, 3 from division, bracket returning guid),
     correction as (
       insert into corrections (tournament_guid, bracket_guid, match_guid, actor_guid, before, after, revision)
       select $1, bracket.guid, match.guid, $2, '[]', '[]', 2 from bracket, match returning guid),
     play as (
       insert into assistant_plays (tournament_guid, match_guid, game, run, technical, map, mode, source, state, expected)
       select $1, guid, 1, 1, false, $6, 'now', 'assistant', 'finished', '[]' from match returning guid, match_guid),
     proposal as (
       insert into game_proposals (tournament_guid, match_guid, play_guid, game, run, map, players, sides, warnings, source,
         status, provenance)
       select $1, match_guid, guid, 1, 1, $6, '[]', $7, '[]', 'assistant', 'proposed', $8 from play returning guid)
     select proposal.guid as "gameProposal", division.id as division, bracket.guid as bracket, match.guid as match, correction.guid as correction,
       table_bracket.guid as table
     from division, bracket, match, correction, table_bracket, proposal`,
    [
      ...[tournament.guid, organiser.guid, JSON.stringify(plainSettings), JSON.stringify([openSide, openSide])],
      JSON.stringify({ ...plainSettings, tieBreakers: ['points'] }),
      ...[plainSong, [noScore, noScore], plainProvenance].map((value) => JSON.stringify(value)),
    ],
  )
  if (made === undefined) throw new Error('no match was made')
  return made
}

const openSide = { slot: null, from: null, bye: false, empty: false, score: null, result: null }

const noScore = { score: 0, accuracy: null }

const plainSong = {
  poolMapGuid: null,
  hash: '8'.repeat(40),
  characteristic: 'Standard',
  difficulty: 'ExpertPlus',
  name: 'Cadenza',
  modifiers: [],
  maxScore: null,
}

const plainProvenance = {
  serverHost: null,
  serverVersion: null,
  assistantMatch: null,
  receivedAt: '2026-05-01T18:00:00.000Z',
}

const plainSettings = {
  bestOf: 3,
  bestOfByRound: {},
  seedOrdering: 'standard',
  thirdPlace: false,
  grandFinal: 'none',
  groups: 1,
  legs: 1,
  distribution: 'snake',
  points: { win: 3, draw: 1, loss: 0 },
  allowDraws: false,
  rounds: 1,
  byePoints: 3,
  avoidRematches: true,
  tieBreakers: [],
}

const plainQualifier = { countMaps: null, topPlayers: null, points: [1], missing: 'zero', failCounts: false }

const plainImport = {
  source: { kind: 'text', label: null },
  content: [],
  difficulty: 'ask',
  flairGuid: null,
  keepMissing: true,
  reason: null,
}

const plainWish = {
  matchGuids: [],
  sheetGuids: [],
  minutesPerMatch: 60,
  minRestMinutes: 0,
  streams: ['Stream 1'],
  officialsPerMatch: {},
  earliest: '2026-05-01T18:00:00.000Z',
  latest: '2026-05-01T22:00:00.000Z',
}

/** A person of a sheet who has not signed in, a link for them, and a claim of another one. */
async function makeClaims(
  api: Harness,
  tournament: MadeTournament,
  { organiser, member }: { readonly organiser: Caller; readonly member: Caller },
): Promise<Names> {
  const [placeholder, claimed] = [await makePlaceholder(api, tournament), await makePlaceholder(api, tournament)]
  const claimToken = newSecret()
  const [link] = await api.sql<{ guid: string }>(
    `insert into claim_links (placeholder_guid, tournament_guid, secret_hash, created_by_guid, expires_at)
     values ($1, $2, $3, $4, now() + interval '30 days') returning guid`,
    [placeholder.guid, tournament.guid, digestOf(claimToken), organiser.guid],
  )
  await api.sql('update users set anonymised_at = now() where guid = $1', [claimed.guid])
  const [claim] = await api.sql<{ guid: string }>(
    `insert into claims (placeholder_guid, user_guid, tournament_guid, moved) values ($1, $2, $3, '{}') returning guid`,
    [claimed.guid, member.guid, tournament.guid],
  )
  return { placeholder: placeholder.guid, claimLink: link?.guid ?? '', claimToken, userClaim: claim?.guid ?? '' }
}

export const nobody = '00000000-0000-4000-8000-000000000000'

/**
 * The path of the operation in this world.
 * @param others values that replace those of the world, except those for this operation alone
 * @throws Error when the world has no value for a parameter
 */
export function addressOf(operation: Operation, world: World, others: Names = {}): string {
  const values = { ...world.named, ...others, ...world.namedIn[operation.name] }
  const filled = parametersOf(operation.path).reduce((path, name) => {
    const value = (values as Names)[name]
    if (value === undefined) throw new Error(`the world holds no :${name}`)
    return path.replace(`:${name}`, value)
  }, operation.path)
  return operation.root ? `/${filled}` : filled
}

/** A caller in this world who may use the operation. */
export function actorOf({ name, path }: Operation, world: World): Caller {
  if (name === 'availability.respond') return world.referee
  if (name === 'availability.respondForTeam') return world.captain
  // The player in the path reports it.
  if (name === 'live.finish') return world.member
  if (name === 'teams.acceptInvitation' || name === 'teams.declineInvitation') return world.invited
  // The organiser owns the personal records of this world.
  const isOwn = /:(application|session|identity|suggestion|comment|awaitedPlaceholder)|\/@me\/.*:streamKey/.test(path)
  return isOwn ? world.organiser : world.owner
}
