import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { findUserByGuid } from '../../src/features/people/users/store/users.ts'
import {
  type Database,
  type DatabaseOptions,
  databaseError,
  inSavepoint,
  openDatabase,
  sendAlong,
  statement,
  type Tx,
} from '../../src/infra/db/database.ts'
import { migrateDatabase } from '../../src/infra/db/migrate.ts'
import { emit } from '../../src/infra/events/emit.ts'
import { strayEvent } from '../event-log.ts'
import { type Harness, startHarness } from '../harness.ts'
import { remembered } from '../make.ts'
import { openWayToDatabase, type WayToDatabase } from '../way.ts'

/** Transactions and connections after faults. */

let api: Harness
beforeAll(async () => {
  api = await startHarness()
  await api.sql('create table accounts (id int primary key, amount int not null)')
})
afterAll(() => api[Symbol.asyncDispose]())

const opened: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const url = () => api.app.config.databaseUrl as string
const errors: Error[] = []

async function open(options: Partial<DatabaseOptions> = {}): Promise<Database> {
  const database = await openDatabase({
    connection: { connectionString: url() },
    onError: (error) => errors.push(error),
    ...options,
  })
  opened.push(database)
  return database
}
const run = (tx: Tx, text: string, values: unknown[] = []) => tx.session.client.query(text, values)
const amount = async (id: number) => {
  const [row] = await api.sql<{ amount: number }>('select amount from accounts where id = $1', [id])
  return row?.amount
}
const codeOf = (error: unknown) => databaseError(error)?.code

/** Resolves for all callers once `count` of them have come. */
function barrier(count: number): () => Promise<void> {
  const open = Promise.withResolvers<void>()
  let here = 0
  return () => {
    if (++here >= count) open.resolve()
    return open.promise
  }
}

describe('a statement that is prepared', () => {
  const at = sql<Date>`timestamptz '2026-01-02 03:04:05+00'`.mapWith((text: string) => new Date(text))
  const ofIds = statement('test.ofIds', (orm) =>
    orm
      .select({ id: sql<number>`id`, amount: sql<number | null>`nullif(amount, 0)`, at })
      .from(sql`accounts`)
      .where(sql`id = any(${sql.placeholder('ids')}::int[])`)
      .orderBy(sql`id`),
  )
  const dividing = statement('test.dividing', (orm) =>
    orm.select({ one: sql<number>`1 / ${sql.placeholder('by')}::int` }).from(sql`(values (1)) as once`),
  )

  test('answers alike each time that it is run on a connection: many rows, one, none, and what is null', async () => {
    const { db } = await open({ readers: 1 })
    await api.sql('insert into accounts values (201, 5), (202, 0)')
    const both = [
      { id: 201, amount: 5, at: new Date('2026-01-02T03:04:05Z') },
      { id: 202, amount: null, at: new Date('2026-01-02T03:04:05Z') },
    ]
    for (const ids of [[201, 202], [], [202], [201, 202], [203]]) {
      expect(await ofIds(db, { ids })).toEqual(both.filter(({ id }) => ids.includes(id)))
    }
  })

  test('fails alone, and works again, whatever is under way beside it on the connection', async () => {
    const { db } = await open({ readers: 1 })
    const outcomes = await Promise.allSettled([0, 1, 0, 1, 0].map((by) => dividing(db, { by })))
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled', 'rejected'])
    expect(codeOf((outcomes[4] as PromiseRejectedResult).reason)).toBe('22012')
    expect(await dividing(db, { by: 1 })).toEqual([{ one: 1 }])
  })

  test('is refused, rather than read wrongly, once it would answer other columns', async () => {
    const { db } = await open({ readers: 1 })
    await api.sql('create table lists as select 1 as a')
    const all = statement('test.all', (orm) => orm.select({ a: sql<number>`lists.*` }).from(sql`lists`))
    await all(db)
    await api.sql(`alter table lists alter a type text using 'one'`)
    expect(codeOf(await all(db).catch((error: unknown) => error))).toBe('0A000')
  })
})

