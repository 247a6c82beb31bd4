import { afterAll, beforeAll, expect, test } from 'vitest'
import { strayEvent } from '../../../../test/event-log.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { grantRole, makeTournament, roleHolder } from '../../../../test/make.ts'
import { emit } from '../../../infra/events/emit.ts'

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'quaver' })
})
afterAll(() => api[Symbol.asyncDispose]())

test('tells who changed what, before and after, newest first', async () => {
  const admin = await api.user({ name: 'breve' })
  const cup = await api.post('/tournaments', organiser, { name: 'Spring Cup', id: 'spring-cup', capacity: 8 })
  await grantRole(api, cup.body, admin, 'role:admin')
  await api.patch('/tournaments/spring-cup', admin, {
    capacity: 16,
    name: 'Spring Cup',
    startsAt: '2026-05-01T00:00:00Z',
  })
  await api.post('/tournaments/spring-cup/status', organiser, { status: 'cancelled', reason: 'Too few teams' })
  const reply = await api.get('/tournaments/spring-cup/audit', organiser)
  expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
  const entries = reply.body.entries.map(
    ({ seq, at, actor, ...entry }: { seq: number; at: string; actor: { username: string } }) => {
      expect(Number.isSafeInteger(seq)).toBe(true)
      expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      return { ...entry, actor: actor.username }
    },
  )
  expect(entries).toEqual([
    {
      type: 'tournament.status_changed',
      subject: cup.body.guid,
      actor: 'quaver',
      before: { status: 'draft' },
      after: { status: 'cancelled', reason: 'Too few teams' },
    },
    {
      type: 'tournament.updated',
      subject: cup.body.guid,
      actor: 'breve',
      before: { capacity: 8, startsAt: null },
      after: { capacity: 16, startsAt: '2026-05-01T00:00:00.000Z' },
    },
    {
      type: 'tournament.created',
      subject: cup.body.guid,
      actor: 'quaver',
      before: null,
      after: { id: 'spring-cup', name: 'Spring Cup', capacity: 8 },
    },
  ])
  expect(reply.body.nextCursor).toBeNull()
})

test('is for anybody with a role in the tournament, and nobody else', async () => {
  const cup = await makeTournament(api, organiser)
  const outsider = await api.user()
  expect(outcome(await api.get(`/tournaments/${cup.id}/audit`))).toEqual([401, 'token.missing'])
  expect(outcome(await api.get(`/tournaments/${cup.id}/audit`, outsider))).toEqual([403, 'role.missing'])
  const weak = await api.token(organiser, ['rest:user:read'])
  expect(outcome(await api.call('GET', `/tournaments/${cup.id}/audit`, { token: weak }))).toEqual([
    401,
    'scope.missing',
  ])
  const manager = await api.user({ globalRoles: ['global:tournaments:manage'] })
  const allowed = [organiser, manager]
  for (const role of ['role:admin', 'role:staff', 'role:caster', 'role:referee', 'role:pooler']) {
    const member = await api.user()
    await grantRole(api, cup, member, role)
    allowed.push(member)
  }
  for (const caller of allowed) expect((await api.get(`/tournaments/${cup.id}/audit`, caller)).status).toBe(200)
})

test('holds what happened in this tournament alone', async () => {
  const [mine, other] = [await makeTournament(api, organiser), await makeTournament(api, organiser)]
  await api.patch(`/tournaments/${mine.id}`, organiser, { summary: 'mine' })
  await api.patch(`/tournaments/${other.id}`, organiser, { summary: 'other' })
  const { entries } = (await api.get(`/tournaments/${mine.id}/audit`, organiser)).body
  expect(entries.map((entry: { after: object }) => entry.after)).toEqual([{ summary: 'mine' }])
})

test('shows what the service did by itself without an actor, and what those did who are gone', async () => {
  const cup = await makeTournament(api, organiser)
  const gone = await api.user()
  await api.app.database.transaction(async (tx) => {
    emit(tx, strayEvent({ type: 'test.registered', subject: null, tournament: cup.guid, actor: gone.guid }))
    emit(
      tx,
      strayEvent({
        type: 'test.locked',
        subject: cup.guid,
        tournament: cup.guid,
        actor: null,
        after: { nested: [{ a: null }] },
      }),
    )
  })
  await api.sql('update users set anonymised_at = now() where guid = $1', [gone.guid])
  const { entries } = (await api.get(`/tournaments/${cup.id}/audit`, organiser)).body
  expect(entries).toMatchObject([
    { type: 'test.locked', actor: null, before: null, after: { nested: [{ a: null }] } },
    { type: 'test.registered', subject: null, actor: { guid: gone.guid } },
  ])
})

test('cuts long texts, so that the list stays readable', async () => {
  const cup = await makeTournament(api, organiser)
  // The text must not be cut inside a character of two UTF-16 code units.
  const long = `${'x'.repeat(1_998)}${'🎵'.repeat(500)}`
  await api.patch(`/tournaments/${cup.id}`, organiser, { description: long, rules: 'y'.repeat(2_000) })
  const options = Array.from({ length: 100 }, (_, number) => `${number}`.padStart(190, '0'))
  await api.patch(`/tournaments/${cup.id}`, organiser, { additionalFields: [{ label: 'x', type: 'select', options }] })
  const { entries } = (await api.get(`/tournaments/${cup.id}/audit`, organiser)).body
  expect(entries[0]).toMatchObject({
    before: { additionalFields: [] },
    after: { additionalFields: '(too long for the log)' },
  })
  expect(entries[1].after).toEqual({ description: `${'x'.repeat(1_998)}🎵…`, rules: 'y'.repeat(2_000) })
})

