import { randomUUID } from 'node:crypto'
import { defaultOptions } from '../src/features/maps/pools/rules/maps.ts'
import { signIn } from './chat-sign-in.ts'
import type { FakeChat } from './fakes/chat.ts'
import { makeSession } from './flow-sessions.ts'
import type { Caller, Harness } from './harness.ts'
import {
  grantRole,
  type MadeApplication,
  type MadeTeam,
  type MadeTournament,
  makeApplication,
  makeTeam,
  makeTournament,
} from './make.ts'
import { type MadeMedia, makeMedia } from './media-rows.ts'
import { makeStreamKey } from './streaming.ts'
import { makeConnection, makeRehearsalRow } from './world.ts'

/** A user with data in every part of the service, whose account may be closed. */
export interface Settled extends Caller {
  /** Texts that must be found nowhere after the account is closed. */
  readonly traces: readonly string[]
  readonly friend: Caller
  readonly ownApplication: MadeApplication
  /** The friend's application, to which the user has granted access. */
  readonly grantedApplication: MadeApplication
  /** The tokens of the user and of the friend for that application. */
  readonly grantedToken: string
  readonly tokenOfFriend: string
  /** Completed; organised by the user. */
  readonly organised: MadeTournament
  /** Completed; the user captained a registered team in it, with a generated id and name. */
  readonly played: MadeTournament
  readonly playedTeam: MadeTeam
  /** A picture that the user uploaded and shows. */
  readonly avatar: string
  /** A picture that the user uploaded for the tournament that they organised. */
  readonly poster: MadeMedia
  /** Approved; the user captains an unregistered team in it, with the friend as a member. */
  readonly coming: MadeTournament
  readonly comingTeam: MadeTeam
}

const names = { username: 'zyzzyva', preferredName: 'Zyzzyva Quill' }

/** @param chat the platform of their account, whose id is `chatPlatformId` */
export async function makeSettled(api: Harness, chat: FakeChat): Promise<Settled> {
  const account = chat.users.add({
    username: names.username,
    global_name: names.preferredName,
    email: 'zyzzyva@quill.example',
    verified: true,
  })
  await signIn(api, chat, account.id)
  const [record] = await api.sql<{ guid: string }>('select guid from users where chat_platform_id = $1', [account.id])
  const guid = record?.guid as string
  const token = await api.token({ guid }, ['rest:write', 'ws:write'])
  const user: Caller = { guid, chatPlatformId: account.id, username: names.username, token }
  const profile = {
    description: 'Born in **Ushuaia**.',
    pronouns: 'zy/zyr',
    pronunciation: 'ZIZ-iva',
    headset: 'Ushuaia headset',
    grip: 'Ushuaia grip',
    controllers: 'Ushuaia controllers',
    avatarUrl: 'https://ushuaia.example/me.png',
  }
  await done(api.post('/updateUserSettings', user, profile))
  await api.sql(`update users set country = 'AR' where guid = $1`, [guid])
  await api.sql(
    `insert into identities (user_guid, platform, external_id, verified_at) values
       ($1, 'ranking-a', '76561190000777777', now()), ($1, 'streaming', 'ushuaia_live', now())`,
    [guid],
  )
  await api.sql(
    `insert into ranking_profiles (platform, external_id, name, country, rank, fetched_at)
     values ('ranking-a', '76561190000777777', 'Ushuaia', 'AR', 77, now())`,
  )
  await done(api.put('/users/@me/email', user, { email: 'other@ushuaia.example' }))

  const friend = await api.user({ name: 'quokka' })
  const oauth = await settleApplications(api, user, friend)
  const tournaments = await settleTournaments(api, user, friend)
  const media = await settleMedia(api, user, tournaments.organised)
  await api.sql(
    `insert into assistant_links (tournament_guid, host, port, tls, certificate, assistant_guid, assistant_name, token_kind,
       acts_as, enabled, allow_modify, defaults)
     values ($1, 'assistant.example.org', 8676, true, 'public', 'a-tournament', 'Cup', 'own', $2, true, false, '{}')`,
    [tournaments.organised.guid, guid],
  )
  await api.sql(
    `insert into tournament_packages (tournament_guid, by_guid, variant, is_private, bytes, digest, direction, signer)
     values ($1, $2, 'full', false, 1, sha256('package'), 'export', 'known')`,
    [tournaments.organised.guid, guid],
  )
  await api.sql(
    `insert into package_people (tournament_guid, package_guid, user_guid, was_placeholder) values ($1, gen_random_uuid(), $2, false)`,
    [tournaments.organised.guid, guid],
  )
  const rehearsal = await makeRehearsalRow(api, tournaments.organised, user)
  await api.sql(
    `insert into outbox_messages (rehearsal_guid, kind, at, "to", user_guid, subject, body, status, attempts)
     values ($1, 'push', now(), '', $2, 'Your match is called', '{}', 'sent', '[]')`,
    [rehearsal, guid],
  )
  await api.sql('insert into assistant_token_days (user_guid, day, issued) values ($1, current_date, 7)', [guid])
  await api.sql(
    `insert into stream_assignments (tournament_guid, user_guid, role, slot, starts_at, ends_at, note)
     values ($1, $2, 'observer', 1, now(), now() + interval '1 hour', 'Of Ushuaia.')`,
    [tournaments.organised.guid, guid],
  )
  return {
    ...user,
    friend,
    ...oauth,
    ...tournaments,
    ...media,
    traces: [account.id, 'zyzzyva', 'ushuaia', 'zy/zyr', 'ziz-iva', '76561190000777777'],
  }
}

