import type { Actor } from '../../core/actor.ts'
import type { Db } from '../db/database.ts'
import type { Head } from '../events/head.ts'
import { listHeld } from './store.ts'

/** How a reader who does not see everything as it is now reads: with some tournaments held. (V1) */
export interface Lane {
  /** GUIDs of the held tournaments in which the reader is an insider, in order. */
  readonly inside: readonly string[]
}

/** Types of events that change who is an insider. A change of the mode clears all caches. */
const changing: ReadonlySet<string> = new Set([
  'tournament.deleted',
  'tournament.handed_over',
  'access.granted',
  'access.revoked',
])

/** The held tournaments with their insiders: what decides which rows a caller reads. */
export class Held {
  readonly #db: Db
  readonly #head: Head
  #insiders: ReadonlyMap<string, ReadonlySet<string>> = new Map()
  #isStale = true
  #loading: Promise<void> | null = null

  constructor(db: Db, head: Head) {
    this.#db = db
    this.#head = head
    head.onEvent(({ type }) => {
      if (changing.has(type)) this.#isStale = true
    })
    head.onRestart(() => {
      this.#isStale = true
    })
  }

  /**
   * How an actor reads; null for an actor who sees everything as it is now. Call it after `Head.catchUp`.
   * @param actor with the roles in the tournament that the address names
   * @param there GUID of that tournament, where it is known
   */
  async laneOf({ guid, globalRoles, view, isOrganiser, roles }: Actor, there: string | null): Promise<Lane | null> {
    if (this.#isStale || this.#loading !== null) await this.#load()
    if (this.#insiders.size === 0 || globalRoles.has('global:tournaments:manage')) return null
    const isInside = (insiders: ReadonlySet<string>, tournament: string) =>
      (guid !== null && insiders.has(guid)) ||
      view?.tournamentGuid === tournament ||
      (tournament === there && (isOrganiser || roles.size > 0))
    const inside = [...this.#insiders].filter(([tournament, insiders]) => isInside(insiders, tournament))
    if (inside.length === this.#insiders.size) return null
    return { inside: inside.map(([tournament]) => tournament).sort() }
  }

  /** The same for callers who have not waited for the log. */
  async laneOfNow(actor: Actor): Promise<Lane | null> {
    await this.#head.catchUp()
    return this.laneOf(actor, null)
  }

  /** Whether any tournament is held, as of the last call of `laneOf`. */
  get isAny(): boolean {
    return this.#insiders.size > 0
  }

  /** Whether a tournament is held, as of the last call of `laneOf`. */
  has(tournament: string): boolean {
    return this.#insiders.has(tournament)
  }

  #load(): Promise<void> {
    this.#loading ??= this.#loadUntilFresh().finally(() => {
      this.#loading = null
    })
    return this.#loading
  }

  async #loadUntilFresh(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false
      try {
        this.#insiders = await listHeld(this.#db)
      } catch (error) {
        this.#isStale = true
        throw error
      }
    }
  }
}