describe('a transaction', () => {
  test('that throws leaves nothing, and its connection serves on', async () => {
    const database = await open({ writers: 1 })
    for (let round = 0; round < 3; round++) {
      const failing = database.transaction(async (tx) => {
        await run(tx, 'insert into accounts values (1, 1)')
        throw new Error('changed its mind')
      })
      await expect(failing).rejects.toThrow('changed its mind')
    }
    expect(await amount(1)).toBeUndefined()
    const pid = () => database.transaction(async (tx) => (await run(tx, 'select pg_backend_pid() as pid')).rows[0].pid)
    expect(await pid()).toBe(await pid())
    expect([database.pool.totalCount, database.pool.idleCount]).toEqual([1, 1])
  })

  test('whose statement failed is not committed, though the failure was overlooked', async () => {
    const database = await open()
    for (const last of [true, false]) {
      const careless = database.transaction(async (tx) => {
        await run(tx, 'insert into accounts values (2, 1)')
        await run(tx, 'select 1 / 0').catch(() => {})
        if (last) emit(tx, strayEvent({ type: 'test.careless', subject: null, actor: null }))
      })
      await expect(careless).rejects.toThrow()
    }
    expect(await amount(2)).toBeUndefined()
    expect(await api.sql(`select from event_log where type = 'test.careless'`)).toEqual([])
  })

  test('fails as a whole if its event cannot be written', async () => {
    const database = await open()
    const failing = database.transaction(async (tx) => {
      await run(tx, 'insert into accounts values (3, 1)')
      emit(tx, strayEvent({ type: 'test.impossible', subject: 'no guid', actor: null }))
    })
    await expect(failing.catch((error) => codeOf(error))).resolves.toBe('22P02')
    expect(await amount(3)).toBeUndefined()
    expect(await database.transaction(async (tx) => (await run(tx, 'select 1 as one')).rows[0].one)).toBe(1)
  })

  test('that a deadlock undid is done again, whole, and happens once', async () => {
    const database = await open()
    await api.sql('insert into accounts values (10, 0), (11, 0)')
    const meet = barrier(2)
    let attempts = 0
    const cross = (first: number, second: number) =>
      database.transaction(async (tx) => {
        attempts++
        await run(tx, 'update accounts set amount = amount + 1 where id = $1', [first])
        await meet()
        await run(tx, 'update accounts set amount = amount + 1 where id = $1', [second])
        emit(tx, strayEvent({ type: 'test.crossed', subject: null, actor: null }))
      })
    await Promise.all([cross(10, 11), cross(11, 10)])
    expect(attempts).toBeGreaterThan(2)
    expect([await amount(10), await amount(11)]).toEqual([2, 2])
    expect(await api.sql(`select from event_log where type = 'test.crossed'`)).toHaveLength(2)
  })

  test('that could not be put in order with another is done again', async () => {
    const database = await open()
    await api.sql('insert into accounts values (20, 0)')
    const meet = barrier(2)
    let attempts = 0
    const raise = () =>
      database.transaction(async (tx) => {
        attempts++
        await run(tx, 'set transaction isolation level repeatable read')
        const { rows } = await run(tx, 'select amount from accounts where id = 20')
        await meet()
        await run(tx, 'update accounts set amount = $1 where id = 20', [rows[0].amount + 1])
      })
    await Promise.all([raise(), raise()])
    expect([attempts, await amount(20)]).toEqual([3, 2])
  })

  test('fails for the reason of the first statement that failed, whichever is heard of first', async () => {
    /** A failure that arrives some turns later, like one behind several calls. */
    const late = async (statement: Promise<unknown>) => {
      const outcome = await statement.catch((error: Error) => error)
      await wait(10)
      if (outcome instanceof Error) throw outcome
    }
    const failing = (text: string) =>
      api.app.database.transaction((tx) => Promise.all([late(run(tx, text)), run(tx, 'select 1')]))
    expect(codeOf(await failing('insert into accounts values (null, 0)').catch((error) => error))).toBe('23502')

    let tried = 0
    const outcome = await api.app.database.transaction((tx) => {
      const text = ++tried === 1 ? `do $$ begin raise sqlstate '40001'; end $$` : 'select 1'
      return Promise.all([late(run(tx, text)), run(tx, 'select 2 as two')])
    })
    expect([tried, outcome[1].rows]).toEqual([2, [{ two: 2 }]])
    // An earlier failure on a connection is not the reason of the next one.
    expect(codeOf(await failing('select 1/0').catch((error) => error))).toBe('22012')
  })

  test('goes on without a part that failed, and without what that still sends', async () => {
    const database = await open()
    const insert = 'insert into accounts values ($1, 1)'
    const late = Promise.withResolvers<unknown>()
    await database.transaction(async (tx) => {
      await run(tx, insert, [60])
      const refused = inSavepoint(tx, async (part) => {
        await run(part, insert, [61])
        emit(part, strayEvent({ type: 'test.undone', subject: null, actor: null }))
        void wait(20).then(() => late.resolve(run(part, insert, [62]).catch((error: Error) => error)))
        throw new Error('refused')
      })
      await expect(refused).rejects.toThrow('refused')
      // The reason is the statement that failed first, whichever failure arrives first.
      const failed = inSavepoint(tx, (part) => Promise.all([run(part, insert, [null]), run(part, 'select 1')]))
      expect(codeOf(await failed.catch((error) => error))).toBe('23502')
      expect(String(await late.promise)).toContain('the transaction has ended')
      await inSavepoint(tx, async (part) => {
        await run(part, insert, [63])
        emit(part, strayEvent({ type: 'test.done', subject: null, actor: null }))
      })
      await run(tx, insert, [64])
    })
    expect(await Promise.all([60, 61, 62, 63, 64].map(amount))).toEqual([1, undefined, undefined, 1, 1])
    const events = await api.sql(`select type from event_log where type in ('test.undone', 'test.done')`)
    expect(events).toEqual([{ type: 'test.done' }])
  })

  test('waits for what is sent along with its commit, and fails with it', async () => {
    const database = await open()
    const insert = 'insert into accounts values ($1, 1)'
    const along = (tx: Tx, id: number | null) => sendAlong(tx, run(tx, insert, [id]))
    await database.transaction(async (tx) => along(tx, 70))
    const failing = database.transaction(async (tx) => {
      along(tx, 71)
      along(tx, null)
      emit(tx, strayEvent({ type: 'test.along', subject: null, actor: null }))
      // Long enough for the failure to arrive before the commit is sent.
      await wait(20)
      return 'done'
    })
    expect(codeOf(await failing.catch((error) => error))).toBe('23502')
    await database.transaction(async (tx) => {
      const failed = inSavepoint(tx, async (part) => {
        along(part, 72)
        along(part, null)
      })
      expect(codeOf(await failed.catch((error) => error))).toBe('23502')
      await inSavepoint(tx, async (part) => along(part, 73))
      along(tx, 74)
    })
    expect(await Promise.all([70, 71, 72, 73, 74].map(amount))).toEqual([1, undefined, undefined, 1, 1])
    expect(await api.sql(`select from event_log where type = 'test.along'`)).toEqual([])
  })

  test('that may be lost is committed like any other', async () => {
    const database = await open()
    const insert = (id: number | null) => (tx: Tx) => run(tx, 'insert into accounts values ($1, 1)', [id])
    await database.transaction(insert(75), { mayBeLost: true })
    const failing = database.transaction(insert(null), { mayBeLost: true })
    expect(codeOf(await failing.catch((error) => error))).toBe('23502')
    expect(await amount(75)).toBe(1)
  })

  test('that has ended refuses what is still sent in it, however it ended and whoever has the connection by then', async () => {
    const database = await open({ writers: 1 })
    const insert = 'insert into accounts values (50, 1)'
    for (const isUndone of [false, true]) {
      const leaked = Promise.withResolvers<Tx>()
      const ended = database.transaction(async (tx) => {
        await run(tx, 'select 1')
        leaked.resolve(tx)
        if (isUndone) throw new Error('undone')
      })
      await (isUndone ? expect(ended).rejects.toThrow('undone') : ended)
      const tx = await leaked.promise
      await database.transaction(async (next) => {
        await run(next, 'select 1')
        const late = await Promise.allSettled([
          run(tx, insert),
          tx.session.orm.execute(insert),
          findUserByGuid(tx, '10000000-0000-4000-8000-000000000001'),
        ])
        expect(
          late.map((outcome) => outcome.status === 'rejected' && String(outcome.reason.cause ?? outcome.reason)),
        ).toEqual(Array(3).fill(expect.stringContaining('the transaction has ended')))
      })
      if (!isUndone) expect(() => emit(tx, strayEvent({ type: 'test.late', subject: null, actor: null }))).toThrow()
    }
    expect(await amount(50)).toBeUndefined()
  })

  test('is tried four times at most, and only where trying again can help', async () => {
    const database = await open()
    const attemptsAt = async (code: string) => {
      let attempts = 0
      const failing = database.transaction(async (tx) => {
        attempts++
        await run(tx, `do $$ begin raise exception 'no' using errcode = '${code}'; end $$`)
      })
      await expect(failing.catch(codeOf)).resolves.toBe(code)
      return attempts
    }
    expect(await attemptsAt('40001')).toBe(4)
    expect(await attemptsAt('40P01')).toBe(4)
    expect(await attemptsAt('23505')).toBe(1)
    expect(await attemptsAt('57014')).toBe(1)
  })

  test('does not wait for a statement, or for a client, without end', async () => {
    const usual = await open()
    const settings = `select current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as idle`
    expect((await usual.transaction((tx) => run(tx, settings))).rows[0]).toEqual({ statement: '15s', idle: '30s' })
    expect((await usual.db.session.client.query(settings)).rows[0]).toMatchObject({ statement: '15s' })

    const hasty = await open({ patience: { statement: 150 } })
    const slow = hasty.transaction(async (tx) => {
      await run(tx, 'insert into accounts values (30, 1)')
      await run(tx, 'select pg_sleep(5)')
    })
    await expect(slow.catch(codeOf)).resolves.toBe('57014')
    expect(await amount(30)).toBeUndefined()
  })

  test('stands in line for a connection, and is told when there is none to be had', async () => {
    const database = await open({ writers: 2, patience: { connection: 400 } })
    const release = Promise.withResolvers<void>()
    const busy = [1, 2].map(() => database.transaction(() => release.promise))
    await wait(50)
    const startedAt = performance.now()
    const early = database.transaction(async () => 'served')
    const refused = await early.catch((error: Error) => error)
    expect(refused).toMatchObject({ message: 'no connection to the database could be had' })
    expect(performance.now() - startedAt).toBeGreaterThan(350)
    const patient = Array.from({ length: 20 }, () => database.transaction(async () => 'served'))
    await wait(100)
    release.resolve()
    expect(await Promise.all(patient)).toEqual(Array(20).fill('served'))
    await Promise.all(busy)
  })
})

