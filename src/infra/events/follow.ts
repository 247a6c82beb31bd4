import type { EventOf, EventType } from '../../core/events.ts'
import { workAtFirst } from '../clock/store.ts'
import { type Database, databaseError, type Tx } from '../db/database.ts'
import type { LoggedEvent } from './logged.ts'
import {
  insertSetAside,
  listNextEvents,
  listSetAsideSeqs,
  look,
  movePosition,
  skipOthers,
  takePosition,
  takeSetAside,
} from './positions.ts'
import type { Wake } from './wake.ts'

interface Followed<Type extends EventType> {
  /** Name of the stored position: a renamed follower starts again. */
  readonly name: string
  /** Where a follower without a stored position starts: at the first event, or after the last. */
  readonly from: 'first' | 'now'
  /** The types that it handles; it gets no others. */
  readonly types: readonly Type[]
  /**
   * Milliseconds for which events are gathered under load; the first event is handled immediately. Less for a follower
   * whose result somebody waits for. Other followers need a pause, because each batch costs a commit and they would
   * take all of the machine.
   */
  readonly gatherMs: number
  /** Whether its work may make something due in a tournament: rehearsals wait for it before their clocks go on. (R2) */
  readonly makesDue?: true
  /**
   * Handles events in order. Its writes are committed together with the position, so that each event counts exactly
   * once.
   */
  readonly handle: (tx: Tx, events: readonly LoggedEvent<EventOf<Type>>[]) => Promise<void>
}

export type Follower = Followed<EventType>

/** A follower of some types of events; `follow` passes it no others. */
export function followerOf<Type extends EventType>(followed: Followed<Type>): Follower {
  return followed as unknown as Follower
}

const batch = 200
const pollMs = 1_000
/** Minimum milliseconds between two moves of the position past events of other types: each move costs a commit. */
const skipMs = 1_000
const retryMs = 2_000
/** Maximum number of attempts for an event that cannot be handled. */
const maxTries = 3
/** Maximum number of attempts where the failure is the database's, which may recover. */
const maxTriesInTrouble = 100
/** Maximum number of set-aside events that are retried at the start. */
const maxTriedAgain = 1_000

export interface Trouble {
  /** The event that was set aside because of the error; the follower continues without it. */
  readonly setAside?: LoggedEvent
}

/**
 * Follows the log until it is stopped: first the existing events, then new ones, woken by hints and by a poll that
 * makes up for missed hints. If several processes run the same follower, only one at a time handles events.
 *
 * An event that repeatedly fails is set aside, so that it does not block later ones. At each start, set-aside events
 * are retried once, late and out of order, because a new version may be able to handle them.
 * @returns a function that stops the follower, and resolves when all running work is finished
 */
