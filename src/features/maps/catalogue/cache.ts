import { setTimeout } from 'node:timers/promises'
import pLimit from 'p-limit'
import { type CatalogueClient, maxAtOnce, type Songs } from '../../../infra/clients/catalogue.ts'
import { Unreachable } from '../../../infra/clients/http.ts'
import type { LeaderboardClient, LeaderboardMap } from '../../../infra/clients/leaderboards.ts'
import { type Place, workAtFirst } from '../../../infra/clock/store.ts'
import type { Database } from '../../../infra/db/database.ts'
import { recordLookUps } from '../../../infra/outbox/sending.ts'
import { consequenceOf, isFresh } from './rules/memory.ts'
import {
  answersOf,
  askedBy,
  boardQuestion,
  fallsBack,
  findingOf,
  type Kind,
  kindOf,
  nameOf,
  questionOf,
  type Source,
  sources,
} from './rules/questions.ts'
import { listAnswers, upsertAnswers } from './store.ts'
import type { Finding, PlaylistFinding, SongReference, StoredAnswer } from './types.ts'

/**
 * A cache of the map catalogue and of the ranking platforms' leaderboards. It is stored in the database and shared by
 * all processes. A caller waits for a limited time; an answer that comes later is still stored for the next caller. A
 * failure outside never rejects a promise. (pools: The catalogue connector)
 */
export interface Catalogue {
  /** Returns a finding for each reference, in the same order. */
  lookUp(references: readonly SongReference[], options?: LookUpOptions): Promise<Finding[]>
  /** Returns the first maps of a playlist in the catalogue. Stores their songs, so that `lookUp` finds them. */
  playlist(id: string, options?: Pick<LookUpOptions, 'patienceMs'>): Promise<PlaylistFinding>
  /** Aborts all running requests. */
  close(): Promise<void>
}

export interface LookUpOptions {
  /** Ignores stored answers about songs. */
  readonly fresh?: boolean
  /**
   * Timeout for all answers together, in milliseconds. For callers other than user requests; the default is a user's
   * timeout.
   */
  readonly patienceMs?: number
  /** The rehearsal that asks: stored answers are all that it gets, and what it asks is recorded there. (R3) */
  readonly rehearsal?: Place | null
}

export interface CatalogueOptions {
  readonly database: Database
  readonly client: CatalogueClient
  readonly leaderboards: { readonly a: LeaderboardClient; readonly b: LeaderboardClient }
  readonly patienceMs: number
  /** Delay before the first retry, in milliseconds. */
  readonly retryMs: number
  readonly now: () => Date
  readonly onFailure: (failure: Unreachable) => void
}

/** Limits of a playlist. (pools: Records) */
const maxEntries = 500
const maxPages = 20