async function settleMedia(api: Harness, user: Caller, organised: MadeTournament) {
  const { guid: avatar } = await makeMedia(api, 'avatar', { owner: user, name: 'Ushuaia' })
  const poster = await makeMedia(api, 'tournament_image', { owner: user, tournament: organised })
  await api.sql(
    `with used as (update media set was_used = true where guid = $2)
     insert into media_usages (media_guid, subject, subject_guid, field) values ($2, 'user', $1, 'avatarUrl')`,
    [user.guid, avatar],
  )
  // The mirrored pictures: the current one, and an earlier one of the chat account.
  await api.sql(
    `insert into remote_pictures (address, url) select sha256(url::bytea), url from users u,
       lateral unnest(array[u.avatar_url, u.chat_avatar_url, regexp_replace(u.chat_avatar_url, '[^/]*$', 'before.png')]) as url
     where u.guid = $1`,
    [user.guid],
  )
  await api.sql(`insert into media_blocked (digest, reason, by_guid) values ('\\x00', 'Not ours.', $1)`, [user.guid])
  return { avatar, poster }
}

async function settleApplications(api: Harness, user: Caller, friend: Caller) {
  const registration = {
    name: 'Overlay Editor',
    scopes: ['rest:read'],
    redirectUris: ['http://localhost/'],
    type: 'confidential',
  }
  const { clientId, clientSecret } = (await done(api.post('/oauth/applications', user, registration))).body
  const ownApplication: MadeApplication = { clientId, clientSecret }
  const grantedApplication = await makeApplication(api, friend)
  const grantedToken = await api.token(user, ['rest:write'], grantedApplication)
  const tokenOfFriend = await api.token(friend, ['rest:read'], ownApplication)
  await api.sql(`insert into consents (user_guid, client_id, scopes) values ($1, $2, '{rest:write}')`, [
    user.guid,
    grantedApplication.clientId,
  ])
  await api.call('POST', '/users/@me/notifications/read', {
    as: user,
    body: { all: true },
    headers: { 'idempotency-key': 'settled' },
  })
  await done(api.post('/realtime/tickets', user))
  await makeConnection(api, user)
  await makeStreamKey(api, user, { label: 'Ushuaia studio', networks: ['203.0.113.77'] })
  await api.sql(
    `insert into refresh_tokens (token_hash, grant_guid, expires_at)
     select decode(md5(guid::text), 'hex'), guid, now() + interval '1 day' from grants where user_guid = $1`,
    [user.guid],
  )
  await api.sql(
    `insert into authorization_codes (code_hash, user_guid, client_id, redirect_uri, scopes, expires_at)
     values (decode(md5($1::text), 'hex'), $1::uuid, $2, 'http://localhost/', '{rest:read}', now() + interval '1 minute')`,
    [user.guid, grantedApplication.clientId],
  )
  await api.sql(
    `insert into device_requests (device_code_hash, user_code_seal, client_id, scopes, expires_at, interval, user_guid, decision)
     values (decode(md5($1::text), 'hex'), $3, $2, '{rest:read}', now() + interval '1 minute', 5, $1::uuid, 'approved')`,
    [user.guid, grantedApplication.clientId, randomUUID()],
  )
  return { ownApplication, grantedApplication, grantedToken, tokenOfFriend }
}

