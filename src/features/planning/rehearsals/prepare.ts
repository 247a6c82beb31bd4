import { setTimeout } from 'node:timers/promises'
import { type Place, workAt, workAtFirst } from '../../../infra/clock/store.ts'
import type { Database } from '../../../infra/db/database.ts'
import type { Follower } from '../../../infra/events/follow.ts'
import { areEventsWaiting } from '../../../infra/events/positions.ts'
import type { DueWork } from '../../../infra/jobs/due.ts'
import type { JobContext } from '../../../infra/jobs/jobs.ts'
import { moveClock, noteRun } from './commands.ts'
import { nextStop, unknownRehearsal } from './rules.ts'
import { findRun } from './store.ts'

/** Runs what is due in rehearsals, by their clocks. (R2) */
export interface RehearsalClocks {
  /** Does what is due up to the clock's present. A failure is logged, since no caller asked for it. */
  readonly runDue: (rehearsal: string) => Promise<void>
  /** The same, once the followers have handled what happened. A failure is logged. */
  readonly catchUp: (rehearsal: string) => Promise<void>
  /**
   * Moves the clock on to an instant, and does on the way what is due.
   * @throws Problem `rehearsal.unknown`
   */
  readonly advance: (rehearsal: string, to: Date, actor: string) => Promise<Advanced>
}

export interface Advanced {
  /** The number of pieces of work that changed something. */
  readonly ran: number
  /** False if the time for one call was over before the instant was reached. */
  readonly isDone: boolean
}

/** A part of the service that may have due work. */
export interface RehearsedPart {
  readonly due?: readonly DueWork[]
  readonly followers?: readonly Follower[]
}

/** What takes longer in one look is done in the next. */
const catchUpMs = 5_000
const settledLookMs = 15

/** @param budgetMs how long one advance may work; each does one step at least */
export function rehearsalClocks(
  parts: readonly RehearsedPart[],
  context: () => JobContext,
  budgetMs: number,
): RehearsalClocks {
  const works = parts.flatMap(({ due = [] }) => due.filter(({ inRehearsals }) => inRehearsals))
  /** Their work may make something due. */
  const followers = parts.flatMap((part) => (part.followers ?? []).filter(({ makesDue }) => makesDue))
  /** The last call for each rehearsal: calls of one process run one after the other. */
  const lines = new Map<string, Promise<unknown>>()
  const advancing = new Set<string>()

  function inLine<T>(rehearsal: string, work: () => Promise<T>): Promise<T> {
    const working = (lines.get(rehearsal) ?? Promise.resolve()).then(work, work)
    const ended: Promise<unknown> = working
      .catch(() => {})
      .finally(() => {
        if (lines.get(rehearsal) === ended) lines.delete(rehearsal)
      })
    lines.set(rehearsal, ended)
    return working
  }

  /** Does all that is due at an instant, once. */
  async function runAt(place: Place): Promise<{ readonly ran: number; readonly nextMs: number | null }> {
    let ran = 0
    const transaction: Database['transaction'] = async (work, options) => {
      let isChange = false
      const result = await context().database.transaction((tx) => {
        workAtFirst(tx, place)
        return work(tx).then((done) => {
          // Every change emits an event.
          isChange = tx.last.length > 0
          return done
        })
      }, options)
      if (isChange) ran++
      return result
    }
    const nexts = await context().database.snapshot(async (db) => {
      await workAt(db, place)
      const around = { ...context(), database: { ...context().database, db, transaction }, now: () => place.instant }
      const found: (number | null)[] = []
      for (const { run } of works) found.push(await run(around))
      return found
    })
    const known = nexts.filter((ms) => ms !== null)
    return { ran, nextMs: known.length === 0 ? null : Math.min(...known) }
  }

  /**
   * Does all that is due at an instant, and what becomes due then by that.
   * @returns `nextMs` undefined if the time was over before all of it was done
   */
  async function runAllAt(
    place: Place,
    until: number,
  ): Promise<{ readonly ran: number; readonly nextMs?: number | null }> {
    let ran = 0
    for (let before: number | null | undefined; ; ) {
      const found = await runAt(place)
      ran += found.ran
      // The next instant was read before the work, which may have changed it without an event.
      if (found.ran === 0 && found.nextMs === before) return { ran, nextMs: found.nextMs }
      before = found.ran === 0 ? found.nextMs : undefined
      if (found.ran === 0) continue
      if (!(await settled(place.tournament, until)) || performance.now() > until) return { ran }
    }
  }

  /**
   * Resolves when the followers have handled everything that happened in the rehearsal.
   * @returns false if the time was over before
   */
  async function settled(tournament: string, until: number): Promise<boolean> {
    while (await areEventsWaiting(context().database.db, followers, tournament)) {
      if (performance.now() > until) return false
      await setTimeout(settledLookMs)
    }
    return true
  }

  /** @param to null for the present of the clock */
  async function run(rehearsal: string, to: Date | null, actor: string | null, ms: number): Promise<Advanced> {
    const until = performance.now() + ms
    let ran = 0
    let goal = to
    // The followers' part of what was done before is the same in every equal evening, however soon this call came.
    if (to !== null && !(await settled(rehearsal, until))) return { ran, isDone: false }
    for (;;) {
      const state = await findRun(context().database.db, rehearsal)
      // In one that was deleted meanwhile, nothing is due.
      if (state === undefined && to === null) return { ran, isDone: true }
      if (state === undefined) throw unknownRehearsal()
      goal ??= state.instant
      const { ranTo } = state
      if (ranTo < goal && !(await settled(rehearsal, until))) return { ran, isDone: false }
      const found = await runAllAt({ tournament: rehearsal, instant: ranTo, isFixed: true }, until)
      ran += found.ran
      if (found.nextMs === undefined) return { ran, isDone: false }
      if (ranTo >= goal) return { ran, isDone: true }
      const stop = nextStop(ranTo, found.nextMs, goal)
      await context().database.transaction((tx) =>
        to === null
          ? noteRun(tx, rehearsal, { from: ranTo, to: stop })
          : moveClock(tx, rehearsal, { from: ranTo, to: stop, actor }),
      )
      if (performance.now() > until) return { ran, isDone: false }
    }
  }

  function logFailure(err: unknown, rehearsal: string): void {
    context().log.error({ err, rehearsal }, 'due work')
  }

  return {
    async runDue(rehearsal) {
      // An advance does it anyway, and may take long.
      if (advancing.has(rehearsal)) return
      await inLine(rehearsal, () => run(rehearsal, null, null, catchUpMs)).catch((err) => logFailure(err, rehearsal))
    },
    catchUp: (rehearsal) =>
      inLine(rehearsal, async () => {
        await settled(rehearsal, performance.now() + catchUpMs)
        await run(rehearsal, null, null, catchUpMs)
      }).catch((err) => logFailure(err, rehearsal)),
    advance: (rehearsal, to, actor) =>
      inLine(rehearsal, async () => {
        advancing.add(rehearsal)
        try {
          return await run(rehearsal, to, actor, budgetMs)
        } finally {
          advancing.delete(rehearsal)
        }
      }),
  }
}