test('comes in pages that neither skip nor repeat, whatever happens meanwhile (D8)', async () => {
  const cup = await makeTournament(api, organiser)
  for (let number = 0; number < 7; number++)
    await api.patch(`/tournaments/${cup.id}`, organiser, { summary: `${number}` })
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const reply: Reply = await api.get(
      `/tournaments/${cup.id}/audit?limit=2${cursor === null ? '' : `&before=${cursor}`}`,
      organiser,
    )
    seen.push(...reply.body.entries.map((entry: { after: { summary: string } }) => entry.after.summary))
    await api.patch(`/tournaments/${cup.id}`, organiser, { summary: `later ${seen.length}` })
    cursor = reply.body.nextCursor
  } while (cursor !== null)
  expect(seen).toEqual(['6', '5', '4', '3', '2', '1', '0'])
})

test('shows what concerns availability sheets to the organiser and role:staff alone', async () => {
  const cup = await makeTournament(api, organiser)
  const sheet = {
    title: 'Casting',
    mode: 'range',
    timezone: 'UTC',
    roles: ['role:caster'],
    startsAt: '2027-01-02T10:00:00Z',
    endsAt: '2027-01-02T12:00:00Z',
  }
  expect((await api.post(`/tournaments/${cup.id}/availability/sheets`, organiser, sheet)).status).toBe(201)
  const [staff, referee] = [await roleHolder(api, cup, 'role:staff'), await roleHolder(api, cup, 'role:referee')]
  const typesFor = async (caller: Caller) =>
    (await api.get(`/tournaments/${cup.id}/audit`, caller)).body.entries.map(({ type }: { type: string }) => type)
  for (const caller of [organiser, staff]) expect(await typesFor(caller)).toEqual(['availability.sheet_created'])
  expect(await typesFor(referee)).toEqual([])
})

test('is filtered by who did it, what it happened to, what kind it is, and when', async () => {
  const admin = await api.user()
  const cup = await makeTournament(api, organiser)
  await grantRole(api, cup, admin, 'role:admin')
  const path = `/tournaments/${cup.id}`
  await api.patch(path, admin, { capacity: 8 })
  await api.put(`${path}/timelineEvents`, organiser, {
    timelineEvents: [{ title: 'Final', icon: 'flag', startTime: '2027-03-01T10:00:00Z' }],
  })
  await api.patch(path, organiser, { capacity: 16 })
  const typesOf = async (query: string) => {
    const { entries } = (await api.get(`${path}/audit?${query}`, organiser)).body
    return entries.map(({ type, after }: { type: string; after: { capacity?: number } }) => after.capacity ?? type)
  }
  const { entries } = (await api.get(`${path}/audit`, organiser)).body
  const [last, timeline, first] = entries
  expect(await typesOf(`actor=${admin.guid.toUpperCase()}`)).toEqual([8])
  expect(await typesOf(`subject=${cup.guid}`)).toEqual([16, timeline.type, 8])
  expect(await typesOf('kind=timeline')).toEqual([timeline.type])
  expect(await typesOf('kind=timeline,tournament')).toEqual([16, timeline.type, 8])
  expect(await typesOf(`from=${timeline.at}&to=${timeline.at}`)).toEqual([timeline.type])
  expect(await typesOf(`to=${first.at}&from=2026-01-01T00:00:00Z`)).toEqual([8])
  expect(await typesOf(`actor=${admin.guid}&from=${last.at}`)).toEqual([])
  const page = (await api.get(`${path}/audit?kind=tournament&limit=1`, organiser)).body
  expect(page.entries).toMatchObject([{ after: { capacity: 16 } }])
  const rest = await api.get(`${path}/audit?kind=tournament&limit=1&before=${page.nextCursor}`, organiser)
  expect(rest.body).toMatchObject({ entries: [{ after: { capacity: 8 } }], nextCursor: null })
})

test('a filter looks through so many entries a page, and goes on from there', async () => {
  const cup = await makeTournament(api, organiser)
  await api.patch(`/tournaments/${cup.id}`, organiser, { capacity: 8 })
  await api.app.database.transaction(async (tx) => {
    for (let number = 0; number < 10_000; number++)
      emit(tx, strayEvent({ type: 'test.locked', subject: cup.guid, tournament: cup.guid, actor: null }))
  })
  const path = `/tournaments/${cup.id}/audit?kind=tournament`
  const empty = (await api.get(path, organiser)).body
  expect(empty).toMatchObject({ entries: [], nextCursor: expect.any(String) })
  const found = (await api.get(`${path}&before=${empty.nextCursor}`, organiser)).body
  expect(found).toMatchObject({ entries: [{ after: { capacity: 8 } }], nextCursor: null })
})

test.each([
  'limit=0',
  'limit=101',
  'limit=x',
  'before=x',
  'actor=quaver',
  'kind=Team',
  'from=yesterday',
  `before=${cursorOf(['users', 1])}`,
  `before=${cursorOf(['tournaments.audit', 'x'])}`,
  `before=${cursorOf(['tournaments.audit', 1, 2])}`,
])('the query %s is 400', async (query) => {
  const cup = await makeTournament(api, organiser)
  expect((await api.get(`/tournaments/${cup.id}/audit?${query}`, organiser)).status).toBe(400)
})

function cursorOf(parts: unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}
