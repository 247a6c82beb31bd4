import pg from 'pg'

/** The code of a statement after the one that made the transaction fail. */
const aborted = '25P02'

/** Whether a statement failed because an earlier one of its transaction had failed. */
export function isAborted(error: unknown): boolean {
  return databaseError(error)?.code === aborted
}

/** The database's own error behind one that Drizzle wrapped, or undefined for any other error. */
export function databaseError(error: unknown): pg.DatabaseError | undefined {
  if (error instanceof pg.DatabaseError) return error
  if (error instanceof Error && error.cause !== undefined) return databaseError(error.cause)
  return undefined
}