export function follow(
  database: Database,
  wake: Wake,
  follower: Follower,
  onError: (error: unknown, trouble: Trouble) => void,
): () => Promise<void> {
  let stopped = false
  /** A hint has come since the last look, which may announce an event that the look did not see. */
  let hinted = false
  let isIdle = false
  let endPause = () => {}
  /** Maximum number of events of the next batch: one after a failure, to find the failing event, then growing again. */
  let limit = batch
  const failure = new Failure()
  /** Up to this event, nothing waits for the follower. */
  let seen = 0
  let skippedAt = 0
  let losses = 0
  // A commit is visible before it is on disk: a restart may lose it, and give its number to another event.
  database.onLost(() => {
    losses++
    seen = 0
  })
  wake.onWake((types) => {
    if (types !== null && !follower.types.some((type) => types.has(type))) return
    hinted = true
    if (isIdle) endPause()
  })

  async function pause(ms: number): Promise<void> {
    if (stopped) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async function run(): Promise<void> {
    await tryAgain()
    while (!stopped) {
      hinted = false
      try {
        const tried = limit
        const { count: handled, isCut, isRehearsed } = await advance(tried)
        limit = Math.min(batch, 2 * tried)
        // The clock of a rehearsal waits for its followers, so they gather nothing there. (R2)
        if (handled === tried || isCut || isRehearsed) continue
        // Each batch costs a commit, and followers would compete with requests that write.
        if (handled > 0 || hinted) await pause(follower.gatherMs)
        if (hinted) continue
        isIdle = true
        await pause(pollMs)
        isIdle = false
      } catch (error) {
        await recover(error)
      }
    }
  }

  /** Handles one batch if events are waiting. */
  async function advance(limit: number): Promise<Handled> {
    const lossesBefore = losses
    const looked = await look(database.db, follower, seen)
    if (looked === undefined || looked.isNextThere) {
      return database.transaction((tx) => handleNext(tx, follower, limit))
    }
    if (losses === lossesBefore) seen = looked.newest
    if (looked.newest > looked.position && Date.now() - skippedAt >= skipMs) {
      skippedAt = Date.now()
      // If this commit is lost, the same events are only skipped once more.
      await database.transaction((tx) => skipOthers(tx, follower), { mayBeLost: true })
    }
    return none
  }

  async function recover(error: unknown): Promise<void> {
    const isFound = limit === 1
    limit = 1
    const setAside = isFound ? await judge(error) : undefined
    onError(error, setAside === undefined ? {} : { setAside })
    if (isFound && setAside === undefined) await pause(retryMs)
  }

  /** Counts the failure of the next event, and sets the event aside after too many failures. */
  async function judge(error: unknown): Promise<LoggedEvent | undefined> {
    try {
      // While the database is unreachable, this fails too, and nothing is counted.
      const [event] = await database.transaction((tx) => listNextEvents(tx, follower, 1))
      if (event === undefined || !failure.isLast(event.seq, isOfDatabase(error))) return undefined
      return (await database.transaction((tx) => setAside(tx, follower, event, error))) ? event : undefined
    } catch {
      return undefined
    }
  }

  async function tryAgain(): Promise<void> {
    try {
      for (const seq of await listSetAsideSeqs(database.db, follower.name, maxTriedAgain)) {
        if (stopped) return
        await database
          .transaction(async (tx) => {
            const event = await takeSetAside(tx, follower.name, seq)
            if (event !== undefined) await handle(tx, follower, [event])
          })
          .catch((error: unknown) => onError(error, {}))
      }
    } catch (error) {
      onError(error, {})
    }
  }

  const running = run()
  return async () => {
    stopped = true
    endPause()
    await running
  }
}

/** Counts consecutive failures of an event. */
class Failure {
  #seq = 0
  #tries = 0
  #own = 0

  /** Counts one more failure; returns whether it is the last, so that the event is not retried. */
  isLast(seq: number, isOfDatabase: boolean): boolean {
    if (seq !== this.#seq) {
      this.#seq = seq
      this.#tries = 0
      this.#own = 0
    }
    this.#tries++
    if (!isOfDatabase) this.#own++
    return this.#own >= maxTries || this.#tries >= maxTriesInTrouble
  }
}

/**
 * Connection lost, transaction rolled back, out of resources, lock or time not available, shutdown, disk: not the
 * event's fault.
 */
const troubleClasses: ReadonlySet<string> = new Set(['08', '40', '53', '55', '57', '58'])

function isOfDatabase(error: unknown): boolean {
  return troubleClasses.has(databaseError(error)?.code?.slice(0, 2) ?? '')
}

interface Handled {
  readonly count: number
  /** Whether others of the batch remain, which happened elsewhere. */
  readonly isCut: boolean
  /** Whether they happened in a rehearsal. */
  readonly isRehearsed: boolean
}

const none: Handled = { count: 0, isCut: false, isRehearsed: false }

/** Handles one batch; no event while another process holds the position. */
async function handleNext(tx: Tx, follower: Follower, limit: number): Promise<Handled> {
  const [position, waiting] = await Promise.all([takePosition(tx, follower), listNextEvents(tx, follower, limit)])
  if (position === null) return none
  // Another process may have moved the position before it was locked here.
  const events = waiting.filter(({ seq }) => seq > position)
  const [first] = events
  const last = events.at(-1)
  if (first === undefined || last === undefined) return none
  const place = placeOf(first)
  const cut = events.findIndex((event) => placeOf(event) !== place)
  if (cut === -1) {
    await handle(tx, follower, events)
    await movePosition(tx, follower.name, last.seq)
    return { count: events.length, isCut: false, isRehearsed: place !== null }
  }
  const together = events.slice(0, cut)
  await handle(tx, follower, together)
  await movePosition(tx, follower.name, together.at(-1)?.seq ?? 0)
  return { count: together.length, isCut: true, isRehearsed: place !== null }
}

/** The rehearsal in which an event happened; null for all others. A transaction works in one of them at most. */
const placeOf = ({ clockAt, tournament }: LoggedEvent): string | null => (clockAt == null ? null : tournament)

/** In a rehearsal, followers work at the instants of its clock. (R2) */
async function handle(tx: Tx, follower: Follower, events: readonly LoggedEvent[]): Promise<void> {
  const last = events.at(-1)
  if (last?.clockAt == null || last.tournament === null) return follower.handle(tx, events)
  workAtFirst(tx, { tournament: last.tournament, instant: last.clockAt, isFixed: true })
  await follower.handle(
    tx,
    events.map((event) => ({ ...event, at: event.clockAt ?? event.at })),
  )
}

/** Sets an event aside; returns false if another process has moved on meanwhile. */
async function setAside(tx: Tx, follower: Follower, { seq }: LoggedEvent, error: unknown): Promise<boolean> {
  const position = await takePosition(tx, follower)
  if (position === null || (await listNextEvents(tx, follower, 1))[0]?.seq !== seq) return false
  await insertSetAside(tx, follower.name, seq, kindOf(error))
  await movePosition(tx, follower.name, seq)
  return true
}

function kindOf(error: unknown): string {
  const code = databaseError(error)?.code
  if (code !== undefined) return `database error ${code}`
  return error instanceof Error ? error.name : typeof error
}
