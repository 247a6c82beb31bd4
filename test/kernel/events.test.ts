import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { EventType } from '../../src/core/events.ts'
import type { Database, Tx } from '../../src/infra/db/database.ts'
import { emit } from '../../src/infra/events/emit.ts'
import { type Follower, follow } from '../../src/infra/events/follow.ts'
import type { LoggedEvent } from '../../src/infra/events/logged.ts'
import { openWake, type Wake } from '../../src/infra/events/wake.ts'
import { strayEvent } from '../event-log.ts'
import { type Harness, startHarness } from '../harness.ts'

/** The event log with real concurrency and real crashes. (docs/architecture-reference.md: Events and jobs) */

let api: Harness
let twin: Harness
beforeAll(async () => {
  api = await startHarness()
  twin = await api.sibling()
  await api.sql('create table handled (follower text, seq bigint, primary key (follower, seq))')
})
afterAll(async () => {
  await twin[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const random = (ms: number) => wait(Math.random() * ms)
const subject = '10000000-0000-4000-8000-000000000001'
const tournament = '20000000-0000-4000-8000-000000000002'
const actor = '30000000-0000-4000-8000-000000000003'
/** Types that only the events of this test have. */
let type = ''
let count = 0
beforeEach(() => {
  type = `test.happened_${++count}`
})

const say = (database: Database, event: Partial<Parameters<typeof strayEvent>[0]> = {}) =>
  database.transaction(async (tx) => emit(tx, strayEvent({ type, subject: null, actor: null, ...event })))
const seqsOf = async (name: string) =>
  (await api.sql<{ seq: string }>('select seq from event_log where type = $1 order by seq', [name])).map(({ seq }) =>
    Number(seq),
  )
const handledBy = async (name: string) =>
  (await api.sql<{ seq: string }>('select seq from handled where follower = $1 order by seq', [name])).map(({ seq }) =>
    Number(seq),
  )

describe('an event', () => {
  test('holds what happened, to what, where and by whom, and touches each record once', async () => {
    const startedAt = Date.now()
    await say(api.app.database, {
      subject,
      tournament,
      actor,
      before: { name: 'Old', tags: ['a'] },
      after: { name: 'New\'s \u0001 \\ "', tags: null },
      touches: [subject, 'users.played', 'users.played'],
    })
    const [row] = await api.sql<LoggedEvent & { at: Date }>('select * from event_log where type = $1', [type])
    expect(row).toEqual({
      seq: expect.any(String),
      clock_at: null,
      simulated: null,
      at: expect.any(Date),
      type,
      subject,
      tournament,
      actor,
      before: { name: 'Old', tags: ['a'] },
      after: { name: 'New\'s \u0001 \\ "', tags: null },
      touches: [subject, tournament, 'users.played'],
      rights: false,
    })
    expect(Math.abs((row?.at.getTime() ?? 0) - startedAt)).toBeLessThan(5_000)
  })

  test('may be about nothing in particular', async () => {
    await say(api.app.database)
    expect(
      await api.sql('select subject, tournament, actor, before, after, touches from event_log where type = $1', [type]),
    ).toEqual([{ subject: null, tournament: null, actor: null, before: null, after: null, touches: [] }])
  })

  test('exists only if its change does', async () => {
    const failing = api.app.database.transaction(async (tx) => {
      emit(tx, strayEvent({ type, subject, actor: null }))
      throw new Error('changed its mind')
    })
    await expect(failing).rejects.toThrow('changed its mind')
    expect(await seqsOf(type)).toEqual([])
  })
})

test('numbers are given in commit order: a reader that polls for newer ones misses none', async () => {
  const services = [api, twin]
  let finished = false
  const reader = (async () => {
    const seen: number[] = []
    let last = 0
    const look = async () => {
      const rows = await api.sql<{ seq: string; type: string }>(
        'select seq, type from event_log where seq > $1 order by seq',
        [last],
      )
      for (const row of rows) {
        last = Number(row.seq)
        if (row.type === type) seen.push(last)
      }
    }
    while (!finished) await look()
    await look()
    return seen
  })()
  const writers = Array.from({ length: 300 }, async (_, index) => {
    await random(500)
    const { database } = (services[index % 2] as Harness).app
    await database
      .transaction(async (tx) => {
        await random(20)
        // Some transactions draw their numbers long before they commit: others must wait for them.
        const isEarly = index % 4 === 0
        if (isEarly) await tx.session.client.query(`select emit_event($1, null, null, null, null, null, '{}')`, [type])
        for (let events = isEarly ? 1 : 0; events <= index % 3; events++)
          emit(tx, strayEvent({ type, subject: null, actor: null }))
        await random(15)
        // Numbers of rolled back transactions leave gaps, and the readers must not wait for them.
        if (index % 10 === 8) throw new Error('given up')
      })
      .catch((error: Error) => {
        if (error.message !== 'given up') throw error
      })
  })
  await Promise.all(writers)
  finished = true
  const seen = await reader
  expect(seen).toEqual(await seqsOf(type))
  expect(seen.length).toBe(270 * 2)
})

describe('a follower', () => {
  const silent: Wake = { guid: '', onWake: () => {}, hint: () => {}, onHint: () => () => {}, close: async () => {} }
  const stops: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop()
  })

  /** Records the handled events in the transaction of the follower. */
  async function note(tx: Tx, follower: string, events: readonly LoggedEvent[]): Promise<void> {
    const mine = events.filter((event) => (event.type as string) === type)
    for (const { seq } of mine) await tx.session.client.query('insert into handled values ($1, $2)', [follower, seq])
  }

  const errors: unknown[] = []
  /** The type of this test's events, which the service does not know. */
  const types = () => [type as EventType]
  beforeEach(() => {
    errors.splice(0)
  })
  function start(database: Database, wake: Wake, follower: Follower): () => Promise<void> {
    const stop = follow(database, wake, follower, (error) => errors.push(error))
    stops.push(stop)
    return stop
  }
  const listening = async (service: Harness): Promise<Wake> => {
    const { databaseUrl } = service.app.config
    const wake = await openWake(service.app.database, { connectionString: databaseUrl as string }, () => {})
    stops.push(() => wake.close())
    return wake
  }

  test('handles what was there before it, then what comes, each once and in order, and goes on where it stopped', async () => {
    const name = `test.backfill_${count}`
    const seen: number[] = []
    const follower: Follower = {
      name,
      from: 'first',
      types: types(),
      gatherMs: 20,
      async handle(tx, events) {
        await note(tx, name, events)
        seen.push(...events.map(({ seq }) => seq))
      },
    }
    await api.sql(`select emit_event($1, null, null, null, null, null, '{}') from generate_series(1, 450)`, [type])
    const stop = start(api.app.database, await listening(api), follower)
    for (let index = 0; index < 30; index++) await say(api.app.database)
    await expect.poll(() => handledBy(name)).toHaveLength(480)
    await stop()
    for (let index = 0; index < 5; index++) await say(twin.app.database)
    const stopAgain = start(twin.app.database, await listening(twin), follower)
    await expect.poll(() => handledBy(name)).toHaveLength(485)
    await stopAgain()
    expect(await handledBy(name)).toEqual(await seqsOf(type))
    expect(seen).toEqual(await seqsOf(type))
    expect(errors).toEqual([])
  })

  test('that starts now is told nothing of the past', async () => {
    const name = `test.now_${count}`
    await say(api.app.database)
    const [past] = await seqsOf(type)
    start(api.app.database, await listening(api), {
      name,
      from: 'now',
      types: types(),
      gatherMs: 20,
      handle: (tx, events) => note(tx, name, events),
    })
    await expect.poll(() => api.sql('select from followers where name = $1', [name])).toHaveLength(1)
    await say(api.app.database)
    await expect.poll(() => handledBy(name)).toHaveLength(1)
    expect(await handledBy(name)).not.toContain(past)
  })

  test('moves past what is not for it without being told of it, on any process', async () => {
    const name = `test.skips_${count}`
    const follower: Follower = {
      name,
      from: 'now',
      types: types(),
      gatherMs: 20,
      handle: (tx, events) => note(tx, name, events),
    }
    const positionOf = async () =>
      Number(
        (await api.sql<{ position: string }>('select position from followers where name = $1', [name]))[0]?.position,
      )
    for (const service of [api, twin]) start(service.app.database, await listening(service), follower)
    await expect.poll(positionOf).toBeGreaterThanOrEqual(0)
    for (let round = 0; round < 3; round++) {
      for (let index = 0; index < 30; index++) await say(twin.app.database, { type: `${type}_otherwise` })
      await say(api.app.database)
    }
    for (let index = 0; index < 30; index++) await say(twin.app.database, { type: `${type}_otherwise` })
    await expect.poll(() => handledBy(name)).toEqual(await seqsOf(type))
    const newest = (await seqsOf(`${type}_otherwise`)).at(-1) as number
    await expect.poll(positionOf).toBeGreaterThanOrEqual(newest)
    await say(api.app.database)
    await expect.poll(() => handledBy(name)).toEqual(await seqsOf(type))
    expect(errors).toEqual([])
  })

  test('that fails sees the same events again, and what it had written is undone', async () => {
    const name = `test.fails_${count}`
    let attempts = 0
    start(api.app.database, silent, {
      name,
      from: 'now',
      types: types(),
      gatherMs: 20,
      async handle(tx, events) {
        await note(tx, name, events)
        if (++attempts < 2) throw new Error(`attempt ${attempts}`)
      },
    })
    await expect.poll(() => api.sql('select from followers where name = $1', [name])).toHaveLength(1)
    await say(api.app.database)
    await expect.poll(() => handledBy(name)).toHaveLength(1)
    expect(errors.map(String)).toEqual(['Error: attempt 1'])
    expect(attempts).toBe(2)
  })

  test('whose connection dies in the middle handles each event exactly once', async () => {
    const name = `test.dies_${count}`
    let isFirst = true
    start(api.app.database, await listening(api), {
      name,
      from: 'now',
      types: types(),
      gatherMs: 20,
      async handle(tx, events) {
        await note(tx, name, events)
        if (isFirst) {
          isFirst = false
          await tx.session.client.query('select pg_terminate_backend(pg_backend_pid())')
        }
      },
    })
    await expect.poll(() => api.sql('select from followers where name = $1', [name])).toHaveLength(1)
    for (let index = 0; index < 20; index++) await say(twin.app.database)
    await expect.poll(() => handledBy(name)).toHaveLength(20)
    expect(await handledBy(name)).toEqual(await seqsOf(type))
    expect(errors).toHaveLength(1)
  })

  test('that runs on two processes handles each event once', { retry: 2 }, async () => {
    const name = `test.twins_${count}`
    const handled = [0, 0]
    for (const [index, service] of [api, twin].entries()) {
      start(service.app.database, await listening(service), {
        name,
        from: 'now',
        types: types(),
        gatherMs: 20,
        async handle(tx, events) {
          // The primary key would refuse a second handling.
          await note(tx, name, events)
          await random(5)
          handled[index] = (handled[index] ?? 0) + 1
        },
      })
    }
    await expect.poll(() => api.sql('select from followers where name = $1', [name])).toHaveLength(1)
    await Promise.all(
      Array.from({ length: 150 }, async (_, index) => {
        await random(600)
        await say((index % 2 ? api : twin).app.database)
      }),
    )
    await expect.poll(() => handledBy(name)).toHaveLength(150)
    expect(await handledBy(name)).toEqual(await seqsOf(type))
    expect(errors).toEqual([])
    expect(Math.min(...handled)).toBeGreaterThan(0)
  })

  describe('that meets events which it cannot handle', () => {
    const poisonous = (event: LoggedEvent) => (event.after as { poison?: string } | null)?.poison ?? null
    const failures: Readonly<Record<string, (tx: Tx) => Promise<unknown>>> = {
      defect: async () => {
        throw new TypeError('a defect, with what a user sent: hunter2')
      },
      statement: (tx) => tx.session.client.query(`select 'hunter2'::int`),
    }
    /** A follower that handles all events except poison, for which it fails. */
    const sober = (name: string): Follower => ({
      name,
      from: 'now',
      types: types(),
      gatherMs: 20,
      async handle(tx, events) {
        await note(tx, name, events)
        for (const event of events) await failures[poisonous(event) ?? '']?.(tx)
      },
    })
    const setAside = (name: string) =>
      api.sql('select seq::int, error from set_aside_events where follower = $1 order by seq', [name])
    const isReady = (name: string) =>
      expect.poll(() => api.sql('select from followers where name = $1', [name])).toHaveLength(1)

    test('sets each aside after a few tries, tells of it, and goes on with the rest in order', async () => {
      const name = `test.poisoned_${count}`
      const told: number[] = []
      const stop = follow(api.app.database, await listening(api), sober(name), (error, trouble) => {
        errors.push(error)
        if (trouble.setAside !== undefined) told.push(trouble.setAside.seq)
      })
      stops.push(stop)
      await isReady(name)
      await api.sql(
        `select emit_event($1, null, null, null, null,
           case n when 30 then '{"poison":"defect"}' when 60 then '{"poison":"statement"}' end::jsonb, '{}')
         from generate_series(1, 90) n`,
        [type],
      )
      const all = await seqsOf(type)
      const poison = [all[29], all[59]] as number[]
      await expect.poll(() => handledBy(name)).toHaveLength(88)
      expect(await handledBy(name)).toEqual(all.filter((seq) => !poison.includes(seq)))
      expect(await setAside(name)).toEqual([
        { seq: poison[0], error: 'TypeError' },
        { seq: poison[1], error: 'database error 22P02' },
      ])
      expect(told).toEqual(poison)
      // Each was tried three times alone, in addition to the batches that it was in.
      const tries = errors.filter((error) => String(error).includes('hunter2')).length
      expect(tries).toBeGreaterThanOrEqual(6)
      await say(api.app.database)
      await expect.poll(() => handledBy(name)).toHaveLength(89)

      // At its next start it tries them again, because its code may have been fixed.
      await stop()
      const seen: number[] = []
      start(twin.app.database, await listening(twin), {
        ...sober(name),
        async handle(tx, events) {
          seen.push(...events.map(({ seq }) => seq))
          const defects = events.filter((event) => poisonous(event) !== 'statement')
          await note(tx, name, defects)
          if (defects.length < events.length) throw new Error('still')
        },
      })
      await expect.poll(() => handledBy(name)).toHaveLength(90)
      // The turn of the other one comes after that.
      await expect.poll(() => seen.slice(0, 2)).toEqual(poison)
      expect(await setAside(name)).toEqual([{ seq: poison[1], error: 'database error 22P02' }])
    })

    test('waits where the reason is the database’s, and handles them when it is well again', async () => {
      const name = `test.troubled_${count}`
      let tries = 0
      start(api.app.database, silent, {
        name,
        from: 'now',
        types: types(),
        gatherMs: 20,
        async handle(tx, events) {
          await note(tx, name, events)
          if (++tries <= 5) await tx.session.client.query(`do $$ begin raise sqlstate '55P03'; end $$`)
        },
      })
      await isReady(name)
      await say(api.app.database)
      await expect.poll(() => handledBy(name)).toHaveLength(1)
      expect([tries, await setAside(name)]).toEqual([6, []])
    })
  })

  describe('is woken', () => {
    /** Milliseconds from each commit until its handling, with `pauseMs` between the commits. */
    async function delays(wake: Wake, events: number, pauseMs: number, workMs = 0): Promise<number[]> {
      const name = `test.delays_${count}`
      const arrived = new Map<string, number>()
      start(api.app.database, wake, {
        name,
        from: 'now',
        types: types(),
        gatherMs: 20,
        async handle(_tx, batch) {
          for (const event of batch)
            if ((event.type as string) === type)
              arrived.set(String((event.after as unknown as { id: number }).id), performance.now())
          await wait(workMs)
        },
      })
      await expect.poll(() => api.sql('select from followers where name = $1', [name])).toHaveLength(1)
      const committed: number[] = []
      for (let id = 0; id < events; id++) {
        await say(twin.app.database, { after: { id } })
        committed.push(performance.now())
        await wait(pauseMs)
      }
      await expect.poll(() => arrived.size).toBe(events)
      return committed.map((at, id) => (arrived.get(String(id)) ?? Number.NaN) - at)
    }
    const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

    test('by a hint, long before it would look by itself', { retry: 2 }, async () => {
      expect(average(await delays(await listening(api), 15, 60))).toBeLessThan(300)
    })

    test('by a hint that comes while it is at work', { retry: 2 }, async () => {
      expect(Math.max(...(await delays(await listening(api), 3, 60, 120)))).toBeLessThan(800)
    })

    test('by nobody, if hints are lost, and finds the events nevertheless', async () => {
      expect(Math.max(...(await delays(silent, 3, 300)))).toBeLessThan(4_000)
    })

    test('again after the connection that listens was cut', { retry: 2 }, async () => {
      const wake = await listening(api)
      await api.sql(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name like 'downbeat listener %' and datname = current_database()`,
      )
      await say(api.app.database)
      // It listens again after a second.
      await expect
        .poll(() =>
          api.sql(
            `select from pg_stat_activity where application_name like 'downbeat listener %' and datname = current_database()`,
          ),
        )
        .toHaveLength(3)
      expect(average(await delays(wake, 8, 60))).toBeLessThan(400)
    })
  })
})

test('listeners that are closed while they try to listen again leave no connection behind', async () => {
  const { database, config } = api.app
  const listed = () =>
    api.sql<{ pid: number }>(
      `select pid from pg_stat_activity where application_name like 'downbeat listener %' and datname = current_database()`,
    )
  const others = new Set((await listed()).map(({ pid }) => pid))
  const mine = async () => (await listed()).map(({ pid }) => pid).filter((pid) => !others.has(pid))
  const connection = { connectionString: config.databaseUrl as string }
  const wakes = await Promise.all(Array.from({ length: 30 }, () => openWake(database, connection, () => {})))
  await api.sql('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [await mine()])
  // They all retry a second later; each is closed at another moment of that time.
  await wait(970)
  await Promise.all(wakes.map((wake, index) => wait(index * 3).then(() => wake.close())))
  await wait(300)
  await expect.poll(mine, { interval: 50 }).toEqual([])
})
