import { normaliseGuid } from '../../../core/ids.ts'
import { readName } from '../../../core/names.ts'
import { conflict, invalid, missing } from '../../../core/problem.ts'
import { webAddressFault } from '../../../core/web.ts'
import type { MatchStatus } from '../../../engine/types.ts'
import { isOver } from '../../../engine/verdict.ts'
import type { Channel, QueueEntry, QueueStatus } from './types.ts'

export const maxChannels = 8
export const maxEntries = 100
export const maxNameLength = 40
export const maxDelaySeconds = 1_800

/** A channel in a request body. */
export interface ChannelInput {
  readonly guid?: string
  readonly name: string
  readonly url: string
  readonly delaySeconds?: number
}

type WrittenChannel = Pick<Channel, 'name' | 'url' | 'delaySeconds' | 'position'>

/** The changes that turn the current list into the wanted one. */
export interface Replacement {
  readonly created: readonly WrittenChannel[]
  /** Only the channels that change. */
  readonly updated: readonly (WrittenChannel & { readonly before: Channel })[]
  readonly deleted: readonly Channel[]
}

/**
 * Plans how the new list replaces the old one, in its order: channels with a GUID are updated, those without one are
 * created, absent channels are deleted. Each GUID must belong to a channel of the tournament and may occur only once.
 * (streaming: Stream operations; streaming: Details, 6)
 * @throws Problem `channel.unknown`, `channel.twice`, `channel.invalid`
 */
export function planReplacement(present: readonly Channel[], wanted: readonly ChannelInput[]): Replacement {
  const created: WrittenChannel[] = []
  const updated: Replacement['updated'][number][] = []
  const left = new Map(present.map((channel) => [channel.guid, channel]))
  for (const [position, { guid, ...input }] of wanted.entries()) {
    const channel = readChannel(input, position)
    if (guid === undefined) {
      created.push(channel)
      continue
    }
    const before = left.get(normaliseGuid(guid))
    if (before === undefined) throw unusable(present, normaliseGuid(guid))
    left.delete(before.guid)
    if (!isSame(before, channel)) updated.push({ ...channel, before })
  }
  return { created, updated, deleted: [...left.values()] }
}

function unusable(present: readonly Channel[], guid: string) {
  return present.some((channel) => channel.guid === guid)
    ? invalid('channel.twice', `The channel ${guid} stands in the list twice.`)
    : invalid('channel.unknown', `The tournament has no channel ${guid}; leave the GUID out to make one.`)
}

/** A channel has a visible name on one line and an https web address. (streaming: Records; D56) */
function readChannel(
  { url, delaySeconds = 0, ...input }: Omit<ChannelInput, 'guid'>,
  position: number,
): WrittenChannel {
  const name = readName(input.name)
  if (!name.ok) throw invalid('channel.invalid', `\`channels[${position}].name\` ${name.reason}.`)
  const fault = webAddressFault(url) ?? (new URL(url).protocol === 'https:' ? null : 'must start with https://')
  if (fault !== null) throw invalid('channel.invalid', `\`channels[${position}].url\` ${fault}.`)
  return { name: name.value, url, delaySeconds, position }
}

function isSame(before: Channel, { name, url, delaySeconds, position }: WrittenChannel): boolean {
  return (
    before.name === name && before.url === url && before.delaySeconds === delaySeconds && before.position === position
  )
}

type Standing = Pick<QueueEntry, 'matchGuid' | 'status'>

/**
 * Updates a queue to the status of its matches: finished matches become done, a running match becomes live. At most one
 * match is live. A running live match stays live; another match that begins meanwhile keeps its place and becomes live
 * when the first is over. A live match that has not begun gives way to one that begins, and becomes next if there is no
 * next one. A match that a user set to done stays done until it begins, or begins again. (S13)
 * @param began the matches that the current events began
 */
export function followMatches<Entry extends Standing>(
  entries: readonly Entry[],
  statusOf: (entry: Entry) => MatchStatus,
  began: ReadonlySet<string> = new Set(),
): readonly Entry[] {
  const settled = entries.map((entry) => {
    if (isOver({ status: statusOf(entry) })) return becoming(entry, 'done')
    return entry.status === 'done' && began.has(entry.matchGuid) ? becoming(entry, 'queued') : entry
  })
  const runs = (entry: Entry) => statusOf(entry) === 'running' && entry.status !== 'done'
  const live = settled.find(({ status }) => status === 'live')
  const other =
    settled.find((entry) => runs(entry) && began.has(entry.matchGuid)) ??
    (live === undefined ? settled.find(runs) : undefined)
  if (other === undefined || other === live || (live !== undefined && runs(live))) return settled
  const isNextTaken = settled.some((entry) => entry.status === 'next' && entry !== other)
  return settled.map((entry) => {
    if (entry === other) return becoming(entry, 'live')
    return entry === live ? becoming(entry, isNextTaken ? 'queued' : 'next') : entry
  })
}

function becoming<Entry extends Standing>(entry: Entry, status: QueueStatus): Entry {
  return entry.status === status ? entry : { ...entry, status }
}

/**
 * A queue contains each match only once, at most one live match and at most one next match. (S13)
 * @throws Problem `queue.invalid`
 */
export function checkQueue(entries: readonly Standing[]): void {
  if (new Set(entries.map(({ matchGuid }) => matchGuid)).size < entries.length) {
    throw invalid('queue.invalid', 'A match stands in the queue twice.')
  }
  for (const status of ['live', 'next'] as const) {
    if (entries.filter((entry) => entry.status === status).length > 1) {
      throw invalid('queue.invalid', `More than one match of the queue is \`${status}\`.`)
    }
  }
}

export function isSameQueue(one: readonly QueueEntry[], other: readonly QueueEntry[]): boolean {
  const keyOf = ({ matchGuid, status, plannedAt }: QueueEntry) => `${matchGuid} ${status} ${plannedAt?.getTime()}`
  return one.length === other.length && one.every((entry, index) => keyOf(entry) === keyOf(other[index] as QueueEntry))
}

/** The error for the second of two concurrent changes; it shows the present list. (streaming: Stream operations) */
export function staleList(present: object) {
  return conflict('channel.stale', 'The channels have changed since they were loaded; look at them, and try again.', {
    present,
  })
}

export function staleQueue(present: object) {
  return conflict('queue.stale', 'The queue has changed since it was loaded; look at it as it is, and try again.', {
    present,
  })
}

/** A match has only one address and one delay, so it can be in only one channel's queue. */
export function matchElsewhere(number: number, channel: string) {
  return conflict(
    'queue.match_elsewhere',
    `Match ${number} stands in the queue of “${channel}”; take it out there first.`,
  )
}

export function unknownChannel() {
  return missing('channel.unknown', 'There is no such channel in this tournament.')
}
