import type { EventOf, EventType } from '../../core/events.ts'
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
  /** Names the stored position: a follower that is renamed starts again. */
  readonly name: string
  /** Where a follower without a stored position starts: at the first event, or behind the last. */
  readonly from: 'first' | 'now'
  /** What it handles; it is told of nothing else. */
  readonly types: readonly Type[]
  /**
   * Milliseconds in which events are gathered in a rush; less for what somebody waits for. The first is handled at once. A follower
   * that waits for nothing takes as much of the machine as it can get, for each look that finds something is a commit.
   */
  readonly gatherMs: number
  /** Handles events in order. What it writes is committed with the position, so that each counts exactly once. */
  readonly handle: (tx: Tx, events: readonly LoggedEvent<EventOf<Type>>[]) => Promise<void>
}

export type Follower = Followed<EventType>

/** A follower that handles some types of events; `follow` tells it of no others. */
export function followerOf<Type extends EventType>(followed: Followed<Type>): Follower {
  return followed as unknown as Follower
}

const batch = 200
const pollMs = 1_000
/** So often at most the position is moved past events that are not for the follower: that costs a commit, too. */
const skipMs = 1_000
const retryMs = 2_000
/** So often an event is tried that cannot be handled. */
const mostTries = 3
/** So often where the reason lies with the database, which may get well. */
const mostTriesInTrouble = 100
/** Of the events that were set aside, so many are tried again at the start. */
const mostTriedAgain = 1_000

export interface Trouble {
  /** The event that was set aside because of it; the rest goes on without it. */
  readonly setAside?: LoggedEvent
}

/**
 * Follows the log until it is stopped: what is there already, then what comes, woken by a hint and by a poll that makes
 * up for missed hints. Of several processes that run the same follower, one at a time handles events.
 *
 * An event that cannot be handled, time and again, is set aside, so that it does not hold up those behind it. At each
 * start what was set aside is tried once more, late and out of order: a new version may know how to handle it.
 *
 * @returns a function that stops, and resolves when nothing is under way any more
 */
export function follow(
  database: Database,
  wake: Wake,
  follower: Follower,
  onError: (error: unknown, trouble: Trouble) => void,
): () => Promise<void> {
  let stopped = false
  /** A hint has come since the last look: it may tell of an event that was not there yet. */
  let hinted = false
  let isIdle = false
  let endPause = () => {}
  /** How many events are handled at once: one after a failure, to find which it lies with, then ever more again. */
  let limit = batch
  const failure = new Failure()
  /** Up to here, nothing waits for the follower behind its stored position. */
  let seen = 0
  let skippedAt = 0
  let losses = 0
  // A commit can be seen before it is on the disk: a restart may lose it, and its number be given again.
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
        const handled = await advance(tried)
        limit = Math.min(batch, 2 * tried)
        if (handled === tried) continue
        // Each batch costs a commit, and followers would compete with whoever writes.
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

  /** Handles one batch if something waits; answers how many events there were. */
  async function advance(limit: number): Promise<number> {
    const lossesBefore = losses
    const looked = await look(database.db, follower, seen)
    if (looked === undefined || looked.isNextThere) {
      return database.transaction((tx) => handleNext(tx, follower, limit))
    }
    if (losses === lossesBefore) seen = looked.newest
    if (looked.newest > looked.position && Date.now() - skippedAt >= skipMs) {
      skippedAt = Date.now()
      // Were it lost, the same events would be passed once more.
      await database.transaction((tx) => skipOthers(tx, follower), { mayBeLost: true })
    }
    return 0
  }

  async function recover(error: unknown): Promise<void> {
    const isFound = limit === 1
    limit = 1
    const setAside = isFound ? await judge(error) : undefined
    onError(error, setAside === undefined ? {} : { setAside })
    if (isFound && setAside === undefined) await pause(retryMs)
  }

  /** Counts the failure of the next event, and sets it aside when it has failed often enough. */
  async function judge(error: unknown): Promise<LoggedEvent | undefined> {
    try {
      // While the database is away, this fails too, and nothing is counted.
      const [event] = await database.transaction((tx) => listNextEvents(tx, follower, 1))
      if (event === undefined || !failure.isLast(event.seq, isOfDatabase(error))) return undefined
      return (await database.transaction((tx) => setAside(tx, follower, event, error))) ? event : undefined
    } catch {
      return undefined
    }
  }

  async function tryAgain(): Promise<void> {
    try {
      for (const seq of await listSetAsideSeqs(database.db, follower.name, mostTriedAgain)) {
        if (stopped) return
        await database
          .transaction(async (tx) => {
            const event = await takeSetAside(tx, follower.name, seq)
            if (event !== undefined) await follower.handle(tx, [event])
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

/** How often an event has failed in a row. */
class Failure {
  #seq = 0
  #tries = 0
  #own = 0

  /** Counts one more; answers whether the event shall not be tried again. */
  isLast(seq: number, isOfDatabase: boolean): boolean {
    if (seq !== this.#seq) {
      this.#seq = seq
      this.#tries = 0
      this.#own = 0
    }
    this.#tries++
    if (!isOfDatabase) this.#own++
    return this.#own >= mostTries || this.#tries >= mostTriesInTrouble
  }
}

/** Connection lost, transaction undone, out of resources, lock or time not had, told to stop, disk: no fault of the event. */
const troubleClasses: ReadonlySet<string> = new Set(['08', '40', '53', '55', '57', '58'])

function isOfDatabase(error: unknown): boolean {
  return troubleClasses.has(databaseError(error)?.code?.slice(0, 2) ?? '')
}

/** Handles one batch; answers how many events there were: none while another process is at work. */
async function handleNext(tx: Tx, follower: Follower, limit: number): Promise<number> {
  const [position, waiting] = await Promise.all([takePosition(tx, follower), listNextEvents(tx, follower, limit)])
  if (position === null) return 0
  // Another process may have moved the position before it was locked here.
  const events = waiting.filter(({ seq }) => seq > position)
  const last = events.at(-1)
  if (last === undefined) return 0
  await follower.handle(tx, events)
  await movePosition(tx, follower.name, last.seq)
  return events.length
}

/** Answers whether it did: another process may have come further meanwhile. */
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
