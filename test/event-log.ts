import pg from 'pg'
import { expect } from 'vitest'
import { parts } from '../src/app.ts'
import type { EventFacts, NewEvent } from '../src/core/events.ts'
import { type Following, listFollowerStates } from '../src/infra/events/positions.ts'
import type { Harness } from './harness.ts'

/** The event log in tests, and its invariants. */

/** An event that only a test has, or that another version of the service may have written. */
export function strayEvent(event: {
  readonly type: string
  readonly subject: string | null
  readonly tournament?: string | null
  readonly actor: string | null
  readonly before?: object | null
  readonly after?: object | null
  readonly touches?: readonly string[]
}): NewEvent {
  return event as NewEvent
}

export const eventTables: ReadonlyMap<string, EventFacts> = new Map(
  parts.flatMap(({ events }) => Object.entries(events ?? {})),
)

interface Logged {
  readonly type: string
  readonly hasSubject: boolean
  readonly members: readonly string[]
}

const kindsOfEvents = `
  select distinct type, subject is not null as "hasSubject", array(
    select jsonb_object_keys(coalesce(before, '{}') || coalesce(after, '{}')) order by 1
  ) as members
  from event_log where type !~ '^test\\.'`

/**
 * Checks that every emitted event matches the tables of events, and that no event contains a stream key. Types cannot
 * guarantee this: an object made from a larger record may have more members than its type.
 * @throws Error that names the faults
 */
export async function checkEventLog(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { rows } = await client.query<Logged>(kindsOfEvents)
    const faults = rows.flatMap(faultsOf)
    if (faults.length > 0) throw new Error(`The event log holds what is not declared:\n${faults.join('\n')}`)
    for (const table of toldTables) {
      const { rowCount } = await client.query(`select from ${table} t where t::text ~ $1 limit 1`, [streamKey])
      if (rowCount !== 0) throw new Error(`A stream key stands in ${table}`)
    }
  } finally {
    await client.end()
  }
}

/** Tables whose rows are sent to others or kept to be sent: none may contain a stream key, whatever a test did. (S2) */
const toldTables = [
  'event_log',
  'notifications',
  'command_results',
  'webhook_deliveries',
  'graphile_worker._private_jobs',
]
const streamKey = 'sk-[A-Za-z0-9_-]{43}'

export function faultsOf({ type, hasSubject, members }: Logged): string[] {
  const facts = eventTables.get(type)
  if (facts === undefined) return [`${type} is in no table of events`]
  const undeclared = members.filter((name) => !Object.hasOwn(facts.members ?? {}, name))
  return [
    ...(hasSubject === (facts.subject !== null) ? [] : [`${type} ${hasSubject ? 'has' : 'lacks'} a subject`]),
    ...undeclared.map((name) => `${type} has the member ${name}`),
  ]
}

/** Resolves when a follower has handled all events so far. */
export async function caughtUp(api: Harness, follower: Following): Promise<void> {
  const states = () => listFollowerStates(api.app.database.db, [follower])
  await expect.poll(states, { interval: 20 }).toEqual([expect.objectContaining({ behind: 0 })])
}