async function settleTournaments(api: Harness, user: Caller, friend: Caller) {
  const field = {
    label: 'Shirt',
    help: null,
    type: 'text',
    required: false,
    options: [],
    subject: 'player',
    private: true,
    guid: randomUUID(),
  }
  const organised = await makeTournament(api, user)
  const played = await makeTournament(api, friend, { additionalFields: [field] })
  const coming = await makeTournament(api, friend)

  const { newTeam } = (await done(api.post(`/tournaments/${played.id}/teams`, user, { captainId: user.guid }))).body
  const answer = { fieldGuid: field.guid, userGuid: user.guid, response: 'Size of Ushuaia' }
  await done(api.post(`/tournaments/${played.id}/register/${newTeam.guid}`, user, { additionalFields: [answer] }))
  const comingTeam = await makeTeam(api, coming, user, { name: 'The Rests', members: [friend] })

  // A role that they granted and one that they have, a place among reviewers, and a decision.
  await done(api.post(`/tournaments/${organised.id}/permissions/${friend.guid}/grant`, user, { role: 'role:referee' }))
  await grantRole(api, coming, user, 'role:caster')
  await api.sql(
    `insert into platform_members (platform_guid, user_guid, role) select guid, $1, 'reviewer' from platforms`,
    [user.guid],
  )
  await api.sql(
    `with decided as (
       update visibility_requests set decided_by_guid = $1 where tournament_guid = $2 returning guid, decided_at)
     insert into visibility_decisions (request_guid, decision, decided_at, decided_by_guid)
     select guid, 'approved', decided_at, $1 from decided`,
    [user.guid, played.guid],
  )

  // A webhook delivery about them.
  await api.sql(
    `insert into webhook_deliveries (platform_guid, channel, event, event_seq, user_guid, body, status, created_at, queued_at, next_attempt_at, finished_at)
     select guid, 'custom', 'member_added', 0, $1, '{"data":{"member":"Zyzzyva"}}', 'delivered', now(), now(), now(), now()
     from platforms where is_system`,
    [user.guid],
  )

  // Public texts that they wrote.
  await api.sql(
    `insert into notices (title, content, level, starts_at, dismissible, audience, created_by_guid)
     values ('Maintenance', 'Tonight.', 'info', now(), true, 'everyone', $1)`,
    [user.guid],
  )
  await api.sql(
    `insert into updates (guid, tournament_guid, author_guid, title, content, changes, published_hash)
     values (gen_random_uuid(), $2, $1, 'Schedule', 'Out now.', '[]', decode('00', 'hex'))`,
    [user.guid, organised.guid],
  )

  // Their availability, that of their team, and a sheet that they created.
  await api.sql(
    `with sheet as (
       insert into availability_sheets (tournament_guid, created_by_guid, audience, team_eligibility, slot_minutes,
         accepted_statuses, title, mode, roles, timezone, windows)
       values ($2, $1, 'staff', 'both', 15, '{available}', 'Casting', 'days', '{}', 'UTC', '[]') returning guid),
     answers as (
       insert into availability_responses (sheet_guid, user_guid, role, runs, matches, submitted_at)
       select guid, $1, 'role:caster', $4, '[]', now() from sheet)
     insert into availability_team_responses (sheet_guid, team_guid, runs, updated_by_guid, submitted_at)
     select guid, $3, '[]', $1, now() from sheet`,
    [
      user.guid,
      coming.guid,
      newTeam.guid,
      JSON.stringify([
        { start: 1_777_658_400_000, end: 1_777_662_000_000, status: 'available', reason: 'Flight to Ushuaia' },
      ]),
    ],
  )

  // Their acts in a session of a flow.
  await makeSession(api, {
    tournamentGuid: organised.guid,
    by: user.guid,
    seats: [user, friend].map(({ guid }) => ({ team: null, captain: guid })),
  })

  // Where they played, officiated and corrected a result.
  await api.sql(
    `with division as (
       insert into divisions (tournament_guid, id, name, "order") values ($2, 'a', 'Division A', 1) returning guid),
     bracket as (
       insert into brackets (tournament_guid, division_guid, name, "order", format, settings, status, open)
       select $2, guid, 'Groups', 1, 'round_robin', '{}', 'completed', 0 from division returning guid),
     match as (
       insert into matches (tournament_guid, division_guid, bracket_guid, number, section, round, status, sides, best_of,
         team1_guid, games)
       select $2, division.guid, bracket.guid, 7, 'group', 1, 'completed', '[{},{}]', 1, $3, $4
       from division, bracket returning guid),
     official as (
       insert into match_officials (match_guid, user_guid, role) select guid, $1, 'role:referee' from match)
     insert into corrections (tournament_guid, bracket_guid, match_guid, actor_guid, reason, before, after, revision)
     select $2, bracket.guid, match.guid, $1, 'The wrong map.', '[]', '[]', 2 from bracket, match`,
    [
      user.guid,
      played.guid,
      newTeam.guid,
      JSON.stringify([
        {
          number: 3,
          scores: [900_000, 1],
          winner: 0,
          detail: {
            sides: [{}, {}],
            players: [
              { userGuid: user.guid, side: 1, score: 900_000, accuracy: 0.97 },
              { userGuid: friend.guid, side: 2, score: 1 },
            ],
          },
        },
      ]),
    ],
  )

  // Their results in a qualifier, results that they recorded and voided, and results from a leaderboard.
  await api.sql(
    `with qualifier as (
       insert into qualifiers (tournament_guid, status, attempts, hide_scores, method, settings)
       values ($2, 'closed', 0, false, 'sum_of_scores',
         '{"countMaps":null,"topPlayers":null,"points":[1],"missing":"zero","failCounts":true}') returning guid),
     map as (
       insert into qualifier_maps (qualifier_guid, hash, difficulty, characteristic, weight, "order")
       select guid, repeat('a', 40), 'Easy', 'Standard', 1, 0 from qualifier returning guid, qualifier_guid),
     board as (
       insert into qualifier_unmatched (qualifier_guid, position, player, user_guid, name, map, score, reason)
       select guid, place, player, account, 'Zyzzyva', 'x', 1, 'There is no such user.'
       from qualifier, (values (0, $4, null), (1, '76561190000777777', $1::uuid)) as told (place, player, account))
     insert into qualifier_attempts (qualifier_guid, map_guid, user_guid, team_guid, score, completion, source, played_at,
       recorded_by_guid, voided_at, voided_by_guid, void_reason)
     select qualifier_guid, guid, $1::uuid, $3::uuid, 900, 'passed', 'manual', now(), $1::uuid, now(), $1::uuid, 'Crashed.' from map`,
    [user.guid, played.guid, newTeam.guid, user.chatPlatformId],
  )

  // Their work on the pools of a tournament.
  await api.sql(
    `with pool as (
       insert into pools (tournament_guid, name, name_key, kind, "order", status)
       values ($2, 'Finals', 'finals', 'match', 0, 'draft') returning guid),
     map as (
       insert into maps (hash, characteristic, difficulty, state)
       values (repeat('c', 40), 'Standard', 'Easy', 'known') returning guid),
     pool_map as (
       insert into pool_maps (pool_guid, map_guid, "order", is_tiebreaker, modifiers, player_options, options, weight,
         added_by_guid)
       select pool.guid, map.guid, 0, false, '{}', '{}', $3, 1, $1 from pool, map returning guid),
     change as (
       insert into pool_changes (pool_guid, revision, kind, reason, by_guid, is_shown)
       select guid, 2, 'added', 'One was missing.', $1, true from pool),
     import as (
       insert into imports (tournament_guid, pool_guid, request, dry_run, status, started_by_guid)
       select $2, guid, '{}', false, 'done', $1 from pool),
     suggestion as (
       insert into suggestions (tournament_guid, map_guid, note, suggested_by_guid, status, decided_by_guid, decided_at)
       select $2, guid, 'For the finals.', $1, 'withdrawn', $1, now() from map returning guid),
     vote as (
       insert into map_votes (pool_map_guid, user_guid, value, voted_at) select guid, $1, 1, now() from pool_map)
     insert into pool_comments (tournament_guid, suggestion_guid, author_guid, text)
     select $2, guid, $1, 'Too long after all.' from suggestion`,
    [user.guid, coming.guid, JSON.stringify(defaultOptions)],
  )

  // Their proposals for a schedule.
  await api.sql(
    `insert into schedule_proposals (tournament_guid, created_by_guid, wish, schedule, digest)
     values ($2, $1, '{}', '{"placements":[],"unplaced":[],"teams":[],"officials":[]}', '')`,
    [user.guid, organised.guid],
  )

  // Their streams.
  await api.sql(
    `with server as (
       insert into stream_servers (name, kind, ingest, play, sealed_secret)
       values ('Main', 'generic', '[]', '{}', '') returning guid),
     assignment as (
       insert into stream_assignments (tournament_guid, user_guid, role, slot, starts_at, ends_at)
       values ($2, $1, 'player', 1, now() - interval '1 hour', now()) returning guid)
     insert into stream_sessions (user_guid, server_guid, protocol, path, assignment_guid, tournament_guid, test, ended_at,
       end_reason, address)
     select $1, server.guid, 'rtmp', '', assignment.guid, $2, false, now(), 'done', '203.0.113.77' from server, assignment`,
    [user.guid, played.guid],
  )

  // Results that the assistant reported about them, and their decisions on results.
  await api.sql(
    `with play as (
       insert into assistant_plays (tournament_guid, match_guid, game, run, technical, map, mode, source, state, expected)
       select tournament_guid, guid, 1, 1, false, '{}', 'now', 'assistant', 'finished',
         jsonb_build_array(jsonb_build_object('userGuid', $1::uuid, 'side', 1, 'platformId', '76561190000777777', 'mapped', false))
       from matches where tournament_guid = $2 limit 1 returning guid, tournament_guid, match_guid),
     finish as (
       insert into assistant_finishes (play_guid, user_guid, side, score, misses, bad_cuts, good_cuts, completion, mods)
       select guid, $1, 1, 900, 0, 0, 9, 'passed', '{Zyzzyva}' from play)
     insert into game_proposals (tournament_guid, match_guid, play_guid, game, run, map, players, sides, warnings, source, status,
       decided_by, decided_at, reason, provenance)
     select tournament_guid, match_guid, guid, 1, 1, '{}', '[]', '[]', '[]', 'assistant', 'rejected', $1, now(), 'No.', '{}' from play`,
    [user.guid, played.guid],
  )

  // A session that they opened at the assistant, and their commands.
  await api.sql(
    `with session as (
       insert into assistant_sessions (tournament_guid, match_guid, opened_by, status, phase, controller_guid, state)
       select tournament_guid, guid, $1, 'failed', 'idle', $1, '{"players":[],"others":[],"map":null,"warnings":[]}'
       from matches where tournament_guid = $2 limit 1 returning guid)
     insert into assistant_commands (session_guid, user_guid, name, body) select guid, $1, 'return', '{}' from session`,
    [user.guid, played.guid],
  )

  // A ticket for their own game, and one for the friend's.
  await api.sql(
    `insert into bridge_tickets (digest, tournament_guid, match_guid, user_guid, made_by, expires_at)
     select sha256(u::text::bytea), tournament_guid, guid, u, $1, now() + interval '1 hour'
     from (select * from matches where tournament_guid = $2 limit 1) m, unnest($3::uuid[]) u`,
    [user.guid, played.guid, [user.guid, friend.guid]],
  )

  // A badge that they created and granted to themselves and to the friend.
  await api.sql(
    `with badge as (
       insert into badges (name, description, kind, media_guid, image_url, holders, created_by)
       values ('First steps', '', 'special', gen_random_uuid(), '', 2, $1) returning guid)
     insert into badge_grants (badge_guid, user_guid, label, awarded_at, source, granted_by)
     select badge.guid, u, case u when $1 then 'Of Ushuaia' end, now(), 'manual', $1 from badge, unnest($2::uuid[]) u`,
    [user.guid, [user.guid, friend.guid]],
  )

  // An overlay that they edit, with all their changes, and a template of their own.
  await api.sql(
    `with overlay as (
       insert into overlays (tournament_guid, name) values ($1, 'Main') returning guid),
     editor as (insert into overlay_editors (overlay_guid, user_guid) select guid, $2 from overlay),
     token as (
       insert into overlay_tokens (overlay_guid, digest, label, last_four, preview, created_by)
       select guid, sha256($2::uuid::text::bytea), 'Studio', 'abcd', false, $2 from overlay),
     draft as (
       insert into overlay_drafts (overlay_guid, state, digest, json_bytes, canvas_width, canvas_height, updated_by)
       select guid, '', '', 2, 1920, 1080, $2 from overlay),
     change as (
       insert into overlay_updates (overlay_guid, generation, seq, kind, data, revision, user_guid)
       select guid, 1, 1, 'edit', '', 1, $2 from overlay),
     lease as (
       insert into overlay_client_leases (overlay_guid, generation, client, user_guid, expires_at)
       select guid, 1, 5000, $2, now() from overlay),
     version as (
       insert into overlay_versions (overlay_guid, number, kind, name, by, bytes, digest, document)
       select guid, 1, 'named', 'Before the finals', $2, 2, '', '{}' from overlay),
     control as (
       insert into overlay_controls (overlay_guid, casters, updated_by)
       select guid, jsonb_build_array(jsonb_build_object('name', 'Ushuaia', 'pronouns', '', 'imageUrl', null, 'handle', '',
         'userGuid', $2::uuid)), $2 from overlay)
     insert into overlay_templates (user_guid, name, bytes, document) values ($2, 'Of Ushuaia', 2, '{}')`,
    [played.guid, user.guid],
  )

  // The secret address of their calendar.
  await api.sql('insert into calendar_tokens (user_guid, digest) values ($1::uuid, sha256($1::uuid::text::bytea))', [
    user.guid,
  ])

  // A browser on which they are told of what concerns them.
  await api.sql(
    `insert into push_devices (user_guid, endpoint, endpoint_digest, p256dh, auth, name)
     values ($1::uuid, 'https://push.example.org/' || $1::uuid, sha256($1::uuid::text::bytea), 'p256dh', 'auth', 'Ushuaia phone')`,
    [user.guid],
  )

  // Badges that they requested for themselves and decided on, and imported badges.
  await api.sql(
    `insert into badge_requests (tournament_guid, status, message, badges, created_by, reviewed_by)
     values ($1, 'pending', '', $2, $3, $3)`,
    [
      played.guid,
      JSON.stringify([
        {
          name: 'Helper',
          description: '',
          kind: 'staff',
          mediaGuid: null,
          recipients: [{ userGuid: user.guid, label: 'Ushuaia, of course', place: null }],
        },
      ]),
      user.guid,
    ],
  )
  await api.sql(
    `insert into badge_imports (status, dry_run, report, created_by, finished_at) values ('done', false, '{}', $1, now())`,
    [user.guid],
  )

  // Awards: one with open voting, with their nominations and votes, and one that was counted without their votes.
  const rules = {
    accountBefore: '2099-01-01T00:00:00.000Z',
    link: 'none',
    linkBefore: null,
    minTournamentsPlayed: 0,
    selfNomination: true,
    nominationsPerCategory: 3,
    tie: 'shared',
    showCounts: true,
  }
  await api.sql(
    `with editions as (
       insert into award_editions (id, title, description, status, nominations_open_at, nominations_close_at, voting_opens_at,
         voting_closes_at, rules, created_by)
       select status || '-' || $1::uuid, 'Awards', '', status, '2026-01-01Z', '2026-02-01Z', '2026-03-01Z', '2099-04-01Z', $2, $1
       from unnest('{voting,counting}'::text[]) as status returning guid, status),
     categories as (
       insert into award_categories (edition_guid, name, description, "order", nominee_type, shortlist_size)
       select guid, 'Team of the year', '', 0, 'team', 10 from editions returning guid, edition_guid),
     nominees as (
       insert into award_nominees (category_guid, label, members) select guid, 'The Rests', array[$1::uuid] from categories
       returning guid, category_guid),
     nominations as (
       insert into award_nominations (category_guid, user_guid, label, target_key, reason, nominee_guid)
       select category_guid, $1, 'The Rests', 'the rests', 'They came from Ushuaia.', guid from nominees),
     voters as (insert into award_voters (edition_guid, user_guid) select guid, $1 from editions where status = 'voting'),
     votes as (
       insert into award_votes (category_guid, user_guid, nominee_guid, cast_at, failures)
       select n.category_guid, $1, n.guid, now(), case e.status when 'counting' then '{}'::text[] end
       from nominees n join categories c on c.guid = n.category_guid join editions e on e.guid = c.edition_guid),
     roll as (
       insert into award_roll (category_guid, user_guid)
       select c.guid, $1 from categories c join editions e on e.guid = c.edition_guid where e.status = 'counting'),
     of_friend as (
       insert into award_nominations (category_guid, user_guid, label, target_key, members)
       select category_guid, $3, 'The Rests', 'the rests', array[$1::uuid] from nominees)
     insert into award_exclusions (edition_guid, user_guid, reason, answer, excluded_by)
     select guid, $1, 'One of nine accounts.', 'I am from Ushuaia.', $1 from editions where status = 'counting'`,
    [user.guid, JSON.stringify(rules), friend.guid],
  )

  // Invitations that they received and sent.
  const others = await makeTeam(api, played, await api.user({ name: 'wombat' }))
  await api.sql(
    `insert into team_invitations (team_guid, tournament_guid, user_guid, invited_by_guid, message)
     select guid, tournament_guid, $2, captain_guid, 'Come, Zyzzyva' from teams where guid = $1`,
    [others.guid, user.guid],
  )
  // A place for which they stood in, another that they took over from a sheet with their name, and links for both.
  await api.sql(
    `with sheet as (
       insert into users (chat_platform_id, username, preferred_name, avatar_url, is_placeholder, anonymised_at)
       values ('placeholder:zyz', 'Zyzzyva Quill', 'Zyzzyva Quill', 'https://cdn.example.org/0.png', true, now()) returning guid),
     pairs as (
       select $1::uuid as here, guid as there from sheet union all select guid, $1 from sheet),
     links as (
       insert into claim_links (placeholder_guid, tournament_guid, secret_hash, created_by_guid, expires_at)
       select there, $2, sha256(there::text::bytea), $1, now() from pairs)
     insert into claims (placeholder_guid, user_guid, tournament_guid, moved) select there, here, $2, '{}' from pairs`,
    [user.guid, played.guid],
  )
  await api.sql(`update team_invitations set stand_in_guid = $2 where team_guid = $1`, [others.guid, friend.guid])
  await api.sql(
    `insert into team_invitations (team_guid, tournament_guid, user_guid, invited_by_guid, stand_in_guid)
     select guid, tournament_guid, $2, captain_guid, $3 from teams where guid = $1`,
    [others.guid, friend.guid, user.guid],
  )
  await api.sql(
    `insert into imported_people (team_guid, mention, tournament_guid, user_guid)
     select guid, 'digest', tournament_guid, $2 from teams where guid = $1`,
    [others.guid, user.guid],
  )
  const guest = await api.user({ name: 'numbat' })
  const path = `/tournaments/${coming.id}/teams/${comingTeam.guid}/invitations`
  await done(api.post(path, user, { userIdentifier: guest.guid, message: 'Play with us?' }))
  await api.sql(`update tournaments set status = 'completed' where guid = any($1)`, [[organised.guid, played.guid]])
  await api.sql(`update listings set status = 'completed' where tournament_guid = any($1)`, [
    [organised.guid, played.guid],
  ])
  await api.sql(`insert into notifications (user_guid, type, title) values ($1, 'test', 'Hello Zyzzyva')`, [user.guid])
  return { organised, played, playedTeam: newTeam as MadeTeam, coming, comingTeam }
}

async function done<R extends { status: number; text: string }>(call: Promise<R>): Promise<R> {
  const reply = await call
  if (reply.status >= 300) throw new Error(`what a test starts from was refused: ${reply.status} ${reply.text}`)
  return reply
}
