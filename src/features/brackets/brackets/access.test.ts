import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { grantRole, roleHolder } from '../../../../test/make.ts'
import { type Bracket, type Match, makeStage, type Stage, type StageOptions } from '../../../../test/stage.ts'

/** Who may change brackets and when, and who may see them. */

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'maestro' })
})
afterAll(() => api[Symbol.asyncDispose]())

const all = { entrants: { source: 'registered' } }

/** Every change of structure, in an order in which each of them is possible. */
function changes(stage: Stage, swiss: Bracket, other: Bracket, as: Caller | null): (() => Promise<Reply>)[] {
  const create = `${stage.path}/divisions/a/brackets`
  const path = `${stage.path}/brackets/${other.guid}`
  return [
    () => api.post(create, as, { name: 'New', format: 'swiss', ...all }),
    () => api.post(`${create}?dryRun=true`, as, { name: 'New', format: 'swiss', ...all }),
    () => api.patch(path, as, { name: 'Renamed' }),
    () => api.put(`${path}/entrants`, as, { entrants: [{ slot: 1, teamGuid: null }] }),
    () => api.post(`${path}/generate`, as, all),
    () => api.post(`${stage.path}/brackets/${swiss.guid}/rounds`, as),
    () => api.delete(path, as),
  ]
}

async function withBrackets(options: StageOptions = {}) {
  const stage = await makeStage(api, organiser, { teams: 2, ...options })
  const swiss = await stage.bracket({ format: 'swiss', settings: { rounds: 1 } })
  const other = await stage.bracket()
  return { stage, swiss, other }
}

const done = [
  ...[201, null, 201, null, 200, null, 200, null, 200, null],
  // The only round is open.
  ...[409, 'bracket.round_open', 204, null],
]

async function outcomes(calls: readonly (() => Promise<Reply>)[]) {
  const results = []
  for (const call of calls) results.push(...outcome(await call()))
  return results
}

describe('changes are for the organiser’s side', () => {
  const allowed: [string, (stage: Stage) => Promise<Caller> | Caller][] = [
    ['the organiser', () => organiser],
    ['an admin', (stage) => roleHolder(api, stage.cup, 'role:admin')],
    ['a global manager', () => api.user({ globalRoles: ['global:tournaments:manage'] })],
  ]
  test.each(allowed)('%s', async (_who, find) => {
    const { stage, swiss, other } = await withBrackets()
    expect(await outcomes(changes(stage, swiss, other, await find(stage)))).toEqual(done)
  })

  test('nobody else', async () => {
    const { stage, swiss, other } = await withBrackets()
    const [captain] = await api.sql<{ guid: string }>(`select captain_guid as guid from teams where guid = $1`, [
      stage.teams[0]?.guid,
    ])
    const roles = [
      ...['staff', 'coordinator', 'hcoordinator', 'pooler', 'hpooler', 'caster', 'hcaster', 'host', 'referee'],
    ]
    const token = await api.token({ guid: captain?.guid ?? '' }, ['rest:write'])
    const callers = [
      { guid: '', chatPlatformId: '', username: '', token },
      await api.user(),
      ...(await Promise.all(roles.map((role) => roleHolder(api, stage.cup, `role:${role}`)))),
    ]
    const before = await stage.read(other)
    for (const caller of callers) {
      expect(await outcomes(changes(stage, swiss, other, caller))).toEqual(Array(7).fill([403, 'role.missing']).flat())
    }
    expect(await outcomes(changes(stage, swiss, other, null))).toEqual(Array(7).fill([401, 'token.missing']).flat())
    expect(await stage.read(other)).toEqual(before)
  })

  test('whoever may not act learns nothing about the body', async () => {
    const { stage } = await withBrackets()
    const reply = await api.post(`${stage.path}/divisions/a/brackets`, await api.user(), { format: 5 })
    expect(outcome(reply)).toEqual([403, 'role.missing'])
  })
})

describe('changes are made until the tournament is over', () => {
  test.each(['draft', 'approved', 'ongoing'] as const)('%s', async (status) => {
    const { stage, swiss, other } = await withBrackets({ status })
    expect(await outcomes(changes(stage, swiss, other, organiser))).toEqual(done)
  })

  test.each(['completed', 'cancelled'] as const)('not %s', async (status) => {
    const { stage, swiss, other } = await withBrackets()
    await api.sql('update tournaments set status = $2 where guid = $1', [stage.cup.guid, status])
    expect(await outcomes(changes(stage, swiss, other, organiser))).toEqual(
      Array(7).fill([409, 'tournament.over']).flat(),
    )
    expect((await stage.read(other)).name).toBe('Playoffs')
  })
})

