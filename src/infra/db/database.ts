import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { databaseError, isAborted } from './database-error.ts'
import { defaultPatience, type Patience } from './patience.ts'
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
import { takenBack } from './taken-back.ts'
import { isConnectionFault, Unreachable } from './unreachable.ts'
import { openViewPools, type ViewLane, type ViewSchema } from './view-pools.ts'

/**
 * Three kinds of access to the database. Reads share a few pipelined connections: statements of many requests use one
 * connection without waiting for each other's round trips, but a slow one delays all behind it. The event log's
 * question, which every request waits for, has a connection of its own. Transactions take a connection from the pool.
 */

export { databaseError, isAborted } from './database-error.ts'
export type { Orm } from './session.ts'
export type { ViewLane } from './view-pools.ts'

/**
 * The holder of a `Db` can read. A `Tx` can read and write until its transaction ends; after that, statements are
 * refused.
 */
export interface Db {
  readonly session: Session
}
export interface Tx extends Db {
  readonly session: TransactionSession
  /**
   * Statements that are sent with the commit, in this order and after all others. For locks that every transaction
   * needs: they are then held only during the commit.
   */
  readonly last: pg.QueryConfig[]
  /** Statements that `sendAlong` has already sent. */
  readonly sent: Promise<unknown>[]
}

declare module '../../core/operation.ts' {
  interface Effects {
    db: Db
    tx: Tx
  }
}

/** A frequent statement: built by Drizzle once per connection, then only bound and executed. Names are unique. */
export function statement<R>(
  name: string,
  build: (orm: Orm) => Preparable<R>,
): (db: Db, values?: Values) => Promise<R> {
  const prepared: PreparedStatement = { name, build }
  return (db, values = {}) => db.session.execute(prepared, values) as Promise<R>
}

export interface Database {
  readonly db: Db
  /** Only for the event log's question (`Head`), which must not wait for other statements. */
  readonly headDb: Db
  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it throws.
   * @param options `mayBeLost`: the commit does not wait for the disk, so a crash of the database may lose it
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: { readonly mayBeLost: boolean }): Promise<T>
  /** Runs `work` on a snapshot of the database as of the first statement, unaffected by later commits. */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>
  /**
   * Like `snapshot`, but tables show what the views of a schema do: `delayed`, whose `show` has to be called first, or
   * `held`. (RT41)
   * @param lane keeps reads for requests from delaying reads for topics
   */
  snapshotThrough<T>(views: ViewSchema, lane: ViewLane, work: (db: Db) => Promise<T>): Promise<T>
  /**
   * Tries `work` where tables show what the views of `held` do, and takes back all that it changed. It locks no rows, and
   * a change of a table that such a view replaces fails.
   */
  trial<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Calls `listener` after each commit of this process that included last statements (as for events), with these. */
  onCommit(listener: CommitListener): void
  /** Calls `listener` when a connection for reads is lost: the database may have been restarted. */
  onLost(listener: () => void): void
  /** A single round trip that touches no table. */
  ping(): Promise<void>
  readonly pool: pg.Pool
  /**
   * A separate pool for callers that keep connections for long, so that others are not blocked. The caller ends it with
   * `endPool`.
   * @param max maximum number of connections
   */
  openPool(max: number): pg.Pool
  close(): Promise<void>
}

type CommitListener = (last: readonly pg.QueryConfig[]) => void

export interface DatabaseOptions {
  readonly connection: pg.ClientConfig
  readonly readers?: number
  readonly writers?: number
  /** Timeouts that differ from the defaults. */
  readonly patience?: Partial<Patience>
  readonly onError: (error: Error) => void
  /** Called with the answer of each statement, except those of the event log's question. */
  readonly onStatement?: ((answered: unknown) => void) | undefined
}

/** Serialisation failures and deadlocks: the transaction was rolled back and can simply be run again. */
const retryable: ReadonlySet<string> = new Set(['40001', '40P01'])
const attempts = 4

