import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { Readers } from './readers.ts'
import {
  ConnectionSession,
  type Orm,
  type Preparable,
  type PreparedStatement,
  type Session,
  TransactionSession,
  type Values,
} from './session.ts'
import { isConnectionFault, Unreachable } from './unreachable.ts'

/**
 * Three ways to the database. Reads go through a few pipelined connections, where statements of many requests share the
 * wire and none waits for another's round trip, but all wait for one that is slow. What every request waits for has a
 * connection of its own. Transactions take one from the pool.
 */

export type { Orm } from './session.ts'

/**
 * Whoever holds a `Db` can read. A `Tx` can read and write, and lives as long as its transaction: after that, statements
 * are refused.
 */
export interface Db {
  readonly session: Session
}
export interface Tx extends Db {
  readonly session: TransactionSession
  /**
   * Statements to be sent with the commit, in this order and behind all others. For locks that everybody needs: they are
   * then held for the commit alone.
   */
  readonly last: pg.QueryConfig[]
  /** What was sent already, by `sendAlong`. */
  readonly sent: Promise<unknown>[]
}

declare module '../../core/operation.ts' {
  interface Effects {
    db: Db
    tx: Tx
  }
}

/** A hot statement: built by Drizzle once per connection, then only bound and executed. Names are unique. */
export function statement<R>(
  name: string,
  build: (orm: Orm) => Preparable<R>,
): (db: Db, values?: Values) => Promise<R> {
  const prepared: PreparedStatement = { name, build }
  return (db, values = {}) => db.session.execute(prepared, values) as Promise<R>
}

export interface Database {
  readonly db: Db
  /** For the event log's question alone (`Head`), which must not wait behind what others ask. */
  readonly headDb: Db
  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it throws.
   * @param options `mayBeLost` by a crash of the database, a moment later: nobody waits for the disk
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: { readonly mayBeLost: boolean }): Promise<T>
  /** Runs `work` on the database as it stands at the first statement, whatever is committed meanwhile. */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>
  /**
   * The same, in which tables are found as `delayed` shows them: call its `show` first. (RT41)
   * @param lane requests do not hold up what is followed
   */
  delayedSnapshot<T>(lane: DelayedLane, work: (db: Db) => Promise<T>): Promise<T>
  /** Calls `listener` after each commit of this process that took last statements with it, as events are, with these. */
  onCommit(listener: CommitListener): void
  /** Calls `listener` as soon as a connection for reads is lost: the database may have been restarted. */
  onLost(listener: () => void): void
  /** A single round trip that touches no table. */
  ping(): Promise<void>
  readonly pool: pg.Pool
  /**
   * Connections for whoever keeps them for long, so that nobody else goes without. Whoever asks ends it: `endPool`.
   * @param max at once
   */
  openPool(max: number): pg.Pool
  close(): Promise<void>
}

export type DelayedLane = 'requests' | 'feed'

type CommitListener = (last: readonly pg.QueryConfig[]) => void

export interface DatabaseOptions {
  readonly connection: pg.ClientConfig
  readonly readers?: number
  readonly writers?: number
  /** Where it differs from the usual one. */
  readonly patience?: Partial<Patience>
  readonly onError: (error: Error) => void
}

/** Milliseconds. */
export interface Patience {
  /** How long the database may be at work on a statement. */
  readonly statement: number
  /** How much longer its answer may be on the way, before the connection is given up as dead. */
  readonly answer: number
  /** How long a new connection may take, and how long a transaction waits for one: a rush stands in line rather than fail. */
  readonly connection: number
  /** How long a ping may take. */
  readonly ping: number
}

const usualPatience: Patience = { statement: 15_000, answer: 5_000, connection: 20_000, ping: 2_000 }
/** Serialisation failures and deadlocks: the transaction was undone and may simply be run again. */
const retryable: ReadonlySet<string> = new Set(['40001', '40P01'])
const attempts = 4
/** Of a statement that came behind the one that made the transaction fail. */
const aborted = '25P02'

