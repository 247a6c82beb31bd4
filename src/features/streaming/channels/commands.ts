import type { SignedIn } from '../../../core/actor.ts'
import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { invalid } from '../../../core/problem.ts'
import { readInstant } from '../../../core/time.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { loadMatch } from '../../brackets/matches/queries.ts'
import { unknownMatch } from '../../brackets/matches/rules.ts'
import { listMatchesByGuid } from '../../brackets/matches/store/matches.ts'
import { changeStreamUrls } from '../../brackets/results/commands/streams.ts'
import { lockTournament } from '../../tournaments/tournaments/commands/lock.ts'
import { checkNotCancelled } from '../../tournaments/tournaments/rules/status.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import type { ChannelsBody, QueueBody } from './bodies.ts'
import type { LoggedChannel } from './events.ts'
import {
  checkQueue,
  followMatches,
  isSameQueue,
  matchElsewhere,
  planReplacement,
  staleList,
  staleQueue,
  unknownChannel,
} from './rules.ts'
import * as store from './store.ts'
import type { Channel, ChannelList, QueueEntry } from './types.ts'
import { channelListView, readQueueView } from './views.ts'

/**
 * Replaces the list of channels. Sending the same list again changes nothing. The queues of deleted channels are
 * deleted too; their matches keep the channel's address as their stream address.
 * @throws Problem `tournament.unknown`, `tournament.cancelled`, `channel.stale`, `channel.unknown`, `channel.twice`,
 *   `channel.invalid`
 */
export async function replaceChannels(
  tx: Tx,
  actor: SignedIn,
  { guid: tournamentGuid }: Tournament,
  { channels: wanted, revision }: ChannelsBody,
  now: Date,
): Promise<ChannelList> {
  checkNotCancelled((await lockTournament(tx, tournamentGuid)).tournament)
  await store.openList(tx, tournamentGuid)
  const before = await store.readList(tx, tournamentGuid)
  if (before.revision !== revision) throw staleList(channelListView(before))
  const { created, updated, deleted } = planReplacement(before.channels, wanted)
  if (created.length + updated.length + deleted.length === 0) return before
  await store.deleteChannels(
    tx,
    deleted.map(({ guid }) => guid),
  )
  for (const channel of updated) await store.updateChannel(tx, channel.before.guid, channel, now)
  await store.insertChannels(tx, tournamentGuid, created, now)
  await store.raiseListRevision(tx, tournamentGuid)
  const moved = updated.filter((channel) => channel.url !== channel.before.url)
  const queues = await store.listEntries(
    tx,
    moved.map((channel) => channel.before.guid),
  )
  const addresses = new Map(moved.map((channel) => [channel.before.guid, channel.url]))
  await changeStreamUrls(
    tx,
    { actor, tournamentGuid, now },
    new Map(queues.map(({ channelGuid, matchGuid }) => [matchGuid, addresses.get(channelGuid) as string])),
  )
  const after = await store.readList(tx, tournamentGuid)
  emit(tx, {
    type: 'channels.replaced',
    subject: tournamentGuid,
    tournament: tournamentGuid,
    actor: actor.guid,
    before: logged(before),
    after: logged(after),
    touches: [...deleted, ...after.channels].map(({ guid }) => guid),
  })
  return after
}

function logged({ channels, revision }: ChannelList) {
  const loggedChannel = ({ guid, name, url, delaySeconds }: Channel): LoggedChannel => ({
    guid,
    name,
    url,
    delaySeconds,
  })
  return { revision, channels: channels.map(loggedChannel) }
}

/**
 * Replaces a channel's queue. Sending the same queue again changes nothing. The statuses of running and finished
 * matches are corrected. Matches that are added get the channel's address.
 * @throws Problem `tournament.cancelled`, `channel.unknown`, `queue.stale`, `queue.invalid`, `queue.match_elsewhere`,
 *   `match.unknown`, `match.ambiguous`
 */
