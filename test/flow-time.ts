import type { Harness } from './harness.ts'
import { whileHeld } from './locks.ts'
import { touch } from './make.ts'

/** The time of sessions, moved by SQL statements: clocks follow from the log, so the whole log is moved. */

const moved = (name: string) =>
  `case when data ->> '${name}' is null then '{}' else jsonb_build_object('${name}', to_char(
    ((data ->> '${name}')::timestamptz - x.passed) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end`

const pass = (passed: string) =>
  `with x as (
     select s.guid, ${passed} as passed from flow_sessions s where s.guid = any($1::uuid[])
   ), told as (
     update flow_rows set at = at - x.passed, data = data || ${moved('dueAt')} || ${moved('startsAt')}
     from x where session_guid = x.guid
   )
   update flow_sessions f set due_at = due_at - x.passed, lapses_at = lapses_at - x.passed, shows_at = shows_at - x.passed
   from x where f.guid = x.guid`

/** Moves everything in the sessions into the past by `ms`, so that due steps come sooner. */
export async function passTime(api: Harness, sessions: readonly string[], ms: number): Promise<void> {
  await api.sql(pass(`$2 * interval '1 ms'`), [sessions, ms])
  await touch(api, ...sessions)
}

/** Like `passTime`, until the clock of each session expires in so many milliseconds. */
export async function passUntilLapse(api: Harness, sessions: readonly string[], leftMs: number): Promise<void> {
  const passed = `date_trunc('milliseconds', s.lapses_at - clock_timestamp() - $2 * interval '1 ms')`
  await api.sql(pass(passed), [sessions, leftMs])
  await touch(api, ...sessions)
}

/**
 * Runs `work`, which waits for the locked sessions while their time passes, so that it is the first to find the due
 * steps.
 */
export async function asTimePasses<T>(
  api: Harness,
  sessions: readonly string[],
  ms: number,
  work: () => Promise<T>,
): Promise<T> {
  let working: Promise<T> | undefined
  await whileHeld(api, [pass(`$2 * interval '1 ms'`), sessions, ms], async (waiting) => {
    working = work()
    await waiting(1)
  })
  return working as Promise<T>
}
