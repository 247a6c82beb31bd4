import type { EventOf, EventType } from '../../../core/events.ts'
import { placeOf } from '../../../infra/clock/store.ts'
import type { Database, Tx } from '../../../infra/db/database.ts'
import { followerOf } from '../../../infra/events/follow.ts'
import type { LoggedEvent } from '../../../infra/events/logged.ts'
import { insertSetAside, takeSetAside } from '../../../infra/events/positions.ts'
import { listHeldEvents, listShownAside } from '../../../infra/held/store.ts'
import { notifyAll } from './commands.ts'
import {
  answersNotice,
  callNotice,
  cancellationNotice,
  decisionNotice,
  grantNotice,
  type MapStep,
  mapNotice,
  newPlaceNotice,
  poolNotice,
  recipientsOf,
  reuseNotice,
  roleNotice,
  suggestionNotice,
  type TeamStep,
  teamNotice,
} from './rules.ts'
import {
  findApplicationName,
  findNamedTournament,
  findPlatformName,
  findStanding,
  listCaptainGuids,
  listStanding,
  mapNamedTeams,
} from './store.ts'
import type { NamedTeam, Notice } from './types.ts'

interface Message {
  readonly notice: Notice
  readonly to: readonly (string | null)[]
}

const types = [
  'team.registered',
  'team.unregistered',
  'team.qualified',
  'team.disqualified',
  'team.withdrawn',
  'team.returned',
  'team.answers_announced',
  'tournament.status_changed',
  'access.granted',
  'access.revoked',
  'visibility.approved',
  'visibility.rejected',
  'sign_in.new_place',
  'token.reused',
  'application.granted',
  'pool.published',
  'pool.announced',
  'suggestion.accepted',
  'suggestion.rejected',
  'map.resolved',
  'map.changed',
  'pool.map_described',
  'match.called',
] as const satisfies readonly EventType[]

type NotifyingEvent = LoggedEvent<EventOf<(typeof types)[number]>>

/**
 * The notifications for an event, with their recipients, by the present state of its records; null if there is nothing
 * to report, or nothing any more.
 */
async function messagesOf(
  tx: Tx,
  event: NotifyingEvent,
  teams: ReadonlyMap<string, NamedTeam>,
): Promise<readonly (Message | null)[]> {
  if (event.type === 'map.resolved' || event.type === 'map.changed') return messagesToPoolers(tx, event)
  if (event.type === 'pool.map_described') return messagesToPoolersOf(tx, event)
  return [await messageOf(tx, event, teams)]
}

async function messageOf(
  tx: Tx,
  event: Exclude<NotifyingEvent, EventOf<MapStep>>,
  teams: ReadonlyMap<string, NamedTeam>,
): Promise<Message | null> {
  switch (event.type) {
    case 'team.registered':
    case 'team.unregistered':
    case 'team.qualified':
    case 'team.disqualified':
    case 'team.withdrawn':
    case 'team.returned':
      return messageToMembers(event, teams.get(event.subject))
    case 'team.answers_announced': {
      const team = teams.get(event.subject)
      return team === undefined ? null : { notice: answersNotice(event, team), to: team.memberGuids }
    }
    case 'tournament.status_changed':
      return messageToCaptains(tx, event)
    case 'access.granted':
    case 'access.revoked':
      return messageToHolder(tx, event)
    case 'visibility.approved':
    case 'visibility.rejected':
      return messageToOrganiser(tx, event)
    case 'sign_in.new_place':
      return { notice: newPlaceNotice(event), to: [event.subject] }
    case 'token.reused': {
      const name = await findApplicationName(tx, event.after.clientId)
      return { notice: reuseNotice(event, name ?? null), to: [event.subject] }
    }
    case 'pool.published':
    case 'pool.announced':
      return messageToCaptainsOfPool(tx, event)
    case 'suggestion.accepted':
    case 'suggestion.rejected':
      return messageToSuggester(tx, event)
    case 'match.called': {
      const called = [...(await mapNamedTeams(tx, event.after.teams)).values()]
      const [tournament] = called.map((team) => team.tournament)
      if (tournament === undefined) return null
      return { notice: callNotice(event, tournament), to: called.flatMap(({ memberGuids }) => memberGuids) }
    }
    case 'application.granted': {
      const name = await findApplicationName(tx, event.after.clientId)
      return { notice: grantNotice(event, name ?? null), to: [event.subject] }
    }
  }
}

function isOfTeam(event: NotifyingEvent): event is LoggedEvent<EventOf<TeamStep | 'team.answers_announced'>> {
  return event.type.startsWith('team.')
}

function messageToMembers(event: EventOf<TeamStep>, team: NamedTeam | undefined): Message | null {
  const notice = team === undefined ? null : teamNotice(event, team)
  return team === undefined || notice === null ? null : { notice, to: team.memberGuids }
}

