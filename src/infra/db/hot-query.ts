import pg from 'pg'

/**
 * A prepared statement that runs repeatedly on one connection. The driver would ask for its columns each time and
 * prepare to read them: with wide rows that costs as much as the rest of the statement, here and in the database. A
 * prepared statement never changes its columns (PostgreSQL: "cached plan must not change result type"), so they are
 * read once.
 */

/** A statement as Drizzle passes it to the driver. */
export interface HotStatement {
  readonly name: string
  readonly text: string
  readonly rowMode?: 'array'
  readonly types: { getTypeParser(type: number, format: string): (text: string) => unknown }
}

export interface HotResult {
  readonly rows: readonly unknown[]
  readonly rowCount: number | null
}

interface Column {
  readonly name: string
  readonly read: (text: string) => unknown
}

interface Described {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number; readonly format: string }[]
}

/** Members of the driver's own query that its types omit. (pg: lib/query.js) */
interface DriverQuery {
  name: string
  callback: (error: Error | null, result?: HotResult) => void
  _canceledDueToError: unknown
  prepare(connection: pg.Connection): void
  handleReadyForQuery(connection: pg.Connection): void
}
const DriverQuery = pg.Query as unknown as new (text: string, values: readonly unknown[]) => DriverQuery

/** A connection, with the known columns of its prepared statements. */
export class HotStatements {
  readonly #client: pg.ClientBase
  readonly #undescribing: pg.Connection
  readonly #columns = new Map<string, readonly Column[]>()

  constructor(client: pg.ClientBase, connection: pg.Connection) {
    this.#client = client
    this.#undescribing = Object.create(connection, { describe: { value: () => {} } })
  }

  run(statement: HotStatement, values: readonly unknown[]): Promise<HotResult> {
    return new Promise((resolve, reject) => {
      const query = new HotQuery(statement, values, this.#columns, this.#undescribing)
      query.callback = (error, result) => (error === null ? resolve(result as HotResult) : reject(error))
      this.#client.query(query as unknown as pg.Submittable)
    })
  }
}

class HotQuery extends DriverQuery {
  readonly #statement: HotStatement
  readonly #known: Map<string, readonly Column[]>
  readonly #undescribing: pg.Connection
  #columns: readonly Column[] | undefined
  readonly #rows: unknown[] = []
  #rowCount: number | null = null

  constructor(
    statement: HotStatement,
    values: readonly unknown[],
    known: Map<string, readonly Column[]>,
    undescribing: pg.Connection,
  ) {
    super(statement.text, values)
    this.name = statement.name
    this.#statement = statement
    this.#known = known
    this.#undescribing = undescribing
    this.#columns = known.get(statement.name)
  }

  override prepare(connection: pg.Connection): void {
    super.prepare(this.#columns === undefined ? connection : this.#undescribing)
  }

  handleRowDescription({ fields }: Described): void {
    const { types } = this.#statement
    this.#know(fields.map(({ name, dataTypeID, format }) => ({ name, read: types.getTypeParser(dataTypeID, format) })))
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (this._canceledDueToError) return
    try {
      this.#rows.push(this.#statement.rowMode === 'array' ? this.#list(fields) : this.#record(fields))
    } catch (error) {
      this._canceledDueToError = error
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#know(this.#columns ?? [])
    const count = Number(text.slice(text.lastIndexOf(' ') + 1))
    this.#rowCount = Number.isNaN(count) ? null : count
  }

  override handleReadyForQuery(connection: pg.Connection): void {
    if (this._canceledDueToError) super.handleReadyForQuery(connection)
    else this.callback(null, { rows: this.#rows, rowCount: this.#rowCount })
  }

  #know(columns: readonly Column[]): void {
    if (this.#columns === columns) return
    this.#columns = columns
    this.#known.set(this.name, columns)
  }

  #list(fields: readonly (string | null)[]): unknown[] {
    const columns = this.#columns as readonly Column[]
    return fields.map((field, index) => (field === null ? null : (columns[index] as Column).read(field)))
  }

  #record(fields: readonly (string | null)[]): object {
    const columns = this.#columns as readonly Column[]
    return Object.fromEntries(this.#list(fields).map((value, index) => [(columns[index] as Column).name, value]))
  }
}
