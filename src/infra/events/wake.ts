import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { type Database, statement } from '../db/database.ts'
import { typesIn } from './emit.ts'

/**
 * Tells followers, in every process, that there may be something new in the log. Only a hint: who misses one finds the
 * events at the next poll. That is why it may go out after the commit, where it slows no transaction, and why one hint
 * stands for all commits of the last few milliseconds. It tells what they were, so that nobody looks for nothing.
 */
export interface Wake {
  /** Of this process: it stands in the name of a connection, which the database ends with the process. */
  readonly guid: string
  /** @param listener is told of the types of events that there may be; null for any */
  onWake(listener: (types: ReadonlySet<string> | null) => void): void
  /** Tells every process, this one too, that there is something to look at; whoever misses it must find it otherwise. */
  hint(subject: string, id: string): void
  /** @returns what ends the listening */
  onHint(subject: string, listener: (id: string) => void): () => void
  close(): Promise<void>
}

/** The connections of processes that live are named by this and their GUIDs. */
export const listenerName = 'downbeat listener '
const channel = 'events'
const hintChannel = 'hints'
const gatherMs = 5
const retryMs = 1_000
/** A hint may be as long as 8,000 bytes. (PostgreSQL: NOTIFY) */
const longest = 7_000

/** What it tells of is on disk; it itself need not be, and reads that stand in line behind it do not wait for that. */
const soon = sql`set_config('synchronous_commit', 'off', true)`

const tell = statement('events.tell', (orm) =>
  orm.select({ soon, told: sql`pg_notify(${channel}, ${sql.placeholder('hint')})` }).from(sql`(values (1)) as once`),
)

const tellHint = statement('events.hint', (orm) =>
  orm
    .select({ soon, told: sql`pg_notify(${hintChannel}, ${sql.placeholder('hint')})` })
    .from(sql`(values (1)) as once`),
)

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