/**
 * Last statements take locks that everybody needs. The commit behind them does not wait for the disk, so that they are held
 * for no longer than it takes to write to memory; the statement behind the commit does, for the whole log up to itself.
 * Whoever waits for both is told of a commit that is on the disk, and many that wait share one write.
 */
const begin = 'begin; set local synchronous_commit to off'
/** Of a process, at once. */
const mostSnapshots = 4
/** Of each lane. */
const mostDelayedSnapshots = 2
/** (PostgreSQL: Repeatable Read) */
const beginSnapshot = 'begin isolation level repeatable read read only'
const commit = "commit; select pg_logical_emit_message(true, 'downbeat', '')"
const commitOnly = 'commit; select'

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const patience = { ...usualPatience, ...options.patience }
  const settings: pg.ClientConfig = {
    ...options.connection,
    statement_timeout: patience.statement,
    query_timeout: patience.statement + patience.answer,
    connectionTimeoutMillis: patience.connection,
    application_name: 'downbeat',
    // Our statements look records up by key: planning them anew for each value costs more than running them.
    options: '-c plan_cache_mode=force_generic_plan',
  }
  const lostListeners: (() => void)[] = []
  const watched = {
    onLost() {
      for (const listener of lostListeners) listener()
    },
    onError: options.onError,
  }
  const readers = await Readers.open({ settings, count: options.readers ?? 2, ...watched })
  const head = await Readers.open({
    settings: { ...settings, application_name: 'downbeat head' },
    count: 1,
    ...watched,
    substitute: readers,
  }).catch(async (error: unknown) => {
    await readers.close()
    throw error
  })
  function openPool(more: pg.PoolConfig): pg.Pool {
    const opened = new pg.Pool({ ...settings, pipeline: true, ...more })
    opened.on('error', options.onError)
    // A connection that breaks while somebody uses it reports to them; this keeps the report from ending the process.
    opened.on('connect', (client) => client.on('error', options.onError))
    return opened
  }

  const pool = openPool({ max: options.writers ?? 16, idle_in_transaction_session_timeout: 30_000 })
  // Whoever looks at all that has changed must not stand in line with those who change it.
  const lookers = openPool({ max: mostSnapshots })
  const delayed = () =>
    openPool({ max: mostDelayedSnapshots, options: `${settings.options} -c search_path=delayed,public` })
  const delayedLookers: Readonly<Record<DelayedLane, pg.Pool>> = { requests: delayed(), feed: delayed() }
  const sessions = new WeakMap<pg.ClientBase, ConnectionSession>()
  const listeners: CommitListener[] = []

  async function connect(from: pg.Pool): Promise<{ client: pg.PoolClient; connection: ConnectionSession }> {
    const client = await from.connect().catch((cause: unknown) => {
      throw new Unreachable('no connection to the database could be had', { cause })
    })
    const connection = sessions.get(client) ?? new ConnectionSession(client)
    sessions.set(client, connection)
    return { client, connection }
  }

  async function attempt<T>(work: (tx: Tx) => Promise<T>, ending: string): Promise<T> {
    const { client, connection } = await connect(pool)
    const session = new TransactionSession(connection)
    let broken: Error | undefined
    connection.failure = undefined
    try {
      connection.gather()
      // Not awaited: it travels with the first statement. If it fails, that statement's failure is what counts.
      client.query(begin).catch(() => {})
      const last: pg.QueryConfig[] = []
      const before: Promise<unknown>[] = []
      const result = await work({ session, last, sent: before })
      session.end()
      // An event that comes now would be lost without a word.
      Object.freeze(last)
      Object.freeze(before)
      connection.gather()
      const sent = [...before, ...last.map((query) => client.query(query)), client.query<never>(ending)]
      const outcomes: unknown = (await Promise.all(sent)).at(-1)
      // A transaction that an earlier failure aborted answers COMMIT with a rollback: never call that success.
      const [outcome] = outcomes as [committed: pg.QueryResult, flushed: pg.QueryResult]
      if (outcome.command !== 'COMMIT') throw new Error('the transaction was rolled back at commit')
      if (last.length > 0) for (const listener of listeners) listener(last)
      return result
    } catch (error) {
      session.end()
      const { failure } = connection
      await client.query('rollback').catch((trouble: Error) => {
        broken = trouble
      })
      if (isConnectionFault(error))
        throw new Unreachable('the connection was lost with its transaction', { cause: error })
      throw isAborted(error) ? (failure ?? error) : error
    } finally {
      client.release(broken)
    }
  }

  async function snapshot<T>(from: pg.Pool, work: (db: Db) => Promise<T>): Promise<T> {
    const { client, connection } = await connect(from)
    const session = new TransactionSession(connection)
    try {
      connection.gather()
      // It travels with the first statement, as that of a transaction does.
      client.query(beginSnapshot).catch(() => {})
      return await work({ session })
    } catch (error) {
      if (isConnectionFault(error)) throw new Unreachable('the connection was lost', { cause: error })
      throw error
    } finally {
      session.end()
      // Nobody waits for the end of what has changed nothing.
      void client.query('rollback').then(
        () => client.release(),
        (trouble: Error) => client.release(trouble),
      )
    }
  }

  return {
    db: readers,
    headDb: head,
    pool,
    openPool: (max) => openPool({ max }),
    async transaction(work, { mayBeLost } = { mayBeLost: false }) {
      for (let left = attempts; ; left--) {
        try {
          return await attempt(work, mayBeLost ? commitOnly : commit)
        } catch (error) {
          if (left <= 1 || !retryable.has(databaseError(error)?.code ?? '')) throw error
        }
      }
    },
    snapshot: (work) => snapshot(lookers, work),
    delayedSnapshot: (lane, work) => snapshot(delayedLookers[lane], work),
    onLost(listener) {
      lostListeners.push(listener)
    },
    onCommit(listener) {
      listeners.push(listener)
    },
    async ping() {
      const answered = readers.session.client.query('select 1')
      await Promise.race([answered, setTimeout(patience.ping, undefined, { ref: false }).then(tooLate)])
    },
    async close() {
      const pools = [pool, lookers, ...Object.values(delayedLookers)]
      await Promise.all([head.close(), readers.close(), ...pools.map(endPool)])
    },
  }
}

