import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { makeWorld, nobody } from '../../../../test/world.ts'

let api: Harness
let admin: Caller
beforeAll(async () => {
  api = await startHarness()
  admin = await api.user({ name: 'admin', globalRoles: ['role:owner'] })
})
afterAll(() => api[Symbol.asyncDispose]())

const problem = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]

async function change(user: Caller, patch: object): Promise<void> {
  const reply = await api.patch(`/admin/users/${user.guid}`, admin, patch)
  expect([reply.status, reply.text]).toEqual([200, reply.text])
}

describe('GET /userWithOngoingTournaments/{identifier}', () => {
  const path = (identifier: string) => `/userWithOngoingTournaments/${identifier}`

  async function join(user: Caller, id: string, options: object): Promise<{ tournament: string; team: string }> {
    const { tournament, team } = await makeWorld(api, { id, ...options })
    await api.sql(
      'insert into team_members (team_guid, tournament_guid, user_guid, is_active) values ($1, $2, $3, false)',
      [team, tournament.guid, user.guid],
    )
    return { tournament: tournament.guid, team }
  }

  test('shows teams in tournaments of the main listing that are past the draft phase, newest start first', async () => {
    const user = await api.user({ name: 'semibreve' })
    const startsAt = new Date('2026-08-01T10:00:00Z')
    const endsAt = new Date('2026-08-02T20:00:00Z')
    const ongoing = await join(user, 'going-on', { status: 'ongoing', startsAt, endsAt })
    await join(user, 'soon', { status: 'approved', startsAt: new Date('2027-01-01T00:00:00Z') })
    await join(user, 'over', { status: 'completed' })
    await join(user, 'drafted', { status: 'draft' })
    await join(user, 'called-off', { status: 'cancelled' })
    await join(user, 'not-on-main', { status: 'approved', approved: false })
    const { status, body } = await api.get(path(user.guid), await api.user())
    expect(status).toBe(200)
    expect(body).toEqual({ guid: user.guid, username: 'semibreve', playerRoles: expect.any(Array) })
    expect(body.playerRoles.map(({ tournament }: { tournament: { id: string } }) => tournament.id)).toEqual([
      'soon',
      'going-on',
      'over',
    ])
    expect(body.playerRoles[1]).toEqual({
      role: 'role:player',
      isActive: false,
      team: { guid: ongoing.team, id: 'the-team', name: 'the-team', status: 'unregistered' },
      tournament: {
        guid: ongoing.tournament,
        id: 'going-on',
        name: 'Tournament going-on',
        imageUrl: null,
        status: 'ongoing',
        startsAt: '2026-08-01T10:00:00.000Z',
        endsAt: '2026-08-02T20:00:00.000Z',
      },
    })
  })

  test('users read all their own teams with `unlisted`, as far as they may see them; nobody reads those of others', async () => {
    const user = await api.user()
    await join(user, 'own-open', { status: 'ongoing', startsAt: new Date('2026-08-01T10:00:00Z') })
    await join(user, 'own-quiet', { status: 'approved', approved: false, startsAt: new Date('2027-01-01T00:00:00Z') })
    await join(user, 'own-off', { status: 'cancelled', startsAt: new Date('2026-07-01T00:00:00Z') })
    await join(user, 'own-hidden', { status: 'draft', startsAt: new Date('2026-06-01T00:00:00Z') })
    const draft = await join(user, 'own-draft', { status: 'draft', startsAt: new Date('2026-05-01T00:00:00Z') })
    await api.sql(
      `insert into tournament_role_holders (tournament_guid, user_guid, role) values ($1, $2, 'role:host')`,
      [draft.tournament, user.guid],
    )
    const { status, body } = await api.get(`${path('@me')}?unlisted=true`, user)
    expect(status).toBe(200)
    const found = body.playerRoles.map(({ tournament }: { tournament: { id: string; status: string } }) => [
      tournament.id,
      tournament.status,
    ])
    expect(found).toEqual([
      ['own-quiet', 'approved'],
      ['own-open', 'ongoing'],
      ['own-off', 'cancelled'],
      ['own-draft', 'draft'],
    ])
    expect(problem(await api.get(`${path(user.guid)}?unlisted=true`, await api.user()))).toEqual([403, 'role.missing'])
    expect(problem(await api.get(`${path(user.guid)}?unlisted=true`))).toEqual([401, 'token.missing'])
    expect(problem(await api.get(`${path('@me')}?unlisted=maybe`, user))).toEqual([400, 'request.invalid'])
  })

  test('a tournament that another platform alone lists is not shown', async () => {
    const user = await api.user()
    const { tournament } = await join(user, 'elsewhere', { status: 'ongoing', approved: false })
    await api.sql(
      `with platform as (insert into platforms (context_id, name) values ('elsewhere', 'Elsewhere') returning guid)
       insert into listings (platform_guid, tournament_guid, status, sort_at)
       select guid, $1, 'ongoing', now() from platform`,
      [tournament],
    )
    expect((await api.get(path(user.guid), user)).body.playerRoles).toEqual([])
  })

  test('needs a token with rest:read, whose lack is 400 for @me and 401 for anybody else', async () => {
    const user = await api.user()
    expect(problem(await api.get(path('@me')))).toEqual([400, 'token.missing'])
    expect(problem(await api.get(path('%40me')))).toEqual([400, 'token.missing'])
    expect((await api.get(path('@me'))).headers.get('www-authenticate')).toBe('Bearer')
    expect(problem(await api.get(path(user.guid)))).toEqual([401, 'token.missing'])
    for (const identifier of ['@me', user.guid]) {
      const wrong = await api.call('GET', path(identifier), { token: 'no.such.token' })
      expect(problem(wrong)).toEqual([401, 'token.invalid'])
      const narrow = await api.call('GET', path(identifier), { token: await api.token(user, ['rest:user:write']) })
      expect(problem(narrow)).toEqual([401, 'scope.missing'])
      const good = await api.call('GET', path(identifier), { token: await api.token(user, ['rest:read']) })
      expect([good.status, good.body]).toEqual([200, { guid: user.guid, username: user.username, playerRoles: [] }])
    }
  })

  test('an unknown or missing user is 400', async () => {
    const user = await api.user()
    for (const identifier of [nobody, 'quaver', '1']) {
      expect(problem(await api.get(path(identifier), user))).toEqual([400, 'user.unknown'])
    }
    expect(problem(await api.get(path(''), user))).toEqual([400, 'request.invalid'])
  })

  test('chat-platform ID and ranking ID name a user too', async () => {
    const user = await api.user()
    await change(user, { rankingIdA: '76561198333333333' })
    for (const identifier of [user.chatPlatformId, '76561198333333333', user.guid.toUpperCase()]) {
      expect((await api.get(path(identifier), user)).body.guid).toBe(user.guid)
    }
  })
})
