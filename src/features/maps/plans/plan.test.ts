import { hash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addBracket, type MadeBracket, makeBracket } from '../../../../test/bracket-play.ts'
import { type FakeCatalogue, startFakeCatalogue } from '../../../../test/fakes/catalogue.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeTournament, roleHolder, touch } from '../../../../test/make.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'
import { quiet } from '../../../../test/waiting.ts'

/** Which pool a match uses, and who may see it. (pools: Which pool a match uses; What outsiders see) */

let catalogue: FakeCatalogue
let api: Harness
beforeAll(async () => {
  catalogue = await startFakeCatalogue()
  api = await startHarness({ catalogueUrl: catalogue.url })
})
afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  await catalogue?.close()
})

const nobody = '00000000-0000-4000-8000-000000000000'

/** Creates a draft with a map. */
async function makePool({ path, organiser }: Pick<MadeBracket, 'path' | 'organiser'>, name: string, more: object = {}) {
  const made = await api.post(`${path}/pools`, organiser, { name, ...more })
  expect(made.status, made.text).toBe(201)
  const pool = `${path}/pools/${made.body.guid}`
  await addMap(pool, organiser)
  return { guid: made.body.guid as string, name, path: pool }
}

async function addMap(pool: string, caller: Caller, more: object = {}) {
  const added = await api.post(`${pool}/maps`, caller, {
    ref: catalogue.maps.add().key,
    difficulty: 'ExpertPlus',
    ...more,
  })
  expect(added.status, added.text).toBe(201)
  return added.body.guid as string
}

