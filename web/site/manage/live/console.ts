import { useMemo } from 'react'
import type { ChannelQueue, FlowState, Match } from '../../../../client/generated.ts'
import { type Address, address } from '../../data/api.ts'
import { useKnown } from '../../data/known.ts'
import { useFacts, useRead, useRenewal } from '../../data/queries.ts'

/** What the console reads, and how it is put in order. Staff see the present, never the delayed view. (W8) */

export const groups = ['late', 'ready', 'running', 'waiting'] as const
export type Group = (typeof groups)[number]

/** As many as a page of the service has. */
const most = 100
const aheadMs = 12 * 3_600_000
const hourMs = 3_600_000

export const flowAddress = (tournament: string, match: string): Address<FlowState> =>
  address('/tournaments/{tournament}/matches/{match}/flow', { tournament, match })

/** Apart, so that many that are ready never take the place of those that run. */
export const liveAddress = (tournament: string, status: 'running' | 'ready') =>
  address('/tournaments/{tournament}/matches', { tournament }, { status, limit: most })

const listAddress = (tournament: string, status: string, bound: object = {}) =>
  address('/tournaments/{tournament}/matches', { tournament }, { status, ...bound })

/** Instants stay for an hour, as they are in the keys of the cache. */
const nextHour = (time: number) => (Math.floor(time / hourMs) + 1) * hourMs
export const soonest = (time: number) => new Date(nextHour(time) + aheadMs).toISOString()
const lately = (time: number) => new Date(nextHour(time) - aheadMs).toISOString()

/**
 * All matches with a status; where these are more than a page, those of some hours. A topic tells of its first page
 * alone, so they are read again too when matches have begun or ended, by which `now` changes.
 */
function useSome(tournament: string, status: string, bound: object, now: string) {
  const wholeAt = listAddress(tournament, status, { limit: most })
  const someAt = listAddress(tournament, status, { ...bound, limit: most })
  const whole = useRead(wholeAt)
  const isCut = whole.data?.nextCursor != null
  const some = useRead(isCut ? someAt : null)
  const read = isCut ? some : whole
  useFacts(listAddress(tournament, status), read.refetch)
  useRenewal(isCut ? someAt : wholeAt, now)
  return read
}

/** Matches that cannot begin yet, of the next hours or without a time. */
export const useNext = (tournament: string, time: number, now: string) =>
  useSome(tournament, 'waiting,locked', { to: soonest(time) }, now)

/** Matches that are over, of the last hours or all. */
export const useDone = (tournament: string, time: number, now: string) =>
  useSome(tournament, 'completed', { from: lately(time) }, now)

export const channelsAddress = (tournament: string) => address('/tournaments/{tournament}/channels', { tournament })
export const queueAddress = (tournament: string, channel: string) =>
  address('/tournaments/{tournament}/channels/{channel}/queue', { tournament, channel })

/** The channels with their queues, as far as they are known. */
export function useChannels(tournament: string) {
  const list = useRead(channelsAddress(tournament), { live: true })
  const known = list.data?.channels ?? none
  const queues = useKnown<ChannelQueue>(known.map(({ guid }) => queueAddress(tournament, guid)))
  // The same as before while nothing of it has changed: lines of matches are not drawn anew.
  const channels = useMemo(() => known.map((channel, at) => ({ channel, queue: queues[at] })), [known, queues])
  return { list, channels }
}

const none: readonly never[] = []

export type ChannelOf = ReturnType<typeof useChannels>['channels'][number]

export function groupOf({ status, scheduledAt }: Match, time: number): Group {
  if (status === 'running') return 'running'
  if (status !== 'ready') return 'waiting'
  return scheduledAt !== null && Date.parse(scheduledAt) <= time ? 'late' : 'ready'
}

/** The instant that a match is judged by: since when it runs, or when it is to begin. */
export const atOf = ({ status, startedAt, scheduledAt }: Match): string | null =>
  status === 'running' ? startedAt : scheduledAt

/** The matches of each group, the oldest first; those without a time last. */
export function inGroups(matches: readonly Match[], time: number): Readonly<Record<Group, readonly Match[]>> {
  const sorted = matches.toSorted(
    (one, other) => (atOf(one) ?? '9').localeCompare(atOf(other) ?? '9') || one.number - other.number,
  )
  const of = (group: Group) => sorted.filter((match) => groupOf(match, time) === group)
  return { late: of('late'), ready: of('ready'), running: of('running'), waiting: of('waiting') }
}

/** Whether somebody has a role at a match. */
export const isAt = ({ officials }: Match, user: string) => officials.some((each) => each.user.guid === user)
export const hasReferee = ({ officials }: Match) => officials.some(({ role }) => role === 'role:referee')
