import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../test/harness.ts'
import { grantRole, makeTournament } from '../../../test/make.ts'
import { emit } from '../../infra/events/emit.ts'
import { revokeApproval } from './commands/status.ts'
import { changeCounts, lockTournament } from './store.ts'

/** Making, reading, changing and deleting the record. */

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'quaver' })
})
afterAll(() => api[Symbol.asyncDispose]())

const nobody = '00000000-0000-4000-8000-000000000000'
const webhook = 'https://discord.com/api/webhooks/123/very-secret_token'
const outcome = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]

let sequence = 0
const freshId = () => `t-${++sequence}`

async function create(more: object = {}, as = organiser): Promise<Reply> {
  return api.post('/tournaments', as, { name: 'Spring Cup', id: freshId(), ...more })
}

async function created(more: object = {}, as = organiser): Promise<{ guid: string; id: string; updatedAt: string }> {
  const reply = await create(more, as)
  expect(reply.status).toBe(201)
  return reply.body
}

describe('making a tournament', () => {
  test('answers the whole record of a draft with the defaults, and its maker as organiser', async () => {
    const reply = await api.post('/tournaments', organiser, { name: ' Winter Cup ', id: 'Winter-Cup' })
    expect(reply.status).toBe(201)
    const { guid, createdAt, updatedAt, organiser: card, ...record } = reply.body
    expect(record).toEqual({
      id: 'winter-cup',
      name: 'Winter Cup',
      summary: null,
      description: null,
      rules: null,
      prizes: null,
      imageUrl: null,
      bannerUrl: null,
      status: 'draft',
      timezone: 'UTC',
      startsAt: null,
      endsAt: null,
      registrationOpensAt: null,
      registrationClosesAt: null,
      rosterLocksAt: null,
      teamSize: { min: 1, max: 1, active: 1 },
      capacity: null,
      publicRegistration: true,
      requirements: {},
      additionalFields: [],
      links: { chatInvite: null, website: null, stream: null, rulesUrl: null },
      chatWebhookUrl: null,
      visibilityScope: 'selected',
      counts: { teams: 0, registered: 0, qualified: 0, players: 0 },
      placements: [],
    })
    expect(guid).toMatch(/^[0-9a-f-]{36}$/)
    expect(updatedAt).toBe(createdAt)
    expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(card).toMatchObject({ guid: organiser.guid, username: 'quaver' })
    for (const address of [guid, guid.toUpperCase(), 'winter-cup', 'WINTER-CUP']) {
      expect((await api.get(`/tournaments/${address}`, organiser)).body).toEqual(reply.body)
    }
  })

  test('keeps everything that may be set', async () => {
    const settings = {
      summary: 'A cup',
      description: '**Hello**',
      rules: 'Be kind',
      prizes: '1. Fame',
      imageUrl: 'https://cdn.example.org/a.png',
      bannerUrl: 'https://cdn.example.org/b.png',
      timezone: 'Europe/Berlin',
      registrationOpensAt: '2026-04-01T00:00:00.000Z',
      registrationClosesAt: '2026-04-20T00:00:00.000Z',
      rosterLocksAt: '2026-04-25T00:00:00.000Z',
      startsAt: '2026-05-01T18:00:00.000Z',
      endsAt: '2026-05-02T18:00:00.000Z',
      teamSize: { min: 2, max: 5, active: 3 },
      capacity: 64,
      publicRegistration: false,
      requirements: {
        countries: ['CA'],
        rankA: { min: 1, max: 1000 },
        rankB: { max: 500 },
        rankingA: true,
        rankingB: true,
        emailVerified: true,
        chatAccountAgeDays: 30,
        verifiedLinks: true,
      },
      links: {
        chatInvite: 'https://chat.example.org/x',
        website: 'https://cup.example.org',
        stream: 'https://stream.example.org/cup',
        rulesUrl: 'https://cup.example.org/rules',
      },
    }
    const field = {
      label: 'Region',
      help: 'Yours',
      type: 'select',
      required: true,
      options: ['EU', 'NA'],
      subject: 'player',
      private: true,
    }
    const reply = await create({ ...settings, additionalFields: [field] })
    expect(reply.body).toMatchObject(settings)
    expect(reply.body.additionalFields).toEqual([{ guid: expect.stringMatching(/^[0-9a-f-]{36}$/), ...field }])
  })

  test('ignores members that cannot be set (D9)', async () => {
    const reply = await create({
      status: 'approved',
      organiser: { guid: nobody },
      counts: { teams: 9 },
      placements: [{ place: 1 }],
      visibilityScope: 'all',
      guid: nobody,
      links: { website: 'https://a.example', more: 1 },
    })
    expect(reply.status).toBe(201)
    expect(reply.body).toMatchObject({ status: 'draft', visibilityScope: 'selected', placements: [] })
    expect(reply.body.guid).not.toBe(nobody)
    expect(reply.body.organiser.guid).toBe(organiser.guid)
  })

  test.each<[string, object]>([
    ['no name', { name: undefined }],
    ['an empty name', { name: '  ' }],
    ['a name over 100 characters', { name: 'x'.repeat(101) }],
    ['no id', { id: undefined }],
    ['a malformed id', { id: 'spring cup' }],
    ['a reserved id', { id: 'Admin' }],
    ['an id like a GUID', { id: nobody }],
    ['a summary over 280 characters', { summary: 'x'.repeat(281) }],
    ['a description over 20000 characters', { description: 'x'.repeat(20_001) }],
    ['a time zone that is none', { timezone: 'Nowhere/Else' }],
    ['a date without zone', { startsAt: '2026-05-01T18:00:00' }],
    ['a date before 2020', { startsAt: '2019-05-01T18:00:00Z' }],
    ['a date that is a number', { startsAt: 1_777_000_000 }],
    ['an end before the start', { startsAt: '2026-05-02T00:00:00Z', endsAt: '2026-05-01T00:00:00Z' }],
    ['a team size of 17', { teamSize: { min: 1, max: 17, active: 1 } }],
    ['a team size of 0', { teamSize: { min: 0, max: 1, active: 1 } }],
    ['a minimum above the maximum', { teamSize: { min: 3, max: 2, active: 1 } }],
    ['more on the field than in a team', { teamSize: { min: 1, max: 2, active: 3 } }],
    ['a capacity of 1', { capacity: 1 }],
    ['a capacity of 4097', { capacity: 4097 }],
    ['a capacity of 2.5', { capacity: 2.5 }],
    ['a country that is none', { requirements: { countries: ['UK'] } }],
    ['an empty range of ranks', { requirements: { rankA: { min: 2, max: 1 } } }],
    ['a rank of 0', { requirements: { rankA: { min: 0 } } }],
    ['a field without label', { additionalFields: [{ type: 'text' }] }],
    ['a field of an unknown type', { additionalFields: [{ label: 'x', type: 'date' }] }],
    ['a choice without options', { additionalFields: [{ label: 'x', type: 'select' }] }],
    ['51 fields', { additionalFields: Array.from({ length: 51 }, () => ({ label: 'x', type: 'text' })) }],
    [
      '101 options',
      { additionalFields: [{ label: 'x', type: 'select', options: Array.from({ length: 101 }, (_, n) => `${n}`) }] },
    ],
    ['a script for an address', { imageUrl: 'javascript:alert(1)' }],
    ['a webhook elsewhere', { chatWebhookUrl: 'https://evil.example/api/webhooks/1/2' }],
    ['control characters', { summary: 'a\u0007b' }],
  ])('is refused with %s', async (_what, more) => {
    expect((await create(more)).status).toBe(400)
  })

  test('takes 50 fields with 100 options each', async () => {
    const options = Array.from({ length: 100 }, (_, number) => `option ${number}`)
    const reply = await create({
      additionalFields: Array.from({ length: 50 }, (_, n) => ({ label: `${n}`, type: 'select', options })),
    })
    expect(reply.status).toBe(201)
    expect(new Set(reply.body.additionalFields.map((field: { guid: string }) => field.guid)).size).toBe(50)
  })

  test('needs a signed-in user with the scope', async () => {
    expect(outcome(await api.post('/tournaments', null, { name: 'x', id: 'x' }))).toEqual([401, 'token.missing'])
    const token = await api.token(organiser, ['rest:read'])
    const weak = await api.call('POST', '/tournaments', { token, body: { name: 'x', id: 'x' } })
    expect(outcome(weak)).toEqual([401, 'scope.missing'])
  })

  test('with an id that is taken is 409 whatever its case, and says no more of a hidden draft than of any other', async () => {
    const other = await api.user()
    const draft = await created()
    const shown = await makeTournament(api, organiser)
    const replies = await Promise.all([
      create({ id: draft.id }, other),
      create({ id: draft.id.toUpperCase() }, other),
      create({ id: shown.id }, other),
    ])
    for (const reply of replies) expect(outcome(reply)).toEqual([409, 'tournament.id_taken'])
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1)
  })

  test('of many with one id at once, one is made', async () => {
    const id = freshId()
    const replies = await Promise.all(Array.from({ length: 8 }, () => create({ id })))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409])
  })
})

