import { QueryClient, type UseQueryResult, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { UserCard } from '../../../client/generated.ts'
import { type Address, ApiError, forget, request, signedInAs, signedInKey, startToken, Unreachable } from './api.ts'
import { connection } from './connection.ts'
import { forgetDrafts } from './drafts.ts'
import { epochOfLive, followAs, live } from './live.ts'
import { forgetPins } from './pins.ts'
import { isEmbed } from './settings.ts'
import { takeReturn } from './sign-in-return.ts'
import { useSteady } from './steady.ts'
import { isBeforeAnswer, newestOf, noteTold } from './told.ts'
import { answerBy, beginsWith, isDelayed, limitOf, topicOf } from './topics.ts'

/** What is known of the API's answers, by their addresses. Live topics write into the same cache. (W7, W8) */

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      gcTime: 600_000,
      refetchOnWindowFocus: false,
      // Without a network, what is kept is shown at once; `connection` tells when to ask again.
      networkMode: 'always',
      refetchOnReconnect: false,
      retry: (failures, error) =>
        failures < 2 && navigator.onLine && !(error instanceof ApiError && error.status < 500),
    },
    // Without a network, a change fails at once, which is said; it does not wait, to be made at a later time.
    mutations: { networkMode: 'always' },
  },
})

let wasLost = false
connection.subscribe(() => {
  const isLost = connection.seen().lostAt !== null
  if (wasLost && !isLost) {
    void askAgain()
    if (!isReaderCertain) void startReader()
  }
  wasLost = isLost
})

/** Asks again for what failed or may be old; topics bring what they have by themselves. */
async function askAgain(): Promise<void> {
  await queries.refetchQueries({
    type: 'active',
    predicate: (query) =>
      query.state.status === 'error' || kept.has(query.queryKey[0]) || (query.meta?.live !== true && query.isStale()),
  })
}

/** The addresses whose answers this browser had kept. */
const kept = new Set<unknown>()

/** Puts the answers that came with the page into the cache, and takes those that the browser asks for already. (W4) */
export function takeFirstAnswers(): void {
  const text = document.getElementById('first')?.textContent ?? '{}'
  for (const [address, body] of Object.entries(JSON.parse(text))) queries.setQueryData([address], body)
  for (const link of document.querySelectorAll('link[rel="preload"][as="fetch"]')) {
    const address = (link.getAttribute('href') ?? '').replace('/api', '')
    void queries.prefetchQuery({ queryKey: [address], queryFn: ({ signal }) => answerOf(address, signal) })
  }
}

export type Read<Body> = UseQueryResult<Body, Error>

export interface ReadOptions {
  /** Whether to follow the read as a topic, with the delay that its address asks for. */
  readonly live?: boolean
  readonly enabled?: boolean
}

/** An answer of the API; with `live`, every change of it too. */
export function useRead<Body>(address: Address<Body> | null, options: ReadOptions = {}): Read<Body> {
  const { enabled = true } = options
  const at = enabled ? address : null
  useFollowing(options.live === true ? at : null)
  const read = useQuery<Body>({
    queryKey: [address],
    queryFn: ({ signal }) => answerOf<Body>(address as string, signal),
    enabled: at !== null,
    meta: { live: options.live === true },
  })
  return useSteady(read, address)
}

/** The answer of the service; while it cannot be reached, the one that this browser has kept, if nothing newer is shown. */
async function answerOf<Body>(address: string, signal: AbortSignal): Promise<Body> {
  try {
    const read = () => request<Body>(address, { signal })
    const body = await newestOf(address, read, () => queries.getQueryData<Body>([address]))
    kept.delete(address)
    return body
  } catch (error) {
    if (!(error instanceof Unreachable) || queries.getQueryData([address]) !== undefined) throw error
    const found = await keptAnswer(address)
    if (found === undefined) throw error
    kept.add(address)
    connection.shows(found.at)
    return found.body as Body
  }
}

/** The answer that the service has now, for the pages that show it too. @throws without one */
export async function readNow<Body>(address: Address<Body>): Promise<Body> {
  const body = await request<Body>(address)
  queries.setQueryData([address], body)
  return body
}

function useFollowing(address: string | null): void {
  const cache = useQueryClient()
  const { user } = useReader()
  const epoch = useSyncExternalStore(epochOfLive.subscribe, epochOfLive.get)
  useEffect(() => {
    if (address === null || user === undefined || epoch === null) return
    const limit = limitOf(address)
    // A list that is longer than the topic is read again, also when its end has changed.
    const topic = live().topic(topicOf(address), { delayed: isDelayed(address), facts: limit > 0 })
    const renew = () => void cache.invalidateQueries({ queryKey: [address] })
    return topic.subscribe(({ value, status, error, facts }) => {
      if (value === undefined) {
        // A page that says what failed does not go back to waiting when its topic fails too.
        if (error !== undefined && cache.getQueryState([address])?.status !== 'error') renew()
        return
      }
      // What is shown may be newer than the last state of a topic that has fallen behind.
      if (status !== 'live' && cache.getQueryData([address]) !== undefined) return
      if (isBeforeAnswer(address, value)) return
      const answer = typeof value === 'object' && value !== null ? answerBy(value, limit) : value
      if (answer !== undefined) {
        if (status === 'live') noteTold(address)
        cache.setQueryData([address], answer)
      } else if (facts.length > 0 || !beginsWith(cache.getQueryData([address]), value as object)) renew()
    })
  }, [address, cache, user, epoch])
}

