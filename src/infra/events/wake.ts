import pg from 'pg'
import type { Database } from '../db/database.ts'

/**
 * Tells followers, in every process, that there may be something new in the log. Only a hint: who misses one finds the
 * events at the next poll. That is why it may go out after the commit, where it slows no transaction, and why one hint
 * stands for all commits of the last few milliseconds.
 */
export interface Wake {
  onWake(listener: () => void): void
  close(): Promise<void>
}

const channel = 'events'
const gatherMs = 5
const retryMs = 1_000

export async function openWake(
  database: Database,
  connection: pg.ClientConfig,
  onError: (error: Error) => void,
): Promise<Wake> {
  const listeners: (() => void)[] = []
  let closed = false
  let client: pg.Client | null = null
  let gathering: NodeJS.Timeout | undefined

  database.onCommit(() => {
    gathering ??= setTimeout(() => {
      gathering = undefined
      if (!closed) database.db.session.client.query(`notify ${channel}`).catch(onError)
    }, gatherMs)
  })

  async function listen(): Promise<void> {
    const fresh = new pg.Client({ ...connection, application_name: 'downbeat listener' })
    fresh.on('notification', () => {
      for (const listener of listeners) listener()
    })
    fresh.on('error', (error) => {
      onError(error)
      fresh.end().catch(() => {})
      if (client === fresh) setTimeout(() => void relisten(), retryMs).unref()
    })
    await fresh.connect()
    await fresh.query(`listen ${channel}`)
    client = fresh
    if (closed) await fresh.end()
  }

  async function relisten(): Promise<void> {
    if (closed) return
    await listen().catch((error: Error) => {
      onError(error)
      setTimeout(() => void relisten(), retryMs).unref()
    })
  }

  await listen()
  return {
    onWake(listener) {
      listeners.push(listener)
    },
    async close() {
      closed = true
      clearTimeout(gathering)
      await client?.end()
    },
  }
}
