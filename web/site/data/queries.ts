import { QueryClient, type UseQueryResult, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { UserCard } from '../../../client/generated.ts'
import { type Address, ApiError, forget, request, startToken } from './api.ts'
import { followAs, live } from './live.ts'
import { isEmbed } from './settings.ts'

/** What is known of the API's answers, by their addresses. Live topics write into the same cache. (W7, W8) */

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      gcTime: 600_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status < 500),
    },
  },
})

/** Puts the answers that came with the page into the cache. (W4) */
export function takeFirstAnswers(): void {
  const text = document.getElementById('first')?.textContent
  if (text === undefined || text === null) return
  for (const [address, body] of Object.entries(JSON.parse(text))) queries.setQueryData([address], body)
}

export type Read<Body> = UseQueryResult<Body, Error>

export interface ReadOptions {
  /** Whether to follow the read as a topic. */
  readonly live?: boolean
  /** As viewers of the stream see it. (RT42) */
  readonly delayed?: boolean
  readonly enabled?: boolean
}

/** An answer of the API; with `live`, every change of it too. */
export function useRead<Body>(address: Address<Body> | null, options: ReadOptions = {}): Read<Body> {
  const { enabled = true } = options
  const at = enabled ? address : null
  useFollowing(options.live === true ? at : null, options.delayed === true)
  return useQuery<Body>({
    queryKey: [address],
    queryFn: ({ signal }) => request<Body>(address as string, { signal }),
    enabled: at !== null,
  })
}

function useFollowing(address: string | null, isDelayed: boolean): void {
  const cache = useQueryClient()
  const { user } = useReader()
  useEffect(() => {
    if (address === null || user === undefined) return
    const topic = live().topic(topicOf(address), { delayed: isDelayed })
    return topic.subscribe(({ value, error }) => {
      if (value !== undefined) cache.setQueryData([address], value)
      else if (error !== undefined) void cache.invalidateQueries({ queryKey: [address] })
    })
  }, [address, isDelayed, cache, user])
}

/** The topic of a read: the delay is an option of the subscription. */
const topicOf = (address: string) => address.replace(/([?&])delayed=true&?/, '$1').replace(/[?&]$/, '')

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

/** The pages of a list, by its cursor. */
export function usePages<Body extends Paged>(address: Address<Body>) {
  return useInfiniteQuery({
    queryKey: [address, 'pages'],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const joint = address.includes('?') ? '&' : '?'
      const page = pageParam === '' ? address : `${address}${joint}before=${encodeURIComponent(pageParam)}`
      return request<Body>(page, { signal })
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
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

/** Finds out who reads; without a session, and inside another website, there is no request. */
export async function startReader(): Promise<void> {
  if (isEmbed) return setReader(null)
  const token = await startToken().catch(() => null)
  if (token === null) return setReader(null)
  const own = await request<UserCard>('/users/@me/card').catch(() => null)
  setReader(own)
}

/** Signs out, and clears everything that was shown to the reader. (W1) */
export async function signOut(): Promise<void> {
  await fetch('/api/auth/sign-out', { method: 'POST' })
  forget()
  queries.clear()
  sessionStorage.clear()
  setReader(null)
}

export const signInAddress = (): string =>
  `/api/auth/chat?return_to=${encodeURIComponent(`${location.pathname}${location.search}${location.search === '' ? '?' : '&'}signed-in`)}`