export async function replaceQueue(
  tx: Tx,
  actor: SignedIn,
  tournament: Tournament,
  found: Channel,
  { entries: inputs, revision }: QueueBody,
  now: Date,
): Promise<Channel> {
  checkNotCancelled(tournament)
  await store.lockQueues(tx, tournament.guid)
  const channel = await store.findChannel(tx, found.guid)
  if (channel === undefined) throw unknownChannel()
  if (channel.queueRevision !== revision) throw staleQueue(await readQueueView(tx, channel))
  const before = await store.listEntries(tx, [channel.guid])
  const wanted = await readEntries(tx, tournament.guid, inputs)
  checkQueue(wanted)
  const guids = wanted.map(({ matchGuid }) => matchGuid)
  const elsewhere = await store.findElsewhere(tx, channel.guid, guids)
  if (elsewhere !== undefined) throw matchElsewhere(elsewhere.matchNumber, elsewhere.channelName)
  const known = new Set(before.map(({ matchGuid }) => matchGuid))
  const doing = { actor, tournamentGuid: tournament.guid, now }
  const added = guids.filter((guid) => !known.has(guid))
  await changeStreamUrls(tx, doing, new Map(added.map((guid) => [guid, channel.url])))
  const statuses = new Map((await listMatchesByGuid(tx, guids)).map(({ guid, status }) => [guid, status]))
  const entries = followMatches(wanted, ({ matchGuid }) => statuses.get(matchGuid) ?? 'cancelled')
  return writeQueue(tx, actor.guid, channel, before, entries)
}

async function readEntries(
  tx: Tx,
  tournamentGuid: string,
  inputs: QueueBody['entries'],
): Promise<readonly QueueEntry[]> {
  const guids = inputs.flatMap(({ match }) => (isGuid(match) ? [normaliseGuid(match)] : []))
  const named = new Map((await listMatchesByGuid(tx, guids)).map((match) => [match.guid, match]))
  const load = async (match: string, division?: string) => {
    const found = isGuid(match) ? named.get(normaliseGuid(match)) : await loadMatch(tx, tournamentGuid, match, division)
    if (found?.tournamentGuid !== tournamentGuid) throw unknownMatch()
    return found
  }
  return Promise.all(
    inputs.map(async ({ match, division, status = 'queued', plannedAt }, index): Promise<QueueEntry> => {
      const fault = (reason: string) => invalid('queue.invalid', `\`entries[${index}].plannedAt\` ${reason}.`)
      const planned = readInstant(plannedAt, fault)
      return { matchGuid: (await load(match, division)).guid, status, plannedAt: planned }
    }),
  )
}

/** Locks the queues of a tournament and updates them to the status of its matches. */
export async function followTournament(tx: Tx, tournamentGuid: string, began: ReadonlySet<string>): Promise<void> {
  await store.lockQueues(tx, tournamentGuid)
  const { channels } = await store.readList(tx, tournamentGuid)
  const all = await store.listEntries(
    tx,
    channels.map(({ guid }) => guid),
  )
  for (const channel of channels) {
    const before = all.filter(({ channelGuid }) => channelGuid === channel.guid)
    const after = followMatches(before, ({ matchStatus }) => matchStatus, began)
    await writeQueue(tx, null, channel, before, after)
  }
}

/** Saves a queue and emits an event, if the queue changed. */
async function writeQueue(
  tx: Tx,
  actorGuid: string | null,
  channel: Channel,
  before: readonly QueueEntry[],
  after: readonly QueueEntry[],
): Promise<Channel> {
  if (isSameQueue(before, after)) return channel
  const queueRevision = await store.writeQueue(tx, channel.guid, after)
  emit(tx, {
    type: 'channel.queue_changed',
    subject: channel.guid,
    tournament: channel.tournamentGuid,
    actor: actorGuid,
    before: outlineOf(channel.queueRevision, before),
    after: outlineOf(queueRevision, after),
  })
  return { ...channel, queueRevision }
}

function outlineOf(revision: number, entries: readonly QueueEntry[]) {
  const guidOf = (wanted: QueueEntry['status']) => entries.find(({ status }) => status === wanted)?.matchGuid ?? null
  return { revision, live: guidOf('live'), next: guidOf('next'), entries: entries.length }
}
