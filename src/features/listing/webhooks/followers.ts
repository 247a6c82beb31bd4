import type { EventOf } from '../../../core/events.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { followerOf } from '../../../infra/events/follow.ts'
import type { LoggedEvent } from '../../../infra/events/logged.ts'
import { listUserFacts, lockUserForKeyShare } from '../../people/users/store/users.ts'
import type { UserFacts } from '../../people/users/types.ts'
import type { WebhookEvent } from '../platforms/types.ts'
import { handOver, isStopped, resumeQueue } from './commands/deliveries.ts'
import {
  addressOf,
  changedChannels,
  channelsFor,
  type DeliveredEvent,
  deliveredTypes,
  webhookEventOf,
} from './rules.ts'
import { insertDeliveries, type NewDelivery, openQueue } from './store/queue.ts'
import {
  listDeliveredTournaments,
  listSettingsReplaced,
  lockReceiversForKeyShare,
  type Receiver,
} from './store/telling.ts'
import { type Channel, channels, type DeliveredTournament, type Occurrence } from './types.ts'
import { bodyFor } from './views.ts'

/**
 * Puts the events of platforms into the queues of their receivers: one delivery for each channel that had an address at
 * the time of the event.
 */
export const webhooksFollower = followerOf({
  name: 'webhooks',
  from: 'now',
  types: [...deliveredTypes, 'platform.settings_changed'],
  gatherMs: 20,
  async handle(tx, events) {
    const happened = events.flatMap((event) => (event.type === 'platform.settings_changed' ? [] : [happeningOf(event)]))
    if (happened.length > 0) await enqueueDeliveries(tx, happened)
    for (const event of events) {
      if (event.type !== 'platform.settings_changed') continue
      const { subject: platformGuid, after, at } = event
      for (const channel of changedChannels(after)) await resumeQueue(tx, { platformGuid, channel }, at)
    }
  },
})

interface Happening {
  readonly event: WebhookEvent
  readonly logged: LoggedEvent<DeliveredEvent>
}

interface Subscribed extends Happening {
  /** Channels that had an address at the time of the event; never empty. */
  readonly channels: readonly Channel[]
}

function happeningOf(logged: LoggedEvent<DeliveredEvent>): Happening {
  return { event: webhookEventOf(logged.type), logged }
}

type MemberEvent = EventOf<'platform.member_added' | 'platform.member_removed'>

function isOfMember(logged: LoggedEvent<DeliveredEvent>): logged is LoggedEvent<MemberEvent> {
  return logged.type === 'platform.member_added' || logged.type === 'platform.member_removed'
}

async function enqueueDeliveries(tx: Tx, happened: readonly Happening[]): Promise<void> {
  const places = happened.map(({ logged }) => ({ platformGuid: logged.after.platformGuid, seq: logged.seq }))
  const receivers = await lockReceiversForKeyShare(
    tx,
    places.map(({ platformGuid }) => platformGuid),
  )
  // Read after the receivers: a change of settings that is saved between the two reads is then in the log, and is left
  // out like every later change.
  const replaced = await listSettingsReplaced(tx, places)
  const subscribed = happened.flatMap((happening): Subscribed[] => {
    const { event, logged } = happening
    const settings = receivers.get(logged.after.platformGuid)?.settings
    const targets = settings === undefined ? [] : channelsFor(event, settings, replaced.get(logged.seq))
    return targets.length === 0 ? [] : [{ ...happening, channels: targets }]
  })
  const members = subscribed.flatMap(({ logged }) => (isOfMember(logged) ? [logged.subject] : []))
  // Locks the users before they are read, so that no delivery names a user who deletes their account meanwhile.
  for (const guid of new Set(members)) await lockUserForKeyShare(tx, guid)
  const about = {
    tournaments: await listDeliveredTournaments(tx, subscribed.flatMap(tournamentOf)),
    users: await listUserFacts(tx, members),
  }
  // In the order of GUIDs, like every transaction that locks several queues.
  for (const [platformGuid, receiver] of receivers) {
    const ofPlatform = subscribed.filter(({ logged }) => logged.after.platformGuid === platformGuid)
    if (ofPlatform.length > 0) await enqueueFor(tx, receiver, ofPlatform, about)
  }
}

interface About {
  readonly tournaments: ReadonlyMap<string, DeliveredTournament>
  readonly users: ReadonlyMap<string, UserFacts>
}

async function enqueueFor(
  tx: Tx,
  { platform, settings }: Receiver,
  happened: readonly Subscribed[],
  about: About,
): Promise<void> {
  const occurrences = happened.flatMap((happening) => {
    const subject = subjectOf(happening, about)
    if (subject === null) return []
    const { event, logged, channels: targets } = happening
    return [{ logged, targets, occurrence: { event, at: logged.at, platform, subject } satisfies Occurrence }]
  })
  for (const channel of channels) {
    const ofChannel = occurrences.filter(({ targets }) => targets.includes(channel))
    const made = ofChannel.map(({ logged, occurrence }): NewDelivery => {
      const { event, at, subject } = occurrence
      const userGuid = subject.kind === 'member' ? subject.user.guid : null
      const body = bodyFor(channel, occurrence)
      return { platformGuid: platform.guid, channel, event, eventSeq: logged.seq, userGuid, body, createdAt: at }
    })
    const [first] = made
    if (first === undefined) continue
    const queue = await openQueue(tx, first)
    const address = addressOf(settings, channel)
    // A removed address is noticed at the attempt, as for all waiting deliveries, since there may be a new address by
    // then.
    const hasStopped = address !== null && isStopped(queue, address)
    await insertDeliveries(tx, made, hasStopped)
    if (!hasStopped && queue.lease === null) await handOver(tx, queue, null, first.createdAt)
  }
}

function subjectOf({ logged }: Happening, about: About): Occurrence['subject'] | null {
  if (isOfMember(logged)) {
    const user = about.users.get(logged.subject)
    const { role } = logged.type === 'platform.member_added' ? logged.after : logged.before
    return user === undefined ? null : { kind: 'member', user, role }
  }
  const { tournamentGuid, status, reason } = logged.after
  const tournament = about.tournaments.get(tournamentGuid) ?? null
  return { kind: 'request', guid: logged.subject, status, reason, tournament }
}

function tournamentOf({ logged }: Happening): string[] {
  return isOfMember(logged) ? [] : [logged.after.tournamentGuid]
}
