import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chatSocial } from '../../../../test/fakes/ranking.ts'
import { type Harness, startHarness } from '../../../../test/harness.ts'
import {
  type LinkedWorld,
  linksOf,
  problemOf,
  putIdentity,
  showCode,
  startLinkedWorld,
} from '../../../../test/identities.ts'
import { makeTeam, makeTournament, remembered } from '../../../../test/make.ts'

let world: LinkedWorld
let api: Harness
beforeAll(async () => {
  world = await startLinkedWorld()
  api = world.api
})
afterAll(() => world[Symbol.asyncDispose]())

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const code = expect.stringMatching(/^downbeat-[A-HJ-NP-Z2-9]{8}$/)

describe('GET /users/@me/identities', () => {
  test('a newcomer has the chat identity alone, proven since the account was made', async () => {
    const user = await api.user()
    const [row] = await api.sql<{ created_at: Date }>('select created_at from users where guid = $1', [user.guid])
    const since = row?.created_at.toISOString()
    const reply = await api.get('/users/@me/identities', user)
    expect([reply.status, reply.body]).toEqual([
      200,
      [{ platform: 'chat', externalId: user.chatPlatformId, verifiedAt: since, linkedAt: since }],
    ])
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
  })

  test('links follow, the code only on those that are not proven and the name where the platform told one', async () => {
    const user = await api.user()
    const onA = world.a.players.add({ name: 'Quaver on A' })
    const onB = world.b.players.add({ name: 'Quaver on B', socials: [chatSocial(user.chatPlatformId)] })
    await putIdentity(api, user, 'streaming', 'Quaver_Live')
    await putIdentity(api, user, 'ranking-b', onB.id)
    await putIdentity(api, user, 'ranking-a', onA.id)
    expect(await linksOf(api, user)).toEqual([
      {
        platform: 'ranking-a',
        externalId: onA.id,
        verifiedAt: null,
        proofCode: code,
        name: 'Quaver on A',
        linkedAt: instant,
      },
      { platform: 'ranking-b', externalId: onB.id, verifiedAt: instant, name: 'Quaver on B', linkedAt: instant },
      { platform: 'streaming', externalId: 'quaver_live', verifiedAt: null, linkedAt: instant },
    ])
  })

  test('is each user’s own, and needs the scope for that', async () => {
    const [user, other] = [await api.user(), await api.user()]
    await putIdentity(api, user, 'streaming', 'mine_alone')
    expect(await linksOf(api, other)).toEqual([])
    const reader = await api.token(user, ['rest:user:read'])
    expect((await api.call('GET', '/users/@me/identities', { token: reader })).body).toHaveLength(2)
    const put = { token: reader, body: { externalId: 'x' } }
    expect(problemOf(await api.call('PUT', '/users/@me/identities/streaming', put))).toEqual([401, 'scope.missing'])
    expect(problemOf(await api.call('DELETE', '/users/@me/identities/streaming', { token: reader }))).toEqual([
      401,
      'scope.missing',
    ])
    const writer = await api.token(user, ['rest:user:write'])
    const call = { token: writer, body: { externalId: 'x' } }
    expect((await api.call('PUT', '/users/@me/identities/streaming', call)).status).toBe(200)
    expect((await api.call('DELETE', '/users/@me/identities/streaming', { token: writer })).status).toBe(204)
  })

  test('needs a token, and knows nobody by another name than @me', async () => {
    const user = await api.user()
    expect(problemOf(await api.get('/users/@me/identities'))).toEqual([401, 'token.missing'])
    expect(problemOf(await api.get(`/users/${user.guid}/identities`, user))).toEqual([404, 'route.unknown'])
  })
})