async function messageToCaptains(tx: Tx, event: EventOf<'tournament.status_changed'>): Promise<Message | null> {
  const tournament = await findNamedTournament(tx, event.tournament)
  const notice = tournament === undefined ? null : cancellationNotice(event, tournament)
  return tournament === undefined || notice === null
    ? null
    : { notice, to: await listCaptainGuids(tx, tournament.guid) }
}

/** Returns one notification for each pool that contains the map. */
async function messagesToPoolers(tx: Tx, event: EventOf<'map.resolved' | 'map.changed'>): Promise<readonly Message[]> {
  const notices = await listStanding(tx, event.subject)
  return notices.flatMap((standing) => {
    const notice = mapNotice(event, standing)
    return notice === null ? [] : [{ notice, to: standing.poolerGuids }]
  })
}

/** Returns the notification for the pool whose import named the key. (D71) */
async function messagesToPoolersOf(tx: Tx, event: EventOf<'pool.map_described'>): Promise<readonly Message[]> {
  const standing = await findStanding(tx, event.after.poolMapGuid)
  const notice = standing === undefined ? null : mapNotice(event, standing)
  return standing === undefined || notice === null ? [] : [{ notice, to: standing.poolerGuids }]
}

async function messageToCaptainsOfPool(
  tx: Tx,
  event: EventOf<'pool.published' | 'pool.announced'>,
): Promise<Message | null> {
  const tournament = await findNamedTournament(tx, event.tournament)
  if (tournament === undefined) return null
  return { notice: poolNotice(event, tournament), to: await listCaptainGuids(tx, tournament.guid) }
}

async function messageToSuggester(
  tx: Tx,
  event: EventOf<'suggestion.accepted' | 'suggestion.rejected'>,
): Promise<Message | null> {
  const tournament = await findNamedTournament(tx, event.tournament)
  if (tournament === undefined) return null
  return { notice: suggestionNotice(event, tournament), to: [event.after.suggestedBy] }
}

async function messageToHolder(tx: Tx, event: EventOf<'access.granted' | 'access.revoked'>): Promise<Message | null> {
  const tournament = await findNamedTournament(tx, event.tournament)
  const notice = tournament === undefined ? null : roleNotice(event, tournament)
  return notice === null ? null : { notice, to: [event.subject] }
}

async function messageToOrganiser(
  tx: Tx,
  event: EventOf<'visibility.approved' | 'visibility.rejected'>,
): Promise<Message | null> {
  const tournament = await findNamedTournament(tx, event.tournament)
  const platformName = await findPlatformName(tx, event.after.platformGuid)
  if (tournament === undefined || platformName === undefined) return null
  return { notice: decisionNotice(event, tournament, platformName), to: [tournament.organiserGuid] }
}

/** Under this name, events are set aside until everybody sees what they are about. */
const waitingName = 'notifications.held'

/** Inserts a notification for each user that events concern. */
async function tell(tx: Tx, events: readonly NotifyingEvent[], since = 0): Promise<void> {
  const teams = await mapNamedTeams(
    tx,
    events.filter(isOfTeam).map(({ subject }) => subject),
  )
  const messages = await Promise.all(events.map((event) => messagesOf(tx, event, teams)))
  const isReal = placeOf(tx) === null
  let latest = since
  const dated = events.flatMap((event, index) =>
    (messages[index] ?? []).flatMap((message) => {
      if (message === null) return []
      // Lists are ordered by time, so notifications for events of the same millisecond get times one millisecond
      // apart. In a rehearsal they have the instants of its clock as they are.
      latest = isReal ? Math.max(event.at.getTime(), latest + 1) : event.at.getTime()
      const createdAt = new Date(latest)
      return recipientsOf(message.to, event).map((userGuid) => ({ ...message.notice, userGuid, createdAt }))
    }),
  )
  await notifyAll(tx, dated)
}

/** The most events that are told after one look. */
const batch = 200

/** Tells what waited, once everybody sees it: with the time of then, so that nothing appears among what was read. (V2) */
export async function tellShown(database: Database, now: () => Date): Promise<void> {
  for (const seq of await listShownAside(database.db, waitingName, batch)) {
    await database.transaction(async (tx) => {
      // Another process may have taken it, and the log may have lost it.
      const event = await takeSetAside(tx, waitingName, seq)
      if (event !== undefined) await tell(tx, [event as NotifyingEvent], now().getTime())
    })
  }
}

/** Inserts a notification for each user that an event concerns. */
export const notifier = followerOf({
  name: 'notifications',
  from: 'first',
  types,
  gatherMs: 250,
  makesDue: true,
  async handle(tx, events) {
    // What a rehearsal tells is only recorded, and has no outsiders. (R3)
    if (placeOf(tx) !== null) return tell(tx, events)
    // What the members of a team are told of it is about no match of theirs, so they are outsiders there. (V2)
    const held = await listHeldEvents(
      tx,
      events.filter(isOfTeam).map(({ seq }) => seq),
    )
    await tell(
      tx,
      events.filter(({ seq }) => !held.has(seq)),
    )
    for (const seq of held) await insertSetAside(tx, waitingName, seq, 'held')
  },
})
