import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeCatalogue, startFakeCatalogue } from '../../../../test/fakes/catalogue.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { grantRole, type MadeTournament, makeTournament, roleHolder } from '../../../../test/make.ts'
import { makeFlair, makePool, publishPool } from '../../../../test/pools.ts'
import { openStream } from '../../../../test/realtime/streams.ts'
import { importsJobs } from './jobs.ts'

/** Who may import what, who may read it, and which rights are checked again when the job runs. */

type Json = Reply['body']
type Pool = { readonly guid: string }

let catalogue: FakeCatalogue
let api: Harness
let organiser: Caller
let pooler: Caller
let head: Caller
let tournament: MadeTournament

beforeAll(async () => {
  catalogue = await startFakeCatalogue()
  api = await startHarness({ catalogueUrl: catalogue.url })
  organiser = await api.user()
  tournament = await makeTournament(api, organiser, { status: 'approved' })
  pooler = await roleHolder(api, tournament, 'role:pooler')
  head = await roleHolder(api, tournament, 'role:hpooler')
})

afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  await catalogue?.close()
})

const pathOf = (pool: Pool, of = tournament) => `/tournaments/${of.guid}/pools/${pool.guid}`
const one = (more: object = {}) => ({
  source: { kind: 'text', lines: [`${catalogue.maps.add().hash} Expert`] },
  ...more,
})

async function finished(path: string, started: Reply, as: Caller): Promise<Json> {
  expect(started.status, started.text).toBe(202)
  const read = async () => (await api.get(`${path}/imports/${started.body.guid}`, as)).body
  await expect.poll(async () => (await read()).status, { interval: 20, timeout: 60_000 }).not.toBe('running')
  return read()
}

const run = async (path: string, body: object, as: Caller) =>
  finished(path, await api.post(`${path}/imports`, as, body), as)
const hashesOf = async (path: string) => (await api.get(path, organiser)).body.maps.map(({ map }: Json) => map.hash)

describe('into a published pool', () => {
  test('heads import, with a reason, as one correction', async () => {
    const pool = await makePool(api, tournament.guid)
    const path = pathOf(pool)
    await run(path, one(), pooler)
    await publishPool(api, pool.guid)
    expect(outcome(await api.post(`${path}/imports`, pooler, one({ reason: 'More.' })))).toEqual([
      403,
      'pool.for_heads',
    ])
    expect(outcome(await api.post(`${path}/imports`, head, one()))).toEqual([400, 'pool.reason_missing'])
    const lines = catalogue.maps.addMany(3).map(({ key }) => `${key} Expert`)
    const body = { source: { kind: 'text', lines }, reason: 'Three more.' }
    expect((await run(path, { ...body, dryRun: true }, head)).counts.added).toBe(3)
    const before = (await api.get(path)).body
    expect([before.revision, before.changes]).toEqual([1, []])
    expect((await run(path, body, head)).counts.added).toBe(3)
    const after = (await api.get(path)).body
    expect([after.revision, after.maps.length]).toEqual([2, 4])
    expect(after.changes).toHaveLength(1)
    expect(after.changes[0]).toMatchObject({ revision: 2, kind: 'added', reason: 'Three more.', by: null })
    expect(after.changes[0].after).toHaveLength(3)
    expect((await api.post(`${path}/archive`, head, {})).status).toBe(200)
    expect(outcome(await api.post(`${path}/imports`, head, body))).toEqual([409, 'pool.wrong_status'])
    expect(outcome(await api.post(`${path}/imports`, pooler, body))).toEqual([403, 'pool.for_heads'])
  })
})

