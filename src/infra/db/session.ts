import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { type HotStatement, HotStatements } from './hot-query.ts'

export type Orm = NodePgDatabase

/** What statements are sent through. */
export interface Session {
  readonly client: Queryable
  readonly orm: Orm
  execute(statement: PreparedStatement, values: Values): Promise<unknown>
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

/** The server’s word that it ends the connection: it is told to stop, or starts again after a crash. */
const endsConnection = /^57P/

/** A connection with what is prepared on it. Statements are built once per connection and planned once by the server. */
export class ConnectionSession implements Session {
  readonly client: pg.ClientBase
  readonly orm: Orm
  readonly #prepared = new Map<object, Executable>()

  readonly #connection: pg.Connection
  readonly #hot: HotStatements
  /** The first error of the transaction: what was sent along with the statement that failed fails because of it. */
  failure: pg.DatabaseError | undefined
  /** Nothing that is sent from now on is answered. */
  isBroken = false

  /** @param onLost called once, when the connection is lost */
  constructor(client: pg.ClientBase, onLost: () => void = () => {}) {
    const lose = () => {
      if (!this.isBroken) onLost()
      this.isBroken = true
    }
    this.client = client
    // The driver has it on every client; its types have it on the plain one alone.
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

  /** What is prepared has a name. */
  #query(config: pg.QueryConfig, values: unknown[]): Promise<unknown> {
    return config.name === undefined
      ? this.client.query(config, values)
      : this.#hot.run(config as unknown as HotStatement, values)
  }

  /** Statements that are issued in this turn of the loop, by however many requests, leave in one write. */
  gather(): void {
    const { stream } = this.#connection
    stream.cork()
    setImmediate(() => stream.uncork())
  }

  /** Sends what was gathered so far. */
  flush(): void {
    const { stream } = this.#connection
    while (stream.writableCorked > 0) stream.uncork()
  }
}

/**
 * A connection for as long as one transaction lasts. What is sent later, by work that nobody waited for, is refused: the
 * connection may serve another transaction by then.
 */
export class TransactionSession implements Session {
  readonly client: Queryable
  readonly #connection: ConnectionSession
  #orm: Orm | undefined
  #hasEnded = false

  constructor(connection: ConnectionSession) {
    this.#connection = connection
    const query = (...args: Parameters<pg.ClientBase['query']>) => {
      if (this.#hasEnded) return Promise.reject(hasEnded())
      connection.gather()
      return connection.client.query(...args)
    }
    this.client = { query: query as pg.ClientBase['query'] }
  }

  /** Of this transaction alone, whoever keeps it. */
  get orm(): Orm {
    this.#orm ??= ormOf(this.client)
    return this.#orm
  }

  execute(statement: PreparedStatement, values: Values): Promise<unknown> {
    return this.#hasEnded ? Promise.reject(hasEnded()) : this.#connection.execute(statement, values)
  }

  /** Sends what was issued so far now rather than behind this turn, so that the database works while it goes on. */
  flush(): void {
    this.#connection.flush()
  }

  end(): void {
    this.#hasEnded = true
  }

  /** For a part of the transaction, which ends before it. */
  part(): TransactionSession {
    return new TransactionSession(this.#connection)
  }

  /** The first error of the transaction; what is sent from now on begins without one. */
  takeFailure(): pg.DatabaseError | undefined {
    const { failure } = this.#connection
    this.#connection.failure = undefined
    return failure
  }
}

function ormOf(client: Queryable): Orm {
  // The driver's types call a pooled client and a plain one different; Drizzle uses `query` alone.
  return drizzle(client as pg.Client, { casing: 'snake_case' })
}

function hasEnded(): Error {
  return new Error('the transaction has ended: what is sent in it must be awaited by its work')
}
