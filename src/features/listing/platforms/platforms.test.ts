import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import {
  type MadePlatform,
  makePlatform,
  makeTournament,
  platformMember,
  remembered,
  touch,
} from '../../../../test/make.ts'

let api: Harness
let owner: Caller
let developer: Caller
let manager: Caller
let outsider: Caller
let system: MadePlatform
beforeAll(async () => {
  api = await startHarness()
  owner = await api.user({ globalRoles: ['role:owner'] })
  developer = await api.user({ globalRoles: ['role:dev'] })
  manager = await api.user({ globalRoles: ['global:tournaments:manage'] })
  outsider = await api.user()
  const [row] = await api.sql<MadePlatform>('select guid, context_id as "contextId" from platforms where is_system')
  system = row as MadePlatform
})
afterAll(() => api[Symbol.asyncDispose]())

const problem = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const named = (reply: Reply): string[] => reply.body.map(({ contextId }: { contextId: string }) => contextId)
const at = ({ contextId }: MadePlatform) => `/tournament-platforms/${contextId}`

async function listOn(platform: MadePlatform): Promise<void> {
  const { guid } = await makeTournament(api, outsider, { status: 'ongoing', approved: false })
  await api.sql(
    `insert into listings (platform_guid, tournament_guid, status, sort_at) values ($1, $2, 'ongoing', now())`,
    [platform.guid, guid],
  )
  await touch(api, platform.guid)
}

/** The log entries of a platform, oldest first. */
const logged = (platform: MadePlatform) =>
  api.sql(
    `select type, tournament, actor, before, after from event_log
     where subject = $1 and type not like 'test.%' order by seq`,
    [platform.guid],
  )

describe('GET /tournament-platforms/{contextId}', () => {
  test('has every member of the public record, and nothing else', async () => {
    const platform = await makePlatform(api, { name: 'Night League' })
    await platformMember(api, platform, 'admin')
    await listOn(platform)
    const reply = await api.get(at(platform))
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        guid: platform.guid,
        contextId: platform.contextId,
        name: 'Night League',
        description: '',
        imageUrl: '',
        websiteUrl: null,
        isSystem: false,
        counts: { tournaments: 1 },
        createdAt: instant,
        updatedAt: instant,
      },
    ])
    expect(reply.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    expect((await api.get(at(platform), owner)).body).toEqual(reply.body)
  })

  test('the context id may be written in any case', async () => {
    const platform = await makePlatform(api, { contextId: 'case-study' })
    const reply = await api.get('/tournament-platforms/CASE-Study')
    expect([reply.status, reply.body.guid]).toEqual([200, platform.guid])
  })

  test.each(['no-such-platform', 'new', '%00', 'a_b', '..%2f', "'--", 'x'.repeat(200)])(
    'there is no platform %s',
    async (id) => {
      expect(problem(await api.get(`/tournament-platforms/${id}`))).toEqual([404, 'platform.unknown'])
    },
  )

  test('a platform is not addressed by its GUID', async () => {
    expect(problem(await api.get(`/tournament-platforms/${system.guid}`))).toEqual([404, 'platform.unknown'])
  })
})

describe('GET /tournament-platforms', () => {
  test('names the system platform first and all others by name, in any case of it', async () => {
    const made = [
      await makePlatform(api, { contextId: 'list-b', name: 'beats' }),
      await makePlatform(api, { contextId: 'list-a', name: 'Beats' }),
      await makePlatform(api, { contextId: 'list-z', name: 'Aardvark' }),
    ]
    const reply = await api.get('/tournament-platforms')
    expect(reply.status).toBe(200)
    expect(named(reply)[0]).toBe(system.contextId)
    expect(reply.body[0]).toMatchObject({ isSystem: true, name: 'Main listing' })
    expect(named(reply).filter((id) => made.some(({ contextId }) => contextId === id))).toEqual([
      'list-z',
      'list-a',
      'list-b',
    ])
    expect(reply.body.filter(({ isSystem }: { isSystem: boolean }) => isSystem)).toHaveLength(1)
  })

  test('shows what the record shows, and no more to those who know more', async () => {
    const platform = await makePlatform(api)
    await listOn(platform)
    const record = (await api.get(at(platform))).body
    expect(record.counts).toEqual({ tournaments: 1 })
    for (const caller of [null, outsider, owner]) {
      const reply = await api.get('/tournament-platforms', caller)
      expect(reply.body.find(({ guid }: { guid: string }) => guid === platform.guid)).toEqual(record)
    }
  })

  test('is the new one at once after a change, however often it was read', async () => {
    const platform = await makePlatform(api)
    const admin = await platformMember(api, platform, 'admin')
    const shown = async () => {
      const list = await remembered(api, '/tournament-platforms')
      const record = await remembered(api, at(platform))
      const inList = list.body.find(({ guid }: { guid: string }) => guid === platform.guid)
      expect(record.body).toEqual(inList)
      return inList.name
    }
    for (const name of ['First', 'Second', 'Third']) {
      expect((await api.put(at(platform), admin, { name })).status).toBe(200)
      expect(await shown()).toBe(name)
    }
  })

  test('counts a tournament as long as it is listed, remembered or not', async () => {
    const organiser = await api.user()
    const tournament = await makeTournament(api, organiser, { status: 'ongoing' })
    const count = async () => (await remembered(api, at(system))).body.counts.tournaments
    const before = await count()
    const cancelled = await api.post(`/tournaments/${tournament.guid}/status`, organiser, { status: 'cancelled' })
    expect(cancelled.status).toBe(200)
    expect(await count()).toBe(before - 1)
  })
})