export function createCatalogue(options: CatalogueOptions): Catalogue {
  const { database, client, leaderboards, now, onFailure } = options
  const closing = new AbortController()
  /** Until when no requests are sent to a source, in milliseconds since the epoch. */
  const silentUntil = new Map<Source, number>()
  const turns = { catalogue: pLimit(2), 'platform A': pLimit(2), 'platform B': pLimit(2) }
  const underWay = new Map<string, Promise<StoredAnswer | undefined>>()
  const playlistsUnderWay = new Map<string, Promise<PlaylistFinding>>()
  const working = new Set<Promise<unknown>>()

  /** Returns undefined if no usable answer came. */
  async function attempt<T>(source: Source, ask: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    for (let tries = 1; ; tries++) {
      const result = await turns[source](() => attemptOnce(source, ask, tries))
      if (result !== 'again') return result?.value
      await setTimeout(options.retryMs * 2 ** (tries - 1), undefined, { signal: closing.signal }).catch(() => {})
    }
  }

  async function attemptOnce<T>(
    source: Source,
    ask: (signal: AbortSignal) => Promise<T>,
    tries: number,
  ): Promise<{ readonly value: T } | 'again' | undefined> {
    if (closing.signal.aborted || now().getTime() < (silentUntil.get(source) ?? 0)) return undefined
    try {
      return { value: await ask(closing.signal) }
    } catch (error) {
      if (closing.signal.aborted) return undefined
      if (!(error instanceof Unreachable)) throw error
      onFailure(error)
      const consequence = consequenceOf(error, tries)
      if (consequence.kind === 'again') return 'again'
      if (consequence.kind === 'silence') silentUntil.set(source, now().getTime() + consequence.ms)
      return undefined
    }
  }

  /** Sends one request, for one question or, to the catalogue, for a batch, and stores the answers. */
  async function askBatch(kind: Kind, names: readonly string[]): Promise<ReadonlyMap<string, StoredAnswer>> {
    const answered = await attempt(sources[kind], (signal) => askSource(kind, names, signal))
    if (answered === undefined) return new Map()
    const given = answersOf(kind, answered, now())
    await database.transaction((tx) => upsertAnswers(tx, given))
    return new Map(given.map((one) => [one.question, one]))
  }

  async function askSource(
    kind: Kind,
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<Songs | ReadonlyMap<string, LeaderboardMap | null>> {
    if (kind === 'hash') return client.byHashes(names, signal)
    if (kind === 'key') return client.byKeys(names, signal)
    const [name = ''] = names
    return new Map([[name, await leaderboards[kind].map(name, signal)]])
  }

  /** Equal questions share one running request. */
  function askAll(questions: readonly string[]): Promise<StoredAnswer | undefined>[] {
    const waiting = questions.filter((question) => !underWay.has(question))
    for (const kind of Object.keys(sources) as Kind[]) {
      const names = waiting.flatMap((question) => (kindOf(question) === kind ? [nameOf(question)] : []))
      const size = sources[kind] === 'catalogue' ? maxAtOnce : 1
      for (let at = 0; at < names.length; at += size) {
        const batch = names.slice(at, at + size)
        const asked = tracked(askBatch(kind, batch))
        for (const question of batch.map((name) => questionOf(kind, name))) {
          const own = asked.then((given) => given.get(question)).finally(() => underWay.delete(question))
          // The caller may have given up by then.
          own.catch(() => {})
          underWay.set(question, own)
        }
      }
    }
    return questions.map((question) => underWay.get(question) as Promise<StoredAnswer | undefined>)
  }

  function tracked<T>(work: Promise<T>): Promise<T> {
    const settled = work.then(
      () => {},
      () => {},
    )
    working.add(settled)
    settled.then(() => working.delete(settled))
    return work
  }

  /** Returns the known answers to distinct questions, when all have arrived or when the timeout is over. */
  async function answersTo(
    questions: readonly string[],
    { fresh, late }: { readonly fresh: boolean; readonly late: Promise<unknown> },
  ): Promise<ReadonlyMap<string, StoredAnswer>> {
    const stored = await listAnswers(database.db, questions)
    const known = new Map(fresh ? [] : stored.map((answer) => [answer.question, answer]))
    const asOf = now()
    const stale = questions.filter((question) => {
      const answer = known.get(question)
      return answer === undefined || !isFresh(answer, asOf)
    })
    const answering = askAll(stale).map(async (asked) => {
      const answer = await asked
      if (answer !== undefined) known.set(answer.question, answer)
    })
    await Promise.race([Promise.all(answering), late])
    return new Map(known)
  }

  /** Runs `work` with two promises: `late` resolves after the timeout, `half` after half of it. */
  async function patiently<T>(
    patienceMs: number,
    work: (late: Promise<unknown>, half: Promise<unknown>) => Promise<T>,
  ): Promise<T> {
    const done = new AbortController()
    const after = (ms: number) => setTimeout(ms, undefined, { signal: done.signal }).catch(() => {})
    try {
      return await work(after(patienceMs), after(patienceMs / 2))
    } finally {
      done.abort()
    }
  }

  async function lookUpStored(
    references: readonly SongReference[],
    { rehearsal, patienceMs }: { readonly rehearsal: Place; readonly patienceMs: number },
  ): Promise<Finding[]> {
    const known = async (questions: readonly string[]) =>
      new Map((await listAnswers(database.db, questions)).map((answer) => [answer.question, answer]))
    const boards = await known(distinct(references.flatMap(boardQuestion)))
    const findings = await findingsOf(references, boards, known)
    const answered = await database.transaction((tx) => {
      workAtFirst(tx, rehearsal)
      const asked = references.map((reference, index) => ({
        ...{ subject: 'Map', body: JSON.stringify(reference) },
        isAnswered: findings[index]?.outcome !== 'unreachable',
      }))
      return recordLookUps(tx, rehearsal, { to: 'map catalogue', patienceMs }, asked)
    })
    return findings.map((finding, index): Finding => {
      if (finding.outcome === 'unreachable' || answered[index]) return finding
      return { outcome: 'unreachable', isFault: true, hash: finding.hash, named: finding.named }
    })
  }

  async function readPlaylist(id: string): Promise<PlaylistFinding> {
    const entries = new Map<string, string | null>()
    let title = ''
    for (let page = 0; page < maxPages; page++) {
      const answered = await attempt('catalogue', (signal) => client.playlistPage(id, page, signal))
      if (answered === undefined) return { outcome: 'unreachable' }
      if (answered === null && page === 0) return { outcome: 'unknown' }
      const items = answered?.items ?? []
      if (items.length === 0) return { outcome: 'found', title, ...shortened(entries) }
      title ||= answered?.title ?? ''
      const songs = new Map(items.flatMap(({ key, song }) => (song === null ? [] : [[key, song] as const])))
      const given = answersOf('key', songs, now())
      await database.transaction((tx) => upsertAnswers(tx, given))
      for (const { key, song } of items) if (!entries.has(key)) entries.set(key, song?.hash ?? null)
      if (entries.size > maxEntries) break
    }
    return { outcome: 'found', title, ...shortened(entries), hasMore: true }
  }

  return {
    async lookUp(references, { fresh = false, patienceMs = options.patienceMs, rehearsal = null } = {}) {
      if (rehearsal !== null) return lookUpStored(references, { rehearsal, patienceMs })
      return patiently(patienceMs, async (late, half) => {
        const boards = distinct(references.flatMap(boardQuestion))
        // A silent platform must not use up the time for questions that do not need it.
        const mapsOfBoards = boards.length === 0 ? new Map() : await answersTo(boards, { fresh: false, late: half })
        return findingsOf(references, mapsOfBoards, (questions) => answersTo(questions, { fresh, late }))
      })
    },
    async playlist(id, { patienceMs = options.patienceMs } = {}) {
      return patiently(patienceMs, async (late) => {
        const reading =
          playlistsUnderWay.get(id) ?? tracked(readPlaylist(id).finally(() => playlistsUnderWay.delete(id)))
        playlistsUnderWay.set(id, reading)
        // It may fail after all callers have given up.
        reading.catch(() => {})
        return Promise.race([reading, late.then((): PlaylistFinding => ({ outcome: 'unreachable' }))])
      })
    },
    async close() {
      closing.abort()
      await Promise.all(working)
    },
  }
}

/** @param answersTo returns what is known of distinct questions */
async function findingsOf(
  references: readonly SongReference[],
  mapsOfBoards: ReadonlyMap<string, StoredAnswer>,
  answersTo: (questions: readonly string[]) => Promise<ReadonlyMap<string, StoredAnswer>>,
): Promise<Finding[]> {
  const asked = references.map((reference) => askedBy(reference, mapsOfBoards))
  const questions = distinct(asked.flatMap(({ question }) => question ?? []))
  const answers = questions.length === 0 ? new Map<string, StoredAnswer>() : await answersTo(questions)
  const keys = distinct(asked.flatMap((one) => fallsBack(one, answers)))
  const ofKeys = keys.length === 0 ? new Map<string, StoredAnswer>() : await answersTo(keys)
  return asked.map((one) => findingOf(one, new Map([...answers, ...ofKeys])))
}

function shortened(
  entries: ReadonlyMap<string, string | null>,
): Pick<Extract<PlaylistFinding, { outcome: 'found' }>, 'entries' | 'hasMore'> {
  const all = [...entries].map(([key, hash]) => ({ key, hash }))
  return { entries: all.slice(0, maxEntries), hasMore: all.length > maxEntries }
}

function distinct(questions: readonly string[]): string[] {
  return [...new Set(questions)]
}
