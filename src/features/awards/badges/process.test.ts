import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { verifyRanking } from '../../../../test/assistant.ts'
import { type PictureHost, startPictureHost } from '../../../../test/badge-pictures.ts'
import { type FakeRanking, type ScoreSaberPlayer, startFakeScoreSaber } from '../../../../test/fakes/ranking.ts'
import { type Caller, freePort, type Harness, startHarness } from '../../../../test/harness.ts'
import { type Env, type Service, startService } from '../../../../test/kernel/service.ts'

/** The service is killed during an import for all users, and started again. (B7) */

let rankings: FakeRanking<ScoreSaberPlayer>
let pictures: PictureHost
let harness: Harness
let pool: pg.Pool
let env: Env
let keeper: Caller
let service: Service | null = null
const count = 70

beforeAll(async () => {
  ;[rankings, pictures] = await Promise.all([startFakeScoreSaber(), startPictureHost()])
  harness = await startHarness()
  const { databaseUrl, dataDir, publicUrl } = harness.app.config
  pool = new pg.Pool({ connectionString: databaseUrl as string })
  pool.on('error', () => {})
  env = {
    DATABASE_URL: databaseUrl as string,
    DATA_DIR: dataDir,
    PUBLIC_URL: publicUrl,
    SCORESABER_API_URL: rankings.url,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    LOG_LEVEL: 'warn',
  }
  keeper = await harness.user({ globalRoles: ['role:owner'] })
  const [common, rare] = [await pictures.add(), await pictures.add()]
  for (let index = 0; index < count; index++) {
    const badges = [
      { description: 'Common', image: common },
      ...(index % 7 ? [] : [{ description: 'Rare', image: rare }]),
    ]
    rankings.players.add({ id: await verifyRanking(harness, await harness.user()), badges })
  }
  // This app is closed so that only the started process runs its jobs.
  await harness.app.close()
})
afterAll(async () => {
  await pool.end()
  await harness[Symbol.asyncDispose]()
  await Promise.all([rankings.close(), pictures[Symbol.asyncDispose]()])
})
afterEach(() => service?.[Symbol.asyncDispose]())

async function begin(): Promise<void> {
  service = await startService({ ...env, PORT: String(await freePort()) })
}

async function kill(): Promise<void> {
  service?.signal('SIGKILL')
  expect((await service?.exit)?.signal).toBe('SIGKILL')
  // Unlocks the dead process's jobs, as would happen after some time.
  await pool.query(
    `select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from graphile_worker._private_jobs
     where locked_by is not null having count(*) > 0`,
  )
}

async function ask(method: string, path: string, body?: unknown) {
  const response = await fetch(`${service?.url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${keeper.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: looked into, and failing where it is not as expected.
  return { status: response.status, body: (await response.json()) as any }
}

test('killed time and again, the import ends with each badge made once, and each user holding theirs', async () => {
  const slow = rankings.misbehave(/./, async (_request, proper) => {
    await wait(100)
    return proper()
  })
  await begin()
  const started = await ask('POST', '/badges/import/ranking-a', {})
  expect(started.status).toBe(202)
  const address = `/admin/badgeImports/${started.body.job.guid}`
  for (let round = 0; round < 3; round++) {
    const before = rankings.requests.length
    await expect
      .poll(() => rankings.requests.length - before, { interval: 10, timeout: 120_000 })
      .toBeGreaterThan(5 + 9 * round)
    await kill()
    // The numbers in the report equal the grants, whenever the process dies.
    const { rows } = await pool.query(
      `select (report->>'granted')::int as told, (select count(*)::int from badge_grants) as granted,
         (report->>'made')::int as made, (select count(*)::int from badges) as badges, status from badge_imports`,
    )
    expect(rows).toHaveLength(1)
    expect([rows[0].told, rows[0].made]).toEqual([rows[0].granted, rows[0].badges])
    await begin()
    if (rows[0].status === 'done') break
  }
  slow()
  await expect
    .poll(async () => (await ask('GET', address)).body.status, { interval: 50, timeout: 120_000 })
    .toBe('done')
  const { body } = await ask('GET', address)
  expect(body).toMatchObject({ made: 2, granted: count + count / 7, skipped: 0, failures: 0 })
  const { rows } = await pool.query('select name, holders from badges order by name')
  expect(rows).toEqual([
    { name: 'Common', holders: count },
    { name: 'Rare', holders: count / 7 },
  ])
  const { rows: events } = await pool.query(
    `select type, count(*)::int from event_log where type like 'badge_import.%' group by type order by type`,
  )
  expect(events).toEqual(['badge_import.finished', 'badge_import.started'].map((type) => ({ type, count: 1 })))
})
