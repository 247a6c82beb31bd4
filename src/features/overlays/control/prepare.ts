import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../../infra/db/database.ts'
import { unknownOverlay } from '../overlays/resolve.ts'
import { takeTurns, tooManyWrites } from './rules/turns.ts'
import { lockTurns, writeTurns } from './store/turns.ts'

/** Who writes what an overlay shows stands in line before the transaction, so that none is held by somebody who waits. (OV12) */
export interface ControlTurns {
  /**
   * Resolves when it is the caller's turn to write, with what time it is then by the clock of the database.
   * @throws Problem `control.limit`, `overlay.unknown`
   */
  await(overlay: string): Promise<Date>
}

/** When it comes, in milliseconds, and how long that is from now. */
interface Turn {
  readonly at: number
  readonly inMs: number
}

/** null for none. */
type Waiting = PromiseWithResolvers<Turn | null>

/** All processes stand in one line, whose last places a row holds; those of this process who come at once ask together. */
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
      // Whoever comes while these are served is of the next round.
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