describe('PUT /users/@me/identities/{platform} refuses', () => {
  test.each([
    'chat',
    'Ranking-A',
    'ranking-c',
    'ranking_a',
    'twitch',
    '%20',
    'ranking-a%2F..',
    'ranking-a%00',
    'constructor',
    '@me',
  ])('the platform %s', async (platform) => {
    const user = await api.user()
    expect(problemOf(await putIdentity(api, user, platform, '1'))).toEqual([400, 'identity.platform_invalid'])
    expect(await linksOf(api, user)).toEqual([])
  })

  test('an unknown platform before it looks at the body', async () => {
    const reply = await api.put('/users/@me/identities/ranking-c', await api.user(), { externalId: 7 })
    expect(problemOf(reply)).toEqual([400, 'identity.platform_invalid'])
  })

  test.each([
    ['ranking-a', ''],
    ['ranking-b', '   '],
    ['streaming', ''],
    ['ranking-a', 7],
    ['ranking-a', null],
    ['ranking-a', ['1']],
    ['ranking-a', undefined],
    ['ranking-a', '1'.repeat(101)],
    ['ranking-a', '1\u00002'],
  ])('on %s the externalId %j, which is none', async (platform, externalId) => {
    const before = world.a.requests.length + world.b.requests.length
    const reply = await api.put(`/users/@me/identities/${platform}`, await api.user(), { externalId })
    expect(problemOf(reply)).toEqual([400, 'request.invalid'])
    expect(world.a.requests.length + world.b.requests.length).toBe(before)
  })

  test.each([
    ['ranking-a', 'abc'],
    ['ranking-a', '../player/1'],
    ['ranking-a', '1/full?x='],
    ['ranking-a', '-1'],
    ['ranking-a', '1e5'],
    ['ranking-a', '1'.repeat(21)],
    ['ranking-a', '٣٣'],
    ['ranking-b', 'discord/1'],
    ['ranking-b', '１２'],
    ['streaming', 'a'.repeat(26)],
    ['streaming', 'a-b'],
    ['streaming', 'a b'],
    ['streaming', 'straße'],
    ['streaming', 'https://twitch.tv/a'],
    ['streaming', "'; drop table identities; --"],
  ])('on %s the externalId %j, without asking anybody', async (platform, externalId) => {
    const before = world.a.requests.length + world.b.requests.length + world.chat.requests.length
    const reply = await putIdentity(api, await api.user(), platform, externalId, 'some-proof')
    expect(problemOf(reply)).toEqual([400, 'identity.id_invalid'])
    expect(world.a.requests.length + world.b.requests.length + world.chat.requests.length).toBe(before)
  })

  test.each(['ranking-a', 'ranking-b'])(
    'an account that %s does not have, and keeps what was linked',
    async (platform) => {
      const user = await api.user()
      const { id } = (platform === 'ranking-a' ? world.a : world.b).players.add()
      await putIdentity(api, user, platform, id)
      const before = await linksOf(api, user)
      expect(problemOf(await putIdentity(api, user, platform, '123'))).toEqual([400, 'identity.account_unknown'])
      expect(await linksOf(api, user)).toEqual(before)
    },
  )

  test.each([
    ['ranking-a', { status: 500 }],
    ['ranking-a', 'reset'],
    ['ranking-b', 'malformed'],
    ['ranking-b', { limitedS: 1 }],
    ['ranking-b', { status: 200, body: { id: '../evil', name: 'x', rank: 1 } }],
  ] as const)('while %s cannot be asked: %j', async (platform, how) => {
    const user = await api.user()
    const fake = platform === 'ranking-a' ? world.a : world.b
    const { id } = fake.players.add()
    const recover = fake.misbehave(/./, how)
    expect(problemOf(await putIdentity(api, user, platform, id))).toEqual([503, 'ranking.unreachable'])
    recover()
    expect(await linksOf(api, user)).toEqual([])
    expect((await putIdentity(api, user, platform, id)).status).toBe(200)
  })

  test.each(['ranking-a', 'ranking-b'])('a token as proof on %s, without asking anybody', async (platform) => {
    const user = await api.user()
    const before = world.a.requests.length + world.b.requests.length
    const reply = await putIdentity(api, user, platform, '76561198000000001', 'a-token-of-the-platform')
    expect(problemOf(reply)).toEqual([400, 'identity.proof_refused'])
    expect(world.a.requests.length + world.b.requests.length).toBe(before)
  })
})