describe('reading', () => {
  const reads = (stage: Stage, bracket: Bracket) => [
    `${stage.path}/divisions`,
    `${stage.path}/brackets/${bracket.guid}`,
    `${stage.path}/brackets/${bracket.guid}/standings`,
  ]

  test('is for everybody, also of a tournament that is over', async () => {
    const { stage, other } = await withBrackets()
    for (const status of ['approved', 'completed', 'cancelled']) {
      await api.sql('update tournaments set status = $2 where guid = $1', [stage.cup.guid, status])
      for (const path of reads(stage, other)) expect((await api.get(path)).status).toBe(200)
    }
  })

  test('of a draft is for its staff alone', async () => {
    const { stage, other } = await withBrackets({ status: 'draft' })
    const host = await roleHolder(api, stage.cup, 'role:host')
    for (const path of reads(stage, other)) {
      expect(outcome(await api.get(path, host))).toEqual([200, null])
      expect(outcome(await api.get(path, await api.user()))).toEqual([404, 'tournament.unknown'])
      expect(outcome(await api.get(path))).toEqual([404, 'tournament.unknown'])
    }
  })

  test('notes of matches are for the staff, and never remembered for others', async () => {
    const { stage, other } = await withBrackets()
    const noted = await api.patch(`${stage.path}/matches/${other.matches[0].guid}`, organiser, { notes: 'late' })
    expect(noted.status).toBe(200)
    const path = `${stage.path}/brackets/${other.guid}`
    const notes = async (as: Caller | null) => (await api.get(path, as)).body.matches[0].notes
    const pooler = await api.user()
    expect(await notes(pooler)).toBeNull()
    await grantRole(api, stage.cup, pooler, 'role:pooler')
    expect(await notes(pooler)).toBe('late')
    expect(await notes(null)).toBeNull()
    expect(await notes(organiser)).toBe('late')
    expect(await notes(null)).toBeNull()
  })

  test('a bracket of another tournament is none', async () => {
    const here = await withBrackets()
    const there = await withBrackets()
    const path = `${here.stage.path}/brackets/${there.other.guid}`
    for (const reply of [
      await api.get(path),
      await api.get(`${path}/standings`),
      await api.patch(path, organiser, { name: 'Mine' }),
      await api.put(`${path}/entrants`, organiser, { entrants: [{ slot: 1, teamGuid: null }] }),
      await api.post(`${path}/generate`, organiser, all),
      await api.post(`${path}/rounds`, organiser),
      await api.delete(path, organiser),
    ]) {
      expect(outcome(reply)).toEqual([404, 'bracket.unknown'])
    }
    expect((await there.stage.read(there.other)).name).toBe('Playoffs')
  })

  test.each(['a', '1', "' or 1=1 --", '00000000-0000-4000-8000-000000000000', '%00', 'x'.repeat(300)])(
    'a bracket called %j is none',
    async (name) => {
      const { stage } = await withBrackets()
      const reply = await api.get(`${stage.path}/brackets/${encodeURIComponent(name)}`)
      expect(outcome(reply)).toEqual([404, 'bracket.unknown'])
    },
  )
})

describe('what somebody may try', () => {
  test('names are shown as they are, and settings hold nothing but settings', async () => {
    const stage = await makeStage(api, organiser, { teams: 2 })
    const name = `<img src=x onerror=alert(1)> '; drop table matches; --`
    expect((await stage.bracket({ name })).name).toBe(name)
    for (const settings of [{ toString: 1 }, { constructor: {} }, { bestOf: 1e308 }, { bestOf: -3 }]) {
      const reply = await stage.create({ settings })
      expect([reply.status, reply.headers.get('problem-code')?.split('.')[0]]).toEqual([400, expect.any(String)])
    }
    const reply = await api.call('POST', `${stage.path}/divisions/a/brackets`, {
      as: organiser,
      raw: '{"name":"A","format":"swiss","settings":{"bestOfByRound":{"__proto__":3}},"entrants":{"source":"registered"}}',
      headers: { 'content-type': 'application/json' },
    })
    expect(reply.status).toBe(400)
  })

  test('members that are not known are left alone', async () => {
    const stage = await makeStage(api, organiser, { teams: 2 })
    const bracket = await stage.bracket({ guid: stage.cup.guid, status: 'completed', revision: 99, matches: [] })
    expect(bracket).toMatchObject({ status: 'ready', revision: 1 })
    expect(bracket.guid).not.toBe(stage.cup.guid)
    expect(bracket.matches.map(({ number }: Match) => number)).toEqual([1])
  })
})