async function plan(made: Pick<MadeBracket, 'path' | 'organiser'>, body: object) {
  const present = await api.get(`${made.path}/pool-plan`, made.organiser)
  const reply = await api.put(`${made.path}/pool-plan`, made.organiser, { revision: present.body.revision, ...body })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

const publish = async ({ path }: { path: string }, organiser: Caller, body: object = {}) => {
  const reply = await api.post(`${path}/publish`, organiser, body)
  expect(reply.status, reply.text).toBe(200)
}

describe('the plan', () => {
  let made: MadeBracket
  let pools: Awaited<ReturnType<typeof makePool>>[]
  let qualifierPool: Awaited<ReturnType<typeof makePool>>
  let pooler: Caller
  let head: Caller
  let path: string
  beforeAll(async () => {
    made = await makeBracket(api, { teams: 4, format: 'double_elimination' })
    pools = []
    for (const name of ['Default', 'Bracket', 'Round', 'Match']) pools.push(await makePool(made, name))
    qualifierPool = await makePool(made, 'Qualifier', { kind: 'qualifier' })
    pooler = await roleHolder(api, made.cup, 'role:pooler')
    head = await roleHolder(api, made.cup, 'role:hpooler')
    path = `${made.path}/pool-plan`
  })

  const guid = (index: number) => pools[index]?.guid as string
  const empty = { revision: 0, default: null, brackets: [], matches: [] }

  test('is for poolers, and written by heads', async () => {
    const caster = await roleHolder(api, made.cup, 'role:caster')
    expect(outcome(await api.get(path))).toEqual([401, 'token.missing'])
    for (const caller of [caster, made.captains[0] as Caller]) {
      expect(outcome(await api.get(path, caller))).toEqual([403, 'role.missing'])
      expect(outcome(await api.put(path, caller, empty))).toEqual([403, 'role.missing'])
    }
    expect(outcome(await api.put(path, pooler, empty))).toEqual([403, 'role.missing'])
    for (const caller of [pooler, head, made.organiser]) expect((await api.get(path, caller)).body).toEqual(empty)
    // Nothing has changed.
    expect((await api.put(path, head, empty)).body).toEqual(empty)
  })

  test.each([
    ['pool', () => ({ default: nobody }), /no pool 0000/],
    ['pool of another kind', () => ({ default: qualifierPool.guid }), /for the qualifier/],
    ['bracket', () => ({ brackets: [{ bracketGuid: nobody, poolGuid: guid(0) }] }), /no bracket 0000/],
    ['bracket of nothing', () => ({ brackets: [{ bracketGuid: nobody }] }), /no bracket 0000/],
    ['pool of a bracket', () => ({ brackets: [{ bracketGuid: made.bracket.guid, poolGuid: nobody }] }), /no pool 0000/],
    [
      'round',
      () => ({ brackets: [{ bracketGuid: made.bracket.guid, rounds: { 'upper:9': guid(0) } }] }),
      /no round upper:9/,
    ],
    [
      'round in another spelling',
      () => ({ brackets: [{ bracketGuid: made.bracket.guid, rounds: { 'Upper:1': guid(0) } }] }),
      /no round Upper:1/,
    ],
    [
      'pool of a round',
      () => ({ brackets: [{ bracketGuid: made.bracket.guid, rounds: { 'upper:1': nobody } }] }),
      /no pool 0000/,
    ],
    [
      'bracket twice',
      () => ({
        brackets: [made.bracket.guid, made.bracket.guid.toUpperCase()].map((bracketGuid) => ({ bracketGuid })),
      }),
      /twice/,
    ],
    ['match', () => ({ matches: [{ matchGuid: nobody, poolGuid: guid(0) }] }), /no match 0000/],
    [
      'match twice',
      () => ({ matches: [0, 1].map((each) => ({ matchGuid: made.bracket.matches[0].guid, poolGuid: guid(each) })) }),
      /twice/,
    ],
  ])('names no wrong %s', async (_what, body, why) => {
    const { revision } = (await api.get(path, head)).body
    const reply = await api.put(path, head, { revision, ...body() })
    expect(outcome(reply)).toEqual([400, 'pool_plan.invalid'])
    expect(reply.text).toMatch(why)
  })

  test('names nothing of another tournament', async () => {
    const other = await makeBracket(api, { teams: 2, format: 'single_elimination' })
    const pool = await makePool(other, 'Elsewhere')
    const { revision } = (await api.get(path, head)).body
    for (const body of [
      { default: pool.guid },
      { brackets: [{ bracketGuid: other.bracket.guid, poolGuid: guid(0) }] },
      { matches: [{ matchGuid: other.bracket.matches[0].guid, poolGuid: guid(0) }] },
    ]) {
      expect(outcome(await api.put(path, head, { revision, ...body }))).toEqual([400, 'pool_plan.invalid'])
    }
  })

  test('is the whole plan, one revision further with each change', async () => {
    const { revision } = (await api.get(path, head)).body
    const [first, second] = made.bracket.matches
    const body = {
      default: guid(0),
      brackets: [
        { bracketGuid: made.bracket.guid, poolGuid: guid(1), rounds: { 'upper:2': guid(2), 'final:1': guid(2) } },
      ],
      matches: [first, second].map((match) => ({ matchGuid: match.guid, poolGuid: guid(3) })),
    }
    const stored = { revision: revision + 1, ...body }
    expect((await api.put(path, head, { revision, ...body })).body).toEqual(stored)
    expect((await api.get(path, pooler)).body).toEqual(stored)
    // An equal plan is no change, in any order and case.
    const again = {
      revision: revision + 1,
      default: guid(0).toUpperCase(),
      brackets: body.brackets,
      matches: body.matches.toReversed(),
    }
    expect((await api.put(path, head, again)).body).toEqual(stored)
    const stale = await api.put(path, made.organiser, { revision, default: null })
    expect(outcome(stale)).toEqual([409, 'pool_plan.stale'])
    expect(stale.body.plan).toEqual(stored)
    expect((await api.put(path, head, { revision: revision + 1 })).body).toEqual({ ...empty, revision: revision + 2 })
  })

  test('is written by one of many at once', async () => {
    const { revision } = (await api.get(path, head)).body
    const replies = await Promise.all(
      [0, 1, 2, 3, 0, 1, 2, 3].map((index) => api.put(path, head, { revision, default: guid(index) })),
    )
    // A plan equal to the first one is stale, too.
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)])
    expect((await api.get(path, head)).body.revision).toBe(revision + 1)
  })

  test('loses what is deleted, and what is for matches no more', async () => {
    const [one, two] = [await makePool(made, 'Gone'), await makePool(made, 'Turned')]
    const [first, second] = made.bracket.matches
    const { revision } = await plan(made, {
      default: two.guid,
      matches: [
        { matchGuid: first.guid, poolGuid: one.guid },
        { matchGuid: second.guid, poolGuid: two.guid },
      ],
    })
    expect((await api.delete(one.path, head)).status).toBe(204)
    await api.sql(`update pools set kind = 'qualifier', status = 'archived', revision = 1 where guid = $1`, [two.guid])
    await touch(api, made.cup.guid)
    expect((await api.get(path, head)).body).toEqual({ ...empty, revision })
    expect((await made.readMatch(1)).pool).toBeNull()
    expect((await made.readMatch(2)).pool).toBeNull()
  })

  test('a tournament that was cancelled has none any more', async () => {
    const organiser = await api.user()
    const cup = await makeTournament(api, organiser, { status: 'cancelled' })
    const reply = await api.put(`/tournaments/${cup.guid}/pool-plan`, organiser, empty)
    expect(outcome(reply)).toEqual([409, 'tournament.cancelled'])
  })

  test('what is done to it is for poolers alone in the audit list', async () => {
    await plan(made, { default: guid(0), matches: [{ matchGuid: made.bracket.matches[0].guid, poolGuid: guid(3) }] })
    await plan(made, {})
    const types = async (caller: Caller) => {
      const { entries } = (await api.get(`${made.path}/audit`, caller)).body
      return entries.map(({ type }: { type: string }) => type)
    }
    const caster = await roleHolder(api, made.cup, 'role:caster')
    const staff = await roleHolder(api, made.cup, 'role:staff')
    expect(await types(head)).toContain('pool_plan.updated')
    expect(await types(pooler)).toContain('pool_plan.updated')
    for (const other of [caster, staff]) expect((await types(other)).join()).not.toMatch(/pool/)
  })
})

