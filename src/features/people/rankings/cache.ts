import pLimit from 'p-limit'
import { Unreachable, type UnreachableReason } from '../../../infra/clients/http.ts'
import type { RankingClient } from '../../../infra/clients/ranking.ts'
import type { Database } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { accountKey, isFresh, isUsable } from './rules.ts'
import { listOwners, listProfiles, upsertProfiles } from './store.ts'
import type { Account, Finding, Profile, RankingPlatform } from './types.ts'

/**
 * The ranking platforms behind a cache in the database, which all processes share. Answers are saved immediately in a
 * transaction of their own, even if the request that needed them fails.
 */
export interface RankingCache {
  /**
   * Returns what is known about the accounts, by `accountKey`. It does not reject if a platform is unreachable.
   * @param maxAsked for how many accounts the platforms are asked; of the others it returns what is stored
   */
  find(accounts: readonly Account[], maxAsked?: number): Promise<ReadonlyMap<string, Finding>>
}

export interface RankingCacheOptions {
  readonly database: Database
  readonly clients: Readonly<Record<RankingPlatform, RankingClient>>
  readonly now: () => Date
  readonly onFailure: (failure: Unreachable) => void
}

const callsAtOnce = 4

export function createRankingCache({ database, clients, now, onFailure }: RankingCacheOptions): RankingCache {
  /** Until when a platform is not called, in milliseconds since the epoch. */
  const pausedUntil = new Map<RankingPlatform, number>()
  const underWay = new Map<string, Promise<Profile | undefined>>()

  /** Asks the platform; undefined if it gave no answer. */
  async function ask(account: Account): Promise<Profile | undefined> {
    const { platform, externalId } = account
    if (now().getTime() < (pausedUntil.get(platform) ?? 0)) return undefined
    try {
      const answer = await clients[platform].profile(externalId)
      const { name, country, rank } = answer ?? { name: null, country: null, rank: null }
      return { platform, externalId, name, country, rank, fetchedAt: now() }
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      onFailure(error)
      const pause = pauseAfter(error)
      if (pause > 0) pausedUntil.set(platform, now().getTime() + pause)
      return undefined
    }
  }

  /** Concurrent requests for the same account share one call. */
  function askOnce(account: Account): Promise<Profile | undefined> {
    const key = accountKey(account)
    const asked = underWay.get(key) ?? ask(account).finally(() => underWay.delete(key))
    underWay.set(key, asked)
    return asked
  }

  return {
    async find(accounts, maxAsked = Number.POSITIVE_INFINITY) {
      const wanted = new Map(accounts.map((account) => [accountKey(account), account]))
      const stored = byKey(await listProfiles(database.db, [...wanted.values()]))
      const asOf = now()
      const stale = [...wanted.values()].filter((account) => !isFresh(stored.get(accountKey(account)), asOf))
      const answers = await pLimit(callsAtOnce).map(stale.slice(0, maxAsked), askOnce)
      const fetched = byKey(answers.filter((answer) => answer !== undefined))
      if (fetched.size > 0) await remember(database, stored, [...fetched.values()])
      return new Map(
        [...wanted.keys()].map((key) => {
          const profile = fetched.get(key) ?? stored.get(key)
          return [key, isUsable(profile, asOf) ? profile : 'unreachable']
        }),
      )
    },
  }
}

/**
 * Saves the platforms' answers. Country and rank are shown with users, so a change of either invalidates cached answers
 * with the accounts' owners. (D12)
 */
async function remember(
  database: Database,
  before: ReadonlyMap<string, Profile>,
  fetched: readonly Profile[],
): Promise<void> {
  // Always in the same order, so that two processes that save the same accounts do not deadlock.
  const ordered = fetched.toSorted((a, b) => (accountKey(a) < accountKey(b) ? -1 : 1))
  const moved = ordered.filter((profile) => {
    const known = before.get(accountKey(profile))
    return (known?.country ?? null) !== profile.country || (known?.rank ?? null) !== profile.rank
  })
  await database.transaction(async (tx) => {
    await upsertProfiles(tx, ordered)
    const owners = await listOwners(tx, moved)
    if (owners.length > 0) emit(tx, { type: 'ranking.refreshed', subject: null, actor: null, touches: owners })
  })
}

const minPauseMs = 5_000
const maxPauseMs = 60_000

/** Failures that concern the whole platform; others may be due to a single account. */
const ofThePlatform: ReadonlySet<UnreachableReason> = new Set(['timeout', 'refused', 'dns', 'limited'])

/**
 * How long a platform is not called after a failure, in milliseconds: as long as it asks for, within limits. Until
 * then, callers get the cached answer immediately instead of waiting for one timeout after the other.
 */
function pauseAfter({ reason, retryAfterMs }: Unreachable): number {
  if (!ofThePlatform.has(reason)) return 0
  return Math.min(Math.max(retryAfterMs ?? 0, minPauseMs), maxPauseMs)
}

function byKey(profiles: readonly Profile[]): Map<string, Profile> {
  return new Map(profiles.map((profile) => [accountKey(profile), profile]))
}