describe('when every connection is cut', () => {
  const cut = () =>
    asAdmin(
      `select count(pg_terminate_backend(pid)) from pg_stat_activity
       where application_name like 'downbeat%' and datname = $1`,
      [new URL(url()).pathname.slice(1)],
    )

  async function asAdmin(text: string, values: unknown[] = []): Promise<void> {
    const { host, port, user } = inject('postgres')
    const client = new pg.Client({ host, port, user, database: 'postgres' })
    await client.connect()
    await client.query(text, values).finally(() => client.end())
  }

  test('reads and transactions work again within a moment, as often as it happens', async () => {
    const database = await open({ readers: 3 })
    for (let round = 0; round < 3; round++) {
      await database.transaction((tx) => run(tx, 'select 1'))
      await cut()
      const works = async () => {
        const reads = Array.from({ length: 9 }, () => database.db.session.client.query('select 1 as one'))
        const outcomes = await Promise.allSettled([...reads, database.transaction((tx) => run(tx, 'select 1'))])
        return outcomes.every(({ status }) => status === 'fulfilled')
      }
      await expect.poll(works).toBe(true)
    }
    expect(errors.length).toBeGreaterThan(0)
  })

  test('the service answers what it can, and everything a moment later', async () => {
    const user = await api.user()
    const ask = () => api.get(`/users/${user.guid}/card`)
    await ask()
    let finished = false
    const outcomes = new Set<string>()
    const asking = (async () => {
      while (!finished) {
        const { status, headers } = await ask()
        outcomes.add([status, headers.get('problem-code'), headers.get('retry-after')].join(' '))
      }
    })()
    for (let round = 0; round < 3; round++) {
      await wait(100)
      await cut()
    }
    await expect.poll(async () => (await api.get('/users', user)).status).toBe(200)
    await expect.poll(async () => (await api.post('/updateUserSettings', user, { grip: 'claw' })).status).toBe(200)
    finished = true
    await asking
    expect((await ask()).status).toBe(200)
    expect([...outcomes].filter((seen) => seen.trim() !== '200' && seen !== '503 service.unavailable 5')).toEqual([])
  })

  test('in the middle of a transaction, that transaction fails and the next one works', async () => {
    const database = await open()
    const orphan = database.transaction(async (tx) => {
      await run(tx, 'insert into accounts values (40, 1)')
      await run(tx, 'select pg_terminate_backend(pg_backend_pid())')
    })
    await expect(orphan).rejects.toThrow()
    expect(await amount(40)).toBeUndefined()
    expect((await database.transaction((tx) => run(tx, 'select 1 as one'))).rows).toEqual([{ one: 1 }])
  })
})