describe('a draft', () => {
  test('answers outsiders exactly as nothing does, on every operation', async () => {
    const { guid, id } = await created()
    const outsider = await api.user()
    const calls = (address: string): Promise<Reply>[] => [
      api.get(`/tournaments/${address}`),
      api.get(`/tournaments/${address}`, outsider),
      api.get(`/tournaments/${address}?include=staff`, outsider),
      api.patch(`/tournaments/${address}`, outsider, { name: 'x' }),
      api.delete(`/tournaments/${address}`, outsider),
      api.post(`/tournaments/${address}/status`, outsider, { status: 'cancelled' }),
      api.post(`/tournaments/${address}/organiser`, outsider, { userIdentifier: outsider.guid }),
      api.get(`/tournaments/${address}/audit`, outsider),
      api.patch(`/tournaments/${address}`, null, { name: 'x' }),
    ]
    const shape = async (replies: Promise<Reply>[]) =>
      (await Promise.all(replies)).map(({ status, text, headers }) => {
        const { date: _date, 'request-id': _id, ...others } = Object.fromEntries(headers)
        const counters = Object.keys(others).filter((name) => name.includes('ratelimit'))
        return {
          status,
          text,
          headers: Object.fromEntries(Object.entries(others).filter(([name]) => !counters.includes(name))),
        }
      })
    const nothing = await shape(calls(nobody))
    expect(nothing.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404, 404, 404, 401])
    expect(await shape(calls(guid))).toEqual(nothing)
    expect(await shape(calls(id))).toEqual(nothing)
  })

  test.each(['role:admin', 'role:staff', 'role:coordinator', 'role:caster'])('is shown to its %s', async (role) => {
    const draft = await created()
    const member = await api.user()
    await grantRole(api, draft, member, role)
    expect((await api.get(`/tournaments/${draft.id}`, member)).status).toBe(200)
  })

  test('is shown to global managers, and to reviewers of a platform that it asked', async () => {
    const draft = await created()
    const manager = await api.user({ globalRoles: ['global:tournaments:manage'] })
    const reviewer = await api.user()
    await api.sql(
      `insert into platform_members (platform_guid, user_guid, role) select guid, $1, 'reviewer' from platforms where is_system`,
      [reviewer.guid],
    )
    expect((await api.get(`/tournaments/${draft.id}`, manager)).status).toBe(200)
    expect((await api.get(`/tournaments/${draft.id}`, reviewer)).status).toBe(404)
    await api.sql(
      `insert into visibility_requests (tournament_guid, platform_guid, status) select $1, guid, 'pending' from platforms where is_system`,
      [draft.guid],
    )
    expect((await api.get(`/tournaments/${draft.id}`, reviewer)).status).toBe(200)
    await api.sql(`update visibility_requests set status = 'withdrawn' where tournament_guid = $1`, [draft.guid])
    expect((await api.get(`/tournaments/${draft.id}`, reviewer)).status).toBe(404)
  })
})