describe('an account belongs to one user', () => {
  test.each(['ranking-a', 'ranking-b', 'streaming'])(
    'on %s nobody claims what somebody else has proven, and keeps what they had',
    async (platform) => {
      const [owner, other] = [await api.user(), await api.user()]
      const id = platform === 'streaming' ? 'proven_by_owner' : world.b.players.add().id
      if (platform === 'ranking-a') world.a.players.add({ id })
      await verify(owner.guid, platform, id)
      await putIdentity(api, other, 'streaming', 'of_other')
      const before = await linksOf(api, other)
      expect(problemOf(await putIdentity(api, other, platform, id))).toEqual([409, 'identity.taken'])
      expect(await linksOf(api, other)).toEqual(before)
    },
  )

  test('a streaming name that differs in case is the same account', async () => {
    const [owner, other] = [await api.user(), await api.user()]
    await verify(owner.guid, 'streaming', 'same_name')
    expect(problemOf(await putIdentity(api, other, 'streaming', 'Same_NAME'))).toEqual([409, 'identity.taken'])
  })

  test('the same ID on the other ranking platform is another account', async () => {
    const [owner, other] = [await api.user(), await api.user()]
    const { id } = world.a.players.add({ id: '76561198111111111' })
    world.b.players.add({ id })
    await verify(owner.guid, 'ranking-b', id)
    expect((await putIdentity(api, other, 'ranking-a', id)).status).toBe(200)
  })

  test('claims of several coexist until one is proven; then the others fall', async () => {
    const { id } = world.a.players.add()
    const [one, two, three] = [await api.user(), await api.user(), await api.user()]
    for (const user of [one, two, three]) expect((await putIdentity(api, user, 'ranking-a', id)).status).toBe(200)
    const codes = await Promise.all([one, two, three].map(async (user) => (await linksOf(api, user))[0].proofCode))
    expect(new Set(codes).size).toBe(3)
    world.a.players.change(id, { bio: codes[1] })
    expect((await putIdentity(api, two, 'ranking-a', id)).body.verifiedAt).toEqual(instant)
    expect(await linksOf(api, one)).toEqual([])
    expect(await linksOf(api, three)).toEqual([])
    expect(problemOf(await putIdentity(api, one, 'ranking-a', id))).toEqual([409, 'identity.taken'])
  })

  test('what an administrator sets counts as proven', async () => {
    const admin = await api.user({ globalRoles: ['role:owner'] })
    const [owner, other] = [await api.user(), await api.user()]
    const { id } = world.a.players.add()
    await putIdentity(api, owner, 'ranking-a', id)
    await putIdentity(api, other, 'ranking-a', id)
    await api.patch(`/admin/users/${owner.guid}`, admin, { rankingIdA: id, streamingName: 'Set_By_Admin' })
    expect(await linksOf(api, owner)).toEqual([
      { platform: 'ranking-a', externalId: id, verifiedAt: instant, name: expect.any(String), linkedAt: instant },
      { platform: 'streaming', externalId: 'set_by_admin', verifiedAt: instant, linkedAt: instant },
    ])
    expect(await linksOf(api, other)).toEqual([])
    expect(problemOf(await putIdentity(api, other, 'streaming', 'set_by_admin'))).toEqual([409, 'identity.taken'])
  })
})

describe('DELETE /users/@me/identities/{platform}', () => {
  test('removes a claim, and frees what was proven', async () => {
    const [user, other] = [await api.user(), await api.user()]
    await putIdentity(api, user, 'streaming', 'let_go')
    const { id } = world.a.players.add()
    await showCode(world, user, id)
    await putIdentity(api, user, 'ranking-a', id)
    const remove = (platform: string) => api.delete(`/users/@me/identities/${platform}`, user)
    const removed = [await remove('streaming'), await remove('ranking-a')]
    expect(removed.map(({ status, text }) => [status, text])).toEqual([
      [204, ''],
      [204, ''],
    ])
    expect(await linksOf(api, user)).toEqual([])
    expect((await putIdentity(api, other, 'ranking-a', id)).status).toBe(200)
    expect(problemOf(await remove('ranking-a'))).toEqual([404, 'identity.unknown'])
  })

  test('keeps the chat identity, and removes nothing of others', async () => {
    const [user, other] = [await api.user(), await api.user()]
    await putIdentity(api, other, 'streaming', 'of_somebody')
    const outcome = async (platform: string) => problemOf(await api.delete(`/users/@me/identities/${platform}`, user))
    expect(await outcome('chat')).toEqual([400, 'identity.chat_kept'])
    expect(await outcome('streaming')).toEqual([404, 'identity.unknown'])
    expect(await outcome('ranking-b')).toEqual([404, 'identity.unknown'])
    expect(await outcome('twitch')).toEqual([400, 'identity.platform_invalid'])
    expect(await linksOf(api, other)).toHaveLength(1)
    expect((await api.get('/users/@me/identities', user)).body[0].platform).toBe('chat')
  })

  test('a code is worth nothing once its claim was removed', async () => {
    const user = await api.user()
    const { id } = world.a.players.add()
    const old = await showCode(world, user, id)
    await api.delete('/users/@me/identities/ranking-a', user)
    const { body } = await putIdentity(api, user, 'ranking-a', id)
    expect([body.verifiedAt, body.proofCode]).toEqual([null, code])
    expect(body.proofCode).not.toBe(old)
  })
})