describe('the log’s question', () => {
  const own = `from pg_stat_activity where application_name = 'downbeat head' and datname = current_database()`

  test('does not wait for slow reads: what is remembered is answered meanwhile', async () => {
    const path = `/users/${(await api.user()).guid}/card`
    await remembered(api, path)
    const { db } = api.app.database
    // One for each connection for reads.
    const slow = Promise.allSettled([1, 2].map(() => db.session.client.query('select pg_sleep(10)')))
    const answered = Promise.all(Array.from({ length: 20 }, () => api.get(path))).then((replies) =>
      replies.map(({ status }) => status),
    )
    expect(await Promise.race([slow, answered])).toEqual(Array(20).fill(200))
    await api.sql(
      `select pg_cancel_backend(pid) from pg_stat_activity
       where query = 'select pg_sleep(10)' and datname = current_database()`,
    )
    await slow
  })

  test('goes another way while its connection is lost: no request fails, and none is told of the past', async () => {
    const user = await api.user()
    const path = `/users/${user.guid}/card`
    await remembered(api, path)
    const cards = Array.from({ length: 30 }, async (_, index) => {
      await wait(index * 10)
      return (await api.get(path)).status
    })
    const writes = (async () => {
      for (let round = 0; round < 6; round++) {
        await api.sql(`select pg_terminate_backend(pid) ${own}`)
        const changed = await api.post('/updateUserSettings', user, { pronouns: `p${round}` })
        expect([changed.status, (await api.get(path)).body.pronouns]).toEqual([200, `p${round}`])
        await wait(40)
      }
    })()
    expect(new Set(await Promise.all(cards))).toEqual(new Set([200]))
    await writes
    await expect.poll(() => api.sql(`select ${own}`)).toHaveLength(1)
  })
})

