import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSettled, type Settled } from '../../../../test/accounts.ts'
import { chatConfig, makeVisitor, standingOn } from '../../../../test/chat-sign-in.ts'
import { everythingStored } from '../../../../test/emails.ts'
import { type FakeChat, startFakeChat } from '../../../../test/fakes/chat.ts'
import { type Harness, startHarness } from '../../../../test/harness.ts'

/** What the database still contains after a user is deleted, if every part of the service had data about them. */

let chat: FakeChat
let api: Harness
let sibling: Harness
beforeAll(async () => {
  chat = await startFakeChat()
  api = await startHarness({ chat: chatConfig(chat) })
  sibling = await api.sibling()
})
afterAll(async () => {
  await sibling[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
  await chat.close()
})

/**
 * Every column that can name a user, and what deleting the account does with it. `kept`: history and other users'
 * records still contain the GUID, but nothing tells any more whose it was. A new column needs an entry here and a row
 * in `makeSettled`; a new table needs `personalData` in its slice.
 */
const decisions: Readonly<Record<string, 'deleted' | 'kept'>> = {
  'access_tokens.user_guid': 'deleted',
  'appearances.user_guid': 'kept',
  'applications.owner_guid': 'deleted',
  'assistant_links.acts_as': 'deleted',
  'assistant_token_days.user_guid': 'deleted',
  'assistant_commands.user_guid': 'deleted',
  'assistant_finishes.user_guid': 'kept',
  'assistant_sessions.controller_guid': 'deleted',
  'assistant_sessions.opened_by': 'kept',
  'authorization_codes.user_guid': 'deleted',
  'availability_responses.user_guid': 'deleted',
  'availability_sheets.created_by_guid': 'kept',
  'availability_team_responses.updated_by_guid': 'kept',
  'award_editions.created_by': 'kept',
  'award_exclusions.excluded_by': 'kept',
  'award_exclusions.user_guid': 'kept',
  'award_nominations.members': 'kept',
  'award_nominations.user_guid': 'deleted',
  'award_nominees.members': 'kept',
  'award_roll.user_guid': 'kept',
  'award_voters.user_guid': 'deleted',
  'award_votes.user_guid': 'deleted',
  'badge_grants.granted_by': 'deleted',
  'badge_grants.user_guid': 'deleted',
  'badge_imports.created_by': 'kept',
  'badge_requests.created_by': 'kept',
  'badge_requests.reviewed_by': 'kept',
  'badges.created_by': 'deleted',
  'bridge_tickets.made_by': 'deleted',
  'bridge_tickets.user_guid': 'deleted',
  'calendar_tokens.user_guid': 'deleted',
  'claim_links.created_by_guid': 'kept',
  'claim_links.placeholder_guid': 'deleted',
  'claims.placeholder_guid': 'deleted',
  'claims.user_guid': 'deleted',
  'command_results.user_guid': 'deleted',
  'connection_tickets.user_guid': 'deleted',
  'connections.user_guid': 'deleted',
  'consents.user_guid': 'deleted',
  'corrections.actor_guid': 'kept',
  'device_requests.user_guid': 'deleted',
  'email_verifications.user_guid': 'deleted',
  'event_log.actor': 'kept',
  'event_log.subject': 'kept',
  'field_answers.user_guid': 'deleted',
  'flow_rows.by_guid': 'kept',
  'flow_sessions.begun_by_guid': 'kept',
  'game_proposals.decided_by': 'kept',
  'grants.user_guid': 'deleted',
  'identities.user_guid': 'deleted',
  // A digest of the mention, by which the same sheet does not bring them back.
  'imported_people.user_guid': 'kept',
  'imports.started_by_guid': 'kept',
  // Pools are the result of what poolers voted and wrote.
  'map_votes.user_guid': 'kept',
  'match_officials.user_guid': 'deleted',
  // Media that they gave to others stay, without an owner.
  'media.owner_guid': 'deleted',
  'media_blocked.by_guid': 'kept',
  'media_usages.subject_guid': 'deleted',
  'notices.created_by_guid': 'kept',
  'notifications.user_guid': 'deleted',
  // Of placeholders alone; the name is read when it is shown.
  'outbox_messages.user_guid': 'kept',
  'overlay_client_leases.user_guid': 'deleted',
  // Deleted where the user casts; kept elsewhere.
  'overlay_controls.updated_by': 'deleted',
  'overlay_drafts.updated_by': 'kept',
  'overlay_editors.user_guid': 'deleted',
  'overlay_templates.user_guid': 'deleted',
  'overlay_tokens.created_by': 'deleted',
  'overlay_updates.user_guid': 'kept',
  'overlay_versions.by': 'kept',
  // By it, packages of a restored tournament call people as the first one did.
  'package_people.user_guid': 'kept',
  'platform_members.user_guid': 'deleted',
  'pool_changes.by_guid': 'kept',
  'pool_comments.author_guid': 'kept',
  'pool_maps.added_by_guid': 'kept',
  'push_devices.user_guid': 'deleted',
  'qualifier_attempts.recorded_by_guid': 'kept',
  'qualifier_attempts.user_guid': 'kept',
  'qualifier_attempts.voided_by_guid': 'kept',
  'qualifier_unmatched.user_guid': 'deleted',
  'rehearsals.created_by': 'kept',
  'schedule_proposals.created_by_guid': 'kept',
  'sessions.user_guid': 'deleted',
  'sign_in_places.user_guid': 'deleted',
  'stream_assignments.user_guid': 'kept',
  'stream_keys.user_guid': 'deleted',
  'stream_sessions.user_guid': 'kept',
  'suggestions.decided_by_guid': 'kept',
  'suggestions.suggested_by_guid': 'kept',
  'team_invitations.invited_by_guid': 'kept',
  'team_invitations.stand_in_guid': 'deleted',
  'team_invitations.user_guid': 'deleted',
  // Members of registered teams, and of teams in tournaments that are over.
  'team_members.user_guid': 'kept',
  'teams.captain_guid': 'kept',
  'tournament_packages.by_guid': 'kept',
  'tournament_role_holders.granted_by': 'kept',
  'tournament_role_holders.user_guid': 'deleted',
  'tournaments.organiser_guid': 'kept',
  'updates.author_guid': 'kept',
  'users.guid': 'kept',
  'visibility_decisions.decided_by_guid': 'kept',
  'visibility_requests.decided_by_guid': 'kept',
  'webhook_deliveries.user_guid': 'deleted',
}

/** The columns that refer to users, and those whose names suggest that they do. */
async function userColumns(): Promise<string[]> {
  const rows = await api.sql<{ name: string }>(
    `select c.conrelid::regclass || '.' || a.attname as name from pg_constraint c
       join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
       where c.contype = 'f' and c.confrelid = 'users'::regclass
     union
     select table_name || '.' || column_name from information_schema.columns
       where table_schema = 'public' and data_type in ('uuid', 'ARRAY')
         and column_name ~ '(user|owner|captain|organiser|member|player|actor|subject|official|author|creator|by)s?(_guids?)?$'
     union
     select 'users.guid'`,
  )
  return rows.map(({ name }) => name).sort()
}

async function countOf(column: string, guid: string): Promise<number> {
  const [table, name] = column.split('.')
  const [row] = await api.sql<{ count: number }>(
    // Some columns contain several GUIDs.
    `select count(*)::int from ${table} where ${name}::text like '%' || $1 || '%'`,
    [guid],
  )
  return row?.count ?? 0
}

const counted = async (guid: string) =>
  Object.fromEntries(
    await Promise.all(Object.keys(decisions).map(async (column) => [column, await countOf(column, guid)] as const)),
  )

test('every column that can name a user has a decision', async () => {
  expect(await userColumns()).toEqual(Object.keys(decisions).sort())
})

describe('once a user is gone', () => {
  let user: Settled
  let before: Record<string, number>
  /** The status that each process answers to each token; processes cache tokens that they have checked. */
  const standing = async () => {
    const replies = [user.token, user.grantedToken, user.tokenOfFriend].flatMap((token) =>
      [sibling, api].map((process) => process.call('GET', '/users/@me/sessions', { token })),
    )
    return (await Promise.all(replies)).map(({ status }) => status)
  }
  beforeAll(async () => {
    user = await makeSettled(api, chat)
    before = await counted(user.guid)
    expect(await standing()).toEqual([200, 200, 200, 200, 200, 200])
    expect((await api.delete('/users/@me', user)).status).toBe(204)
  })

  test('each column holds, or no longer holds, them as decided', async () => {
    expect(Object.entries(before).filter(([, count]) => count === 0)).toEqual([])
    const after = await counted(user.guid)
    const outcomes = Object.keys(decisions).map((column) => [column, (after[column] ?? 0) > 0 ? 'kept' : 'deleted'])
    expect(Object.fromEntries(outcomes)).toEqual(decisions)
  })

  test('no table, and no entry of the log, tells their name, address, chat ID or anything that they said of themselves', async () => {
    const stored = (await everythingStored(api)).toLowerCase()
    expect(stored).toContain(user.guid)
    const found = user.traces.flatMap((trace) =>
      stored.split('\n').filter((line) => line.includes(trace.toLowerCase())),
    )
    expect(found).toEqual([])
  })

  test('their record is that of nobody', async () => {
    const [record] = await api.sql(
      `select chat_platform_id, username, preferred_name, avatar_url, description, bio, pronouns, pronunciation, headset, grip, controllers,
         country, email, email_verified_at, is_bot, global_roles, banned_at, ban_reason,
         anonymised_at = credentials_valid_from as ended, anonymised_at = updated_at as updated
       from users where guid = $1`,
      [user.guid],
    )
    const [nothing, text] = [null, expect.any(String)]
    expect(record).toEqual({
      chat_platform_id: `deleted:${user.guid}`,
      username: 'deleted-user',
      preferred_name: 'Deleted user',
      avatar_url: text,
      description: '',
      bio: '',
      pronouns: nothing,
      pronunciation: nothing,
      headset: nothing,
      grip: nothing,
      controllers: nothing,
      country: nothing,
      email: nothing,
      email_verified_at: nothing,
      is_bot: false,
      global_roles: [],
      banned_at: nothing,
      ban_reason: nothing,
      ended: true,
      updated: true,
    })
  })

  test('what they gave to a tournament stays, and is nobody’s; what was theirs alone is gone', async () => {
    const rows = await api.sql('select guid, owner_guid as owner from media where guid = any($1)', [
      [user.poster.guid, user.avatar],
    ])
    expect(rows).toEqual([{ guid: user.poster.guid, owner: null }])
    expect(await api.sql('select from media_usages where media_guid = $1', [user.avatar])).toEqual([])
    expect(await api.sql('select from remote_pictures')).toEqual([])
  })

  test('no token works on any process: not theirs, not one that they granted, not one granted to their applications', async () => {
    expect(await standing()).toEqual([401, 401, 401, 401, 401, 401])
    expect((await api.get('/users/@me/sessions', user.friend)).status).toBe(200)
  })

  test('nothing of what they held of others is touched', async () => {
    expect((await api.get(`/users/${user.friend.guid}/card`)).body.username).toBe('quokka')
    const { captain, members, name } = (await api.get(`/tournaments/${user.coming.id}/teams/${user.comingTeam.guid}`))
      .body
    expect([captain.guid, members.length, name]).toEqual([user.friend.guid, 1, 'The Rests'])
    const [role] = await api.sql('select role from tournament_role_holders where user_guid = $1', [user.friend.guid])
    expect(role).toEqual({ role: 'role:referee' })
    const applications = (await api.get('/oauth/applications', user.friend)).body
    expect(applications.map(({ clientId }: { clientId: string }) => clientId)).toEqual([
      user.grantedApplication.clientId,
    ])
  })

  test('the same chat account signs in as somebody new', async () => {
    const again = await makeVisitor(api, chat, user.chatPlatformId)
    expect(again.user).not.toBe(user.guid)
    const me = (await api.call('GET', '/users/@me', { token: again.token })).body
    expect(me).toMatchObject({
      guid: again.user,
      chatPlatformId: user.chatPlatformId,
      notifications: [],
      teamInvites: [],
    })
    expect((await api.get(`/users/${user.chatPlatformId}/card`)).body).toMatchObject({
      guid: again.user,
      tournamentsPlayed: 0,
    })
  })
})

test('the website’s sign-ins end at once, on every process', async () => {
  const visitor = await makeVisitor(api, chat)
  expect(await standingOn([api, sibling], visitor)).toEqual([200, 200, 200, 200])
  expect((await api.call('DELETE', '/users/@me', { token: visitor.token })).status).toBe(204)
  expect(await standingOn([sibling, api], visitor)).toEqual([401, 401, 401, 401])
})

test('a refresh token that they granted is worth nothing', async () => {
  const [user, owner] = [await api.user(), await api.user()]
  const { clientId, clientSecret } = (
    await api.post('/oauth/applications', owner, {
      name: 'Editor',
      scopes: ['rest:read'],
      redirectUris: ['http://localhost/'],
      type: 'confidential',
    })
  ).body
  await api.token(user, ['rest:read'], { clientId, clientSecret })
  const secret = 'a-refresh-token'
  await api.sql(
    `insert into refresh_tokens (token_hash, grant_guid, expires_at)
     select sha256($2::bytea), guid, now() + interval '1 day' from grants where user_guid = $1`,
    [user.guid, Buffer.from(secret)],
  )
  expect((await api.delete('/users/@me', user)).status).toBe(204)
  const refreshed = await api.call('POST', '/oauth/token', {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
    },
    raw: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: secret }).toString(),
  })
  expect([refreshed.status, refreshed.body.error]).toEqual([400, 'invalid_grant'])
})