describe('what others see', () => {
  test('nothing of claims: neither on cards, nor as identifiers, nor in searches', async () => {
    const user = await api.user()
    const [onA, onB] = [world.a.players.add({ country: 'NO' }), world.b.players.add({ country: 'fi' })]
    for (const [platform, id] of [
      ['ranking-a', onA.id],
      ['ranking-b', onB.id],
      ['streaming', 'unproven_live'],
    ] as const) {
      expect((await putIdentity(api, user, platform, id)).body.verifiedAt).toBeNull()
    }
    expect((await api.get(`/users/${user.guid}/card`)).body).toMatchObject({
      rankingIdA: null,
      rankingIdB: null,
      streamingName: null,
      country: null,
    })
    for (const { id } of [onA, onB]) {
      expect(problemOf(await api.get(`/users/${id}/card`))).toEqual([404, 'user.unknown'])
      expect(problemOf(await api.get(`/getUserByPlatform/${id}`))).toEqual([404, 'user.unknown'])
    }
    for (const q of [onA.id, onB.id, 'unproven_live']) expect((await api.get(`/users?q=${q}`)).body.users).toEqual([])
    const admin = await api.user({ globalRoles: ['role:owner'] })
    const seen = await api.get(`/admin/users/${user.guid}`, admin)
    for (const hidden of [onA.id, onB.id, 'unproven_live', 'downbeat-']) expect(seen.text).not.toContain(hidden)
    const events = await api.sql<{ text: string }>('select event_log::text as text from event_log where actor = $1', [
      user.guid,
    ])
    expect(events).toHaveLength(3)
    for (const { text } of events) expect(text).not.toMatch(new RegExp(`${onA.id}|${onB.id}|unproven_live|downbeat-`))
  })

  test('claims do not count for what tournaments require, and proven accounts do', async () => {
    const [organiser, user] = [await api.user(), await api.user()]
    const cup = await makeTournament(api, organiser, { requirements: { rankingA: true } })
    await makeTeam(api, cup, user)
    const isEligible = async () =>
      (await api.get(`/tournaments/${cup.id}/registration-eligibility`, user)).body.eligible
    const { id } = world.a.players.add()
    await showCode(world, user, id)
    expect(await isEligible()).toBe(false)
    await putIdentity(api, user, 'ranking-a', id)
    expect(await isEligible()).toBe(true)
  })

  test('a remembered card shows at once what was proven, with country, and no more what was removed or replaced', async () => {
    const user = await api.user()
    const card = `/users/${user.guid}/card`
    const shown = async () => {
      const { rankingIdA, country } = (await api.get(card)).body
      return [rankingIdA, country]
    }
    const [first, second] = [world.a.players.add({ country: 'NO' }), world.a.players.add({ country: 'SE' })]
    await showCode(world, user, first.id)
    await remembered(api, card)
    expect(await shown()).toEqual([null, null])
    await putIdentity(api, user, 'ranking-a', first.id)
    expect(await shown()).toEqual([first.id, 'NO'])
    expect((await api.get(`/getUserByPlatform/${first.id}`)).body.guid).toBe(user.guid)
    await remembered(api, card)
    await putIdentity(api, user, 'ranking-a', second.id)
    expect(await shown()).toEqual([null, null])
    await remembered(api, card)
    await showCode(world, user, second.id)
    await putIdentity(api, user, 'ranking-a', second.id)
    expect(await shown()).toEqual([second.id, 'SE'])
    await remembered(api, card)
    await api.delete('/users/@me/identities/ranking-a', user)
    expect(await shown()).toEqual([null, null])
  })

  test('each change is one event of the user, and a call that changes nothing is none', async () => {
    const user = await api.user()
    const { id } = world.a.players.add()
    await putIdentity(api, user, 'ranking-a', id)
    await putIdentity(api, user, 'ranking-a', id)
    await showCode(world, user, id)
    await putIdentity(api, user, 'ranking-a', id)
    await putIdentity(api, user, 'ranking-a', id)
    await api.delete('/users/@me/identities/ranking-a', user)
    const events = await api.sql('select type, subject, tournament from event_log where actor = $1 order by seq', [
      user.guid,
    ])
    expect(events).toEqual(
      ['identity.claimed', 'identity.linked', 'identity.unlinked'].map((type) => ({
        type,
        subject: user.guid,
        tournament: null,
      })),
    )
  })
})

test('calls that ask other services count against the tightest budget', async () => {
  await using limited = await startHarness({ rateLimits: true })
  const user = await limited.user()
  const put = await putIdentity(limited, user, 'streaming', 'counted')
  expect([put.status, put.headers.get('ratelimit-policy')]).toEqual([200, '"upload";q=60;w=60'])
  const list = await limited.get('/users/@me/identities', user)
  expect(list.headers.get('ratelimit-policy')).toMatch(/^"read"/)
})

async function verify(userGuid: string, platform: string, externalId: string): Promise<void> {
  await api.sql('insert into identities (user_guid, platform, external_id, verified_at) values ($1, $2, $3, now())', [
    userGuid,
    platform,
    externalId,
  ])
}
