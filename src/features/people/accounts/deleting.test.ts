import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { grantRole, makeApplication, makeTeam, makeTournament, remembered } from '../../../../test/make.ts'
import { picture, upload } from '../../../../test/media.ts'
import { type MadeMedia, makeMedia } from '../../../../test/media-rows.ts'
import { makeOverlayRow } from '../../../../test/overlay-rows.ts'

/** Who may delete their account, and what other users see of it afterwards. */

let api: Harness
let host: Caller
beforeAll(async () => {
  api = await startHarness()
  host = await api.user({ name: 'maestro' })
})
afterAll(() => api[Symbol.asyncDispose]())

const leave = (user: Caller | null, on = api) => on.delete('/users/@me', user)
const avatarOf = async (user: Caller) => (await upload(api, user, await picture())).body as MadeMedia
const isGone = async (user: Caller) => (await api.get(`/users/${user.guid}/card`)).status === 404
const teamOf = async (cup: { id: string }, team: { guid: string }) =>
  (await api.get(`/tournaments/${cup.id}/teams/${team.guid}`)).body
const statuses = ['draft', 'approved', 'ongoing', 'completed', 'cancelled'] as const
const active = ['draft', 'approved', 'ongoing'] as const

describe('who may', () => {
  test('the signed-in user, once', async () => {
    const user = await api.user()
    const reply = await leave(user)
    expect([...outcome(reply), reply.text]).toEqual([204, null, ''])
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
    expect(outcome(await leave(user))).toEqual([401, 'token.invalid'])
    expect(await isGone(user)).toBe(true)
  })

  test('nobody without a token, or with one that lacks the scope', async () => {
    const user = await api.user()
    expect(outcome(await leave(null))).toEqual([401, 'token.missing'])
    for (const scope of ['rest:user:read', 'rest:read', 'ws:write'] as const) {
      const token = await api.token(user, [scope])
      expect(outcome(await api.call('DELETE', '/users/@me', { token }))).toEqual([401, 'scope.missing'])
    }
    expect(await isGone(user)).toBe(false)
  })

  test('the scope of account settings suffices', async () => {
    const user = await api.user()
    const token = await api.token(user, ['rest:user:write'])
    expect((await api.call('DELETE', '/users/@me', { token })).status).toBe(204)
  })

  test('no application, whatever it was granted, not even one of their own', async () => {
    const user = await api.user()
    for (const owner of [host, user]) {
      const token = await api.token(user, ['rest:write', 'ws:write'], await makeApplication(api, owner))
      expect(outcome(await api.call('DELETE', '/users/@me', { token }))).toEqual([403, 'role.missing'])
    }
    expect(await isGone(user)).toBe(false)
  })

  test('no banned user, whose tokens are refused', async () => {
    const [owner, user] = [await api.user({ globalRoles: ['role:owner'] }), await api.user()]
    expect((await api.patch(`/admin/users/${user.guid}`, owner, { banned: true })).status).toBe(200)
    expect(outcome(await leave(user))).toEqual([401, 'token.invalid'])
    const [row] = await api.sql('select banned_at is not null as banned, username from users where guid = $1', [
      user.guid,
    ])
    expect(row).toEqual({ banned: true, username: user.username })
  })
})