describe('reading', () => {
  test('is public, revalidated by a strong ETag, and private for those with a token (D11)', async () => {
    const { id } = await makeTournament(api, organiser)
    const open = await api.get(`/tournaments/${id}`)
    expect(open.status).toBe(200)
    expect(open.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    expect(open.headers.get('vary')).toBe('Authorization, Accept')
    const etag = open.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]+"$/)
    expect((await api.get(`/tournaments/${id}`, null, { 'if-none-match': etag })).status).toBe(304)
    const mine = await api.get(`/tournaments/${id}`, organiser)
    expect(mine.headers.get('cache-control')).toBe('private, no-store')
    const stale = await api.call('GET', `/tournaments/${id}`, { token: 'no.such.token' })
    expect([stale.status, stale.body]).toEqual([200, open.body])
  })

  test('shows placements with their teams, in one list', async () => {
    const { guid, id } = await makeTournament(api, organiser, { status: 'completed' })
    const captains = await Promise.all([api.user(), api.user()])
    const teams = await Promise.all(
      captains.map(async (captain, index) => {
        const [team] = await api.sql<{ guid: string }>(
          'insert into teams (tournament_guid, id, name, captain_guid, image_url) values ($1, $2, $3, $4, $5) returning guid',
          [guid, `team-${index}`, `Team ${index}`, captain.guid, index === 0 ? 'https://cdn.example.org/t.png' : null],
        )
        return team?.guid as string
      }),
    )
    const placements = [
      { place: 1, teamGuid: teams[1] },
      { place: 2, teamGuid: teams[0] },
      { place: 3, teamGuid: nobody },
    ]
    await api.sql('update tournaments set placements = $2 where guid = $1', [guid, JSON.stringify(placements)])
    expect((await api.get(`/tournaments/${id}`)).body.placements).toEqual([
      { place: 1, team: { guid: teams[1], id: 'team-1', name: 'Team 1', imageUrl: null } },
      { place: 2, team: { guid: teams[0], id: 'team-0', name: 'Team 0', imageUrl: 'https://cdn.example.org/t.png' } },
    ])
  })

  test('what was remembered for everybody is never older than a change, on any process (D12)', async () => {
    await using sibling = await api.sibling()
    const host = await api.user({ name: 'breve' })
    const { guid, id } = await makeTournament(api, host)
    const everywhere = async () => {
      const replies = [await api.get(`/tournaments/${id}`), await sibling.get(`/tournaments/${id}`)]
      // The second time comes from memory.
      replies.push(await api.get(`/tournaments/${id}`), await sibling.get(`/tournaments/${id}`))
      return replies.map((reply) => reply.body)
    }
    await everywhere()
    await api.patch(`/tournaments/${id}`, host, { name: 'Renamed' })
    for (const body of await everywhere()) expect(body.name).toBe('Renamed')

    await api.post('/updateUserSettings', host, { preferredName: 'Breve the Great' })
    for (const body of await everywhere()) expect(body.organiser.preferredName).toBe('Breve the Great')

    await api.app.database.transaction(async (tx) => {
      await changeCounts(tx, guid, { teams: 1, players: 3 })
      emit(tx, { type: 'team.created', subject: nobody, tournament: guid, actor: host.guid })
    })
    for (const body of await everywhere()) expect(body.counts).toMatchObject({ teams: 1, players: 3 })

    await api.post(`/tournaments/${id}/status`, host, { status: 'ongoing' })
    for (const body of await everywhere()) expect(body.status).toBe('ongoing')

    const heir = await api.user({ name: 'minim' })
    await api.post(`/tournaments/${id}/organiser`, host, { userIdentifier: heir.guid })
    for (const body of await everywhere())
      expect(body.organiser).toMatchObject({ username: 'minim', roles: ['organiser'] })
    expect((await api.get(`/users/${host.guid}/card`)).body.roles).toEqual([])

    await api.patch(`/tournaments/${id}`, heir, { id: 'other-address' })
    expect((await api.get(`/tournaments/${id}`)).status).toBe(404)
    expect((await sibling.get(`/tournaments/${id}`)).status).toBe(404)
  })

  test('a draft that was public before is not answered from memory', async () => {
    const { guid, id } = await makeTournament(api, organiser)
    const manager = await api.user({ globalRoles: ['global:tournaments:manage'] })
    expect((await api.get(`/tournaments/${id}`)).status).toBe(200)
    await api.app.database.transaction(async (tx) => {
      const locked = await lockTournament(tx, guid)
      if (locked !== undefined) await revokeApproval(tx, locked.tournament, manager.guid, new Date())
    })
    expect((await api.get(`/tournaments/${id}`)).status).toBe(404)
  })
})

