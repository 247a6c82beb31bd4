import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publicChat } from '../../../../test/chat-sign-in.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { grantRole, makeTournament } from '../../../../test/make.ts'

/** Changing the record. */

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness({ chat: publicChat })
  organiser = await api.user({ name: 'quaver' })
})
afterAll(() => api[Symbol.asyncDispose]())

const webhook = 'https://discord.com/api/webhooks/123/very-secret_token'

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

  test('a name stands on one line, and has something to see', async () => {
    const draft = await created({ name: ' Spring\n\tCup\u2028' })
    expect((await api.get(`/tournaments/${draft.id}`, organiser)).body.name).toBe('Spring Cup')
    const changed = await api.patch(`/tournaments/${draft.id}`, organiser, { name: 'Autumn\nCup' })
    expect(changed.body.name).toBe('Autumn Cup')
    for (const name of ['\u3164', '\u2800 \u180E', '\u{E0041}', '\u115F\n\u1160']) {
      expect(outcome(await create({ name })), JSON.stringify(name)).toEqual([400, 'tournament.invalid'])
      const refused = await api.patch(`/tournaments/${draft.id}`, organiser, { name })
      expect(outcome(refused), JSON.stringify(name)).toEqual([400, 'tournament.invalid'])
    }
    expect((await api.get(`/tournaments/${draft.id}`, organiser)).body.name).toBe('Autumn Cup')
  })

  test('a name from before that stays, and everything else can be changed', async () => {
    for (const name of ['\u3164', 'Two\nlines']) {
      const draft = await created()
      await api.sql('update tournaments set name = $2 where guid = $1', [draft.guid, name])
      const changed = await api.patch(`/tournaments/${draft.id}`, organiser, { summary: 'New' })
      expect([changed.status, changed.body.name, changed.body.summary]).toEqual([200, name, 'New'])
    }
  })

  test('additional fields longer than they may be stay from before, and grow no further', async () => {
    const field = (help: string) => ({ label: 'Region', type: 'text' as const, help })
    const draft = await created({ additionalFields: Array.from({ length: 50 }, () => field('x'.repeat(400))) })
    const path = `/tournaments/${draft.id}`
    await api.sql(
      `update tournaments set additional_fields = (
         select jsonb_agg(jsonb_set(field, '{help}', to_jsonb(repeat('x', 1000)))) from jsonb_array_elements(additional_fields) field
       ) where guid = $1`,
      [draft.guid],
    )
    const changed = await api.patch(path, organiser, { summary: 'New' })
    expect([changed.status, changed.body.summary, changed.body.additionalFields[49].help]).toEqual([
      ...[200, 'New'],
      'x'.repeat(1_000),
    ])
    const [first, ...others] = changed.body.additionalFields
    const sent = (additionalFields: object[]) => api.patch(path, organiser, { additionalFields })
    expect(outcome(await sent([first, ...others]))).toEqual([200, null])
    const refused = await sent([{ ...first, label: 'Regions' }, ...others])
    expect(outcome(refused)).toEqual([400, 'tournament.fields_too_long'])
    expect(outcome(await sent([{ ...first, help: null }, ...others]))).toEqual([200, null])
  })

  test('rich texts full of what looks like HTML stay within their limits, and can be sent as they were read', async () => {
    const draft = await created()
    const texts = (unit: string) => {
      const text = unit.repeat(20_000 / unit.length)
      return { description: text, rules: text, prizes: text }
    }
    for (const unit of ['<a=', '<p ', '](foo:x) ']) {
      const first = await api.patch(`/tournaments/${draft.id}`, organiser, texts(unit))
      expect(first.status).toBe(200)
      const { description, rules, prizes } = first.body
      for (const text of [description, rules, prizes]) expect(Array.from(text).length).toBeLessThanOrEqual(20_000)
      const again = await api.patch(`/tournaments/${draft.id}`, organiser, { description, rules, prizes })
      expect(outcome(again)).toEqual([200, null])
      expect(again.body).toEqual(first.body)
    }
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
    'role:host',
    'role:referee',
    null,
  ])('%s may change nothing', async (role) => {
    const cup = await makeTournament(api, organiser)
    const caller = await api.user({ globalRoles: ['global:users:read'] })
    if (role !== null) await grantRole(api, cup, caller, role)
    expect(outcome(await api.patch(`/tournaments/${cup.id}`, caller, { summary: 'x' }))).toEqual([403, 'role.missing'])
    // A caller without the right gets no error about the body. (D1)
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
    // The time of the last change does not reveal a change of the webhook either.
    const since = (await api.get(path, organiser)).body.updatedAt
    const other = await api.patch(path, organiser, { chatWebhookUrl: `${webhook}2` })
    expect([other.status, other.body.updatedAt]).toEqual([200, since])
    expect((await api.patch(path, organiser, { chatWebhookUrl: webhook, summary: 'x' })).body.updatedAt).not.toBe(since)
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
