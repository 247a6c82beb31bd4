import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { Match } from '../../../../client/generated.ts'
import { type Address, address } from '../../data/api.ts'
import { useEveryPage } from '../../data/every-page.ts'
import type { StreamHealth } from '../../data/generated.ts'
import { epochOfLive, live } from '../../data/live.ts'
import { useFacts, usePages, useRead, useRenewal } from '../../data/queries.ts'
import { topicOf } from '../../data/topics.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { useNow } from '../../parts/time.tsx'

/** What the page of streams follows: assignments, streams with their health, and the matches that are still to be played. */

const limit = 100

/** Every page of a list; it is read again whenever something happens that touches it. */
function useWhole<Body extends { readonly nextCursor: string | null }>(at: Address<Body>) {
  const pages = usePages(at)
  const rest = useEveryPage(pages)
  useFacts(topicOf(at), pages.refetch)
  return { ...pages, rest }
}

/** Assignments that are not over. */
export function useAssignments() {
  const tournament = useTournamentId()
  const query = { status: 'planned,active', limit }
  const pages = useWhole(address('/tournaments/{tournament}/streamAssignments', { tournament }, query))
  const all = useMemo(() => pages.data?.pages.flatMap(({ streamAssignments }) => streamAssignments), [pages.data])
  return { ...pages, data: all }
}

export function useStreams() {
  return useRead(address('/tournaments/{tournament}/streams', { tournament: useTournamentId() }), { live: true })
}

export const sessionsAddress = (tournament: string) =>
  address('/tournaments/{tournament}/streamSessions', { tournament }, { limit })

/** The newest sessions, read again when a stream begins or ends; health comes by its own topic. */
export function useSessions() {
  const tournament = useTournamentId()
  const at = sessionsAddress(tournament)
  const streams = useStreams().data?.streams
  useRenewal(at, streams && JSON.stringify(streams.map(({ user, since, test }) => [user.guid, since, test?.since])))
  return useRead(at)
}

/** Matches that are not over, in the order of their times. Staff see them without delay. */
export function useOpenMatches() {
  const tournament = useTournamentId()
  const query = { status: 'running,ready,waiting,locked', limit }
  const pages = useWhole(address('/tournaments/{tournament}/matches', { tournament }, query))
  const matches = useMemo(() => pages.data?.pages.flatMap((page) => page.matches).toSorted(inOrder), [pages.data])
  return { ...pages, data: matches }
}

const inOrder = (one: Match, other: Match): number =>
  Number(other.status === 'running') - Number(one.status === 'running') ||
  (one.scheduledAt ?? '9').localeCompare(other.scheduledAt ?? '9') ||
  one.number - other.number

type Told = Readonly<Record<string, Omit<StreamHealth, 'at'> & { readonly at?: string }>>

/** What servers said last of each session, by its GUID. */
export function useHealth(): ReadonlyMap<string, Told[string]> {
  const topic = `/tournaments/${useTournamentId()}/streams/health`
  const epoch = useSyncExternalStore(epochOfLive.subscribe, epochOfLive.get)
  const [told, setTold] = useState<Told>({})
  useEffect(() => {
    if (epoch === null) return
    return live()
      .live(topic)
      .subscribe(({ value }) => value !== undefined && setTold(value as Told))
  }, [topic, epoch])
  return new Map(Object.entries(told).map(([key, health]) => [key.replace('session:', ''), health]))
}

export type Health = Told[string]

/** The state of the media servers, as far as it is known; asked for once a minute. */
export function useServers() {
  const at = address('/users/@me/streamSettings', {})
  useRenewal(at, String(Math.floor(useNow(minuteMs) / minuteMs)))
  return useRead(at)
}
const minuteMs = 60_000