describe('what outsiders learn', () => {
  test('is nothing: neither that there are imports nor what they added to a draft', async () => {
    const draft = await makePool(api, tournament.guid)
    const shown = await makePool(api, tournament.guid, { status: 'published' })
    const caster = await roleHolder(api, tournament, 'role:caster')
    const outsiders = [null, await api.user(), caster]
    const paths = [
      `/tournaments/${tournament.guid}`,
      `/tournaments/${tournament.guid}/pools`,
      pathOf(shown),
      pathOf(draft),
      '/resources/pooling/maps',
    ]
    const seen = async () => {
      const replies = outsiders.flatMap((as) => paths.map((path) => api.get(path, as)))
      return (await Promise.all(replies)).map(({ status, text, headers }) => [status, text, headers.get('etag')])
    }
    const before = await seen()
    const imported = await run(pathOf(draft), one(), pooler)
    const dry = await run(pathOf(shown), one({ reason: 'A look.', dryRun: true }), head)
    expect(await seen()).toEqual(before)
    const none = '00000000-0000-4000-8000-000000000000'
    for (const as of [outsiders[1] as Caller, caster]) {
      expect(outcome(await api.get(`${pathOf(draft)}/imports`, as))).toEqual([404, 'pool.unknown'])
      expect(outcome(await api.post(`${pathOf(draft)}/imports`, as, one()))).toEqual([404, 'pool.unknown'])
      expect(outcome(await api.get(`${pathOf(draft)}/imports/${imported.guid}`, as))).toEqual([404, 'pool.unknown'])
      expect(outcome(await api.get(`${pathOf(shown)}/imports`, as))).toEqual([403, 'role.missing'])
      expect(outcome(await api.post(`${pathOf(shown)}/imports`, as, one()))).toEqual([403, 'role.missing'])
      const [known, unknown] = [dry.guid, none].map((guid) => api.get(`${pathOf(shown)}/imports/${guid}`, as))
      expect(outcome((await known) as Reply)).toEqual([404, 'import.unknown'])
      expect((await known)?.text).toBe((await unknown)?.text)
      const { body } = await api.get(`/tournaments/${tournament.guid}/audit?limit=100`, as)
      expect(JSON.stringify(body)).not.toContain(imported.guid)
    }
    expect(outcome(await api.get(`${pathOf(shown)}/imports/${imported.guid}`, pooler))).toEqual([404, 'import.unknown'])
    expect(outcome(await api.get(`${pathOf(draft)}/imports/x`, pooler))).toEqual([404, 'import.unknown'])
    expect(outcome(await api.get(`${pathOf(draft)}/imports`))[1]).toBe('token.missing')
  })

  test('of a dry run is not whether somebody else has named a map', async () => {
    const [known] = catalogue.maps.addMany(1)
    const secret = await makePool(api, tournament.guid)
    await run(pathOf(secret), { source: { kind: 'text', lines: [`${known?.hash} Expert`] } }, pooler)
    const other = await api.user()
    const theirs = await makeTournament(api, other, { status: 'approved' })
    const pool = await makePool(api, theirs.guid)
    const lines = [`${known?.hash} Expert`, `${catalogue.maps.add().hash} Expert`]
    const body = { source: { kind: 'text', lines }, dryRun: true }
    const { rows } = await run(pathOf(pool, theirs), body, other)
    const [one, two] = rows.map(({ index: _index, input: _input, ...row }: Json) => row)
    expect(one).toEqual(two)
  })
})

describe('an import', () => {
  test('is listed for poolers, newest first, page by page', async () => {
    const pool = await makePool(api, tournament.guid)
    const path = pathOf(pool)
    const made: string[] = []
    for (const dryRun of [true, false, true, false, true]) made.push((await run(path, one({ dryRun }), pooler)).guid)
    const seen: Json[] = []
    for (let before = ''; ; ) {
      const { body } = await api.get(`${path}/imports?limit=2${before}`, head)
      seen.push(...body.imports)
      if (body.nextCursor === null) break
      before = `&before=${body.nextCursor}`
    }
    expect(seen.map(({ guid }) => guid)).toEqual(made.toReversed())
    expect(seen[0]).toMatchObject({
      status: 'done',
      dryRun: true,
      counts: { added: 1, present: 0 },
      startedBy: { guid: pooler.guid },
    })
    expect(seen[0]).not.toHaveProperty('rows')
    expect(outcome(await api.get(`${path}/imports?before=x`, head))).toEqual([400, 'cursor.invalid'])
  })

  test('is kept for 90 days, and fails once it has been running for one', async () => {
    const path = pathOf(await makePool(api, tournament.guid))
    const [old, young, stuck] = [
      await run(path, one(), pooler),
      await run(path, one(), pooler),
      await run(path, one(), pooler),
    ].map(({ guid }) => guid)
    const age = (guid: string, by: string) =>
      api.sql('update imports set created_at = now() - $2::interval where guid = $1', [guid, by])
    await age(old, '90 days 1 minute')
    await age(young, '89 days 23 hours')
    await age(stuck, '25 hours')
    await api.sql(`update imports set status = 'running', finished_at = null where guid = $1`, [stuck])
    const { database, services } = api.app
    const job = importsJobs.find(({ cron }) => cron !== undefined)
    await job?.run({}, { database, services, now: () => new Date() } as never)
    const { body } = await api.get(`${path}/imports`, pooler)
    expect(body.imports.map(({ guid, status, reason }: Json) => [guid, status, reason])).toEqual([
      [stuck, 'failed', 'import.abandoned'],
      [young, 'done', null],
    ])
  })

  test('goes with its pool', async () => {
    const path = pathOf(await makePool(api, tournament.guid))
    const job = await run(path, one({ dryRun: true }), pooler)
    expect((await api.delete(path, head)).status).toBe(204)
    expect(await api.sql('select from imports where guid = $1', [job.guid])).toEqual([])
  })
})

