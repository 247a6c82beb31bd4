import { anonymous } from '../../../core/actor.ts'
import { kindTag } from '../../../core/events.ts'
import { Batcher } from '../../../infra/batcher.ts'
import type { Database } from '../../../infra/db/database.ts'
import { Cache } from '../../../infra/events/cache.ts'
import type { Head } from '../../../infra/events/head.ts'
import type { Bearer, KnownViewToken } from '../../../infra/http/admission.ts'
import { digestOf } from '../../../infra/secrets.ts'
import { hasFormOfViewToken, hourOf } from './rules.ts'
import { findSights, findSightsByDigest, noteUses, type Sight } from './store/tokens.ts'

/**
 * Caches the view tokens that were presented to this process, until an event ends them. A revoked token is refused
 * immediately, on every process.
 */

/** About twenty thousand tokens. */
const maxBytes = 10 * 1024 * 1024
const bytesOfOne = 500
/** Uses are saved together after this delay in milliseconds, so that no read waits for them. */
const noteMs = 2_000
const maxNoted = 20_000

export interface ViewTokensOptions {
  readonly database: Database
  readonly head: Head
  readonly onError: (error: unknown) => void
}

export class ViewTokens {
  readonly #options: ViewTokensOptions
  /** By the digest of the token in hex, and by the token's GUID. */
  readonly #known: Cache<Bearer>
  readonly #byDigest: Batcher<Buffer, Sight | undefined>
  readonly #byGuid: Batcher<string, Sight | undefined>
  /** The hour of the last saved use, by GUID of the token. */
  readonly #noted = new Map<string, number>()
  #used = new Set<string>()
  #usedIn = 0
  #timer: NodeJS.Timeout | undefined
  #noting: Promise<void> = Promise.resolve()

  constructor(options: ViewTokensOptions) {
    this.#options = options
    const { database, head } = options
    this.#known = new Cache(head, maxBytes, () => bytesOfOne)
    // After a gateway dies, all pages of a broadcast connect to another one at the same time; their look-ups are
    // combined.
    this.#byDigest = new Batcher({
      ask: async (digests) => {
        const found = await findSightsByDigest(database.db, digests)
        return digests.map((digest) => found.get(digest.toString('hex')))
      },
    })
    this.#byGuid = new Batcher({
      ask: async (guids) => {
        const found = await findSights(database.db, [...new Set(guids)])
        return guids.map((guid) => found.get(guid))
      },
    })
  }

  /** Returns the bearer, or null for a token that is unknown, expired, or was revoked before this call. */
  async verify(token: string, now: Date): Promise<Bearer | null> {
    await this.#options.head.catchUp()
    if (!hasFormOfViewToken(token)) return null
    const digest = digestOf(token)
    return this.#find(digest.toString('hex'), () => this.#byDigest.ask(digest), now)
  }

  /** Checks a token again that was verified before; null once it is no longer valid. */
  async verifyAgain({ viewToken }: KnownViewToken, now: Date): Promise<Bearer | null> {
    await this.#options.head.catchUp()
    return this.#find(viewToken, () => this.#byGuid.ask(viewToken), now)
  }

  /** Saves the remaining uses. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#noting
    await this.#writeUses()
  }

  async #find(key: string, find: () => Promise<Sight | undefined>, now: Date): Promise<Bearer | null> {
    const { startingPoint } = this.#known
    let bearer = this.#known.get(key)
    if (bearer === undefined) {
      const found = await find()
      if (found === undefined) return null
      bearer = bearerOf(found)
      this.#known.keep(key, bearer, bearer.tags, startingPoint)
      this.#remember(found)
    }
    if (bearer.expiresAt <= now.getTime()) return null
    this.#noteUse(bearer.actor.view?.tokenGuid ?? '', now)
    return bearer
  }

  // The last use of tokens

  #remember({ view: { tokenGuid }, lastUsedAt }: Sight): void {
    if (lastUsedAt !== null) this.#noted.set(tokenGuid, lastUsedAt.getTime())
  }

  #noteUse(guid: string, now: Date): void {
    const hour = hourOf(now).getTime()
    if ((this.#noted.get(guid) ?? 0) >= hour) return
    if (this.#noted.size >= maxNoted) this.#noted.clear()
    this.#noted.set(guid, hour)
    this.#used.add(guid)
    this.#usedIn = hour
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#noting = this.#noting.then(() => this.#writeUses())
    }, noteMs).unref()
  }

  /** A use that cannot be saved is saved by the next use in another hour, or by another process. */
  async #writeUses(): Promise<void> {
    const used = this.#used
    if (used.size === 0) return
    this.#used = new Set()
    const { database, onError } = this.#options
    await database.transaction((tx) => noteUses(tx, [...used], new Date(this.#usedIn))).catch(onError)
  }
}

function bearerOf({ view, expiresAt }: Sight): Bearer {
  return {
    actor: { ...anonymous, view },
    // The deletion of an overlay touches its tokens. The deletion of a tournament deletes them, too.
    tags: [view.tokenGuid, kindTag(view.tournamentGuid, 'tournament.deleted')],
    expiresAt: expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
  }
}
