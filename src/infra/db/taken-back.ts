import type pg from 'pg'
import type { Tx } from './database.ts'
import { isAborted } from './database-error.ts'
import { type ConnectionSession, TransactionSession } from './session.ts'
import { isConnectionFault, Unreachable } from './unreachable.ts'

interface Connected {
  readonly client: pg.PoolClient
  readonly connection: ConnectionSession
}

/**
 * Runs `work` in a transaction that is rolled back in the end, and gives the connection back to its pool. Events that it
 * emits are not sent.
 * @param beginning the statement that begins the transaction
 */
export async function takenBack<T>(
  { client, connection }: Connected,
  beginning: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const session = new TransactionSession(connection)
  connection.failure = undefined
  try {
    connection.gather()
    // It is sent together with the first statement, as in a transaction.
    client.query(beginning).catch(() => {})
    const sent: Promise<unknown>[] = []
    const result = await work({ session, last: [], sent })
    await Promise.all(sent)
    return result
  } catch (error) {
    if (isConnectionFault(error)) throw new Unreachable('the connection was lost', { cause: error })
    throw isAborted(error) ? (connection.failure ?? error) : error
  } finally {
    session.end()
    // It need not be awaited: nothing depends on it.
    void client.query('rollback').then(
      () => client.release(),
      (trouble: Error) => client.release(trouble),
    )
  }
}