/**
 * Last statements take locks that every transaction needs. Their commit does not wait for the disk, so that the locks
 * are held only for a write to memory. The statement after the commit does wait until the whole log up to itself is on
 * disk. A caller that waits for both has a durable commit, and many waiting callers share one disk write.
 */
const begin = 'begin; set local synchronous_commit to off'
/** Maximum number of parallel snapshots of a process. */
const maxSnapshots = 4
/** The statement that begins a snapshot. (PostgreSQL: Repeatable Read) */
const beginSnapshot = 'begin isolation level repeatable read read only'
const commit = "commit; select pg_logical_emit_message(true, 'downbeat', '')"
const commitOnly = 'commit; select'

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const patience = { ...defaultPatience, ...options.patience }
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
  const { onStatement } = options
  const readers = await Readers.open({ settings, count: options.readers ?? 2, onStatement, ...watched })
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
    // A connection that breaks in use rejects the pending call; without this listener the error event would end the
    // process.
    opened.on('connect', (client) => client.on('error', options.onError))
    return opened
  }

  const pool = openPool({ max: options.writers ?? 16, idle_in_transaction_session_timeout: 30_000 })
  // Reads of all changes must not queue behind transactions that make changes.
  const lookers = openPool({ max: maxSnapshots })
  const viewers = openViewPools(openPool, settings.options ?? '')
  const sessions = new WeakMap<pg.ClientBase, ConnectionSession>()
  const listeners: CommitListener[] = []

  async function connect(from: pg.Pool): Promise<{ client: pg.PoolClient; connection: ConnectionSession }> {
    const client = await from.connect().catch((cause: unknown) => {
      throw new Unreachable('no connection to the database could be had', { cause })
    })
    const locksNoRows = from === viewers.pools.held.requests
    const connection = sessions.get(client) ?? new ConnectionSession(client, { onStatement, locksNoRows })
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
      // Not awaited: it is sent together with the first statement. If it fails, that statement fails too and reports
      // it.
      client.query(begin).catch(() => {})
      const last: pg.QueryConfig[] = []
      const before: Promise<unknown>[] = []
      const result = await work({ session, last, sent: before })
      session.end()
      // An event emitted after this point would silently be lost, so pushing one must throw.
      Object.freeze(last)
      Object.freeze(before)
      connection.gather()
      const sent = [...before, ...last.map((query) => client.query(query)), client.query<never>(ending)]
      const outcomes: unknown = (await Promise.all(sent)).at(-1)
      // A transaction that an earlier failure aborted answers COMMIT with a rollback, which must not count as success.
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

  async function passing<T>(from: pg.Pool, beginning: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return takenBack(await connect(from), beginning, work)
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
    snapshot: (work) => passing(lookers, beginSnapshot, work),
    snapshotThrough: (views, lane, work) => passing(viewers.pools[views][lane], beginSnapshot, work),
    trial: (work) => passing(viewers.pools.held.requests, 'begin', work),
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
      const pools = [pool, lookers, ...viewers.all]
      await Promise.all([head.close(), readers.close(), ...pools.map(endPool)])
    },
  }
}

/**
 * Ends a pool and removes its listeners, because the job library keeps the pool object until the process ends. Errors
 * of connections that are cut meanwhile are ignored.
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
 * Lets a transaction continue without the result of a sent statement. If the statement fails, the commit fails. This
 * way the last write and the commit take one round trip.
 */
export function sendAlong({ sent }: Tx, statement: Promise<unknown>): void {
  // A failure is reported by later statements, or by the commit.
  statement.catch(() => {})
  sent.push(statement)
}

/**
 * Runs a part of a transaction that can fail alone: its changes are rolled back, and statements that its unawaited work
 * still sends are refused. The transaction continues.
 */
export async function inSavepoint<T>(tx: Tx, work: (part: Tx) => Promise<T>): Promise<T> {
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