describe('GET /tournament-platforms/mine', () => {
  const roles = async (caller: Caller) => {
    const reply = await api.get('/tournament-platforms/mine', caller)
    expect(reply.status).toBe(200)
    return reply.body.map(({ contextId, role }: { contextId: string; role: string }) => [contextId, role])
  }

  test('names the caller’s platforms with their role there', async () => {
    const [reviewed, administered, other] = [await makePlatform(api), await makePlatform(api), await makePlatform(api)]
    const member = await platformMember(api, reviewed, 'reviewer')
    await api.sql('insert into platform_members (platform_guid, user_guid, role) values ($1, $2, $3)', [
      administered.guid,
      member.guid,
      'admin',
    ])
    await platformMember(api, other, 'admin')
    expect(await roles(member)).toEqual([
      [reviewed.contextId, 'reviewer'],
      [administered.contextId, 'admin'],
    ])
    const reply = await api.get('/tournament-platforms/mine', member)
    const record = (await api.get(at(reviewed))).body
    expect(reply.body[0]).toEqual({ ...record, role: 'reviewer', waiting: 0 })
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
  })

  test('counts the requests that wait on each, and no others', async () => {
    const [asked, decided] = [await makePlatform(api), await makePlatform(api)]
    const member = await platformMember(api, asked, 'reviewer')
    await api.sql('insert into platform_members (platform_guid, user_guid, role) values ($1, $2, $3)', [
      decided.guid,
      member.guid,
      'reviewer',
    ])
    const cups = await Promise.all([1, 2].map(() => makeTournament(api, outsider)))
    for (const { guid } of cups) {
      await api.sql(
        `insert into visibility_requests (tournament_guid, platform_guid, status)
         values ($1, $2, 'pending'), ($1, $3, 'rejected')`,
        [guid, asked.guid, decided.guid],
      )
    }
    const { body } = await api.get('/tournament-platforms/mine', member)
    const waiting = body.map((platform: { contextId: string; waiting: number }) => [
      platform.contextId,
      platform.waiting,
    ])
    expect(waiting).toEqual([
      [asked.contextId, 2],
      [decided.contextId, 0],
    ])
  })

  test('is empty for whoever reviews nothing', async () => {
    expect(await roles(outsider)).toEqual([])
    expect(await roles(await api.user({ globalRoles: ['global:badges:manage', 'global:users:read'] }))).toEqual([])
  })

  test('shows owners and developers all platforms as `global`, whatever else they are there', async () => {
    const platform = await makePlatform(api)
    await api.sql('insert into platform_members (platform_guid, user_guid, role) values ($1, $2, $3)', [
      platform.guid,
      developer.guid,
      'reviewer',
    ])
    const all = named(await api.get('/tournament-platforms'))
    for (const caller of [owner, developer]) {
      expect(await roles(caller)).toEqual(all.map((contextId) => [contextId, 'global']))
    }
  })

  test('shows global tournament managers the system platform as reviewers, beside their own', async () => {
    expect(await roles(manager)).toEqual([[system.contextId, 'reviewer']])
    const platform = await makePlatform(api)
    const both = await api.user({ globalRoles: ['global:tournaments:manage'] })
    const join = (guid: string, role: string) =>
      api.sql('insert into platform_members (platform_guid, user_guid, role) values ($1, $2, $3)', [
        guid,
        both.guid,
        role,
      ])
    await join(platform.guid, 'reviewer')
    expect(await roles(both)).toEqual([
      [system.contextId, 'reviewer'],
      [platform.contextId, 'reviewer'],
    ])
    await join(system.guid, 'admin')
    expect(await roles(both)).toEqual([
      [system.contextId, 'admin'],
      [platform.contextId, 'reviewer'],
    ])
  })

  test('needs a token', async () => {
    expect(problem(await api.get('/tournament-platforms/mine'))).toEqual([401, 'token.missing'])
  })
})

