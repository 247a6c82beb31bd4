import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { type HotStatement, HotStatements } from './hot-query.ts'

export type Orm = NodePgDatabase

/** Sends statements on a connection. */
export interface Session {
  readonly client: Queryable
  readonly orm: Orm
  execute(statement: PreparedStatement, values: Values): Promise<unknown>
  /** What is known of a transaction; none for reads, which share connections. */
  readonly notes?: Map<symbol, unknown>
}

type Queryable = Pick<pg.ClientBase, 'query'>

export type Values = Record<string, unknown>
interface Executable {
  execute(values?: Values): Promise<unknown>
}
export interface Preparable<R> {
  prepare(name: string): { execute(values?: Values): Promise<R> }
}
export interface PreparedStatement {
  readonly name: string
  readonly build: (orm: Orm) => Preparable<unknown>
}

interface SessionOptions {
  /** Called once, when the connection is lost. */
  readonly onLost?: () => void
  /** Called with the answer of each statement, usually a promise. */
  readonly onStatement?: ((answered: unknown) => void) | undefined
  /** For connections whose tables are views, whose rows cannot be locked. */
  readonly locksNoRows?: boolean
}

/** What asks for locks of rows, at the end of a query or of a part of one. (PostgreSQL: SELECT, The Locking Clause) */
const lockingClause =
  /\bfor (?:no key update|update|key share|share)(?: of [\w", ]+?)?(?: skip locked| nowait)?(?=\s*(?:\)|$))/gi

/** Codes with which the server ends a connection: it shuts down, or restarts after a crash. */
const endsConnection = /^57P/

/**
 * A connection with its prepared statements. Statements are built once per connection and planned once by the server.
 */
export class ConnectionSession implements Session {
  readonly client: pg.ClientBase
  readonly orm: Orm
  readonly #prepared = new Map<object, Executable>()

  readonly #connection: pg.Connection
  readonly #hot: HotStatements
  readonly #onStatement: SessionOptions['onStatement']
  readonly #locksNoRows: boolean
  /** The first error of the transaction; later statements fail because of it. */
  failure: pg.DatabaseError | undefined
  /** Whether the connection is lost, so that no further statement is answered. */
  isBroken = false

  constructor(client: pg.ClientBase, { onLost, onStatement, locksNoRows = false }: SessionOptions = {}) {
    const lose = () => {
      if (!this.isBroken) onLost?.()
      this.isBroken = true
    }
    this.client = client
    this.#onStatement = onStatement
    this.#locksNoRows = locksNoRows
    // Every client of the driver has this member; the driver's types declare it only for the plain client.
    this.#connection = (client as pg.Client & { connection: pg.Connection }).connection
    this.#connection.on('errorMessage', (error: pg.DatabaseError) => {
      this.failure ??= error
      if (endsConnection.test(error.code ?? '')) lose()
    })
    client.on('error', lose)
    this.#hot = new HotStatements(client, this.#connection)
    this.orm = ormOf({ query: this.#query.bind(this) as pg.ClientBase['query'] })
  }

  execute(statement: PreparedStatement, values: Values): Promise<unknown> {
    this.gather()
    let prepared = this.#prepared.get(statement)
    if (prepared === undefined) {
      prepared = statement.build(this.orm).prepare(statement.name)
      this.#prepared.set(statement, prepared)
    }
    return prepared.execute(values)
  }

  /** Prepared statements have a name. */
  #query(sent: pg.QueryConfig, values: unknown[]): Promise<unknown> {
    const config = this.unlocked(sent)
    return this.watched(
      config.name === undefined
        ? this.client.query(config, values)
        : this.#hot.run(config as unknown as HotStatement, values),
    )
  }

  /** The statement without locks of rows, where there are none. */
  unlocked<T>(statement: T): T {
    if (!this.#locksNoRows) return statement
    if (typeof statement === 'string') return statement.replace(lockingClause, '') as T & string
    const { text } = statement as { readonly text?: string }
    return text === undefined ? statement : { ...statement, text: text.replace(lockingClause, '') }
  }

  /** Reports a statement, and returns its answer. */
  watched<T>(answered: T): T {
    this.#onStatement?.(answered)
    return answered
  }

  /** Statements issued in this turn of the event loop, by any number of requests, are sent in one write. */
  gather(): void {
    const { stream } = this.#connection
    stream.cork()
    setImmediate(() => stream.uncork())
  }

  /** Sends the gathered statements. */
  flush(): void {
    const { stream } = this.#connection
    while (stream.writableCorked > 0) stream.uncork()
  }
}

/**
 * A connection for the duration of one transaction. Statements sent later, by unawaited work, are refused: the
 * connection may serve another transaction by then.
 */
export class TransactionSession implements Session {
  readonly client: Queryable
  readonly #connection: ConnectionSession
  #orm: Orm | undefined
  #hasEnded = false
  /** What is known of the transaction, also in its parts. */
  readonly notes: Map<symbol, unknown>

  constructor(connection: ConnectionSession, notes = new Map<symbol, unknown>()) {
    this.#connection = connection
    this.notes = notes
    const query = (...[statement, ...rest]: Parameters<pg.ClientBase['query']>) => {
      if (this.#hasEnded) return Promise.reject(hasEnded())
      connection.gather()
      return connection.watched(connection.client.query(connection.unlocked(statement), ...rest))
    }
    this.client = { query: query as pg.ClientBase['query'] }
  }

  /** Only for this transaction: it refuses statements after the end. */
  get orm(): Orm {
    this.#orm ??= ormOf(this.client)
    return this.#orm
  }

  execute(statement: PreparedStatement, values: Values): Promise<unknown> {
    return this.#hasEnded ? Promise.reject(hasEnded()) : this.#connection.execute(statement, values)
  }

  /** Sends the issued statements now and not after this turn, so that the database works in parallel. */
  flush(): void {
    this.#connection.flush()
  }

  end(): void {
    this.#hasEnded = true
  }

  /** A session for a part of the transaction, which ends before it. */
  part(): TransactionSession {
    return new TransactionSession(this.#connection, this.notes)
  }

  /** Returns and resets the first error of the transaction. */
  takeFailure(): pg.DatabaseError | undefined {
    const { failure } = this.#connection
    this.#connection.failure = undefined
    return failure
  }
}

function ormOf(client: Queryable): Orm {
  // The driver's types distinguish a pooled client from a plain one; Drizzle uses only `query`.
  return drizzle(client as pg.Client, { casing: 'snake_case' })
}

function hasEnded(): Error {
  return new Error('the transaction has ended: what is sent in it must be awaited by its work')
}
