import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { makeTournament } from '../../../../test/make.ts'
import { nobody } from '../../../../test/world.ts'
import { users } from './slice.ts'

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

const problem = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]

async function link(user: Caller, platform: string, id: string, isVerified = true): Promise<void> {
  await api.sql('insert into identities (user_guid, platform, external_id, verified_at) values ($1, $2, $3, $4)', [
    user.guid,
    platform,
    id,
    isVerified ? new Date() : null,
  ])
}

/** Saves a ranking platform's last answer about an account. */
async function rank(platform: string, id: string, country: string | null): Promise<void> {
  await api.sql(
    'insert into ranking_profiles (platform, external_id, country, fetched_at) values ($1, $2, $3, now())',
    [platform, id, country],
  )
}

describe('GET /users/{identifier}/card', () => {
  test('has every member of a card', async () => {
    const quaver = await api.user({ name: 'quaver' })
    const card = await api.get(`/users/${quaver.guid}/card`)
    expect(card.status).toBe(200)
    expect(card.body).toEqual({
      guid: quaver.guid,
      chatPlatformId: quaver.chatPlatformId,
      username: 'quaver',
      preferredName: 'quaver',
      avatarUrl: expect.stringMatching(/^https:/),
      pronouns: null,
      pronunciation: null,
      country: null,
      bio: null,
      roles: [],
      isBot: false,
      isPlaceholder: false,
      emailVerified: false,
      joinedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      tournamentsPlayed: 0,
      rankingIdA: null,
      rankingIdB: null,
      streamingName: null,
    })
  })

  test('is public, cacheable for a minute, and validated by a strong ETag', async () => {
    const user = await api.user()
    const card = await api.get(`/users/${user.chatPlatformId}/card`)
    expect(card.headers.get('cache-control')).toBe('public, max-age=60')
    expect(card.headers.get('vary')).toBe('Authorization, Accept, Accept-Encoding')
    const etag = card.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]+"$/)
    const again = await api.get(`/users/${user.guid}/card`, null, { 'if-none-match': etag })
    expect([again.status, again.headers.get('etag'), again.text]).toEqual([304, etag, ''])
    const signedIn = await api.get(`/users/${user.guid}/card`, user)
    expect([signedIn.status, signedIn.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    expect(signedIn.body).toEqual(card.body)
    const bad = await api.call('GET', `/users/${user.guid}/card`, { token: 'no.such.token' })
    expect([bad.status, bad.body]).toEqual([200, card.body])
  })

  test('the bio is made when the description is written, not when the card is read', async () => {
    const user = await api.user()
    expect(
      (await api.post('/updateUserSettings', user, { description: '# *Fast* [hands](https://a.example)' })).status,
    ).toBe(200)
    const bio = async (query: string) => (await api.get(`/users/${user.guid}/card?${query}`)).body.bio
    expect(await bio('')).toBe('Fast hands')
    await api.sql("update users set description = 'changed behind the service' where guid = $1", [user.guid])
    expect(await bio('x=1')).toBe('Fast hands')
    expect((await api.post('/updateUserSettings', user, { description: '' })).status).toBe(200)
    expect(await bio('')).toBeNull()
  })

  test.each(['![<a ', '<p ', '!['])(
    'a description full of %j costs its readers nothing',
    { retry: 2 },
    async (unit) => {
      const user = await api.user()
      expect(
        (await api.post('/updateUserSettings', user, { description: unit.repeat(20_000 / unit.length) })).status,
      ).toBe(200)
      const reads = 30
      const start = process.cpuUsage()
      for (let n = 0; n < reads; n++) expect((await api.get(`/users/${user.guid}/card?x=${n}`)).status).toBe(200)
      const { user: own, system } = process.cpuUsage(start)
      // Milliseconds of processor time, including this process's own requests.
      expect((own + system) / 1_000 / reads).toBeLessThan(10)
    },
  )

  test('users from before bios were kept have theirs once a process has started', async () => {
    await api.sql(
      `insert into users (chat_platform_id, username, preferred_name, avatar_url, description, bio)
       select '77000' || n, 'elder-' || n, 'Elder', '', case when n % 3 = 0 then '![<a ' || repeat('![<a ', 3999) else '**Elder** ' || n end, null
       from generate_series(1, 250) n`,
    )
    const { database, services } = api.app
    await Promise.all([1, 2, 3].map(() => users.start?.({ database, services, now: new Date() })))
    expect(await api.sql('select count(*)::int from users where bio is null')).toEqual([{ count: 0 }])
    const bioOf = async (id: string) => (await api.get(`/users/${id}/card`)).body.bio
    expect([await bioOf('770001'), await bioOf('77000250')]).toEqual(['Elder 1', 'Elder 250'])
    expect(await bioOf('770003')).toMatch(/^a a a /)
  })

  test('a changed profile is on the card that is read next, remembered or not', async () => {
    const minim = await api.user({ name: 'minim' })
    for (const pronouns of ['she/her', 'they/them', 'he/him']) {
      expect((await api.post('/updateUserSettings', minim, { pronouns })).status).toBe(200)
      expect((await api.get(`/users/${minim.guid}/card`)).body.pronouns).toBe(pronouns)
      expect((await api.get(`/users/${minim.guid}/card`)).body.pronouns).toBe(pronouns)
    }
  })

  test('@me is the card of whoever asks', async () => {
    const user = await api.user()
    expect((await api.get('/users/@me/card', user)).body.guid).toBe(user.guid)
    expect(problem(await api.get('/users/@me/card'))).toEqual([401, 'token.missing'])
  })

  test.each([nobody, '1', 'quaver', '%00'])('there is no user %s', async (identifier) => {
    expect(problem(await api.get(`/users/${identifier}/card`))).toEqual([404, 'user.unknown'])
  })

  test('the bio is the beginning of the description without markup, at most 140 characters', async () => {
    const user = await api.user()
    const description = `# Hi\n\n**I** play [a lot](https://example.org) of ${'maps '.repeat(60)}`
    await api.post('/updateUserSettings', user, { description })
    const { bio } = (await api.get(`/users/${user.guid}/card`)).body
    expect(bio).toMatch(/^Hi I play a lot of maps maps .*…$/)
    expect(Array.from(bio).length).toBeLessThanOrEqual(140)
  })

  test('shows owner, developer and organiser, and no other role', async () => {
    const user = await api.user({ globalRoles: ['role:owner', 'role:dev', 'global:tournaments:manage'] })
    const roles = async () => (await api.get(`/users/${user.guid}/card`, user)).body.roles
    expect(await roles()).toEqual(['owner', 'developer'])
    await makeTournament(api, user, { status: 'draft' })
    expect(await roles()).toEqual(['owner', 'developer'])
    await makeTournament(api, user, { status: 'cancelled', approved: true })
    expect(await roles()).toEqual(['owner', 'developer', 'organiser'])
  })

  test('counts the listed tournaments that the user played', async () => {
    const user = await api.user()
    for (const status of ['approved', 'ongoing', 'completed', 'cancelled', 'draft'] as const) {
      const { guid } = await makeTournament(api, await api.user(), { status })
      await api.sql('insert into appearances (user_guid, tournament_guid) values ($1, $2)', [user.guid, guid])
    }
    expect((await api.get(`/users/${user.guid}/card`)).body.tournamentsPlayed).toBe(3)
  })

  test('the country is that of the first ranking platform, then of the second, unless an administrator set one', async () => {
    const [both, second, set, none] = await Promise.all([api.user(), api.user(), api.user(), api.user()])
    const country = async (user: Caller) => (await api.get(`/users/${user.guid}/card`, user)).body.country
    await rank('ranking-a', '101', 'CA')
    await rank('ranking-b', '102', 'FR')
    await rank('ranking-a', '103', null)
    await rank('ranking-b', '104', 'DE')
    await rank('ranking-a', '105', 'GB')
    await link(both, 'ranking-a', '101')
    await link(both, 'ranking-b', '102')
    await link(second, 'ranking-a', '103')
    await link(second, 'ranking-b', '104')
    await link(none, 'ranking-a', '105', false)
    await api.sql(`update users set country = 'JP' where guid = $1`, [set.guid])
    expect([await country(both), await country(second), await country(set), await country(none)]).toEqual([
      'CA',
      'DE',
      'JP',
      null,
    ])
  })

  test('shows links that are proven, and no others', async () => {
    const user = await api.user()
    await link(user, 'ranking-a', '201')
    await link(user, 'ranking-b', '202', false)
    await link(user, 'streaming', 'quaver_live')
    expect((await api.get(`/users/${user.guid}/card`)).body).toMatchObject({
      rankingIdA: '201',
      rankingIdB: null,
      streamingName: 'quaver_live',
    })
  })
})

describe('GET /getUserByPlatform/{platformId}', () => {
  test('names the user who has proven the link, on either platform', async () => {
    const [a, b] = await Promise.all([api.user(), api.user()])
    await link(a, 'ranking-a', '301')
    await link(b, 'ranking-b', '302')
    const reply = await api.get('/getUserByPlatform/301')
    expect([reply.status, reply.body]).toEqual([200, { guid: a.guid, username: a.username }])
    expect(reply.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    expect((await api.get('/getUserByPlatform/302')).body.guid).toBe(b.guid)
  })

  test('the first platform goes before the second', async () => {
    const [a, b] = await Promise.all([api.user(), api.user()])
    await link(b, 'ranking-b', '303')
    await link(a, 'ranking-a', '303')
    expect((await api.get('/getUserByPlatform/303')).body.guid).toBe(a.guid)
  })

  test('unknown, unproven and streaming accounts are 404, as is a chat-platform ID', async () => {
    const user = await api.user()
    await link(user, 'ranking-a', '304', false)
    await link(user, 'streaming', '305')
    for (const id of ['303999', '304', '305', user.chatPlatformId]) {
      expect(problem(await api.get(`/getUserByPlatform/${id}`))).toEqual([404, 'user.unknown'])
    }
  })

  test.each(['abc', '12a', '-1', '1'.repeat(21), nobody, '@me', ''])('%s is no such ID', async (id) => {
    expect(problem(await api.get(`/getUserByPlatform/${id}`))).toEqual([400, 'user.id_invalid'])
  })
})

describe('GET /function_here', () => {
  const path = '/function_here'

  test('does nothing, and tells on every answer that it is deprecated', async () => {
    const user = await api.user()
    const token = await api.token(user, ['rest:read'])
    const outcomes: [Reply, unknown[]][] = [
      [await api.call('GET', path, { token }), [204, null]],
      [await api.get(path), [400, 'token.missing']],
      [await api.call('GET', path, { token: 'no.such.token' }), [401, 'token.invalid']],
      [await api.call('GET', path, { token: await api.token(user, ['rest:user:write']) }), [401, 'scope.missing']],
    ]
    for (const [reply, expected] of outcomes) {
      expect(problem(reply)).toEqual(expected)
      // RFC 9745: an instant of RFC 9651, `@` and Unix seconds; here it is in the past.
      const deprecation = reply.headers.get('deprecation') ?? ''
      expect(deprecation).toMatch(/^@\d+$/)
      expect(Number(deprecation.slice(1))).toBeLessThan(Date.now() / 1000)
      expect(Number(deprecation.slice(1))).toBeGreaterThan(Date.UTC(2020, 0, 1) / 1000)
      expect(reply.headers.get('access-control-expose-headers')).toContain('Deprecation')
    }
    expect(outcomes[0]?.[0].text).toBe('')
  })

  test('no other operation says so', async () => {
    expect((await api.get('/users')).headers.get('deprecation')).toBeNull()
  })
})
