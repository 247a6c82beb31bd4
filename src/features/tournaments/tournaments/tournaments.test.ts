import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publicChat } from '../../../../test/chat-sign-in.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { grantRole, makeTournament } from '../../../../test/make.ts'

/** Creating and deleting tournaments, and who may see a draft. */

const someWebhook = 'https://discord.com/api/webhooks/1/2'

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness({ chat: publicChat })
  organiser = await api.user({ name: 'quaver' })
})
afterAll(() => api[Symbol.asyncDispose]())

const nobody = '00000000-0000-4000-8000-000000000000'

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
      spoilerMode: 'open',
      teamSize: { min: 1, max: 1, active: 1 },
      capacity: null,
      publicRegistration: true,
      requirements: {},
      additionalFields: [],
      links: { chatInvite: null, website: null, stream: null, rulesUrl: null },
      chatWebhookUrl: null,
      chatWebhooks: [],
      announcements: {},
      announcementRoles: {},
      language: 'en',
      streamDelaySeconds: 0,
      liveScores: 'public',
      visibilityScope: 'selected',
      counts: { teams: 0, registered: 0, qualified: 0, players: 0 },
      placements: [],
      cancelReason: null,
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
    ['a further webhook elsewhere', { chatWebhooks: [{ label: 'a', url: 'https://evil.example/api/webhooks/1/2' }] }],
    ['a further webhook without address', { chatWebhooks: [{ label: 'a' }] }],
    ['a label twice', { chatWebhooks: ['a', 'A'].map((label) => ({ label, url: someWebhook })) }],
    ['a label that means something else', { chatWebhooks: [{ label: 'main', url: someWebhook }] }],
    ['nine further webhooks', { chatWebhooks: [...'abcdefghi'].map((label) => ({ label, url: someWebhook })) }],
    ['announcements in an unknown channel', { announcements: { match_called: 'players' } }],
    ['a role that is none', { announcementRoles: { match_called: ['everyone'] } }],
    ['six roles', { announcementRoles: { match_called: [...'123456'] } }],
    ['a language that is none', { language: 'not a language' }],
    ['control characters', { summary: 'a\u0007b' }],
  ])('is refused with %s', async (_what, more) => {
    expect((await create(more)).status).toBe(400)
  })

  test('takes 50 fields, and 100 options', async () => {
    const options = Array.from({ length: 100 }, (_, number) => `option ${number}`)
    const field = (n: number) => ({ label: `${n}`, type: 'select', options: n === 0 ? options : ['Yes', 'No'] })
    const reply = await create({ additionalFields: Array.from({ length: 50 }, (_, n) => field(n)) })
    expect(reply.status).toBe(201)
    expect(new Set(reply.body.additionalFields.map((field: { guid: string }) => field.guid)).size).toBe(50)
  })

  test('takes fields of 32,000 characters altogether', async () => {
    const fields = (helps: number) =>
      Array.from({ length: 40 }, (_, n) => ({ label: 'x', type: 'text', help: 'x'.repeat((helps + n) / 40) }))
    const lengthOf = ({ body }: Reply) => JSON.stringify(body.additionalFields).length
    const room = 32_000 - lengthOf(await create({ additionalFields: fields(40) })) + 40
    const most = await create({ additionalFields: fields(room) })
    expect([most.status, lengthOf(most)]).toEqual([201, 32_000])
    const refused = await create({ additionalFields: fields(room + 1) })
    expect(outcome(refused)).toEqual([400, 'tournament.fields_too_long'])
    expect(refused.text).toContain('32000')
    // Each of these counts as one character, although it takes two UTF-16 code units.
    const wide = fields(room).map((field) => ({ ...field, help: '𝔵'.repeat(field.help.length) }))
    expect((await create({ additionalFields: wide })).status).toBe(201)
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
        const { date: _date, 'request-id': _id, 'server-timing': _timing, ...others } = Object.fromEntries(headers)
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