describe('when the way to the database is lost', () => {
  async function openOwnWay(): Promise<WayToDatabase> {
    const way = await openWayToDatabase(new URL(url()).pathname.slice(1))
    opened.push(way)
    return way
  }

  test('nobody waits for it without end, and it is found again', async () => {
    const way = await openOwnWay()
    const database = await open({
      connection: { connectionString: way.url },
      patience: { statement: 200, answer: 200, connection: 400, ping: 100 },
    })
    await database.transaction((tx) => run(tx, 'select 1'))
    await way.block()
    const startedAt = performance.now()
    await expect(database.ping()).rejects.toThrow('the database does not answer')
    expect(performance.now() - startedAt).toBeLessThan(1_000)
    const outcomes = await Promise.allSettled([
      database.db.session.client.query('select 1'),
      database.db.session.client.query('select 1'),
      database.transaction((tx) => run(tx, 'select 1')),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(performance.now() - startedAt).toBeLessThan(4_000)
    await way.unblock()
    await expect
      .poll(() =>
        database.ping().then(
          () => 'well',
          () => 'ill',
        ),
      )
      .toBe('well')
    await expect
      .poll(() =>
        database
          .transaction((tx) => run(tx, 'select 1'))
          .then(
            () => 'well',
            () => 'ill',
          ),
      )
      .toBe('well')
  })

  test('the service says that it is not ready, and that it is once the way is back', async () => {
    const way = await openOwnWay()
    const service = await startHarness({ databaseUrl: way.url })
    opened.push({ close: async () => service[Symbol.asyncDispose]() })
    const readiness = async () => {
      const reply = await service.call('GET', '//readyz')
      return [reply.status, reply.body.status]
    }
    const alive = async () => (await service.call('GET', '//healthz')).status
    expect(await readiness()).toEqual([200, 'ready'])
    for (const [lose, regain] of [
      [way.cut, way.restore],
      [way.block, way.unblock],
    ] as const) {
      await lose()
      await expect.poll(readiness).toEqual([503, 'database unreachable'])
      expect(await alive()).toBe(200)
      await regain()
      await expect.poll(readiness).toEqual([200, 'ready'])
      expect(await alive()).toBe(200)
    }
  })

  test('whatever needs it is told that the service is unavailable, in the proper form, and works once it is back', async () => {
    const way = await openOwnWay()
    const service = await startHarness({ databaseUrl: way.url })
    opened.push({ close: async () => service[Symbol.asyncDispose]() })
    const user = await service.user()
    const card = `/users/${user.guid}/card`
    const calls = () =>
      Promise.all([
        service.get(card),
        service.get('/users'),
        service.get('/users/@me', user),
        service.call('GET', card, { token: 'eyJhbGciOiJSUzI1NiJ9.e30.AAAA' }),
        service.post('/updateUserSettings', user, { grip: 'claw' }),
        service.call('POST', '/oauth/token', {
          raw: 'grant_type=refresh_token&refresh_token=x&client_id=y',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        }),
      ])
    expect((await calls()).map(({ status }) => status)).not.toContain(503)
    await way.cut()
    for (const reply of await calls()) {
      expect([reply.status, reply.headers.get('problem-code')]).toEqual([503, 'service.unavailable'])
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(reply.headers.get('request-id')).not.toBeNull()
      expect(reply.headers.get('cache-control')).toMatch(/no-store/)
    }
    // Requests that need no database are answered all the time.
    expect((await service.get('/openapi.json')).status).toBe(200)
    expect((await service.get('/no/such/thing')).status).toBe(404)
    await way.restore()
    await expect.poll(async () => (await calls()).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 401])
  })
})

test('five that migrate an empty database at once all succeed, and it is migrated once', async () => {
  const { host, port, user } = inject('postgres')
  const name = `migrated_${process.pid}`
  const admin = new pg.Client({ host, port, user, database: 'postgres' })
  await admin.connect()
  await admin.query(`create database ${name}`)
  const connection = { host, port, user, database: name }
  try {
    await Promise.all(Array.from({ length: 5 }, () => migrateDatabase(connection)))
    const client = new pg.Client(connection)
    await client.connect()
    const list = async () => (await client.query('select hash from migrations')).rows.map(({ hash }) => hash)
    const once = await list()
    expect(once.length).toBeGreaterThan(0)
    expect(new Set(once).size).toBe(once.length)
    await migrateDatabase(connection)
    expect(await list()).toEqual(once)
    expect((await client.query('select count(*)::int as users from users')).rows).toEqual([{ users: 0 }])
    await client.end()
  } finally {
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  }
})
