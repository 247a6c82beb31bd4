import pg from 'pg'
import { expect, test } from 'vitest'
import { freePlay, makeFlow, toTheEnd } from '../../../../test/flow-free.ts'
import { makeFlowPlay } from '../../../../test/flow-play.ts'
import { freePort, startHarness } from '../../../../test/harness.ts'
import { startService } from '../../../../test/kernel/service.ts'

const hourMs = 3_600_000

test('all processes are killed while clocks run: after the restart each has its lapse once, and what is paused stands', async () => {
  await using harness = await startHarness()
  const made = await makeFlowPlay(harness, { teams: 2, maps: 9 })
  const flow = await makeFlow(harness, made, {
    ...toTheEnd,
    steps: [{ action: 'ban', actor: 'seat:1', seconds: 3_600, onTimeout: 'random' }, ...toTheEnd.steps],
  })
  const plays = await Promise.all(Array.from({ length: 20 }, () => freePlay(harness, made, { flow })))
  const [over, paused] = [plays.slice(0, 15), plays.slice(15)]
  for (const play of paused) {
    expect((await play.call(made.referee, 'clock', { op: 'pause' })).status).toBe(200)
  }
  const before = new Map(paused.map(({ state }) => [state.session, state.clock.remainingMs]))
  const { databaseUrl, dataDir, publicUrl } = harness.app.config
  const env = { DATABASE_URL: databaseUrl ?? '', DATA_DIR: dataDir, PUBLIC_URL: publicUrl, LOG_LEVEL: 'warn' }
  await harness.app.close()
  const start = async () => startService({ ...env, PORT: String(await freePort()) })
  const client = new pg.Client({ connectionString: databaseUrl ?? '' })
  await client.connect()
  const sessionsOf = (some: typeof plays) => some.map(({ state }) => state.session)
  /** Moves the log and the clocks into the past. */
  const pass = async (ms: number) => {
    for (const [statement, values] of [
      [
        `update flow_rows set at = at - $2 * interval '1 ms' where session_guid = any($1::uuid[])`,
        [sessionsOf(plays), ms],
      ],
      [
        `update flow_sessions set due_at = due_at - $2 * interval '1 ms', lapses_at = lapses_at - $2 * interval '1 ms'
         where guid = any($1::uuid[])`,
        [sessionsOf(plays), ms],
      ],
    ] as const) {
      await client.query(statement, [...values])
    }
  }
  const rowsOf = async (some: typeof plays) =>
    (
      await client.query<{ session: string; kind: string; position: number; at: Date }>(
        `select session_guid as session, kind, position, at from flow_rows where session_guid = any($1::uuid[]) order by 1, position`,
        [sessionsOf(some)],
      )
    ).rows
  const services = await Promise.all([start(), start()])
  try {
    await pass(hourMs - 60_000)
    for (const service of services) service.signal('SIGKILL')
    await Promise.all(services.map(({ exit }) => exit))
    await pass(120_000)
    const due = await client.query<{ at: Date }>('select max(lapses_at) as at from flow_sessions')
    services.push(...(await Promise.all([start(), start()])))
    await expect
      .poll(async () => (await rowsOf(over)).filter(({ kind }) => kind === 'lapse').length, { timeout: 60_000 })
      .toBe(over.length)
    // Waits for a few more checks, in which a second lapse would be written.
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    for (const session of sessionsOf(over)) {
      const rows = (await rowsOf(over)).filter((row) => row.session === session)
      expect(rows.map(({ kind }) => kind)).toEqual(['start', 'lapse', 'ban', 'random'])
      expect(rows.map(({ position }) => position)).toEqual([1, 2, 3, 4])
      expect(rows[1]?.at.getTime()).toBeGreaterThan(due.rows[0]?.at.getTime() ?? Number.NaN)
    }
    const standing = await rowsOf(paused)
    expect(standing.map(({ kind }) => kind)).toEqual(paused.flatMap(() => ['start', 'clock']))
    const { url } = services.at(-1) as (typeof services)[number]
    for (const { state, path } of paused) {
      const reply = await fetch(`${url}/api${path}`)
      expect(await reply.json()).toMatchObject({
        status: 'paused',
        position: 2,
        clock: { dueAt: null, remainingMs: before.get(state.session) },
      })
    }
    const { rows } = await client.query(
      `select subject, count(*)::int from event_log where type = 'flow.row' and after ->> 'kind' = 'lapse' group by 1`,
    )
    expect(rows.map(({ count }) => count)).toEqual(over.map(() => 1))
  } finally {
    await client.end()
    await Promise.all(services.map((service) => service[Symbol.asyncDispose]()))
  }
})
