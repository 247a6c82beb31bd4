import pg from 'pg'
import { errorCode } from './files.ts'

/** The role that owns everything; the socket needs no password. */
export const SUPERUSER = 'postgres'
export const DATABASE = 'downbeat'

/** There is no network port, but the number is part of the name of PostgreSQL's socket. */
export const PORT = 5432
export const SOCKET_NAME = `.s.PGSQL.${PORT}`

const CONNECT_TIMEOUT_MS = 5_000
const DATABASE_MISSING = '3D000'

/** No server listens: there is no socket, or that of a dead server. */
const SILENT = ['ENOENT', 'ECONNREFUSED']

/** A server is running but does not accept the connection now: starting, recovering, stopping, crashing, or full. */
const BUSY = ['57P01', '57P02', '57P03', '53300', 'ECONNRESET', 'EPIPE', 'EAGAIN']

/** Tries once to connect to our database, and creates it if the server does not have it yet. */
export async function knock(socket: string): Promise<'ready' | 'busy' | 'silent'> {
  try {
    await openDatabase(socket)
    return 'ready'
  } catch (error) {
    const code = errorCode(error)
    if (code === undefined || BUSY.includes(code)) return 'busy' // without a code: closed early, or no answer in time
    if (SILENT.includes(code)) return 'silent'
    const hint = error instanceof pg.DatabaseError && error.hint ? ` (${error.hint})` : ''
    throw new Error(`${(error as Error).message}${hint}`, { cause: error })
  }
}

async function openDatabase(socket: string): Promise<void> {
  try {
    await withClient(socket, DATABASE, async () => {})
  } catch (error) {
    if (errorCode(error) !== DATABASE_MISSING) throw error
    await withClient(socket, 'postgres', (client) => client.query(`CREATE DATABASE ${DATABASE}`))
  }
}

async function withClient(socket: string, database: string, use: (client: pg.Client) => Promise<unknown>) {
  const client = new pg.Client({
    host: socket,
    port: PORT,
    user: SUPERUSER,
    database,
    ssl: false,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  client.on('error', () => {}) // a lost connection also rejects the pending call
  try {
    await client.connect()
    await use(client)
  } finally {
    await client.end()
  }
}
