import { setImmediate } from 'node:timers/promises'
import { asc, gt, sql } from 'drizzle-orm'
import { type Db, statement } from '../db/database.ts'
import { eventLog, touchedTags } from './tables.ts'

/**
 * Lets a process answer from memory without ever answering from the past. (D12)
 *
 * Memory holds things derived from the database: answers, verified tokens. Before a request uses any of it, it asks the
 * event log what was committed since the last look. Requests that arrive while such a question is under way share the
 * next one, which is asked at once when they are many: while the answer to one is applied and its requests are answered, the
 * other is on its way. A busy process asks no more often than twice in a round trip, however many requests it serves. Because
 * numbers are given in commit order, and a change is committed before it is acknowledged, whatever anybody was told
 * before this request arrived is known when the question is answered: by this process or any other.
 */

export interface LoggedTouch {
  readonly seq: number
  readonly type: string
  readonly touches: readonly string[]
}

type Listener = (event: LoggedTouch) => void

const batch = 1_000
const maxTouched = 20_000
/** So many requests that wait are worth a second question while the first is under way. */
const worthAsking = 16
/** Old events are deleted: whoever has not asked for so long may have missed some, and starts again. (./retention.ts) */
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
  /** At which point each tag was last touched, since the point up to which that was forgotten. */
  readonly #touchedAt = new Map<string, number>()
  #forgottenUpTo = 0
  #askedAt: number
  #waiting: PromiseWithResolvers<void> | null = null
  #waiters = 0
  #asking = 0
  /** How often a connection was lost, and up to which of these losses all has been forgotten. */
  #losses = 0
  #lossesHeeded = 0
  readonly #restartListeners: (() => void)[] = []

  private constructor(db: Db, seq: number, now: () => number) {
    this.#db = db
    this.#seq = seq
    this.#now = now
    this.#askedAt = now()
  }

  /** @param db of its own: every request waits for what is asked here, which must not wait for what others ask */
  static async open(db: Db, now: () => number = Date.now): Promise<Head> {
    const [row] = await newest(db)
    return new Head(db, row?.seq ?? 0, now)
  }

  /** Number of the newest event that this process has applied to its memory. */
  get seq(): number {
    return this.#seq
  }

  /** Grows with each event that is applied, and when all is forgotten: what began before that may not know of it. */
  get point(): number {
    return this.#point
  }

  /** Whether what began to be made of these at `point` may not know of all that has happened to them: then it is not kept. */
  mayBeTouchedSince(point: number, tags: readonly string[]): boolean {
    return point < this.#forgottenUpTo || tags.some((tag) => (this.#touchedAt.get(tag) ?? -1) > point)
  }

  onEvent(listener: Listener): void {
    this.#listeners.push(listener)
  }

  /** Calls `listener` when all that was derived, or is being derived, may be wrong. */
  onRestart(listener: () => void): void {
    this.#restartListeners.push(listener)
  }

  /**
   * The database may have been restarted. A commit is seen by others a moment before it is on the disk, and before
   * anybody is told of it: what was seen in that moment may be gone, and its number be given again.
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

  /** Whoever arrives while a question is under way may know of changes that it missed, and gets the next. */
  async #ask(): Promise<void> {
    this.#asking++
    while (this.#waiting !== null) {
      // Requests that are being read from their sockets in this very turn can share the question.
      await setImmediate()
      const waiting: PromiseWithResolvers<void> | null = this.#waiting
      // The other one has taken them along.
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

  /** A question that fails because its connection is lost is asked again, of another one. */
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
        // The other question has brought it.
        if (event.seq <= this.#seq) continue
        this.#point++
        this.#note(event)
        for (const listener of this.#listeners) listener(event)
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
    this.#forgetTouches()
    for (const listener of this.#restartListeners) listener()
  }
}