/**
 * Nothing that its listeners know is kept by whoever keeps the pool, as the job library does until the process ends. A connection that
 * is cut while it ends is nobody's trouble.
 */
export async function endPool(pool: pg.Pool): Promise<void> {
  await pool.end()
  pool.removeAllListeners().on('error', ignore)
}

function ignore(): void {}

function tooLate(): never {
  throw new Error('the database does not answer')
}

/**
 * Has a transaction go on without the result of a statement that was sent: nobody needs it, and where it fails the commit does. So
 * what is written last and the commit are one round trip.
 */
export function sendAlong({ sent }: Tx, statement: Promise<unknown>): void {
  // Whoever fails because of it, or commits, is told of it.
  statement.catch(() => {})
  sent.push(statement)
}

/**
 * Runs a part of a transaction that can fail alone: what it did is undone, and what it still sends, by work that nobody
 * waited for, is refused. The transaction goes on.
 */
export async function undoable<T>(tx: Tx, work: (part: Tx) => Promise<T>): Promise<T> {
  const session = tx.session.part()
  const last: pg.QueryConfig[] = []
  const sent: Promise<unknown>[] = []
  await tx.session.client.query('savepoint part')
  try {
    const result = await work({ session, last, sent })
    await Promise.all(sent)
    tx.last.push(...last)
    return result
  } catch (error) {
    session.end()
    await tx.session.client.query('rollback to savepoint part')
    const failure = tx.session.takeFailure()
    throw isAborted(error) ? (failure ?? error) : error
  } finally {
    session.end()
  }
}

/** Whether a statement failed because another one of its transaction had. */
export function isAborted(error: unknown): boolean {
  return databaseError(error)?.code === aborted
}

/** The database's own error behind one that Drizzle wrapped, or undefined for any other error. */
export function databaseError(error: unknown): pg.DatabaseError | undefined {
  if (error instanceof pg.DatabaseError) return error
  if (error instanceof Error && error.cause !== undefined) return databaseError(error.cause)
  return undefined
}