describe('the parts of a reading', () => {
  test('are only those asked for, each once', async () => {
    const { id } = await makeTournament(api, organiser)
    const plain = (await api.get(`/tournaments/${id}`)).body
    const { divisions, matches, staff, ...record } = (
      await api.get(`/tournaments/${id}?include=divisions,%20matches,staff,divisions`)
    ).body
    expect(record).toEqual(plain)
    expect([divisions, matches]).toEqual([[], []])
    expect(staff).toEqual((await api.get(`/tournaments/${id}/staff`)).body)
    expect((await api.get(`/tournaments/${id}?include=`)).body).toEqual(plain)
  })

  test('are known: any other is 400', async () => {
    const { id } = await makeTournament(api, organiser)
    for (const include of ['secrets', 'staff,secrets', 'Staff', 'toString', '__proto__']) {
      expect(outcome(await api.get(`/tournaments/${id}?include=${include}`))).toEqual([400, 'include.invalid'])
    }
  })

  test('are never older than a change', async () => {
    const { id } = await makeTournament(api, organiser)
    const heir = await api.user()
    const read = async () => (await api.get(`/tournaments/${id}?include=staff`)).body
    expect((await read()).staff[0].users[0].guid).toBe(organiser.guid)
    await api.post(`/tournaments/${id}/organiser`, organiser, { userIdentifier: heir.guid })
    const after = await read()
    expect([after.organiser.guid, after.staff[0].users[0].guid]).toEqual([heir.guid, heir.guid])
  })
})

