import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { whileHeld } from '../../../../test/locks.ts'
import { type MadePlatform, makePlatform, makeTournament, platformMember, remembered } from '../../../../test/make.ts'
import { makeVisibility, type Visibility } from '../../../../test/visibility.ts'

let api: Harness
let kit: Visibility
let owner: Caller
let developer: Caller
beforeAll(async () => {
  api = await startHarness()
  kit = await makeVisibility(api)
  owner = await api.user({ globalRoles: ['role:owner'] })
  developer = await api.user({ globalRoles: ['role:dev'] })
})
afterAll(() => api[Symbol.asyncDispose]())

const problem = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const all = '/admin/tournament-platforms'

let made = 0
const fresh = (more: object = {}) => ({
  contextId: `made-${++made}`,
  name: 'Night League',
  description: 'Cups **for** the night.',
  imageUrl: 'https://cdn.example.org/night.png',
  ...more,
})
const create = (body: object, as: Caller | null = owner) => api.post(all, as, body)
const remove = (contextId: string, as: Caller | null = owner) => api.delete(`${all}/${contextId}`, as)
const record = (contextId: string) => `/tournament-platforms/${contextId}`

/** Callers of every kind except owners and developers. */
async function others(platform: MadePlatform): Promise<Caller[]> {
  return [
    await api.user(),
    kit.manager,
    await platformMember(api, platform, 'admin'),
    await platformMember(api, platform, 'reviewer'),
    await kit.member('admin'),
  ]
}

describe('POST /admin/tournament-platforms', () => {
  test('adds a platform, which is public at once and told to the log', async () => {
    await remembered(api, '/tournament-platforms')
    const body = fresh({ contextId: 'Night-League', websiteUrl: 'https://night.example.org' })
    const reply = await create(body, developer)
    expect([reply.status, reply.body]).toEqual([
      201,
      {
        ...body,
        contextId: 'night-league',
        guid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        isSystem: false,
        counts: { tournaments: 0 },
        createdAt: instant,
        updatedAt: instant,
      },
    ])
    expect((await api.get(record('night-league'))).body).toEqual(reply.body)
    expect((await api.get('/tournament-platforms')).body).toContainEqual(reply.body)
    const [event] = await api.sql(
      `select type, tournament, actor, before, after from event_log where subject = $1 and type = 'platform.created'`,
      [reply.body.guid],
    )
    expect(event).toEqual({
      type: 'platform.created',
      tournament: null,
      actor: developer.guid,
      before: null,
      after: { ...body, contextId: 'night-league' },
    })
  })

  test('the website may be left out, and whoever made it is no member', async () => {
    const body = fresh({ imageUrl: '' })
    const reply = await create(body)
    expect([reply.status, reply.body.websiteUrl]).toEqual([201, null])
    expect((await api.get(`${record(body.contextId)}/settings`, owner)).body).toMatchObject({
      customWebhookSecret: null,
      webhookEvents: [],
      members: [],
    })
  })

  test('of many who take one context id at once, one does', async () => {
    await using sibling = await api.sibling()
    const body = fresh()
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? api : sibling).post(all, owner, body)),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
    const list = (await api.get('/tournament-platforms')).body
    expect(list.filter(({ contextId }: { contextId: string }) => contextId === body.contextId)).toHaveLength(1)
  })

  test.each([
    [{ contextId: undefined }, 'request.invalid'],
    [{ name: undefined }, 'request.invalid'],
    [{ description: undefined }, 'request.invalid'],
    [{ imageUrl: undefined }, 'request.invalid'],
    [{ contextId: '' }, 'request.invalid'],
    [{ contextId: 7 }, 'request.invalid'],
    [{ contextId: 'mine' }, 'platform.invalid'],
    [{ contextId: 'Admin' }, 'platform.invalid'],
    [{ contextId: 'new' }, 'platform.invalid'],
    [{ contextId: '3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42' }, 'platform.invalid'],
    [{ contextId: 'a b' }, 'platform.invalid'],
    [{ contextId: '../x' }, 'platform.invalid'],
    [{ contextId: 'x'.repeat(33) }, 'platform.invalid'],
    [{ name: '' }, 'request.invalid'],
    [{ name: 'x'.repeat(101) }, 'request.invalid'],
    [{ name: '\u3164' }, 'platform.invalid'],
    [{ imageUrl: 'javascript:alert(1)' }, 'platform.invalid'],
    [{ websiteUrl: 'night.example.org' }, 'platform.invalid'],
  ])('%o is refused', async (wrong, code) => {
    expect(problem(await create(fresh(wrong)))).toEqual([400, code])
  })

  test('is for owners and developers', async () => {
    const platform = await makePlatform(api)
    for (const caller of await others(platform)) {
      expect(problem(await create({}, caller))).toEqual([403, 'role.missing'])
    }
    expect(problem(await create({}, null))).toEqual([401, 'token.missing'])
  })

  test('there are at most 500 platforms', async () => {
    await using full = await startHarness()
    const admin = await full.user({ globalRoles: ['role:owner'] })
    await full.sql(`insert into platforms (context_id, name) select 'p-' || n, 'P' from generate_series(1, 498) n`)
    const replies = await Promise.all([1, 2, 3].map((n) => full.post(all, admin, fresh({ contextId: `last-${n}` }))))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect(replies.map((reply) => reply.headers.get('problem-code'))).toContain('platform.limit_reached')
    expect((await full.get('/tournament-platforms')).body).toHaveLength(500)
  })
})

