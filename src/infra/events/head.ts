import { setImmediate } from 'node:timers/promises'
import { asc, gt, sql } from 'drizzle-orm'
import { type Db, statement } from '../db/database.ts'
import { eventLog, touchedTags } from './tables.ts'

/**
 * Lets a process answer from its caches without ever returning outdated data. (D12)
 *
 * Caches hold values derived from the database: answers, verified tokens. Before a request uses any of them, the
 * process asks the event log for commits since the last question. Requests that arrive while a question is running
 * share the next one, which is asked immediately when they are many, so that two questions overlap. A busy process asks
 * at most twice in a round trip, however many requests it serves. Event numbers are given in commit order, and a change
 * is committed before it is acknowledged. So the answer to the question includes every change that any process had
 * acknowledged before this request arrived.
 */

/** Touched by an event after which all cached values may be wrong. */
export const everythingTag = '*'

export interface LoggedTouch {
  readonly seq: number
  readonly type: string
  readonly touches: readonly string[]
}

type Listener = (event: LoggedTouch) => void

const batch = 1_000
const maxTouched = 20_000
/** This many waiting requests justify a second question while the first is running. */
const worthAsking = 16
/**
 * Old events are deleted: a process that has not asked for so long may have missed some, and starts again.
 * (./retention.ts)
 */
const maxSilenceMs = 3_600_000

const since = statement('events.since', (orm) =>
  orm
    .select({ seq: eventLog.seq, type: eventLog.type, touches: touchedTags })
    .from(eventLog)
    .where(gt(eventLog.seq, sql.placeholder('seq')))
    .orderBy(asc(eventLog.seq))
    .limit(batch),
)

const newest = statement('events.newest', (orm) =>
  orm.select({ seq: sql<number>`coalesce(max(${eventLog.seq}), 0)::bigint`.mapWith(Number) }).from(eventLog),
)

export class Head {
  readonly #db: Db
  readonly #listeners: Listener[] = []
  readonly #now: () => number
  #seq: number
  #point = 0
  /** The point at which each tag was last touched, for tags touched since `#forgottenUpTo`. */
  readonly #touchedAt = new Map<string, number>()
  #forgottenUpTo = 0
  #askedAt: number
  #waiting: PromiseWithResolvers<void> | null = null
  #waiters = 0
  #asking = 0
  /** The number of lost connections, and the number of losses after which the caches were already cleared. */
  #losses = 0
  #lossesHeeded = 0
  readonly #restartListeners: (() => void)[] = []

  private constructor(db: Db, seq: number, now: () => number) {
    this.#db = db
    this.#seq = seq
    this.#now = now
    this.#askedAt = now()
  }

  /** @param db its own connection: every request waits for these questions, which must not wait for other statements */
  static async open(db: Db, now: () => number = Date.now): Promise<Head> {
    const [row] = await newest(db)
    return new Head(db, row?.seq ?? 0, now)
  }

  /** Number of the newest event that this process has applied to its memory. */
  get seq(): number {
    return this.#seq
  }

  /**
   * Grows with each applied event, and when all caches are cleared: a value whose derivation began before may be
   * outdated.
   */
  get point(): number {
    return this.#point
  }

  /** Whether a value derived from these records since `point` may be outdated: then it is not cached. */
  mayBeTouchedSince(point: number, tags: readonly string[]): boolean {
    return point < this.#forgottenUpTo || tags.some((tag) => (this.#touchedAt.get(tag) ?? -1) > point)
  }

  onEvent(listener: Listener): void {
    this.#listeners.push(listener)
  }

  /** Calls `listener` when all derived values, including those being derived, may be wrong. */
  onRestart(listener: () => void): void {
    this.#restartListeners.push(listener)
  }

  /**
   * To be called when the database may have been restarted. A commit is visible to others a moment before it is on disk
   * and acknowledged: a commit seen in that moment may be gone, and its number be given again.
   */
  lost(): void {
    this.#losses++
  }

  /** Resolves when everything committed before this call is applied. Rejects when the database cannot be asked. */
  catchUp(): Promise<void> {
    this.#waiting ??= Promise.withResolvers()
    const { promise } = this.#waiting
    this.#waiters++
    if (this.#asking === 0 || (this.#asking === 1 && this.#waiters === worthAsking)) void this.#ask()
    return promise
  }

  /**
   * Asks until no request waits. A request that arrives while a question is running may know of newer changes, and gets
   * the next question.
   */
  async #ask(): Promise<void> {
    this.#asking++
    while (this.#waiting !== null) {
      // Requests that are being read from their sockets in this turn can share the question.
      await setImmediate()
      const waiting: PromiseWithResolvers<void> | null = this.#waiting
      // The other question has taken the waiting requests.
      if (waiting === null) break
      this.#waiting = null
      this.#waiters = 0
      try {
        await this.#applyNewInSpiteOfLoss()
        waiting.resolve()
      } catch (error) {
        waiting.reject(error)
      }
    }
    this.#asking--
  }

  /** If a question fails because its connection was lost, it is repeated on another one. */
  async #applyNewInSpiteOfLoss(): Promise<void> {
    const losses = this.#losses
    try {
      await this.#applyNew()
    } catch (error) {
      if (this.#losses === losses) throw error
      await this.#applyNew()
    }
  }

  async #applyNew(): Promise<void> {
    const askedAt = this.#now()
    if (this.#losses !== this.#lossesHeeded || askedAt - this.#askedAt > maxSilenceMs) await this.#restart()
    for (;;) {
      const events = await since(this.#db, { seq: this.#seq })
      for (const event of events) {
        // The other question has already applied it.
        if (event.seq <= this.#seq) continue
        this.#point++
        this.#note(event)
        for (const listener of this.#listeners) listener(event)
        if (event.touches.includes(everythingTag)) this.#clearAll()
        this.#seq = event.seq
      }
      if (events.length < batch) break
    }
    this.#askedAt = askedAt
  }

  #note({ touches }: LoggedTouch): void {
    for (const tag of touches) this.#touchedAt.set(tag, this.#point)
    if (this.#touchedAt.size > maxTouched) this.#forgetTouches()
  }

  #forgetTouches(): void {
    this.#touchedAt.clear()
    this.#forgottenUpTo = this.#point
  }

  async #restart(): Promise<void> {
    const losses = this.#losses
    const [row] = await newest(this.#db)
    this.#lossesHeeded = losses
    this.#seq = row?.seq ?? 0
    this.#point++
    this.#clearAll()
  }

  #clearAll(): void {
    this.#forgetTouches()
    for (const listener of this.#restartListeners) listener()
  }
}