describe('changing settings', () => {
  test('changes what is given and keeps the rest', async () => {
    const draft = await created({ summary: 'Old', links: { website: 'https://a.example' } })
    const reply = await api.patch(`/tournaments/${draft.id}`, organiser, {
      name: 'New',
      links: { stream: 'https://s.example' },
      startsAt: '2026-05-01T20:00:00+02:00',
    })
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({
      guid: draft.guid,
      name: 'New',
      summary: 'Old',
      links: { website: 'https://a.example', stream: 'https://s.example' },
      startsAt: '2026-05-01T18:00:00.000Z',
    })
    expect(Date.parse(reply.body.updatedAt)).toBeGreaterThan(Date.parse(draft.updatedAt))
    expect((await api.get(`/tournaments/${draft.id}`, organiser)).body).toEqual(reply.body)
    const unset = await api.patch(`/tournaments/${draft.id}`, organiser, {
      startsAt: '1970-01-01T00:00:00Z',
      summary: null,
    })
    expect(unset.body).toMatchObject({ startsAt: null, summary: null })
  })

  test('without a difference changes nothing and tells nobody', async () => {
    const draft = await created({ description: 'Same', requirements: { rankingA: true } })
    const reply = await api.patch(`/tournaments/${draft.id}`, organiser, {
      description: 'Same',
      requirements: { rankingA: true },
    })
    expect([reply.status, reply.body.updatedAt]).toEqual([200, draft.updatedAt])
    expect(await api.sql('select 1 from event_log where subject = $1', [draft.guid])).toHaveLength(1)
  })

  test.each([
    'status',
    'guid',
    'organiser',
    'counts',
    'placements',
    'visibilityScope',
    'createdAt',
    'updatedAt',
    'approvedAt',
    'organiserGuid',
    'colour',
  ])('refuses %s, which cannot be set (D43)', async (member) => {
    const { id } = await created()
    expect(outcome(await api.patch(`/tournaments/${id}`, organiser, { name: 'x', [member]: null }))).toEqual([
      400,
      'request.unknown_member',
    ])
    expect((await api.get(`/tournaments/${id}`, organiser)).body.name).toBe('Spring Cup')
  })

  test.each([
    [{ links: { web: null } }, 'links.web'],
    [{ teamSize: { players: 3 } }, 'teamSize.players'],
    [{ requirements: { rankC: {} } }, 'requirements.rankC'],
    [{ requirements: { rankA: { from: 1 } } }, 'requirements.rankA.from'],
    [{ additionalFields: [{ label: 'x', type: 'text', secret: true }] }, 'additionalFields[0].secret'],
  ])('refuses the unknown member in %o by name', async (body, named) => {
    const { id } = await created()
    const reply = await api.patch(`/tournaments/${id}`, organiser, body)
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(`"${named}"`)])
  })

  test.each([{}, { expectedUpdatedAt: '2026-01-01T00:00:00Z' }])('refuses %o, which holds no setting', async (body) => {
    const { id } = await created()
    expect(outcome(await api.patch(`/tournaments/${id}`, organiser, body))).toEqual([400, 'tournament.nothing_given'])
  })

  test.each([
    { name: '' },
    { name: null },
    { id: 'new' },
    { timezone: null },
    { capacity: 1 },
    { publicRegistration: null },
    { additionalFields: null },
    { requirements: null },
    { expectedUpdatedAt: 'yesterday', name: 'x' },
  ])('refuses %o', async (body) => {
    const { id } = await created()
    expect((await api.patch(`/tournaments/${id}`, organiser, body)).status).toBe(400)
  })

  test('of an id that is taken is 409, and to the own id in another case is none', async () => {
    const [mine, other] = [await created(), await created()]
    expect(outcome(await api.patch(`/tournaments/${mine.id}`, organiser, { id: other.id.toUpperCase() }))).toEqual([
      409,
      'tournament.id_taken',
    ])
    const same = await api.patch(`/tournaments/${mine.id}`, organiser, { id: mine.id.toUpperCase() })
    expect([same.status, same.body.id]).toEqual([200, mine.id])
  })

  test('moves the address with the id', async () => {
    const draft = await created()
    const id = freshId()
    await api.patch(`/tournaments/${draft.id}`, organiser, { id })
    expect((await api.get(`/tournaments/${id}`, organiser)).body.guid).toBe(draft.guid)
    expect((await api.get(`/tournaments/${draft.id}`, organiser)).status).toBe(404)
    expect((await create({ id: draft.id })).status).toBe(201)
  })

  test('made for an older state is 409', async () => {
    const draft = await created()
    const first = await api.patch(`/tournaments/${draft.id}`, organiser, {
      name: 'A',
      expectedUpdatedAt: draft.updatedAt,
    })
    expect(first.status).toBe(200)
    const second = await api.patch(`/tournaments/${draft.id}`, organiser, {
      name: 'B',
      expectedUpdatedAt: draft.updatedAt,
    })
    expect(outcome(second)).toEqual([409, 'tournament.stale'])
    const third = await api.patch(`/tournaments/${draft.id}`, organiser, {
      name: 'C',
      expectedUpdatedAt: first.body.updatedAt,
    })
    expect([third.status, third.body.name]).toEqual([200, 'C'])
    const free = await api.patch(`/tournaments/${draft.id}`, organiser, { name: 'D', expectedUpdatedAt: null })
    expect(free.status).toBe(200)
  })

  test('of many at once that expect one state, one succeeds', async () => {
    const draft = await created()
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, number) =>
        api.patch(`/tournaments/${draft.id}`, organiser, {
          name: `Name ${number}`,
          expectedUpdatedAt: draft.updatedAt,
        }),
      ),
    )
    const won = replies.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    expect(replies.filter((reply) => reply.headers.get('problem-code') === 'tournament.stale')).toHaveLength(7)
    expect((await api.get(`/tournaments/${draft.id}`, organiser)).body.name).toBe(won[0]?.body.name)
  })

  test('gives every state a time of its own, however fast they follow', async () => {
    const draft = await created()
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, number) =>
        api.patch(`/tournaments/${draft.id}`, organiser, { summary: `${number}` }),
      ),
    )
    expect(new Set(replies.map((reply) => reply.body.updatedAt)).size).toBe(8)
  })

  test('of the capacity leaves room for the registered teams', async () => {
    const { guid, id } = await makeTournament(api, organiser, { capacity: 16 })
    await api.sql('update tournament_counts set teams = 9, registered = 8, qualified = 3 where tournament_guid = $1', [
      guid,
    ])
    expect(outcome(await api.patch(`/tournaments/${id}`, organiser, { capacity: 7 }))).toEqual([
      409,
      'tournament.capacity_too_small',
    ])
    expect((await api.patch(`/tournaments/${id}`, organiser, { capacity: 8 })).body.capacity).toBe(8)
    await api.sql('update tournament_counts set registered = 9 where tournament_guid = $1', [guid])
    const kept = await api.patch(`/tournaments/${id}`, organiser, { capacity: 8, name: 'Same capacity' })
    expect([kept.status, kept.body.name]).toEqual([200, 'Same capacity'])
    expect((await api.patch(`/tournaments/${id}`, organiser, { capacity: null })).body.capacity).toBeNull()
  })

  test('of team size and requirements is possible while there are teams', async () => {
    const { guid, id } = await makeTournament(api, organiser)
    await api.sql('update tournament_counts set teams = 4, registered = 4 where tournament_guid = $1', [guid])
    const reply = await api.patch(`/tournaments/${id}`, organiser, {
      teamSize: { min: 3, max: 6, active: 3 },
      requirements: { rankA: { max: 100 } },
    })
    expect(reply.body).toMatchObject({ teamSize: { min: 3, max: 6, active: 3 }, requirements: { rankA: { max: 100 } } })
  })

  test('keeps the GUID of a field that is given with it, so that answers stay attached', async () => {
    const draft = await created({
      additionalFields: [
        { label: 'A', type: 'text' },
        { label: 'B', type: 'text' },
      ],
    })
    const [a, b] = (await api.get(`/tournaments/${draft.id}`, organiser)).body.additionalFields
    const reply = await api.patch(`/tournaments/${draft.id}`, organiser, {
      additionalFields: [
        { ...b, label: 'B2', guid: b.guid.toUpperCase() },
        { label: 'C', type: 'boolean' },
      ],
    })
    const [first, second] = reply.body.additionalFields
    expect(first).toEqual({ ...b, label: 'B2' })
    expect([a.guid, b.guid]).not.toContain(second.guid)
    const back = await api.patch(`/tournaments/${draft.id}`, organiser, { additionalFields: [a] })
    expect(back.body.additionalFields).toEqual([a])
  })
})