describe('PUT /tournament-platforms/{contextId}', () => {
  test('changes what is given, and tells the log what', async () => {
    const platform = await makePlatform(api, { name: 'Old' })
    const admin = await platformMember(api, platform, 'admin')
    const before = (await api.get(at(platform))).body
    const record = {
      name: 'Night League',
      description: '**Cups** for the night.',
      imageUrl: 'https://cdn.example.org/night.png',
      websiteUrl: 'https://night.example.org',
    }
    const first = await api.put(at(platform), admin, record)
    expect([first.status, first.body]).toEqual([200, { ...before, ...record, updatedAt: instant }])
    expect(Date.parse(first.body.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt))
    const second = await api.put(at(platform), admin, { websiteUrl: null, imageUrl: '' })
    expect(second.body).toEqual({ ...first.body, websiteUrl: null, imageUrl: '', updatedAt: instant })
    expect((await api.get(at(platform))).body).toEqual(second.body)
    expect(await logged(platform)).toEqual([
      {
        type: 'platform.updated',
        tournament: null,
        actor: admin.guid,
        before: { name: 'Old', description: '', imageUrl: '', websiteUrl: null },
        after: record,
      },
      {
        type: 'platform.updated',
        tournament: null,
        actor: admin.guid,
        before: { imageUrl: record.imageUrl, websiteUrl: record.websiteUrl },
        after: { imageUrl: '', websiteUrl: null },
      },
    ])
  })

  test('does nothing where all is so already, and ignores what it does not know', async () => {
    const platform = await makePlatform(api, { name: 'Same' })
    const before = (await api.get(at(platform))).body
    const body = {
      name: 'Same',
      contextId: 'taken-over',
      isSystem: true,
      guid: system.guid,
      counts: { tournaments: 9 },
    }
    for (const given of [{}, body]) {
      const reply = await api.put(at(platform), owner, given)
      expect([reply.status, reply.body]).toEqual([200, before])
    }
    expect(await logged(platform)).toEqual([])
  })

  test('the description keeps nothing that is unsafe', async () => {
    const platform = await makePlatform(api)
    const reply = await api.put(at(platform), owner, {
      description: 'Hi <img src=x onerror=alert(1)> [a](javascript:alert(1))',
    })
    expect(reply.status).toBe(200)
    expect(reply.body.description).toMatch(/^Hi /)
    expect(reply.body.description).not.toMatch(/onerror|javascript:/)
  })

  test.each([
    [{ name: '' }, 'request.invalid'],
    [{ name: ' \n ' }, 'request.invalid'],
    [{ name: 'x'.repeat(101) }, 'request.invalid'],
    [{ name: null }, 'request.invalid'],
    [{ name: 'a\u0000b' }, 'request.invalid'],
    [{ description: 'x'.repeat(20_001) }, 'request.invalid'],
    [{ description: null }, 'request.invalid'],
    [{ imageUrl: null }, 'request.invalid'],
    [{ imageUrl: 'javascript:alert(1)' }, 'platform.invalid'],
    [{ imageUrl: 'data:image/png;base64,AA==' }, 'platform.invalid'],
    [{ websiteUrl: 'night.example.org' }, 'platform.invalid'],
    [{ websiteUrl: 'https://me:secret@night.example.org' }, 'platform.invalid'],
    [[], 'request.invalid'],
  ])('%o is refused', async (body, code) => {
    const reply = await api.put(at(system), owner, body)
    expect(problem(reply)).toEqual([400, code])
    expect(reply.text).not.toContain('secret')
  })

  test('is for administrators of the platform, owners and developers', async () => {
    const platform = await makePlatform(api)
    const elsewhere = await platformMember(api, await makePlatform(api), 'admin')
    const reviewer = await platformMember(api, platform, 'reviewer')
    for (const caller of [outsider, manager, reviewer, elsewhere]) {
      expect(problem(await api.put(at(platform), caller, { name: 'Mine' }))).toEqual([403, 'role.missing'])
    }
    expect(problem(await api.put(at(platform), null, { name: 'Mine' }))).toEqual([401, 'token.missing'])
    for (const caller of [await platformMember(api, platform, 'admin'), developer, owner]) {
      const reply = await api.put(at(platform), caller, { name: caller.username })
      expect([reply.status, reply.body.name]).toEqual([200, caller.username])
    }
  })

  test('the system platform has administrators of its own; tournament managers only review there', async () => {
    expect(problem(await api.put(at(system), manager, { name: 'Mine' }))).toEqual([403, 'role.missing'])
    const admin = await platformMember(api, system, 'admin')
    const reply = await api.put(at(system), admin, { name: 'Main listing' })
    expect([reply.status, reply.body.isSystem]).toEqual([200, true])
  })

  test('an unknown platform is told before role and body', async () => {
    expect(problem(await api.put('/tournament-platforms/nowhere', outsider, { name: 7 }))).toEqual([
      404,
      'platform.unknown',
    ])
  })

  test('a role that is taken away counts from the next call on', async () => {
    const platform = await makePlatform(api)
    const admin = await platformMember(api, platform, 'admin')
    expect((await api.put(at(platform), admin, { name: 'One' })).status).toBe(200)
    await api.delete(`${at(platform)}/members/${admin.guid}`, owner)
    expect(problem(await api.put(at(platform), admin, { name: 'Two' }))).toEqual([403, 'role.missing'])
  })
})
