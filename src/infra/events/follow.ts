import { asc, eq, gt, sql } from 'drizzle-orm'
import type { Database, Tx } from '../db/database.ts'
import { asLogged, type LoggedEvent } from './logged.ts'
import { eventLog, followers } from './tables.ts'
import type { Wake } from './wake.ts'

export interface Follower {
  /** Names the stored position: a follower that is renamed starts again. */
  readonly name: string
  /** Where a follower without a stored position starts: at the first event, or behind the last. */
  readonly from: 'first' | 'now'
  /** Handles events in order. What it writes is committed with the position, so that each counts exactly once. */
  readonly handle: (tx: Tx, events: readonly LoggedEvent[]) => Promise<void>
}

const batch = 200
const pollMs = 1_000
/** In a rush, events of this long are one batch: each look costs a commit, and followers would compete with who writes. */
const gatherMs = 20
const retryMs = 2_000

/**
 * Follows the log until it is stopped: what is there already, then what comes, woken by a hint and by a poll that makes
 * up for missed hints. Of several processes that run the same follower, one at a time handles events.
 *
 * @returns a function that stops, and resolves when nothing is under way any more
 */
export function follow(
  database: Database,
  wake: Wake,
  follower: Follower,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let stopped = false
  /** A hint has come since the last look: it may tell of an event that was not there yet. */
  let hinted = false
  let isIdle = false
  let endPause = () => {}
  wake.onWake(() => {
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
    while (!stopped) {
      hinted = false
      try {
        const handled = await database.transaction((tx) => advance(tx, follower))
        if (handled === batch) continue
        if (hinted) {
          await pause(gatherMs)
          continue
        }
        isIdle = true
        await pause(pollMs)
        isIdle = false
      } catch (error) {
        onError(error)
        await pause(retryMs)
      }
    }
  }

  const running = run()
  return async () => {
    stopped = true
    endPause()
    await running
  }
}

/** Handles one batch; answers how many events there were. */
async function advance(tx: Tx, follower: Follower): Promise<number> {
  const { orm } = tx.session
  const position = await takePosition(tx, follower)
  if (position === null) return 0
  const events = await orm
    .select()
    .from(eventLog)
    .where(gt(eventLog.seq, position))
    .orderBy(asc(eventLog.seq))
    .limit(batch)
  const last = events.at(-1)
  if (last === undefined) return 0
  await follower.handle(tx, events.map(asLogged))
  await orm.update(followers).set({ position: last.seq }).where(eq(followers.name, follower.name))
  return events.length
}

/** Locks and reads the position; null while another process holds it. */
async function takePosition(tx: Tx, follower: Follower): Promise<number | null> {
  const { orm } = tx.session
  const held = await orm
    .select()
    .from(followers)
    .where(eq(followers.name, follower.name))
    .for('update', { skipLocked: true })
  if (held[0] !== undefined) return held[0].position
  const start = follower.from === 'first' ? 0 : await newestSeq(tx)
  const made = await orm
    .insert(followers)
    .values({ name: follower.name, position: start })
    .onConflictDoNothing()
    .returning()
  return made[0]?.position ?? null
}

async function newestSeq(tx: Tx): Promise<number> {
  const [newest] = await tx.session.orm
    .select({ seq: eventLog.seq })
    .from(eventLog)
    .orderBy(sql`${eventLog.seq} desc`)
    .limit(1)
  return newest?.seq ?? 0
}
