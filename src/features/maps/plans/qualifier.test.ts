import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeCatalogue, startFakeCatalogue } from '../../../../test/fakes/catalogue.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeTournament, roleHolder } from '../../../../test/make.ts'
import { type Cup, makeCup, makePlayers, open, play, someMaps } from '../../../../test/qualifiers.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'

/**
 * A pool gives the qualifier its maps. Outsiders see them in the qualifier only after the pool shows them.
 * (pools: Which pool a match uses)
 */

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

interface Made extends Cup {
  readonly base: string
  readonly pool: string
  readonly head: Caller
  readonly pooler: Caller
  readonly outsiders: readonly (Caller | null)[]
}

/** Creates a tournament with a qualifier, by default a draft, and an empty pool for it. */
async function arrange(body: object | null = { status: 'draft', maps: [] }): Promise<Made> {
  const cup = await makeCup(api)
  const base = `/tournaments/${cup.tournament.guid}`
  if (body !== null) {
    const put = await api.put(cup.path, cup.organiser, body)
    expect(put.status, put.text).toBe(200)
  }
  const made = await api.post(`${base}/pools`, cup.organiser, { name: 'Qualifier pool', kind: 'qualifier' })
  expect(made.status, made.text).toBe(201)
  const holder = (role: string) => roleHolder(api, cup.tournament, role)
  const [head, pooler, caster, referee, staff] = await Promise.all(
    ['role:hpooler', 'role:pooler', 'role:caster', 'role:referee', 'role:staff'].map(holder),
  )
  const [captain] = await makePlayers(api, cup)
  const outsiders = [null, captain, caster, referee, staff, cup.coordinator] as (Caller | null)[]
  return {
    ...cup,
    base,
    pool: `${base}/pools/${made.body.guid}`,
    head: head as Caller,
    pooler: pooler as Caller,
    outsiders,
  }
}

async function addMap(pool: string, caller: Caller, more: object = {}): Promise<{ guid: string; hash: string }> {
  const { key, hash } = catalogue.maps.add()
  const added = await api.post(`${pool}/maps`, caller, { ref: key, difficulty: 'ExpertPlus', ...more })
  expect(added.status, added.text).toBe(201)
  return { guid: added.body.guid, hash }
}