/** Calls back when something has happened that touches a read, also beyond its first page. */
export function useFacts(address: string, happened: () => unknown): void {
  const { user } = useReader()
  const epoch = useSyncExternalStore(epochOfLive.subscribe, epochOfLive.get)
  const latest = useRef(happened)
  latest.current = happened
  useEffect(() => {
    if (user === undefined || epoch === null) return
    const topic = live().topic(address, { facts: true })
    // What happened between the read and the subscription is in no fact.
    let isBehind = true
    return topic.subscribe(({ status, facts, resync }) => {
      if (status === 'live' && (isBehind || facts.length > 0 || resync !== undefined)) latest.current()
      isBehind = status !== 'live'
    })
  }, [address, user, epoch])
}

/** Reads an answer again when something else has changed, such as the record that it judges. */
export function useRenewal(address: string, by: string | undefined): void {
  const cache = useQueryClient()
  const before = useRef(by)
  useEffect(() => {
    if (by === before.current) return
    if (before.current !== undefined) void cache.invalidateQueries({ queryKey: [address] })
    before.current = by
  }, [address, by, cache])
}

interface Paged {
  readonly nextCursor: string | null
}

/**
 * The pages of a list, by its cursor.
 * @param address null until it is known
 * @param start the cursor of the first page, where what comes before is read in another way
 */
export function usePages<Body extends Paged>(address: Address<Body> | null, start = '') {
  const pages = useInfiniteQuery({
    queryKey: [address, 'pages', start],
    initialPageParam: start,
    queryFn: ({ pageParam, signal }) => {
      const at = address as string
      const joint = at.includes('?') ? '&' : '?'
      const page = pageParam === '' ? at : `${at}${joint}before=${encodeURIComponent(pageParam)}`
      return request<Body>(page, { signal })
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    enabled: address !== null,
  })
  return useSteady(pages, address)
}

/** The reader: undefined until it is known, null for somebody who is not signed in. (W1) */
let reader: UserCard | null | undefined
const watchers = new Set<() => void>()

function setReader(next: UserCard | null): void {
  reader = next
  followAs(next !== null)
  for (const tell of watchers) tell()
}

export function useReader(): { readonly user: UserCard | null | undefined } {
  const user = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => reader,
  )
  return { user }
}

export const cardAddress = '/users/@me/card'
/** Whether the service has said who reads; without a connection it is who read before. */
let isReaderCertain = false

/** Finds out who reads; without a session, and inside another website, there is no request. */
export async function startReader(): Promise<void> {
  // At once, so that the first paint already has the link to sign in.
  if (isEmbed) return setReader(null)
  takeReturn()
  if (signedInAs() === null && localStorage.getItem(leavingKey) === null) return setReader(null)
  if (localStorage.getItem(leavingKey) !== null) await leave()
  const before = signedInAs()
  const token = await startToken().catch(() => null)
  const after = signedInAs()
  isReaderCertain = token !== null || after === null
  if (token === null) {
    // The session has ended elsewhere.
    if (before !== null && after === null) await forgetKept()
    const card = after === null ? undefined : await keptAnswer(cardAddress)
    return setReader((card?.body as UserCard | undefined) ?? null)
  }
  const own = await request<UserCard>(cardAddress).catch((error: Error) => error)
  if (own instanceof Error) {
    // The service was lost in between: it is who read before, until it answers.
    isReaderCertain = !(own instanceof Unreachable)
    const card = isReaderCertain ? undefined : await keptAnswer(cardAddress)
    return setReader((card?.body as UserCard | undefined) ?? null)
  }
  if (own.guid !== before) await forgetKept()
  localStorage.setItem(signedInKey, own.guid)
  queries.setQueryData([cardAddress], own)
  setReader(own)
}

const keptAnswer = (address: string) =>
  import('./kept.ts').then((kept) => kept.keptAnswer(address)).catch(() => undefined)

/** Removes what this browser keeps to be read without a connection. */
async function forgetKept(): Promise<void> {
  await import('./kept.ts').then((kept) => kept.forgetKept()).catch(() => {})
}

/** Whether the service is still to be told that the reader has signed out. */
const leavingKey = 'downbeat.signing-out'

async function leave(): Promise<void> {
  await fetch('/api/auth/sign-out', { method: 'POST' }).then(
    () => localStorage.removeItem(leavingKey),
    () => localStorage.setItem(leavingKey, 'yes'),
  )
}
addEventListener('online', () => {
  if (localStorage.getItem(leavingKey) !== null) void leave()
})

/** Signs out, also without a connection, and clears everything that was shown to the reader. (W1) */
export async function signOut(): Promise<void> {
  await leave()
  await clear()
}

async function clear(): Promise<void> {
  forget()
  queries.clear()
  sessionStorage.clear()
  forgetDrafts()
  forgetPins()
  setReader(null)
  // Messages to this device were for the reader.
  void import('./push.ts').then(({ canPush, unsubscribe }) => (canPush ? unsubscribe() : undefined)).catch(() => {})
  await forgetKept()
}

// Signed out in another tab.
addEventListener('storage', ({ key, newValue }) => {
  if (key === signedInKey && newValue === null) void clear()
})

/** Leads back to the page that the reader is on; from the home page to what waits for them, which has the first steps. */
export function signInAddress(): string {
  const { pathname, search } = location
  const page = pathname === '/' ? '/me' : pathname
  return `/api/auth/chat?return_to=${encodeURIComponent(`${page}${search}${search === '' ? '?' : '&'}signed-in`)}`
}
