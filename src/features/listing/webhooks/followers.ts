import { isGuid } from '../../../core/ids.ts'
import { type PlatformRole, platformRoles } from '../../../core/roles.ts'
import type { Tx } from '../../../infra/db/database.ts'
import type { Follower, LoggedEvent } from '../../../infra/events/follow.ts'
import { keepUser, listUserFacts } from '../../people/users/store/users.ts'
import type { UserFacts } from '../../people/users/types.ts'
import type { WebhookEvent } from '../platforms/types.ts'
import { handOver, isStopped, resumeLine } from './commands/deliveries.ts'
import { addressOf, changedChannels, requestStatusIn, webhookEventOf } from './rules/deliveries.ts'
import { insertDeliveries, type NewDelivery, openLine } from './store/line.ts'
import { keepReceivers, listToldTournaments, type Receiver } from './store/telling.ts'
import { channels, type Occurrence, type ToldTournament } from './types.ts'
import { bodyFor } from './views/message.ts'

/** Puts what happens on platforms into line for their receivers, once for each channel that is set up. */
export const webhooksFollower: Follower = {
  name: 'webhooks',
  from: 'now',
  async handle(tx, events) {
    const happened = events.flatMap(happeningOf)
    if (happened.length > 0) await tell(tx, happened)
    for (const { type, subject, after, at } of events) {
      if (type !== 'platform.settings_changed' || subject === null) continue
      for (const channel of changedChannels(after)) await resumeLine(tx, { platformGuid: subject, channel }, at)
    }
  },
}

interface Happening {
  readonly event: WebhookEvent
  readonly platformGuid: string
  /** GUID of the request or, where it is about a member, of the user. */
  readonly subject: string
  readonly logged: LoggedEvent
}

function happeningOf(logged: LoggedEvent): Happening[] {
  const event = webhookEventOf(logged.type)
  const platformGuid = guidIn(logged.after, 'platformGuid')
  if (event === null || platformGuid === null || logged.subject === null) return []
  return [{ event, platformGuid, subject: logged.subject, logged }]
}

async function tell(tx: Tx, happened: readonly Happening[]): Promise<void> {
  const receivers = await keepReceivers(
    tx,
    happened.map(({ platformGuid }) => platformGuid),
  )
  const subscribed = happened.filter(({ event, platformGuid }) =>
    receivers.get(platformGuid)?.settings.webhookEvents.includes(event),
  )
  const members = subscribed.filter(({ event }) => requestStatusIn(event) === null).map(({ subject }) => subject)
  // Before they are read: nothing may be told of a person who gives up their account meanwhile.
  for (const guid of new Set(members)) await keepUser(tx, guid)
  const about = {
    tournaments: await listToldTournaments(tx, subscribed.flatMap(tournamentOf)),
    users: await listUserFacts(tx, members),
  }
  // In the order of their GUIDs, as all who lock more than one line do.
  for (const [platformGuid, receiver] of receivers) {
    const ofPlatform = subscribed.filter((happening) => happening.platformGuid === platformGuid)
    if (ofPlatform.length > 0) await queue(tx, receiver, ofPlatform, about)
  }
}

interface About {
  readonly tournaments: ReadonlyMap<string, ToldTournament>
  readonly users: ReadonlyMap<string, UserFacts>
}

async function queue(
  tx: Tx,
  { platform, settings }: Receiver,
  happened: readonly Happening[],
  about: About,
): Promise<void> {
  const occurrences = happened.flatMap((happening) => {
    const subject = subjectOf(happening, about)
    if (subject === null) return []
    const { event, logged } = happening
    return [{ logged, occurrence: { event, at: logged.at, platform, subject } satisfies Occurrence }]
  })
  for (const channel of channels) {
    const address = addressOf(settings, channel)
    const made = occurrences.map(({ logged, occurrence }): NewDelivery => {
      const { event, at, subject } = occurrence
      const userGuid = subject.kind === 'member' ? subject.user.guid : null
      const body = bodyFor(channel, occurrence)
      return { platformGuid: platform.guid, channel, event, eventSeq: logged.seq, userGuid, body, createdAt: at }
    })
    const [first] = made
    if (address === null || first === undefined) continue
    const line = await openLine(tx, first)
    const hasStopped = isStopped(line, address)
    await insertDeliveries(tx, made, hasStopped)
    if (!hasStopped && line.turn === null) await handOver(tx, line, null, first.createdAt)
  }
}

function subjectOf({ event, subject, logged }: Happening, about: About): Occurrence['subject'] | null {
  const { before, after } = logged
  const status = requestStatusIn(event)
  if (status !== null) {
    const tournament = about.tournaments.get(guidIn(after, 'tournamentGuid') ?? '') ?? null
    return { kind: 'request', guid: subject, status, reason: textIn(after, 'reason'), tournament }
  }
  const user = about.users.get(subject)
  const role = roleIn(after) ?? roleIn(before)
  return user === undefined || role === null ? null : { kind: 'member', user, role }
}

function tournamentOf({ logged }: Happening): string[] {
  const guid = guidIn(logged.after, 'tournamentGuid')
  return guid === null ? [] : [guid]
}

function roleIn(state: unknown): PlatformRole | null {
  return platformRoles.find((role) => role === textIn(state, 'role')) ?? null
}

function guidIn(state: unknown, name: string): string | null {
  const text = textIn(state, name)
  return text !== null && isGuid(text) ? text : null
}

function textIn(state: unknown, name: string): string | null {
  if (typeof state !== 'object' || state === null) return null
  const value = (state as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value : null
}