async function fill({ pool, head }: Made, body: object = {}) {
  const reply = await api.post(`${pool}/qualifier`, head, body)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

const hashesOf = (maps: readonly { hash: string }[]) => maps.map((map) => map.hash)
const guidsOf = (maps: readonly { guid: string }[]) => maps.map((map) => map.guid)

/** Returns all responses about the qualifier for callers who are no poolers. */
async function seenByOutsiders({ path, base, outsiders }: Made) {
  const seen: unknown[] = []
  for (const address of [path, `${path}/standings`, base]) {
    for (const caller of outsiders) {
      const { status, text, headers } = await api.get(address, caller)
      seen.push([address, status, hash('sha256', text), headers.get('etag')])
    }
  }
  return seen
}

describe('the maps of a pool', () => {
  test('become the qualifier’s by identity and in order, and those that stay keep their GUIDs', async () => {
    const made = await arrange()
    const [first, second] = [
      await addMap(made.pool, made.pooler, { weight: 2.5 }),
      await addMap(made.pool, made.pooler),
    ]
    // One map was set by hand, in another spelling and without the catalogue's data; the other is not in the pool.
    const byHand = await api.put(made.path, made.organiser, {
      maps: [...someMaps(1), { hash: second.hash.toUpperCase(), difficulty: 'expertplus', name: 'By hand' }],
    })
    const [other, kept] = guidsOf(byHand.body.maps) as [string, string]
    const before = (await api.get(made.path, made.organiser)).body
    const dry = await fill(made, { dryRun: true })
    expect(dry.dryRun).toBe(true)
    expect((await api.get(made.path, made.organiser)).body).toEqual(before)
    expect((await api.get(made.pool, made.head)).body.inSync).toBe(false)

    const done = await fill(made)
    expect(done).toEqual({ ...dry, dryRun: false })
    const { maps } = (await api.get(made.path, made.organiser)).body
    expect(done.qualifier.maps).toEqual(maps)
    expect(hashesOf(maps)).toEqual([first.hash, second.hash])
    expect(maps.map((map: { weight: number }) => map.weight)).toEqual([2.5, 1])
    expect(maps[1].guid).toBe(kept)
    const ofPool = (await api.get(made.pool, made.head)).body.maps[0].map
    expect(maps[0]).toMatchObject({
      name: ofPool.name,
      artist: ofPool.artist,
      mapper: ofPool.mapper,
      imageUrl: ofPool.imageUrl,
      maxScore: ofPool.maxScore,
      difficulty: 'ExpertPlus',
      order: 0,
    })
    expect(ofPool.name).toBeTruthy()
    expect(hashesOf(done.added)).toEqual([first.hash])
    expect(guidsOf(done.removed)).toEqual([other])
    expect(guidsOf(done.changed)).toEqual([kept])
    // A second call changes nothing.
    const again = await fill(made)
    expect(again).toEqual({ ...done, added: [], removed: [], changed: [] })
  })

  test('are told to be in sync to heads, as long as maps, order and weights are the same', async () => {
    const made = await arrange()
    const [first, second] = [await addMap(made.pool, made.pooler), await addMap(made.pool, made.pooler)]
    const inSync = async (caller: Caller = made.head) => {
      const [one, all] = [await api.get(made.pool, caller), await api.get(`${made.base}/pools`, caller)]
      expect(all.body[0].inSync).toBe(one.body.inSync)
      return one.body.inSync
    }
    expect(await inSync()).toBe(false)
    await fill(made)
    expect(await inSync()).toBe(true)
    expect(await inSync(made.pooler)).toBeUndefined()
    await api.patch(`${made.pool}/maps/${first.guid}`, made.head, { weight: 3 })
    expect(await inSync()).toBe(false)
    await api.patch(`${made.pool}/maps/${first.guid}`, made.head, { weight: 1 })
    expect(await inSync()).toBe(true)
    const { draftRevision } = (await api.get(made.pool, made.head)).body
    await api.put(`${made.pool}/order`, made.head, { draftRevision, maps: [second.guid, first.guid] })
    expect(await inSync()).toBe(false)
    const done = await fill(made)
    expect([done.added, done.removed, guidsOf(done.changed).toSorted()]).toEqual([
      [],
      [],
      [first.guid, second.guid].toSorted(),
    ])
    expect(await inSync()).toBe(true)
    const match = await api.post(`${made.base}/pools`, made.head, { name: 'For matches' })
    expect(match.body).not.toHaveProperty('inSync')
  })

  test('go to a new GUID where another map has taken theirs', async () => {
    const made = await arrange()
    const first = await addMap(made.pool, made.pooler)
    await fill(made)
    const next = await addMap(made.pool, made.pooler)
    // The first map was turned into the second one by hand.
    const turned = await api.put(made.path, made.organiser, {
      maps: [{ guid: first.guid, hash: next.hash, difficulty: 'ExpertPlus' }],
    })
    expect(guidsOf(turned.body.maps)).toEqual([first.guid])
    const done = await fill(made)
    expect(hashesOf(done.qualifier.maps)).toEqual([first.hash, next.hash])
    expect(done.qualifier.maps[1].guid).toBe(first.guid)
    expect(new Set(guidsOf(done.qualifier.maps)).size).toBe(2)
    expect((await api.get(made.pool, made.head)).body.inSync).toBe(true)
  })

  test('are given by heads alone, of a pool for the qualifier, to a qualifier that there is', async () => {
    const made = await arrange(null)
    await addMap(made.pool, made.pooler)
    const to = `${made.pool}/qualifier`
    expect(outcome(await api.post(to, made.head, {}))).toEqual([404, 'qualifier.unknown'])
    expect(outcome(await api.post(to, null, {}))).toEqual([401, 'token.missing'])
    expect(outcome(await api.post(to, made.pooler, {}))).toEqual([403, 'role.missing'])
    for (const caller of made.outsiders) {
      if (caller !== null) expect(outcome(await api.post(to, caller, {}))).toEqual([404, 'pool.unknown'])
    }
    const match = await api.post(`${made.base}/pools`, made.head, { name: 'For matches' })
    const ofMatches = await api.post(`${made.base}/pools/${match.body.guid}/qualifier`, made.head, {})
    expect(outcome(ofMatches)).toEqual([409, 'pool.wrong_kind'])
    expect((await api.put(made.path, made.organiser, {})).status).toBe(200)
    expect((await api.post(to, made.head)).status).toBe(200)
    await api.sql(
      `with made as (
         insert into maps (hash, characteristic, difficulty, state)
         select left(encode(sha256(gen_random_uuid()::text::bytea), 'hex'), 40), 'Standard', 'Hard', 'known'
         from generate_series(1, 60) returning guid)
       insert into pool_maps (pool_guid, map_guid, "order", is_tiebreaker, modifiers, player_options, options, weight)
       select $1, guid, 10, false, '{}', '{}', '{}', 1 from made`,
      [made.pool.split('/').at(-1)],
    )
    expect(outcome(await api.post(to, made.head))).toEqual([409, 'qualifier.too_many_maps'])
  })

  test('do not take the place of one that was played, nor change a qualifier that is final', async () => {
    const made = await arrange()
    const maps = await open(api, made)
    const [player] = await makePlayers(api, made)
    await play(api, made, maps, player as Caller, [500])
    const first = await addMap(made.pool, made.pooler)
    expect((await api.post(`${made.pool}/publish`, made.head, {})).status).toBe(200)
    expect(outcome(await api.post(`${made.pool}/qualifier`, made.head, {}))).toEqual([409, 'qualifier.map_played'])
    const dry = await api.post(`${made.pool}/qualifier?dryRun=true`, made.head, {})
    expect(outcome(dry)).toEqual([409, 'qualifier.map_played'])

    const other = await arrange()
    await open(api, other, { maps: [] })
    await addMap(other.pool, other.pooler)
    for (const status of ['closed', 'final']) await api.put(other.path, other.organiser, { status })
    expect(outcome(await api.post(`${other.pool}/qualifier`, other.head, {}))).toEqual([409, 'qualifier.final'])
    expect(first.guid).toBeDefined()
  })

  test('are not given in a tournament that was cancelled', async () => {
    const made = await arrange()
    await api.sql(`update tournaments set status = 'cancelled' where guid = $1`, [made.tournament.guid])
    expect(outcome(await api.post(`${made.pool}/qualifier`, made.head, {}))).toEqual([409, 'tournament.cancelled'])
  })
})

describe('before the pool shows them', () => {
  test('maps reach nobody but poolers: not as a draft, not when the qualifier opens, not a follower', async () => {
    const made = await arrange()
    const follower = await openSocket(api, { as: made.outsiders[2] as Caller })
    const { base } = made
    for (const topic of [`${base}/qualifier`, base]) await follower.ask({ type: 'subscribe', topic, facts: true })
    const before = await seenByOutsiders(made)
    const receivedBefore = follower.copies.packets.length
    const map = await addMap(made.pool, made.pooler)
    await fill(made)
    expect(await seenByOutsiders(made)).toEqual(before)
    for (const caller of [made.pooler, made.head, made.organiser]) {
      expect(hashesOf((await api.get(made.path, caller)).body.maps)).toEqual([map.hash])
      expect(hashesOf((await api.get(`${made.path}/standings`, caller)).body.maps)).toEqual([map.hash])
    }
    expect(follower.copies.packets.length).toBe(receivedBefore)

    // The qualifier opens by its date.
    const opensAt = new Date(Date.now() + 3_600_000).toISOString()
    expect((await api.put(made.path, made.organiser, { opensAt })).status).toBe(200)
    await api.sql(`update qualifiers set opens_at = now() - interval '1 minute' where tournament_guid = $1`, [
      made.tournament.guid,
    ])
    await api.post(`${made.base}/pools`, made.head, { name: 'Something else' })
    for (const caller of made.outsiders) {
      const read = (await api.get(made.path, caller)).body
      expect([read.status, read.maps]).toEqual(['open', []])
      const standings = await api.get(`${made.path}/standings`, caller)
      expect(standings.body.maps).toEqual([])
      expect(standings.text).not.toContain(map.guid)
    }
    // An open qualifier takes no maps from a draft.
    await addMap(made.pool, made.pooler)
    expect(outcome(await api.post(`${made.pool}/qualifier`, made.head, {}))).toEqual([409, 'pool.not_published'])

    expect((await api.post(`${made.pool}/publish`, made.head, {})).status).toBe(200)
    for (const caller of made.outsiders) {
      expect(hashesOf((await api.get(made.path, caller)).body.maps)).toEqual([map.hash])
      expect(hashesOf((await api.get(`${made.path}/standings`, caller)).body.maps)).toEqual([map.hash])
    }
    const done = await fill(made)
    expect(done.qualifier.maps).toHaveLength(2)
    for (const caller of made.outsiders) expect((await api.get(made.path, caller)).body.maps).toHaveLength(2)
    expect((await api.post(`${made.pool}/unpublish`, made.head, { reason: 'Too early.' })).status).toBe(200)
    for (const caller of made.outsiders) expect((await api.get(made.path, caller)).body.maps).toEqual([])
    await follower.close()
  })

  test('a map that is released later is left out until then, without a gap', async () => {
    const made = await arrange()
    const releaseAt = new Date(Date.now() + 3_600_000).toISOString()
    const staged = await addMap(made.pool, made.pooler, { releaseAt })
    const map = await addMap(made.pool, made.pooler)
    expect((await api.post(`${made.pool}/publish`, made.head, {})).status).toBe(200)
    await fill(made)
    expect((await api.put(made.path, made.organiser, { status: 'open' })).status).toBe(200)
    for (const caller of made.outsiders) {
      const { maps } = (await api.get(made.path, caller)).body
      expect(maps).toEqual([expect.objectContaining({ hash: map.hash, order: 0 })])
      const standings = await api.get(`${made.path}/standings`, caller)
      expect(hashesOf(standings.body.maps)).toEqual([map.hash])
      expect(standings.text).not.toContain(staged.guid)
    }
    await addMap(made.pool, made.head, { releaseAt, reason: 'One more.' })
    expect(outcome(await api.post(`${made.pool}/qualifier`, made.head, {}))).toEqual([409, 'pool.not_published'])
    const now = await api.patch(`${made.pool}/maps/${staged.guid}`, made.head, { releaseAt: null, reason: 'Now.' })
    expect(now.status, now.text).toBe(200)
    for (const caller of made.outsiders) {
      expect(hashesOf((await api.get(made.path, caller)).body.maps)).toEqual([staged.hash, map.hash])
    }
  })

  test('a map that the pool drops before it is released stays hidden where it was taken, also when it comes back', async () => {
    const made = await arrange()
    const releaseAt = new Date(Date.now() + 3_600_000).toISOString()
    const [shown, staged, replaced] = [
      await addMap(made.pool, made.pooler),
      await addMap(made.pool, made.pooler, { releaseAt }),
      await addMap(made.pool, made.pooler, { releaseAt }),
    ]
    expect((await api.post(`${made.pool}/publish`, made.head, {})).status).toBe(200)
    await fill(made)
    expect((await api.put(made.path, made.organiser, { status: 'open' })).status).toBe(200)
    const seen = async () => {
      const all = await Promise.all(made.outsiders.map((caller) => api.get(made.path, caller)))
      return all.map(({ body }) => hashesOf(body.maps))
    }
    const only = (...maps: readonly { hash: string }[]) => made.outsiders.map(() => hashesOf(maps))
    expect(await seen()).toEqual(only(shown))
    const remove = { reason: 'It is too hard.' }
    const removed = await api.delete(`${made.pool}/maps/${staged.guid}`, made.head, remove)
    expect(removed.status, removed.text).toBeLessThan(300)
    expect(await seen()).toEqual(only(shown))

    const again = await api.post(`${made.pool}/maps/${replaced.guid}/replace`, made.head, {
      ref: catalogue.maps.add().key,
      difficulty: 'ExpertPlus',
      reason: 'Another one.',
    })
    expect(again.status, again.text).toBeLessThan(300)
    expect(await seen()).toEqual(only(shown))

    // A map that everybody has seen stays visible, even if the pool removes it.
    expect((await api.delete(`${made.pool}/maps/${shown.guid}`, made.head, remove)).status).toBeLessThan(300)
    expect(await seen()).toEqual(only(shown))
  })

  test('a map that comes back as a staged one is hidden, though it keeps its GUID in the qualifier', async () => {
    const made = await arrange()
    const { key, hash } = catalogue.maps.add()
    const add = async (more: object = {}) => {
      const added = await api.post(`${made.pool}/maps`, made.head, { ref: key, difficulty: 'ExpertPlus', ...more })
      expect(added.status, added.text).toBe(201)
      return added.body.guid
    }
    const first = await add()
    await fill(made)
    expect((await api.delete(`${made.pool}/maps/${first}`, made.head)).status).toBeLessThan(300)
    await addMap(made.pool, made.head)
    await add({ releaseAt: new Date(Date.now() + 3_600_000).toISOString() })
    const { maps } = (await fill(made)).qualifier
    expect(maps.map((map: { guid: string }) => map.guid)).toContain(first)
    expect((await api.post(`${made.pool}/publish`, made.head, {})).status).toBe(200)
    expect((await api.put(made.path, made.organiser, { status: 'open' })).status).toBe(200)
    for (const caller of made.outsiders) {
      const { maps } = (await api.get(made.path, caller)).body
      expect(maps).toHaveLength(1)
      expect(hashesOf(maps)).not.toContain(hash)
    }
  })

  test('maps that the organiser set by hand stay, whatever is drafted', async () => {
    const made = await arrange()
    const song = catalogue.maps.add()
    await open(api, made, { maps: [{ hash: song.hash, difficulty: 'ExpertPlus' }] })
    const before = await seenByOutsiders(made)
    const added = await api.post(`${made.pool}/maps`, made.pooler, { ref: song.key, difficulty: 'ExpertPlus' })
    expect(added.status).toBe(201)
    expect(await seenByOutsiders(made)).toEqual(before)
    expect((await api.get(made.path)).body.maps).toHaveLength(1)
  })

  test('what was done is for poolers alone in the audit list', async () => {
    const made = await arrange()
    await addMap(made.pool, made.pooler)
    await fill(made)
    const types = async (caller: Caller) => {
      const { entries } = (await api.get(`${made.base}/audit`, caller)).body
      return entries.map(({ type }: { type: string }) => type).join()
    }
    expect(await types(made.pooler)).toContain('pool_plan.qualifier_prepared')
    for (const caller of made.outsiders.slice(2)) expect(await types(caller as Caller)).not.toMatch(/pool/)
  })

  test('a tournament elsewhere has nothing to do with it', async () => {
    const made = await arrange()
    const organiser = await api.user()
    const elsewhere = await makeTournament(api, organiser)
    const wrong = `/tournaments/${elsewhere.guid}/pools/${made.pool.split('/').at(-1)}/qualifier`
    expect(outcome(await api.post(wrong, organiser, {}))).toEqual([404, 'pool.unknown'])
  })
})
