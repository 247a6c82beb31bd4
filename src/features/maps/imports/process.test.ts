import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type FakeCatalogue, startFakeCatalogue } from '../../../../test/fakes/catalogue.ts'
import { type Caller, freePort, type Harness, startHarness } from '../../../../test/harness.ts'
import { type Env, type Service, startService } from '../../../../test/kernel/service.ts'
import { type MadeTournament, makeTournament } from '../../../../test/make.ts'
import { makePool } from '../../../../test/pools.ts'

/** Kills the service during imports, and starts it again. */

let catalogue: FakeCatalogue
let harness: Harness
let pool: pg.Pool
let env: Env
let owner: Caller
let tournament: MadeTournament
let paths: string[]
let url = ''
let service: Service | null = null

beforeAll(async () => {
  catalogue = await startFakeCatalogue()
  harness = await startHarness()
  const { databaseUrl, dataDir, publicUrl } = harness.app.config
  pool = new pg.Pool({ connectionString: databaseUrl as string })
  pool.on('error', () => {})
  env = {
    DATABASE_URL: databaseUrl as string,
    DATA_DIR: dataDir,
    PUBLIC_URL: publicUrl,
    BEATSAVER_API_URL: catalogue.url,
    LOG_LEVEL: 'warn',
  }
  owner = await harness.user()
  tournament = await makeTournament(harness, owner, { status: 'approved' })
  paths = []
  for (let count = 0; count < 5; count++) {
    paths.push(`/tournaments/${tournament.guid}/pools/${(await makePool(harness, tournament.guid)).guid}`)
  }
  // The started process replaces the one of this harness, so that only one process runs the jobs.
  await harness.app.close()
})
afterAll(async () => {
  await pool.end()
  await harness[Symbol.asyncDispose]()
  await catalogue.close()
})
afterEach(() => service?.[Symbol.asyncDispose]())

/** Sends a request to the process that is currently running. */
async function ask(method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: looked into, and failing where it is not as expected.
  return { status: response.status, body: (await response.json()) as any }
}

async function begin(): Promise<void> {
  service = await startService({ ...env, PORT: String(await freePort()) })
  url = service.url
}

async function kill(): Promise<void> {
  service?.signal('SIGKILL')
  expect((await service?.exit)?.signal).toBe('SIGKILL')
}

/** After a kill, makes the jobs of the dead process available again, as some seconds of waiting would. */
async function letTimePass(): Promise<void> {
  await pool.query(
    `select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from graphile_worker._private_jobs
     where locked_by is not null having count(*) > 0`,
  )
}

async function start(path: string, lines: readonly string[]): Promise<string> {
  const { status, body } = await ask('POST', `${path}/imports`, { source: { kind: 'text', lines } })
  expect(status).toBe(202)
  return `${path}/imports/${body.guid}`
}

async function finished(address: string) {
  await expect
    .poll(async () => (await ask('GET', address)).body.status, { interval: 50, timeout: 120_000 })
    .not.toBe('running')
  return (await ask('GET', address)).body
}

/** Checks that all rows were added once, in order, and that one event was emitted. */
async function expectWhole(address: string, hashes: readonly string[]): Promise<void> {
  const job = await finished(address)
  expect([job.status, job.counts.added]).toEqual(['done', hashes.length])
  const { body } = await ask('GET', address.split('/imports/')[0] as string)
  expect(body.maps.map(({ map }: { map: { hash: string } }) => map.hash)).toEqual(hashes)
  const { rows } = await pool.query(
    `select type, count(*)::int from event_log where subject = $1 or (subject = $2 and type = 'pool.drafted')
     group by type order by type`,
    [job.guid, job.pool.guid],
  )
  expect(rows).toEqual(['import.finished', 'import.started', 'pool.drafted'].map((type) => ({ type, count: 1 })))
}

test('killed while it waits for the catalogue, it takes the import up again by itself, and adds everything once', async () => {
  const hashes = catalogue.maps.addMany(60).map(({ hash }) => hash)
  const path = paths.pop() as string
  await begin()
  const come = Promise.withResolvers<void>()
  let asked = 0
  // The first question is answered and cached; the second one never is.
  const calm = catalogue.misbehave(/./, async (_request, proper) => {
    if (++asked === 1) return proper()
    come.resolve()
    return new Promise<never>(() => {})
  })
  const address = await start(
    path,
    hashes.map((hash) => `${hash} Expert`),
  )
  await come.promise
  await expect.poll(async () => (await pool.query('select from catalogue_answers')).rowCount).toBeGreaterThanOrEqual(10)
  await kill()
  expect((await pool.query(`select from pool_maps where pool_guid = $1`, [path.split('/').at(-1)])).rowCount).toBe(0)
  calm()
  const before = catalogue.paths.length
  await begin()
  await expectWhole(address, hashes)
  // Earlier answers are cached.
  expect(catalogue.paths.slice(before)).toHaveLength(1)
})

test('killed at any moment, time and again, it adds everything once or nothing', async () => {
  const calm = catalogue.misbehave(/./, async (_request, proper) => {
    await wait(randomInt(150))
    return proper()
  })
  await begin()
  const started: (readonly [string, string[]])[] = []
  for (const path of paths.splice(0, 4)) {
    const hashes = catalogue.maps.addMany(110).map(({ hash }) => hash)
    const lines = hashes.map((hash) => `${hash} ExpertPlus`)
    started.push([await start(path, lines), hashes])
  }
  for (let round = 0; round < 4; round++) {
    await wait(100 + randomInt(600))
    await kill()
    const { rows } = await pool.query<{ status: string; maps: number }>(
      `select status, (select count(*)::int from pool_maps m where m.pool_guid = i.pool_guid) as maps from imports i
       where guid = any($1)`,
      [started.map(([address]) => address.split('/').at(-1))],
    )
    for (const { status, maps } of rows) expect(maps).toBe(status === 'done' ? 110 : 0)
    await letTimePass()
    await begin()
  }
  for (const [address, hashes] of started) await expectWhole(address, hashes)
  calm()
})