describe('DELETE /admin/tournament-platforms/{contextId}', () => {
  test('takes the platform with its members, settings, requests, decisions and public list', async () => {
    const platform = await makePlatform(api)
    const admin = await platformMember(api, platform, 'admin')
    await api.put(`${record(platform.contextId)}/settings`, admin, { customWebhookSecret: 'hidden', webhookEvents: [] })
    const tournament = await kit.arrange('ongoing', 'approved')
    await kit.place(tournament, platform.guid, 'approved')
    await kit.place(await kit.arrange('draft', null), platform.guid, 'blocked')
    const reply = await remove(platform.contextId.toUpperCase())
    expect([reply.status, reply.text]).toEqual([204, ''])
    const [left] = await api.sql(
      `select (select count(*)::int from platforms where guid = $1) as platforms,
         (select count(*)::int from platform_members where platform_guid = $1) as members,
         (select count(*)::int from platform_settings where platform_guid = $1) as settings,
         (select count(*)::int from visibility_requests where platform_guid = $1) as requests,
         (select count(*)::int from visibility_decisions d
          where not exists (select from visibility_requests r where r.guid = d.request_guid)) as decisions,
         (select count(*)::int from listings where platform_guid = $1) as listings`,
      [platform.guid],
    )
    expect(left).toEqual({ platforms: 0, members: 0, settings: 0, requests: 0, decisions: 0, listings: 0 })
    // The tournament stays listed on the other platforms.
    expect(await kit.standing(tournament)).toEqual(['ongoing', 'ongoing'])
    expect(
      await api.sql(
        `select type, tournament, actor, before, after from event_log where subject = $1 and type = 'platform.deleted'`,
        [platform.guid],
      ),
    ).toEqual([
      {
        type: 'platform.deleted',
        tournament: null,
        actor: owner.guid,
        before: { contextId: platform.contextId, name: `Platform ${platform.contextId}` },
        after: null,
      },
    ])
  })

  test('nothing of it is read any more, remembered or not, and its context id is free again', async () => {
    await using sibling = await api.sibling()
    const { contextId, guid } = (await create(fresh())).body
    const tournament = await makeTournament(api, kit.organiser, { status: 'ongoing', approved: false })
    await kit.place(tournament, guid, 'approved')
    const player = await api.user()
    await api.sql('insert into appearances (tournament_guid, user_guid) values ($1, $2)', [
      tournament.guid,
      player.guid,
    ])
    const card = `/users/${player.guid}/card`
    const addresses = [record(contextId), `${record(contextId)}/tournaments`, `/tournaments?platform=${contextId}`]
    for (const harness of [api, sibling]) {
      for (const address of addresses) expect((await remembered(harness, address)).status).toBe(200)
      expect((await remembered(harness, card)).body.tournamentsPlayed).toBe(1)
      await remembered(harness, '/tournament-platforms')
    }
    expect((await remove(contextId)).status).toBe(204)
    for (const harness of [api, sibling]) {
      for (const address of addresses) expect(problem(await harness.get(address))).toEqual([404, 'platform.unknown'])
      expect((await harness.get(card)).body.tournamentsPlayed).toBe(0)
      expect((await harness.get('/tournament-platforms')).text).not.toContain(guid)
    }
    expect((await api.get('/tournament-platforms/mine', owner)).text).not.toContain(guid)
    expect((await api.get(`/tournaments/${tournament.guid}/visibility`, kit.organiser)).text).not.toContain(guid)
    const again = await create(fresh({ contextId }))
    expect([again.status, again.body.contextId]).toEqual([201, contextId])
    expect(again.body.guid).not.toBe(guid)
    expect((await api.get(addresses[1] as string)).body).toEqual({ tournaments: [], nextCursor: null })
  })

  test('the system platform stays', async () => {
    for (const id of ['main', 'MAIN']) {
      expect(problem(await remove(id))).toEqual([409, 'platform.is_system'])
    }
    expect((await api.get(record('main'))).status).toBe(200)
  })

  test('what there is not, or no longer, is 404', async () => {
    const platform = await makePlatform(api)
    expect(problem(await remove('nowhere'))).toEqual([404, 'platform.unknown'])
    expect(problem(await remove(platform.guid))).toEqual([404, 'platform.unknown'])
    const replies = await Promise.all([1, 2, 3].map(() => remove(platform.contextId)))
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 404, 404])
  })

  test('is for owners and developers', async () => {
    const platform = await makePlatform(api)
    for (const caller of await others(platform)) {
      expect(problem(await remove(platform.contextId, caller))).toEqual([403, 'role.missing'])
    }
    expect(problem(await remove(platform.contextId, null))).toEqual([401, 'token.missing'])
    expect((await api.get(record(platform.contextId))).status).toBe(200)
    expect((await remove(platform.contextId, developer)).status).toBe(204)
  })

  test.each([
    ['whoever changes a tournament that asked it', 'select from tournaments where guid = $1 for update'],
    ['whoever chooses platforms', 'select $1::uuid from platforms where is_system for share'],
  ])('waits for %s, whose public lists follow from it', async (_who, lock) => {
    const platform = await makePlatform(api)
    const tournament = await kit.arrange('ongoing', 'approved')
    await kit.place(tournament, platform.guid, 'approved')
    let removed: Promise<Reply> | undefined
    await whileHeld(api, [lock, tournament.guid], async (waiting) => {
      removed = remove(platform.contextId)
      await waiting(1)
    })
    expect((await removed)?.status).toBe(204)
    expect(await kit.standing(tournament, platform.guid)).toEqual(['ongoing', null])
  })

  test('whatever else happens meanwhile goes on or is refused, and nothing of the platform is left', async () => {
    for (let round = 0; round < 4; round++) {
      const platform = await makePlatform(api)
      const admin = await platformMember(api, platform, 'admin')
      const cups = await Promise.all(Array.from({ length: 4 }, () => kit.arrange('ongoing', 'approved')))
      const [asking, queued, listed, moving] = cups as [
        (typeof cups)[0],
        (typeof cups)[0],
        (typeof cups)[0],
        (typeof cups)[0],
      ]
      const request = await kit.place(queued, platform.guid, 'pending')
      await kit.place(listed, platform.guid, 'approved')
      await kit.place(moving, platform.guid, 'approved')
      const calls = await Promise.all([
        remove(platform.contextId),
        kit.choose(asking, { scope: 'all', platformGuids: [] }),
        kit.choose(listed, { scope: 'selected', platformGuids: [platform.guid] }),
        kit.review({ id: platform.contextId }, request, admin, { decision: 'approved' }),
        api.post(`/tournaments/${moving.guid}/status`, kit.organiser, { status: 'completed' }),
        api.put(record(platform.contextId), admin, { name: 'New' }),
        api.put(`${record(platform.contextId)}/settings`, admin, { customWebhookSecret: 'new' }),
        api.post(`${record(platform.contextId)}/members`, admin, { userIdentifier: owner.guid, role: 'admin' }),
      ])
      const [removed, everywhere, , , completed] = calls
      expect([removed.status, everywhere.status, completed.status]).toEqual([204, 200, 200])
      for (const { status } of calls) expect([200, 204, 400, 403, 404, 409]).toContain(status)
      const [left] = await api.sql(
        `select (select count(*)::int from visibility_requests where platform_guid = $1) as requests,
           (select count(*)::int from listings where platform_guid = $1) as listings`,
        [platform.guid],
      )
      expect(left).toEqual({ requests: 0, listings: 0 })
    }
  })
})

