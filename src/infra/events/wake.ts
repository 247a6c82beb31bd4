import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { type Database, statement } from '../db/database.ts'
import { typesIn } from './emit.ts'

/**
 * Tells the followers in every process that the log may have new events. It is only a hint: a process that misses one
 * finds the events at the next poll. So it may be sent after the commit, where it delays no transaction, and one hint
 * serves for all commits of a few milliseconds. It lists the types of the events, so that other followers need not
 * look.
 */
export interface Wake {
  /** GUID of this process, used in the name of a connection, which the database closes when the process ends. */
  readonly guid: string
  /** @param listener gets the types of events that there may be; null for any */
  onWake(listener: (types: ReadonlySet<string> | null) => void): void
  /**
   * Sends a hint to every process, including this one; a process that misses it must find the change in another way.
   */
  hint(subject: string, id: string): void
  /** @returns a function that ends the listening */
  onHint(subject: string, listener: (id: string) => void): () => void
  close(): Promise<void>
}

/** The connections of living processes have this name and the process's GUID. */
export const listenerName = 'downbeat listener '
const channel = 'events'
const hintChannel = 'hints'
const gatherMs = 5
const retryMs = 1_000
/** Notifications may have up to 8,000 bytes. (PostgreSQL: NOTIFY) */
const longest = 7_000

/**
 * The announced events are already on disk, and a hint may be lost: so its own commit does not wait for the disk, and
 * neither do reads on the same connection.
 */
const tellOn = (name: string, on: string) =>
  statement(name, (orm) =>
    orm
      .select({
        commits: sql`set_config('synchronous_commit', 'off', true)`,
        told: sql`pg_notify(${on}, ${sql.placeholder('hint')})`,
      })
      .from(sql`(values (1)) as once`),
  )

const tell = tellOn('events.tell', channel)
const tellHint = tellOn('events.hint', hintChannel)

export async function openWake(
  database: Database,
  connection: pg.ClientConfig,
  onError: (error: Error) => void,
): Promise<Wake> {
  const listeners: ((types: ReadonlySet<string> | null) => void)[] = []
  const hinted = new Map<string, Set<(id: string) => void>>()
  const types = new Set<string>()
  const guid = randomUUID()
  let closed = false
  let client: pg.Client | null = null
  let gathering: NodeJS.Timeout | undefined

  database.onCommit((last) => {
    for (const type of typesIn(last)) types.add(type)
    if (types.size === 0) return
    gathering ??= setTimeout(() => {
      gathering = undefined
      const hint = [...types].join()
      types.clear()
      if (!closed) tell(database.db, { hint: hint.length > longest ? '' : hint }).catch(onError)
    }, gatherMs)
  })

  async function listen(): Promise<void> {
    const fresh = new pg.Client({ ...connection, application_name: listenerName + guid })
    fresh.on('notification', ({ channel: name, payload = '' }) => {
      if (name === hintChannel) {
        const [subject = '', id = ''] = payload.split(' ')
        for (const listener of hinted.get(subject) ?? []) listener(id)
        return
      }
      const told = payload === '' ? null : new Set(payload.split(','))
      for (const listener of listeners) listener(told)
    })
    fresh.on('error', (error) => {
      onError(error)
      fresh.end().catch(() => {})
      if (client === fresh) setTimeout(() => void relisten(), retryMs).unref()
    })
    await fresh.connect()
    await fresh.query(`listen ${channel}; listen ${hintChannel}`)
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
    guid,
    onWake(listener) {
      listeners.push(listener)
    },
    hint(subject, id) {
      if (!closed) tellHint(database.db, { hint: `${subject} ${id}` }).catch(onError)
    },
    onHint(subject, listener) {
      const known = hinted.get(subject) ?? new Set()
      hinted.set(subject, known.add(listener))
      return () => void known.delete(listener)
    },
    async close() {
      closed = true
      clearTimeout(gathering)
      await client?.end()
    },
  }
}