describe('what binds', () => {
  test.each(statuses)('organising a tournament that is %s', async (status) => {
    const user = await api.user()
    const cup = await makeTournament(api, user, { status })
    const reply = await leave(user)
    if (active.some((each) => each === status)) {
      expect(outcome(reply)).toEqual([409, 'account.organises'])
      expect(reply.text).toContain(cup.id)
      expect(await isGone(user)).toBe(false)
      expect((await api.get('/users/@me', user)).status).toBe(200)
    } else {
      expect(outcome(reply)).toEqual([204, null])
    }
  })

  test.each(
    statuses.flatMap((status) =>
      (['unregistered', 'registered', 'qualified'] as const).map((team) => [team, status] as const),
    ),
  )('captaining a team that is %s in a tournament that is %s', async (teamStatus, status) => {
    const [user, mate] = [await api.user(), await api.user()]
    const cup = await makeTournament(api, host, { status })
    await makeTeam(api, cup, user, { name: 'The Rests', status: teamStatus, members: [mate] })
    const reply = await leave(user)
    if (teamStatus !== 'unregistered' && active.some((each) => each === status)) {
      expect(outcome(reply)).toEqual([409, 'account.captains'])
      expect(reply.text).toContain(`“The Rests” in ${cup.id}`)
      expect(await isGone(user)).toBe(false)
    } else {
      expect(outcome(reply)).toEqual([204, null])
    }
  })

  test('being a member, a role holder or an admin does not', async () => {
    const user = await api.user({ globalRoles: ['role:dev', 'global:tournaments:manage'] })
    const cup = await makeTournament(api, host, { status: 'ongoing' })
    await makeTeam(api, cup, host, { status: 'registered', members: [user] })
    expect(
      (await api.post(`/tournaments/${cup.id}/permissions/${user.guid}/grant`, host, { role: 'role:admin' })).status,
    ).toBe(200)
    expect((await leave(user)).status).toBe(204)
  })

  test('all of it is told at once, and nothing binds once it is gone', async () => {
    await using quiet = await startHarness()
    const [user, other] = [await quiet.user({ globalRoles: ['role:owner'] }), await quiet.user()]
    const own = await makeTournament(quiet, user, { id: 'spring-cup' })
    const theirs = await makeTournament(quiet, other, { id: 'winter-cup' })
    const team = await makeTeam(quiet, theirs, user, { name: 'The Rests', status: 'registered' })
    const bound = await leave(user, quiet)
    expect(outcome(bound)).toEqual([409, 'account.organises'])
    expect(bound.text).toMatch(/spring-cup.*“The Rests” in winter-cup.*owner/)
    expect((await quiet.post(`/tournaments/${own.id}/status`, user, { status: 'cancelled' })).status).toBe(200)
    expect(outcome(await leave(user, quiet))).toEqual([409, 'account.captains'])
    expect((await quiet.post(`/tournaments/${theirs.id}/unregister/${team.guid}`, user)).status).toBe(200)
    expect(outcome(await leave(user, quiet))).toEqual([409, 'account.last_owner'])
    expect((await quiet.patch(`/admin/users/${other.guid}`, user, { roles: ['role:owner'] })).status).toBe(200)
    expect(outcome(await leave(user, quiet))).toEqual([204, null])
    expect(outcome(await leave(other, quiet))).toEqual([409, 'account.organises'])
  })

  test('a banned owner does not count as another one', async () => {
    await using quiet = await startHarness()
    const [user, banned] = [
      await quiet.user({ globalRoles: ['role:owner'] }),
      await quiet.user({ globalRoles: ['role:owner'] }),
    ]
    expect((await quiet.patch(`/admin/users/${banned.guid}`, user, { banned: true })).status).toBe(200)
    expect(outcome(await leave(user, quiet))).toEqual([409, 'account.last_owner'])
  })
})