describe('who may change what', () => {
  const shown = {
    name: 'Staff name',
    summary: 's',
    description: 'd',
    rules: 'r',
    prizes: 'p',
    imageUrl: 'https://cdn.example.org/i.png',
    bannerUrl: 'https://cdn.example.org/b.png',
    links: { website: 'https://w.example' },
  }
  const ruled = {
    id: 'taken-over',
    timezone: 'Europe/Berlin',
    startsAt: '2026-05-01T00:00:00Z',
    endsAt: null,
    registrationOpensAt: null,
    registrationClosesAt: null,
    rosterLocksAt: null,
    teamSize: { max: 2 },
    capacity: 8,
    publicRegistration: false,
    requirements: {},
    additionalFields: [],
    chatWebhookUrl: webhook,
  }

  test('staff may change what is shown, and nothing else (D29)', async () => {
    const cup = await makeTournament(api, organiser)
    const staff = await api.user()
    await grantRole(api, cup, staff, 'role:staff')
    const reply = await api.patch(`/tournaments/${cup.id}`, staff, shown)
    expect([reply.status, reply.body]).toEqual([200, expect.objectContaining({ name: 'Staff name', prizes: 'p' })])
    for (const [name, value] of Object.entries(ruled)) {
      const refused = await api.patch(`/tournaments/${cup.id}`, staff, { summary: 'sneaked in', [name]: value })
      expect([name, ...outcome(refused)]).toEqual([name, 403, 'tournament.setting_forbidden'])
    }
    expect((await api.get(`/tournaments/${cup.id}`)).body.summary).toBe('s')
  })

  test('organiser, admin, global managers, developers and owners may change all of it', async () => {
    const admin = await api.user()
    const callers = [
      organiser,
      admin,
      await api.user({ globalRoles: ['global:tournaments:manage'] }),
      await api.user({ globalRoles: ['role:dev'] }),
      await api.user({ globalRoles: ['role:owner'] }),
    ]
    for (const caller of callers) {
      const cup = await makeTournament(api, organiser)
      await grantRole(api, cup, admin, 'role:admin')
      const reply = await api.patch(`/tournaments/${cup.id}`, caller, { ...shown, ...ruled, id: freshId() })
      expect([reply.status, reply.body.chatWebhookUrl]).toEqual([200, 'configured'])
    }
  })

  test.each([
    'role:coordinator',
    'role:hcoordinator',
    'role:pooler',
    'role:hpooler',
    'role:caster',
    'role:hcaster',
    'role:host',
    'role:referee',
    null,
  ])('%s may change nothing', async (role) => {
    const cup = await makeTournament(api, organiser)
    const caller = await api.user({ globalRoles: ['global:users:read'] })
    if (role !== null) await grantRole(api, cup, caller, role)
    expect(outcome(await api.patch(`/tournaments/${cup.id}`, caller, { summary: 'x' }))).toEqual([403, 'role.missing'])
    // A caller who may not act learns nothing of the body. (D1)
    expect(outcome(await api.patch(`/tournaments/${cup.id}`, caller, { nonsense: 1 }))).toEqual([403, 'role.missing'])
  })
})