describe('what has changed while the catalogue was asked', () => {
  /** Delays the catalogue's answers until `after` has finished. */
  async function meanwhile(path: string, body: object, as: Caller, after: () => Promise<unknown>): Promise<Json> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const calm = catalogue.misbehave(/./, async (_request, proper) => {
      asked.resolve()
      await promise
      return proper()
    })
    const started = await api.post(`${path}/imports`, as, body)
    expect(started.status, started.text).toBe(202)
    await asked.promise
    await after()
    resolve()
    calm()
    return finished(path, started, organiser)
  }
  async function revoke({ guid }: Caller, role: string): Promise<void> {
    const reply = await api.delete(`/tournaments/${tournament.guid}/permissions/${guid}/revoke`, organiser, { role })
    expect(reply.status, reply.text).toBe(200)
  }
  const failed = (reason: string) => ({ status: 'failed', reason, rows: [] })

  test('fails it: a role, an account, the pool, the flair, the tournament', async () => {
    const path = pathOf(await makePool(api, tournament.guid))
    const leaving = await roleHolder(api, tournament, 'role:pooler')
    expect(await meanwhile(path, one(), leaving, () => revoke(leaving, 'role:pooler'))).toMatchObject(
      failed('role.missing'),
    )

    const banned = await roleHolder(api, tournament, 'role:pooler')
    const ban = () => api.sql('update users set banned_at = now() where guid = $1', [banned.guid])
    expect(await meanwhile(path, one(), banned, ban)).toMatchObject(failed('role.missing'))

    const demoted = await roleHolder(api, tournament, 'role:hpooler')
    const demote = async () => {
      await grantRole(api, tournament, demoted, 'role:pooler')
      await revoke(demoted, 'role:hpooler')
    }
    const flair = await makeFlair(api, tournament.guid, 'Gone soon')
    const withoutFlair = () => api.put(`/tournaments/${tournament.guid}/flairs`, organiser, { flairs: [] })
    expect(await meanwhile(path, one({ flairGuid: flair }), pooler, withoutFlair)).toMatchObject(
      failed('flair.unknown'),
    )

    expect(await hashesOf(path)).toEqual([])
    await run(path, one(), pooler)
    const publish = () => api.post(`${path}/publish`, organiser, {})
    expect(await meanwhile(path, one(), pooler, publish)).toMatchObject(failed('pool.for_heads'))
    expect(await meanwhile(path, one({ reason: 'More.' }), demoted, demote)).toMatchObject(failed('pool.for_heads'))
    const archive = () => api.post(`${path}/archive`, organiser, {})
    expect(await meanwhile(path, one({ reason: 'More.' }), head, archive)).toMatchObject(failed('pool.wrong_status'))
    expect(await hashesOf(path)).toHaveLength(1)

    const owner = await api.user()
    const doomed = await makeTournament(api, owner, { status: 'approved' })
    const there = pathOf(await makePool(api, doomed.guid), doomed)
    const started = await new Promise<Reply>((resolve, reject) => {
      const hold = Promise.withResolvers<void>()
      const calm = catalogue.misbehave(/./, async (_request, proper) => {
        await hold.promise
        return proper()
      })
      const cancel = async () => {
        const reply = await api.post(`${there}/imports`, owner, one())
        await api.sql(`update tournaments set status = 'cancelled' where guid = $1`, [doomed.guid])
        hold.resolve()
        calm()
        return reply
      }
      cancel().then(resolve, reject)
    })
    expect(await finished(there, started, owner)).toMatchObject(failed('tournament.cancelled'))
    expect(outcome(await api.post(`${there}/imports`, owner, one()))).toEqual([409, 'tournament.cancelled'])
  })

  test('is followed: whoever reads an import is told when it is finished, and outsiders cannot follow', async () => {
    const path = pathOf(await makePool(api, tournament.guid, { status: 'published' }))
    const hold = Promise.withResolvers<void>()
    const calm = catalogue.misbehave(/./, async (_request, proper) => {
      await hold.promise
      return proper()
    })
    const started = await api.post(`${path}/imports`, head, one({ reason: 'One more.' }))
    const topic = `${path}/imports/${started.body.guid}`
    await using stream = await openStream(api, [topic], { as: pooler, query: { facts: 'true' } })
    await expect.poll(() => stream.text()).toContain('"running"')
    const outsider = await api.user()
    await expect(openStream(api, [topic], { as: outsider })).rejects.toThrow('topic.unknown')
    await using other = await openStream(api, [path], { as: outsider, query: { facts: 'true' } })
    hold.resolve()
    calm()
    await expect.poll(() => stream.text(), { timeout: 60_000 }).toContain('"done"')
    expect(stream.text()).toContain('import.finished')
    await expect.poll(() => other.text(), { timeout: 60_000 }).toContain('pool.corrected')
    expect(other.text()).not.toContain('"done"')
    expect(other.text()).not.toContain('import.finished')
  })

  test('is heeded where it stands against nothing: what was added meanwhile is present', async () => {
    const path = pathOf(await makePool(api, tournament.guid))
    const songs = catalogue.maps.addMany(2)
    const lines = songs.map(({ hash }) => `${hash} Expert`)
    // Cached answers are not requested again.
    const unknown = { source: { kind: 'text', lines: ['0'.repeat(40)] }, dryRun: true }
    expect((await run(path, unknown, pooler)).counts.missing).toBe(1)
    const addOne = async () => {
      const reply = await api.post(`${path}/maps`, pooler, {
        ref: '0'.repeat(40),
        difficulty: 'Easy',
        keepMissing: true,
      })
      expect(reply.status, reply.text).toBe(201)
    }
    const body = { source: { kind: 'text', lines: [`${'0'.repeat(40)} Easy`, ...lines] } }
    const job = await meanwhile(path, body, pooler, addOne)
    expect(job.rows.map(({ outcome: each }: Json) => each)).toEqual(['present', 'added', 'added'])
    expect(await hashesOf(path)).toEqual(['0'.repeat(40), ...songs.map(({ hash }) => hash)])
  })

  test('twenty of a tournament run at once, and no more, however many come together', async () => {
    const owner = await api.user()
    const busy = await makeTournament(api, owner, { status: 'approved' })
    const paths = [await makePool(api, busy.guid), await makePool(api, busy.guid)].map((pool) => pathOf(pool, busy))
    const hold = Promise.withResolvers<void>()
    const calm = catalogue.misbehave(/./, async (_request, proper) => {
      await hold.promise
      return proper()
    })
    const replies = await Promise.all(
      Array.from({ length: 24 }, (_, index) => api.post(`${paths[index % 2]}/imports`, owner, one())),
    )
    expect(replies.map(outcome).filter(([status]) => status !== 202)).toEqual(Array(4).fill([409, 'import.too_many']))
    hold.resolve()
    calm()
    for (const [index, reply] of replies.entries()) {
      if (reply.status === 202) await finished(paths[index % 2] as string, reply, owner)
    }
    expect((await api.post(`${paths[0]}/imports`, owner, one())).status).toBe(202)
  })
})
