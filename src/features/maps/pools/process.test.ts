import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { freePort, startHarness } from '../../../../test/harness.ts'
import { startService } from '../../../../test/kernel/service.ts'
import { makeTournament } from '../../../../test/make.ts'
import { makeMaps, makePool } from '../../../../test/pools.ts'

test('of three processes one is killed at the moment of publication: each pool is published once, and not before', async () => {
  await using harness = await startHarness()
  const cup = await makeTournament(harness, await harness.user())
  const maps = await makeMaps(harness, 3)
  const pools = await Promise.all(
    Array.from({ length: 30 }, () => makePool(harness, cup.guid, { maps: maps.map(({ guid }) => guid) })),
  )
  const { databaseUrl, dataDir, publicUrl } = harness.app.config
  const env = { DATABASE_URL: databaseUrl ?? '', DATA_DIR: dataDir, PUBLIC_URL: publicUrl, LOG_LEVEL: 'warn' }
  await harness.app.close()
  const services = await Promise.all(
    Array.from({ length: 3 }, async () => startService({ ...env, PORT: String(await freePort()) })),
  )
  const client = new pg.Client({ connectionString: databaseUrl ?? '' })
  await client.connect()
  try {
    const { rows: set } = await client.query<{ at: Date }>(
      `update pools set publish_at = now() + interval '2 seconds' where tournament_guid = $1 returning publish_at as at`,
      [cup.guid],
    )
    const { at } = set[0] as { at: Date }
    expect(set).toHaveLength(pools.length)
    const published = async () =>
      (
        await client.query<{ count: number; published_at: Date }>(
          `select p.published_at, p.revision, (select count(*)::int from event_log e
             where e.subject = p.guid and e.type = 'pool.published') as count
           from pools p where p.tournament_guid = $1 and p.status = 'published'`,
          [cup.guid],
        )
      ).rows
    // Kills the process once the first pool is published, while the others are still running.
    while ((await published()).length === 0) await wait(2)
    services[0]?.signal('SIGKILL')
    await expect.poll(async () => (await published()).length, { timeout: 60_000 }).toBe(pools.length)
    const rows = await published()
    expect(rows.map(({ count }) => count)).toEqual(pools.map(() => 1))
    for (const row of rows) {
      expect(row).toMatchObject({ revision: 1 })
      expect(row.published_at.getTime()).toBeGreaterThanOrEqual(at.getTime())
    }
  } finally {
    await client.end()
    await Promise.all(services.map((service) => service[Symbol.asyncDispose]()))
  }
})