describe('the chat webhook', () => {
  test('is told as configured to those who may change settings, and to nobody else that it exists', async () => {
    const cup = await makeTournament(api, organiser)
    const [staff, coordinator, outsider] = await Promise.all([api.user(), api.user(), api.user()])
    await grantRole(api, cup, staff, 'role:staff')
    await grantRole(api, cup, coordinator, 'role:coordinator')
    const path = `/tournaments/${cup.id}`
    expect((await api.get(path, organiser)).body.chatWebhookUrl).toBeNull()
    expect((await api.patch(path, organiser, { chatWebhookUrl: webhook })).body.chatWebhookUrl).toBe('configured')
    for (const caller of [organiser, staff])
      expect((await api.get(path, caller)).body.chatWebhookUrl).toBe('configured')
    for (const caller of [coordinator, outsider, null])
      expect((await api.get(path, caller)).body).not.toHaveProperty('chatWebhookUrl')
    expect((await api.get('/tournaments?limit=100')).text).not.toContain('chatWebhookUrl')
  })

  test('is stored as given, and appears in no answer and no event', async () => {
    const draft = await created({ chatWebhookUrl: webhook })
    const path = `/tournaments/${draft.id}`
    const second = webhook.replace('123', '456')
    const replies = [
      await api.get(path, organiser),
      await api.patch(path, organiser, { chatWebhookUrl: second }),
      await api.patch(path, organiser, { chatWebhookUrl: `${second}?x=1` }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 400])
    for (const reply of replies) expect(reply.text).not.toContain('very-secret')
    expect(await api.sql('select chat_webhook_url from tournaments where guid = $1', [draft.guid])).toEqual([
      { chat_webhook_url: second },
    ])
    expect((await api.patch(path, organiser, { chatWebhookUrl: '' })).body.chatWebhookUrl).toBeNull()
    expect((await api.patch(path, organiser, { chatWebhookUrl: webhook })).body.chatWebhookUrl).toBe('configured')
    expect((await api.patch(path, organiser, { chatWebhookUrl: null })).body.chatWebhookUrl).toBeNull()
    const events = await api.sql<{ before: object; after: object }>(
      'select before, after from event_log where subject = $1 order by seq',
      [draft.guid],
    )
    expect(JSON.stringify(events)).not.toContain('very-secret')
    expect(events.map(({ before, after }) => [before, after]).slice(1)).toEqual([
      [{ chatWebhookUrl: 'configured' }, { chatWebhookUrl: 'configured' }],
      [{ chatWebhookUrl: 'configured' }, { chatWebhookUrl: null }],
      [{ chatWebhookUrl: null }, { chatWebhookUrl: 'configured' }],
      [{ chatWebhookUrl: 'configured' }, { chatWebhookUrl: null }],
    ])
  })
})