describe('what others meet', () => {
  test('the user is nowhere: neither by any identifier, nor in lists, nor as a new part of anything', async () => {
    const user = await api.user({ name: 'xylophone' })
    await api.sql(
      `insert into identities (user_guid, platform, external_id, verified_at) values ($1, 'ranking-a', '900100', now())`,
      [user.guid],
    )
    const cup = await makeTournament(api, host)
    expect((await api.get('/getUserByPlatform/900100')).status).toBe(200)
    expect((await leave(user)).status).toBe(204)
    for (const identifier of [user.guid, user.chatPlatformId, '900100', `deleted:${user.guid}`]) {
      for (const address of [`/users/${identifier}`, `/users/${identifier}/card`]) {
        expect(outcome(await api.get(address))).toEqual([404, 'user.unknown'])
      }
      const grant = await api.post(`/tournaments/${cup.id}/permissions/${identifier}/grant`, host, {
        role: 'role:host',
      })
      expect(outcome(grant)).toEqual([400, 'user.unknown'])
      expect(outcome(await api.post(`/tournaments/${cup.id}/teams`, host, { captainId: identifier }))).toEqual([
        400,
        'user.unknown',
      ])
      const handOver = await api.post(`/tournaments/${cup.id}/organiser`, host, { userIdentifier: identifier })
      expect(outcome(handOver)).toEqual([404, 'user.unknown'])
    }
    expect(outcome(await api.get('/getUserByPlatform/900100'))).toEqual([404, 'user.unknown'])
    for (const q of ['xylophone', 'deleted', user.chatPlatformId, '900100']) {
      const { users } = (await api.get(`/users?q=${q}`)).body
      expect(users.filter(({ guid }: Caller) => guid === user.guid)).toEqual([])
    }
  })

  test('every remembered answer that showed them is forgotten at once, on every process', async () => {
    await using sibling = await api.sibling()
    const user = await api.user({ name: 'bassoon' })
    const cup = await makeTournament(api, user, { status: 'completed' })
    const team = await makeTeam(api, cup, user, {
      status: 'registered',
      name: 'The Reeds',
      members: [await api.user()],
    })
    await api.sql(
      `insert into tournament_role_holders (tournament_guid, user_guid, role) values ($1, $2, 'role:host')`,
      [cup.guid, user.guid],
    )
    const paths = [
      `/tournaments/${cup.id}`,
      `/tournaments?organiser=${user.guid}`,
      '/tournaments',
      `/tournaments/${cup.id}/staff`,
      `/tournaments/${cup.id}/teams`,
      `/tournaments/${cup.id}/teams/${team.guid}`,
      `/users/${user.guid}/card`,
    ]
    for (const path of paths) {
      for (const process of [api, sibling]) expect((await remembered(process, path)).text, path).toContain('bassoon')
    }
    expect((await leave(user)).status).toBe(204)
    for (const path of paths) {
      for (const process of [sibling, api]) expect((await process.get(path)).text, path).not.toContain('bassoon')
    }
    expect((await api.get(`/tournaments/${cup.id}`)).body.organiser).toMatchObject({
      guid: user.guid,
      username: 'deleted-user',
      preferredName: 'Deleted user',
      chatPlatformId: `deleted:${user.guid}`,
      avatarUrl: expect.stringMatching(/^https:\/\/.*\/embed\/avatars\/0\.png$/),
      bio: null,
      pronouns: null,
      pronunciation: null,
      country: null,
      emailVerified: false,
      roles: ['organiser'],
    })
    expect((await api.get(`/tournaments/${cup.id}/staff`)).body.map(({ role }: { role: string }) => role)).toEqual([
      'organiser',
    ])
    const { captain, members } = await teamOf(cup, team)
    expect([captain.preferredName, members[0].user.preferredName, members.length]).toEqual([
      'Deleted user',
      'Deleted user',
      2,
    ])
  })

  test('no picture of theirs: not as a caster, and not on the accounts of others', async () => {
    const [bea, other] = [await api.user({ globalRoles: ['role:owner'] }), await api.user()]
    await api.user({ globalRoles: ['role:owner'] })
    const cup = await makeTournament(api, host)
    await grantRole(api, cup, bea, 'role:caster')
    const overlay = await makeOverlayRow(api, cup, host)
    const [shown, given, unused] = [await avatarOf(bea), await avatarOf(bea), await avatarOf(bea)]
    const control = `${overlay.path}/control`
    const casters = [{ name: 'Bea', imageUrl: shown.url }, { name: 'Cleo' }]
    expect((await api.patch(control, bea, { casters })).status).toBe(200)
    expect((await api.patch(`/admin/users/${other.guid}`, bea, { avatarUrl: given.url })).status).toBe(200)
    expect((await api.get(`/users/${other.guid}/card`)).body.avatarUrl).toBe(given.url)
    const delivered = () => Promise.all([shown, given, unused].map(async ({ url }) => (await fetch(url)).status))
    expect(await delivered()).toEqual([200, 200, 200])
    expect(outcome(await leave(bea))).toEqual([204, null])
    expect(await delivered()).toEqual([404, 404, 404])
    const guids = [shown, given, unused].map(({ guid }) => guid)
    expect(await api.sql('select from media where guid = any($1)', [guids])).toEqual([])
    // Other users' records stay, without the deleted user.
    expect((await api.get(control)).body.casters).toMatchObject([
      { name: 'Bea', imageUrl: null },
      { name: 'Cleo', imageUrl: null },
    ])
    const { avatarUrl } = (await api.get(`/users/${other.guid}/card`)).body
    expect([typeof avatarUrl, avatarUrl === given.url]).toEqual(['string', false])
  })

  test('of administrators who gave each other pictures and leave at once, none leaves any', async () => {
    const staff = [
      await api.user({ globalRoles: ['role:owner'] }),
      await api.user({ globalRoles: ['role:owner'] }),
    ] as const
    await api.user({ globalRoles: ['role:owner'] })
    const cup = await makeTournament(api, host)
    const overlays = [await makeOverlayRow(api, cup, host), await makeOverlayRow(api, cup, host)] as const
    const pictures = await Promise.all(staff.map((one) => makeMedia(api, 'avatar', { owner: one })))
    for (const [index, one] of staff.entries()) {
      const other = staff[1 - index] as Caller
      const { url } = pictures[index] as MadeMedia
      await grantRole(api, cup, one, 'role:caster')
      expect((await api.patch(`/admin/users/${other.guid}`, one, { avatarUrl: url })).status).toBe(200)
      for (const { path } of overlays) {
        const { casters } = (await api.get(`${path}/control`)).body
        const body = { casters: [...casters, { name: 'Caster', imageUrl: url }] }
        expect((await api.patch(`${path}/control`, one, body)).status).toBe(200)
      }
    }
    const replies = await Promise.all(staff.map((one) => leave(one)))
    expect(replies.map(outcome)).toEqual([
      [204, null],
      [204, null],
    ])
    const guids = pictures.map(({ guid }) => guid)
    expect(await api.sql('select from media where guid = any($1)', [guids])).toEqual([])
    for (const { path } of overlays) {
      const { casters } = (await api.get(`${path}/control`)).body
      expect(casters.map(({ imageUrl }: { imageUrl: string | null }) => imageUrl)).toEqual([null, null])
    }
  })

  test('what they did is in the audit of tournaments, by a deleted user', async () => {
    const user = await api.user()
    const cup = await makeTournament(api, host)
    await makeTeam(api, cup, user, { members: [host], name: 'The Reeds' })
    const [team] = (await api.get(`/tournaments/${cup.id}/teams`)).body.teams
    expect((await api.patch(`/tournaments/${cup.id}/teams/${team.guid}`, user, { color: '#ff8800' })).status).toBe(200)
    expect((await leave(user)).status).toBe(204)
    const { entries } = (await api.get(`/tournaments/${cup.id}/audit`, host)).body
    const shown = entries.map(({ type, actor }: { type: string; actor: { preferredName: string } }) => [
      type,
      actor?.preferredName,
    ])
    expect(shown).toEqual([
      ['team.updated', 'Deleted user'],
      ['team.member_left', 'Deleted user'],
      ['team.updated', 'Deleted user'],
    ])
  })

  test('the event names the user by GUID, and nothing else', async () => {
    const user = await api.user()
    expect((await leave(user)).status).toBe(204)
    const events = await api.sql(
      'select type, subject, tournament, actor, before, after, touches from event_log where actor = $1',
      [user.guid],
    )
    expect(events).toEqual([
      {
        type: 'user.deleted',
        subject: user.guid,
        tournament: null,
        actor: user.guid,
        before: null,
        after: null,
        touches: [user.guid],
      },
    ])
  })

  test('a tournament that is over cannot be resumed without an organiser, until it is handed over', async () => {
    const [user, admin] = [await api.user(), await api.user()]
    const manager = await api.user({ globalRoles: ['global:tournaments:manage'] })
    const cup = await makeTournament(api, user, { status: 'completed' })
    await api.sql('update tournaments set completed_at = now() where guid = $1', [cup.guid])
    await api.sql(
      `insert into tournament_role_holders (tournament_guid, user_guid, role) values ($1, $2, 'role:admin')`,
      [cup.guid, admin.guid],
    )
    expect((await leave(user)).status).toBe(204)
    const resume = () => api.post(`/tournaments/${cup.id}/status`, admin, { status: 'ongoing' })
    expect(outcome(await resume())).toEqual([409, 'tournament.organiser_gone'])
    expect((await api.post(`/tournaments/${cup.id}/organiser`, manager, { userIdentifier: admin.guid })).status).toBe(
      200,
    )
    expect((await resume()).status).toBe(200)
  })
})
