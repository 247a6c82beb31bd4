import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.ts'

/**
 * What runs for a tournament reads no real clock: in a rehearsal it would read the wrong one. Every use of the real one is
 * listed here, with the reason for which it is right. (R2)
 */

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

const root = path.join(import.meta.dirname, '../src')

/** Files and folders, relative to `src`. */
const allowed: Readonly<Record<string, string>> = {
  'app.ts': 'Makes the real clock, which works of real tournaments and caches are given.',
  'runtime.ts': 'Keys.',
  'cli/': 'Administrators work on the whole service.',
  'features/assistant/assistantHooks/store.ts': 'A rehearsal has no match assistant.',
  'features/assistant/assistantLinks/store.ts': 'A rehearsal has no match assistant.',
  'features/assistant/assistantSessions/store/commands.ts': 'A rehearsal has no match assistant.',
  'features/assistant/proposals/store/proposals.ts': 'A rehearsal has no match assistant.',
  'features/awards/awards/store/editions.ts': 'A rehearsal has no awards.',
  'features/awards/badgeRequests/store/rosters.ts': 'No badge is asked for in a rehearsal.',
  'features/brackets/qualifiers/store/assistant.ts': 'A rehearsal has no match assistant.',
  'features/listing/webhooks/store/deliveries.ts': 'Platforms are told of no rehearsal.',
  'features/listing/webhooks/store/queue.ts': 'Platforms are told of no rehearsal.',
  'features/media/mirror/store.ts': 'Pictures that only rehearsals have are not mirrored.',
  'features/overlays/control/store/turns.ts': 'The budget of an overlay.',
  'features/overlays/sceneDocuments/store/states.ts': 'Drafts are tidied up by the real clock.',
  'features/people/notifications/store.ts': 'Notifications of a rehearsal are only recorded.',
  'features/planning/rehearsals/store.ts': 'The clocks themselves.',
  'features/planning/rehearsals/tables.ts': 'The clocks themselves.',
  'features/streaming/streamKeys/store.ts': 'Keys belong to accounts.',
  'features/streaming/streamSessions/store/': 'Nothing is streamed in a rehearsal.',
  'features/tournaments/chatDeliveries/store/waiting.ts': 'What rehearsals record is not counted.',
  'infra/clock/store.ts': 'The clocks themselves.',
  'infra/db/embedded/': 'The start of the database.',
  'infra/decoder/decoder.ts': 'Files that were left behind.',
  'infra/delay/store.ts': 'Statements about all real tournaments; waits in real time.',
  'infra/events/': 'The log keeps the real instant beside that of the rehearsal; its followers wait in real time.',
  'infra/health/measures.ts': 'The health of the service.',
  'infra/http/': 'Where requests arrive: tokens, budgets, caches. An operation in a rehearsal is given its clock here.',
  'infra/idempotency/store.ts': 'Results are kept under keys for a real day.',
  'infra/jobs/': 'Leases, and jobs whose instants are real.',
  'infra/log.ts': 'The log of the service.',
  'infra/realtime/documents/': 'Budgets, and scenes, which no rehearsal changes.',
  'infra/realtime/doors/':
    'Connections, heartbeats, tokens; an operation in a rehearsal is given its clock by its life.',
  'infra/realtime/durable/': 'Waits, positions; a topic in a rehearsal is read by its clock.',
  'infra/realtime/ephemeral/': 'Values that live for seconds, and budgets.',
  'infra/realtime/realtime.ts': 'Tokens.',
  'infra/realtime/store/': 'Processes, connections and tickets.',
}

const inCode = /\bDate\.now\b|\bnew Date\(\)/g
const inSql =
  /\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\(\)|\b(?:current_(?:timestamp|date|time)|localtime(?:stamp)?)\b/gi

/** The text of the SQL in a source: of each literal after `sql`, without what is put into it. */
function sqlIn(source: string): string {
  const texts: string[] = []
  /** Reads a literal from behind its opening mark; returns the place behind its closing one. */
  function literal(from: number, isSql: boolean): number {
    let at = from
    while (at < source.length && source[at] !== '`') {
      if (source.startsWith('${', at)) at = code(at + 2, true)
      else {
        if (isSql) texts.push(source[at] as string)
        at += source[at] === '\\' ? 2 : 1
      }
    }
    texts.push(' ')
    return at + 1
  }
  function code(from: number, isPutIn: boolean): number {
    let depth = 0
    for (let at = from; at < source.length; ) {
      const sign = source[at]
      if (sign === '`') {
        at = literal(at + 1, /\bsql(?:<[^`]*>|\.raw\()?\s*$/.test(source.slice(Math.max(0, at - 80), at)))
        continue
      }
      if (sign === '{') depth++
      if (sign === '}' && depth-- === 0 && isPutIn) return at + 1
      at++
    }
    return source.length
  }
  code(0, false)
  return texts.join('')
}

function usesIn(file: string): string[] {
  const source = readFileSync(path.join(root, file), 'utf8').replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')
  return [...source.matchAll(inCode), ...sqlIn(source).matchAll(inSql)].map(([use]) => `${file}: ${use}`)
}

const isIn = (file: string, place: string) => file === place || (place.endsWith('/') && file.startsWith(place))

test('the code reads the real clock only where it says why', () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const uses = files.flatMap(usesIn)
  expect(uses.length).toBeGreaterThan(50)
  const places = Object.keys(allowed)
  const fileOf = (use: string) => use.slice(0, use.indexOf(': '))
  expect(uses.filter((use) => !places.some((place) => isIn(fileOf(use), place)))).toEqual([])
  // A reason without a use is out of date.
  expect(places.filter((place) => !uses.some((use) => isIn(fileOf(use), place)))).toEqual([])
})

test('the database does not either', async () => {
  const realClock =
    '(^|[^.[:alnum:]_])(now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)[(][)]|current_timestamp'
  const defaults = await api.sql<{ name: string }>(
    `select c.relname || '.' || a.attname as name from pg_attrdef d join pg_class c on c.oid = d.adrelid
     join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
     where c.relnamespace = 'public'::regnamespace and pg_get_expr(d.adbin, d.adrelid) ~* $1 order by 1`,
    [realClock],
  )
  expect(defaults.map(({ name }) => name)).toEqual([
    // When a result was saved under a key.
    'command_results.created_at',
    // The log's own instant; that of a rehearsal is `clock_at`.
    'event_log.at',
    'rehearsals.at',
    'rehearsals.base',
    'rehearsals.begins_at',
    'rehearsals.created_at',
    'rehearsals.ran_to',
    // An event that a follower could not handle.
    'set_aside_events.at',
  ])
  const functions = await api.sql<{ name: string }>(
    `select proname as name from pg_proc
     where pronamespace in ('public'::regnamespace, to_regnamespace('delayed')) and prosrc ~* $1 order by 1`,
    [realClock],
  )
  expect(functions.map(({ name }) => name)).toEqual(['clock_of', 'local_clock', 'local_now', 'rehearsal_clock'])
})