describe('deleting (D35)', () => {
  test('removes a draft and everything in it', async () => {
    const draft = await created()
    await grantRole(api, draft, await api.user(), 'role:admin')
    const reply = await api.delete(`/tournaments/${draft.id}`, organiser)
    expect([reply.status, reply.text]).toEqual([204, ''])
    expect((await api.get(`/tournaments/${draft.id}`, organiser)).status).toBe(404)
    expect(await api.sql('select 1 from tournament_counts where tournament_guid = $1', [draft.guid])).toEqual([])
    expect(outcome(await api.delete(`/tournaments/${draft.id}`, organiser))).toEqual([404, 'tournament.unknown'])
    expect(
      await api.sql('select type, before from event_log where subject = $1 order by seq desc limit 1', [draft.guid]),
    ).toEqual([{ type: 'tournament.deleted', before: { id: draft.id, name: 'Spring Cup' } }])
    expect((await create({ id: draft.id })).status).toBe(201)
  })

  test.each(['approved', 'ongoing', 'completed', 'cancelled'] as const)(
    'of a tournament in status %s is 409',
    async (status) => {
      const { id } = await makeTournament(api, organiser, { status })
      expect(outcome(await api.delete(`/tournaments/${id}`, organiser))).toEqual([409, 'tournament.not_draft'])
    },
  )

  test('is for the organiser and global managers, not for admins', async () => {
    const draft = await created()
    const [admin, staff] = await Promise.all([api.user(), api.user()])
    await grantRole(api, draft, admin, 'role:admin')
    await grantRole(api, draft, staff, 'role:staff')
    for (const caller of [admin, staff]) {
      expect(outcome(await api.delete(`/tournaments/${draft.id}`, caller))).toEqual([403, 'role.missing'])
    }
    const manager = await api.user({ globalRoles: ['global:tournaments:manage'] })
    expect((await api.delete(`/tournaments/${draft.id}`, manager)).status).toBe(204)
  })

  test('many times at once deletes once', async () => {
    const draft = await created()
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => api.delete(`/tournaments/${draft.id}`, organiser)),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404, 404])
    expect(
      await api.sql(`select 1 from event_log where subject = $1 and type = 'tournament.deleted'`, [draft.guid]),
    ).toHaveLength(1)
  })
})