describe('GET /admin/tournament-platforms/overview', () => {
  test('counts the requests of every platform by status, the system platform first', async () => {
    const platform = await makePlatform(api, { name: 'Counted' })
    const idle = await makePlatform(api, { name: 'Idle' })
    for (const status of ['pending', 'pending', 'approved', 'rejected', 'blocked', 'withdrawn', 'withdrawn'] as const) {
      await kit.place(await kit.arrange('draft', null), platform.guid, status)
    }
    const reply = await api.get(`${all}/overview`, kit.manager)
    expect(reply.status).toBe(200)
    const { platforms } = reply.body
    const listed = (await api.get('/tournament-platforms')).body
    expect(platforms.map((each: { platform: { guid: string } }) => each.platform.guid)).toEqual(
      listed.map(({ guid }: { guid: string }) => guid),
    )
    expect(platforms[0].platform).toEqual({
      guid: kit.systemPlatform,
      contextId: 'main',
      name: 'Main listing',
      imageUrl: '',
      isSystem: true,
    })
    const requestsOf = ({ guid }: MadePlatform) =>
      platforms.find((each: { platform: { guid: string } }) => each.platform.guid === guid).requests
    expect(requestsOf(platform)).toEqual({ pending: 2, approved: 1, rejected: 1, blocked: 1, withdrawn: 2 })
    expect(requestsOf(idle)).toEqual({ pending: 0, approved: 0, rejected: 0, blocked: 0, withdrawn: 0 })
  })

  test('shows the latest requests and decisions, newest first', async () => {
    const platform = await makePlatform(api)
    const reviewer = await platformMember(api, platform, 'reviewer')
    const [first, second] = [await kit.arrange('draft', null), await kit.arrange('ongoing', 'approved')]
    for (const each of [first, second]) {
      expect((await kit.choose(each, { scope: 'selected', platformGuids: [platform.guid] })).status).toBe(200)
    }
    const queue = (await kit.queue({ id: platform.contextId }, reviewer)).body.requests
    const [newest, older] = queue.map(({ guid }: { guid: string }) => guid)
    await kit.review({ id: platform.contextId }, older, reviewer, { decision: 'rejected', reason: 'No rules.' })
    await kit.review({ id: platform.contextId }, older, reviewer, { decision: 'blocked', reason: 'Stolen prizes.' })
    const summary = { guid: platform.guid, contextId: platform.contextId, isSystem: false }
    const reply = await api.get(`${all}/overview`, owner)
    const here = (list: { platform: { guid: string } }[]) => list.filter((each) => each.platform.guid === platform.guid)
    expect(here(reply.body.latestRequests)).toEqual([
      {
        guid: newest,
        status: 'pending',
        requestedAt: instant,
        platform: expect.objectContaining(summary),
        tournament: { guid: second.guid, id: second.id, name: `Tournament ${second.id}`, status: 'ongoing' },
      },
      {
        guid: older,
        status: 'blocked',
        requestedAt: instant,
        platform: expect.objectContaining(summary),
        tournament: { guid: first.guid, id: first.id, name: `Tournament ${first.id}`, status: 'draft' },
      },
    ])
    const card = (await api.get(`/users/${reviewer.guid}/card`)).body
    const decided = {
      requestGuid: older,
      decidedAt: instant,
      decidedBy: card,
      platform: expect.objectContaining(summary),
    }
    expect(here(reply.body.latestDecisions)).toEqual([
      {
        ...decided,
        decision: 'blocked',
        reason: 'Stolen prizes.',
        tournament: expect.objectContaining({ guid: first.guid }),
      },
      {
        ...decided,
        decision: 'rejected',
        reason: 'No rules.',
        tournament: expect.objectContaining({ guid: first.guid }),
      },
    ])
  })

  test('shows no more than 25 of each', async () => {
    const platform = await makePlatform(api)
    for (let n = 0; n < 26; n++) {
      await kit.place(await kit.arrange('draft', null), platform.guid, 'rejected')
    }
    const { body } = await api.get(`${all}/overview`, developer)
    expect([body.latestRequests.length, body.latestDecisions.length]).toEqual([25, 25])
  })

  test('is for owners, developers and global tournament managers', async () => {
    const platform = await makePlatform(api)
    const refused = (await others(platform)).filter(({ guid }) => guid !== kit.manager.guid)
    for (const caller of [...refused, await api.user({ globalRoles: ['global:users:read', 'global:badges:manage'] })]) {
      expect(problem(await api.get(`${all}/overview`, caller))).toEqual([403, 'role.missing'])
    }
    expect(problem(await api.get(`${all}/overview`))).toEqual([401, 'token.missing'])
    for (const caller of [owner, developer, kit.manager]) {
      expect((await api.get(`${all}/overview`, caller)).status).toBe(200)
    }
  })
})
