import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../../infra/db/database.ts'
import { unknownOverlay } from '../overlays/resolve.ts'
import { takeTurns, tooManyWrites } from './rules.ts'
import { lockTurns, writeTurns } from './store/turns.ts'

/**
 * Queues the writes of an overlay's control state before their transactions, so that a waiting write holds no
 * transaction open. (OV12)
 */
export interface ControlTurns {
  /**
   * Resolves when it is the caller's turn, with the time of the turn by the clock of the database.
   * @throws Problem `control.limit`, `overlay.unknown`
   */
  await(overlay: string): Promise<Date>
}

/** The time of a turn in milliseconds, and the wait until then. */
interface Turn {
  readonly at: number
  readonly inMs: number
}

/** null if the wait would be too long. */
type Waiting = PromiseWithResolvers<Turn | null>

/**
 * All processes share one queue for each overlay: a row contains the times of its last turns. Concurrent writes in one
 * process ask for their turns together.
 */
export function controlTurns(database: Database): ControlTurns {
  const lines = new Map<string, Waiting[]>()

  return {
    async await(overlay) {
      const turn = await asked(overlay)
      if (turn === null) throw tooManyWrites()
      if (turn.inMs > 0) await wait(turn.inMs)
      return new Date(turn.at)
    },
  }

  function asked(overlay: string): Promise<Turn | null> {
    const waiting: Waiting = Promise.withResolvers()
    const line = lines.get(overlay)
    if (line !== undefined) line.push(waiting)
    else {
      lines.set(overlay, [waiting])
      void serve(overlay)
    }
    return waiting.promise
  }

  async function serve(overlay: string): Promise<void> {
    for (let line = lines.get(overlay) ?? []; line.length > 0; line = lines.get(overlay) ?? []) {
      // Writes that come in the meantime are in the next round.
      lines.set(overlay, [])
      try {
        const given = await take(overlay, line.length)
        for (const [index, { resolve }] of line.entries()) resolve(given[index] ?? null)
      } catch (error) {
        for (const { reject } of line) reject(error)
      }
    }
    lines.delete(overlay)
  }

  function take(overlay: string, count: number): Promise<readonly (Turn | null)[]> {
    return database.transaction(async (tx) => {
      const locked = await lockTurns(tx, overlay)
      if (locked === undefined) throw unknownOverlay()
      const { given, turns } = takeTurns(locked.turns, locked.now, count)
      await writeTurns(tx, overlay, turns)
      return given.map((at) => (at === null ? null : { at, inMs: at - locked.now }))
    })
  }
}
