import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeBracket } from '../../../../test/bracket-play.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeTournament, remembered, roleHolder, touch } from '../../../../test/make.ts'
import { makeStage, win } from '../../../../test/stage.ts'

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'maestro' })
})
afterAll(() => api[Symbol.asyncDispose]())

async function emptyCup(status: 'draft' | 'approved' | 'ongoing' | 'completed' | 'cancelled' = 'approved') {
  const cup = await makeTournament(api, organiser, { status })
  const path = `/tournaments/${cup.guid}/divisions`
  const list = async () => (await api.get(path, organiser)).body
  const make = (body: object) => api.post(path, organiser, body)
  return { cup, path, list, make }
}

async function lastEvent(tournamentGuid: string) {
  const rows = await api.sql(
    'select type, subject, actor, before, after from event_log where tournament = $1 order by seq desc limit 1',
    [tournamentGuid],
  )
  return rows[0]
}

describe('making a division', () => {
  test('it has an id, a name and a place in the list, and is in the log', async () => {
    const { cup, list, make } = await emptyCup()
    const reply = await make({ name: '  Division   A ', id: 'A', order: 3 })
    expect(reply.status).toBe(201)
    expect(reply.body).toEqual({
      guid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      id: 'a',
      name: 'Division A',
      order: 3,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(await list()).toEqual([{ ...reply.body, brackets: [] }])
    expect(await lastEvent(cup.guid)).toEqual({
      type: 'division.created',
      subject: reply.body.guid,
      actor: organiser.guid,
      before: null,
      after: { id: 'a', name: 'Division A', order: 3 },
    })
  })

  test('without an id it is called by its name, or by the next free letter; without an order it is the last', async () => {
    const { make } = await emptyCup()
    const made = []
    for (const name of ['Gold', 'gold', 'Élite Süd', '金', '  --  ', 'Admin']) made.push((await make({ name })).body)
    expect(made.map(({ id }) => id)).toEqual(['gold', 'a', 'elite-sud', 'b', 'c', 'd'])
    expect(made.map(({ order }) => order)).toEqual([1, 2, 3, 4, 5, 6])
  })

  test('an id that another division has is 409, in whatever case; other tournaments do not count', async () => {
    const { make } = await emptyCup()
    await make({ name: 'A', id: 'a' })
    expect(outcome(await make({ name: 'B', id: 'A' }))).toEqual([409, 'division.id_taken'])
    expect((await (await emptyCup()).make({ name: 'B', id: 'a' })).status).toBe(201)
  })

  test.each([
    ['no name', {}],
    ['an empty name', { name: ' ' }],
    ['a name of 101 characters', { name: 'x'.repeat(101) }],
    ['a name with a control character', { name: 'a\u0000b' }],
    ['a name that is no text', { name: 5 }],
    ['an id with spaces', { name: 'A', id: 'a b' }],
    ['a reserved id', { name: 'A', id: 'mine' }],
    ['an id like a GUID', { name: 'A', id: '7d0e8a52-0b3e-4a0e-9c65-3d5b0f3f8a11' }],
    ['an empty id', { name: 'A', id: '' }],
    ['order 0', { name: 'A', order: 0 }],
    ['an order that is no whole number', { name: 'A', order: 1.5 }],
    ['a huge order', { name: 'A', order: 1_001 }],
    ['a list', []],
  ])('%s is 400', async (_what, body) => {
    const { list, make } = await emptyCup()
    expect((await make(body)).status).toBe(400)
    expect(await list()).toEqual([])
  })

  test('a name may have 100 characters', async () => {
    expect((await (await emptyCup()).make({ name: 'x'.repeat(100) })).status).toBe(201)
  })

  test('a tournament has at most 50 of them', async () => {
    const { cup, make } = await emptyCup()
    await api.sql(
      `insert into divisions (tournament_guid, id, name, "order") select $1, 'd' || n, 'D', n from generate_series(1, 49) n`,
      [cup.guid],
    )
    expect((await make({ name: 'Last' })).status).toBe(201)
    expect(outcome(await make({ name: 'One more' }))).toEqual([409, 'division.too_many'])
  })
})

describe('changing a division', () => {
  test('what is given changes; nothing is logged where all of it holds already', async () => {
    const { cup, path, make } = await emptyCup()
    const { body: made } = await make({ name: 'A' })
    const change = (body: object, id = 'a') => api.patch(`${path}/${id}`, organiser, body)
    expect((await change({ name: 'Gold', id: 'gold', order: 7 })).body).toMatchObject({
      guid: made.guid,
      name: 'Gold',
      id: 'gold',
      order: 7,
    })
    expect(await lastEvent(cup.guid)).toMatchObject({
      type: 'division.updated',
      before: { name: 'A', id: 'a', order: 1 },
      after: { name: 'Gold', id: 'gold', order: 7 },
    })
    const count = async () => (await api.sql('select from event_log where tournament = $1', [cup.guid])).length
    const before = await count()
    expect((await change({ name: 'Gold' }, made.guid.toUpperCase())).status).toBe(200)
    expect(await count()).toBe(before)
    expect((await change({ order: 2 }, 'GOLD')).body.order).toBe(2)
    expect(await lastEvent(cup.guid)).toMatchObject({ before: { order: 7 }, after: { order: 2 } })
  })

  test('the list follows the order, then the time of making', async () => {
    const { path, list, make } = await emptyCup()
    for (const name of ['A', 'B', 'C']) await make({ name })
    await api.patch(`${path}/c`, organiser, { order: 1 })
    expect((await list()).map(({ id }: { id: string }) => id)).toEqual(['a', 'c', 'b'])
  })

  test.each([
    ['nothing', {}, [400, 'division.nothing_to_change']],
    ['only what is not known', { colour: 'red' }, [400, 'division.nothing_to_change']],
    ['an empty name', { name: '' }, [400, 'request.invalid']],
    ['a bad id', { id: '-a' }, [400, 'division.invalid']],
    ['an id that is taken', { id: 'b' }, [409, 'division.id_taken']],
  ])('%s is refused', async (_what, body, expected) => {
    const { path, make } = await emptyCup()
    await make({ name: 'A' })
    await make({ name: 'B' })
    expect(outcome(await api.patch(`${path}/a`, organiser, body))).toEqual(expected)
  })

  test('a division of another tournament, or none, is 404', async () => {
    const [here, there] = [await emptyCup(), await emptyCup()]
    const { body } = await there.make({ name: 'Theirs' })
    for (const id of [body.guid, 'theirs', '00000000-0000-4000-8000-000000000000', 'no way']) {
      const reply = await api.patch(`${here.path}/${encodeURIComponent(id)}`, organiser, { name: 'Mine' })
      expect(outcome(reply)).toEqual([404, 'division.unknown'])
    }
  })
})

describe('deleting a division', () => {
  test('takes its unplayed brackets with it', async () => {
    const stage = await makeStage(api, organiser, { teams: 4 })
    const bracket = await stage.bracket()
    expect(outcome(await api.delete(`${stage.path}/divisions/a`, organiser))).toEqual([204, null])
    expect(outcome(await api.get(`${stage.path}/brackets/${bracket.guid}`))).toEqual([404, 'bracket.unknown'])
    expect((await api.get(`${stage.path}/divisions`)).body).toEqual([])
    expect(await lastEvent(stage.cup.guid)).toMatchObject({
      type: 'division.deleted',
      subject: stage.division,
      before: { id: 'a', name: 'Division A', order: 1, bracketGuids: [bracket.guid] },
      after: null,
    })
    expect(outcome(await api.delete(`${stage.path}/divisions/a`, organiser))).toEqual([404, 'division.unknown'])
  })

  test('is 409 once a match was begun', async () => {
    const stage = await makeStage(api, organiser, { teams: 4 })
    const bracket = await stage.bracket()
    await win(api, stage, bracket.matches[0], 1)
    expect(outcome(await api.delete(`${stage.path}/divisions/a`, organiser))).toEqual([409, 'division.played'])
    expect((await stage.read(bracket)).matches).toHaveLength(3)
  })

  test('byes are no play', async () => {
    const stage = await makeStage(api, organiser, { teams: 3 })
    await stage.bracket()
    expect((await api.delete(`${stage.path}/divisions/a`, organiser)).status).toBe(204)
  })
})

describe('who and when', () => {
  const roles: [string, number][] = [
    ['role:admin', 201],
    ['role:staff', 403],
    ['role:hcoordinator', 403],
    ['role:coordinator', 403],
    ['role:referee', 403],
  ]
  test.each(roles)('%s gets %i', async (role, status) => {
    const { cup, path, make } = await emptyCup()
    await make({ name: 'B' })
    const holder = await roleHolder(api, cup, role)
    expect((await api.post(path, holder, { name: 'A' })).status).toBe(status)
    expect((await api.patch(`${path}/b`, holder, { name: 'C' })).status).toBe(status === 201 ? 200 : 403)
    expect((await api.delete(`${path}/b`, holder)).status).toBe(status === 201 ? 204 : 403)
  })

  test('a global manager may; a stranger may not, and nobody without a token', async () => {
    const { path } = await emptyCup()
    const manager = await api.user({ globalRoles: ['global:tournaments:manage'] })
    expect((await api.post(path, manager, { name: 'A' })).status).toBe(201)
    expect(outcome(await api.post(path, await api.user(), { name: 'B' }))).toEqual([403, 'role.missing'])
    expect(outcome(await api.post(path, null, { name: 'B' }))).toEqual([401, 'token.missing'])
  })

  test.each([
    ['draft', 201],
    ['approved', 201],
    ['ongoing', 201],
    ['completed', 409],
    ['cancelled', 409],
  ] as const)('while the tournament is %s making one is %i', async (status, expected) => {
    const { cup, path, make } = await emptyCup(status)
    const code = expected === 409 ? 'tournament.over' : null
    expect(outcome(await make({ name: 'A' }))).toEqual([expected, code])
    await api.sql(`insert into divisions (tournament_guid, id, name, "order") values ($1, 'x', 'X', 1)`, [cup.guid])
    expect(outcome(await api.patch(`${path}/x`, organiser, { name: 'Y' }))[1]).toBe(code)
    expect(outcome(await api.delete(`${path}/x`, organiser))[1]).toBe(code)
  })

  test('those of a draft are seen by its staff alone', async () => {
    const { cup, path, make } = await emptyCup('draft')
    await make({ name: 'A' })
    const caster = await roleHolder(api, cup, 'role:caster')
    expect((await api.get(path, caster)).body).toHaveLength(1)
    for (const caller of [null, await api.user()]) {
      expect(outcome(await api.get(path, caller))).toEqual([404, 'tournament.unknown'])
    }
  })
})

test('everybody reads the list, remembered until something changes', async () => {
  const { cup, path, make } = await emptyCup()
  await make({ name: 'A' })
  expect((await remembered(api, path)).body.map(({ id }: { id: string }) => id)).toEqual(['a'])
  await make({ name: 'B' })
  expect((await api.get(path)).body.map(({ id }: { id: string }) => id)).toEqual(['a', 'b'])
  const included = await api.get(`/tournaments/${cup.id}?include=divisions`)
  expect(included.body.divisions).toEqual((await api.get(path)).body)
})

test('the list holds so many entrants and matches; with more, each bracket tells its own', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const { path, cup, bracket } = made
  const add = (from: number, to: number) =>
    api.sql(
      `insert into bracket_entrants (tournament_guid, bracket_guid, slot)
       select $1, $2, slot from generate_series($3::int, $4::int) slot`,
      [cup.guid, bracket.guid, from, to],
    )
  // Together with three matches and four entrants that reaches the limit.
  await add(5, 9_997)
  await touch(api, cup.guid)
  const [whole] = (await remembered(api, `${path}/divisions`)).body
  expect(whole.brackets[0].entrants).toHaveLength(9_997)
  expect(whole.brackets[0].rounds).toHaveLength(2)
  expect(whole.brackets[0]).not.toHaveProperty('limited')
  await add(9_998, 9_998)
  await touch(api, cup.guid)
  const divisions = (await remembered(api, `${path}/divisions`)).body
  const { name, format, revision } = bracket
  expect(divisions[0].brackets).toMatchObject([{ name, format, revision, limited: true, entrants: [], rounds: [] }])
  expect((await remembered(api, `${path}?include=divisions`)).body.divisions).toEqual(divisions)
  expect((await made.read()).rounds).toHaveLength(2)
})

test('of many who make a division at once, each gets a letter of its own', async () => {
  const { list, make } = await emptyCup()
  const replies = await Promise.all(Array.from({ length: 12 }, () => make({ name: '!' })))
  expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(201))
  expect((await list()).map(({ id }: { id: string }) => id)).toEqual([...'abcdefghijkl'])
})
