import { DrizzleQueryError } from 'drizzle-orm'
import pg from 'pg'

/** Whether the database could not be reached, as opposed to having refused a statement. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof Unreachable) return true
  return error instanceof DrizzleQueryError && isConnectionFault(error.cause)
}

/** No connection was available, or it was lost with its transaction. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

/** PostgreSQL's codes: connection exceptions, shutting down or starting up, too many connections. */
const codes = /^(08...|57P0[1235]|53300)$/
const networkCodes = /^(ECONN|EPIPE$|ETIMEDOUT$|EHOST|ENET|ENOTFOUND$|EAI_|ENOENT$)/
/** The driver's own errors have no codes. */
const messages =
  /^(Connection terminated|Client (was closed|has encountered a connection error)|Query read timeout|timeout (expired|exceeded))/

/** Whether a statement's error is a failure of the connection. */
export function isConnectionFault(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnectionFault)
  if (error instanceof pg.DatabaseError) return codes.test(error.code ?? '')
  if (!(error instanceof Error)) return false
  const { code } = error as NodeJS.ErrnoException
  return networkCodes.test(code ?? '') || messages.test(error.message)
}