describe('the pool of a match', () => {
  let made: MadeBracket
  let outsiders: (Caller | null)[]
  let pooler: Caller
  beforeAll(async () => {
    made = await makeBracket(api, { teams: 4, format: 'double_elimination' })
    const roles = ['role:caster', 'role:referee', 'role:coordinator', 'role:staff']
    outsiders = [null, await api.user(), made.captains[0] as Caller]
    for (const role of roles) outsiders.push(await roleHolder(api, made.cup, role))
    const elsewhere = await makeTournament(api, await api.user())
    outsiders.push(await roleHolder(api, elsewhere, 'role:pooler'))
    pooler = await roleHolder(api, made.cup, 'role:pooler')
  })

  const reads = () => [
    `${made.path}/matches`,
    made.match(1),
    `${made.path}/brackets/${made.bracket.guid}`,
    `${made.path}?include=matches`,
  ]

  /** Returns all responses that outsiders get. */
  const seenBy = async (callers: readonly (Caller | null)[]) => {
    const seen: unknown[] = []
    for (const caller of callers) {
      for (const address of reads()) {
        const { status, text, headers } = await api.get(address, caller)
        seen.push([address, status, hash('sha256', text), headers.get('etag')])
      }
    }
    return seen
  }

  test('is what is planned for it, its round, its bracket, or all', async () => {
    const names = ['Of all', 'Of the bracket', 'Of the round', 'Of the match']
    const pools: Awaited<ReturnType<typeof makePool>>[] = []
    for (const name of names) pools.push(await makePool(made, name))
    const guid = (index: number) => pools[index]?.guid as string
    const second = await addBracket(api, made, { division: 'main', format: 'single_elimination' })
    const [first] = made.bracket.matches
    await plan(made, {
      default: guid(0),
      brackets: [{ bracketGuid: made.bracket.guid, poolGuid: guid(1), rounds: { 'upper:1': guid(2) } }],
      matches: [{ matchGuid: first.guid, poolGuid: guid(3) }],
    })
    const expected = (match: { guid: string; bracket: string; section: string; round: number }) => {
      if (match.guid === first.guid) return names[3]
      if (match.bracket === second.guid) return names[0]
      return match.section === 'upper' && match.round === 1 ? names[2] : names[1]
    }
    for (const caller of [pooler, made.organiser]) {
      const { matches } = (await api.get(`${made.path}/matches?limit=100`, caller)).body
      expect(matches.length).toBeGreaterThan(6)
      for (const match of matches) expect(match.pool?.name).toBe(expected(match))
      const bracket = (await api.get(`${made.path}/brackets/${made.bracket.guid}`, caller)).body
      for (const match of bracket.matches) expect(match.pool?.name).toBe(expected(match))
      const included = (await api.get(`${made.path}?include=matches`, caller)).body
      for (const match of included.matches) expect(match.pool?.name).toBe(expected(match))
      const one = (await api.get(`${made.path}/matches/${first.guid}`, caller)).body
      expect(one.pool).toEqual({ guid: guid(3), name: names[3] })
    }
    expect((await api.delete(`${made.path}/brackets/${second.guid}`, made.organiser)).status).toBe(204)
    await plan(made, {})
  })

  test('is hidden from outsiders until it is published with all its maps', async () => {
    const pool = await makePool(made, 'Secret final')
    const fallback = await makePool(made, 'Open fallback')
    await publish(fallback, made.organiser)
    const releaseAt = new Date(Date.now() + 3_600_000).toISOString()
    const staged = await addMap(pool.path, pooler, { releaseAt })
    const before = await seenBy(outsiders)
    const [first] = made.bracket.matches
    const bodies = [
      { default: pool.guid },
      { brackets: [{ bracketGuid: made.bracket.guid, poolGuid: pool.guid }] },
      {
        matches: made.bracket.matches.map((match: { guid: string }) => ({
          matchGuid: match.guid,
          poolGuid: pool.guid,
        })),
      },
      // The next pool in line is not shown instead.
      { default: fallback.guid, brackets: [{ bracketGuid: made.bracket.guid, poolGuid: pool.guid }] },
    ]
    for (const body of bodies) {
      await plan(made, body)
      expect((await made.readMatch(1)).pool).toEqual({ guid: pool.guid, name: pool.name })
      expect((await api.get(made.match(1), pooler)).body.pool).toEqual({ guid: pool.guid, name: pool.name })
      expect(await seenBy(outsiders)).toEqual(before)
    }
    // The response to an outsider's write does not reveal it either.
    const referee = outsiders[4] as Caller
    const patched = await api.patch(made.match(1), made.organiser, { notes: 'for the staff' })
    expect(patched.body.pool.guid).toBe(pool.guid)
    const started = await api.post(made.match(1).concat('/start'), referee, {})
    if (started.status === 200) expect(started.body.pool).toBeNull()
    // A scheduled pool is still a draft. A pool that is published with an unreleased map is not complete.
    const published = await seenBy(outsiders)
    await publish(pool, made.organiser, { publishAt: new Date(Date.now() + 1_800_000).toISOString() })
    expect(await seenBy(outsiders)).toEqual(published)
    await publish(pool, made.organiser)
    for (const caller of outsiders) expect((await api.get(made.match(1), caller)).body.pool).toBeNull()
    const released = await api.patch(`${pool.path}/maps/${staged}`, made.organiser, { releaseAt: null, reason: 'Now.' })
    expect(released.status, released.text).toBe(200)
    for (const caller of outsiders) {
      expect((await api.get(made.match(1), caller)).body.pool).toEqual({ guid: pool.guid, name: pool.name })
    }
    // A map that is released later does not hide the pool that everybody has seen: that would reveal the map.
    const shown = await seenBy(outsiders)
    await addMap(pool.path, made.organiser, { releaseAt, reason: 'A surprise.' })
    expect(await seenBy(outsiders)).toEqual(shown)
    expect((await api.post(`${pool.path}/archive`, made.organiser, {})).status).toBe(200)
    expect((await api.get(made.match(1))).body.pool.guid).toBe(pool.guid)
    expect((await api.post(`${pool.path}/unarchive`, made.organiser, {})).status).toBe(200)
    const withdrawn = await api.post(`${pool.path}/unpublish`, made.organiser, { reason: 'Too early.' })
    expect(withdrawn.status, withdrawn.text).toBe(200)
    for (const caller of outsiders) expect((await api.get(made.match(1), caller)).body.pool).toBeNull()
    expect(first.guid).toBeDefined()
    await plan(made, {})
  })

  test('is none of what early readers of the pool are told', async () => {
    const caster = outsiders[3] as Caller
    const pool = await makePool(made, 'Early', { previewRoles: ['role:caster'] })
    await plan(made, { default: pool.guid })
    expect((await api.get(pool.path, caster)).status).toBe(200)
    expect((await api.get(made.match(2), caster)).body.pool).toBeNull()
    await plan(made, {})
  })

  test('of a draft reaches no follower but poolers', async () => {
    const pool = await makePool(made, 'Followed')
    const topics = [
      `/tournaments/${made.cup.guid}/matches`,
      `/tournaments/${made.cup.guid}/brackets/${made.bracket.guid}`,
    ]
    const followers = await Promise.all(
      [pooler, made.captains[0] as Caller, outsiders[3] as Caller].map(async (as) => {
        const socket = await openSocket(api, { as })
        for (const topic of topics) {
          const answer = await socket.ask({ type: 'subscribe', topic, facts: true })
          expect(answer.type, JSON.stringify(answer)).not.toBe('error')
        }
        return socket
      }),
    )
    const came = () => followers.map(({ copies }) => copies.packets.length)
    await quiet(came)
    const counts = came()
    await plan(made, { default: pool.guid })
    await expect
      .poll(() => JSON.stringify(followers[0]?.copies.packets.slice(counts[0])), { interval: 20, timeout: 60_000 })
      .toContain('Followed')
    await wait(300)
    expect(came().slice(1)).toEqual(counts.slice(1))
    for (const socket of followers) await socket.close()
    await plan(made, {})
  })

  test('is shown to viewers of a stream that is behind', async () => {
    const pool = await makePool(made, 'Late')
    await publish(pool, made.organiser)
    await plan(made, { default: pool.guid })
    expect((await api.patch(made.path, made.organiser, { streamDelaySeconds: 1 })).status).toBe(200)
    for (const address of reads()) {
      if (address.includes('include')) continue
      await expect
        .poll(async () => (await api.get(`${address}?delayed=true`)).text, { interval: 100, timeout: 60_000 })
        .toContain(pool.guid)
    }
  })
})
