import type { EventOf } from '../../../core/events.ts'
import type { Tx } from '../../../infra/db/database.ts'
import type { Follower } from '../../../infra/events/follow.ts'
import type { LoggedEvent } from '../../../infra/events/logged.ts'
import {
  cancellationNotice,
  decisionNotice,
  grantNotice,
  newPlaceNotice,
  recipientsOf,
  reuseNotice,
  roleNotice,
  type TeamStep,
  teamNotice,
} from './rules.ts'
import {
  findApplicationName,
  findNamedTeam,
  findNamedTournament,
  findPlatformName,
  insertNotifications,
  listCaptainGuids,
  listMemberGuids,
} from './store/notifications.ts'
import type { Notice } from './types.ts'

interface Message {
  readonly notice: Notice
  readonly to: readonly (string | null)[]
}

/** What is told of an event and to whom, as things stand now; null when there is nothing to tell, or not any more. */
async function messageOf(tx: Tx, event: LoggedEvent): Promise<Message | null> {
  switch (event.type) {
    case 'team.registered':
    case 'team.unregistered':
    case 'team.qualified':
    case 'team.disqualified':
      return tellMembers(tx, event)
    case 'tournament.status_changed':
      return tellCaptains(tx, event)
    case 'access.granted':
    case 'access.revoked':
      return tellHolder(tx, event)
    case 'visibility.approved':
    case 'visibility.rejected':
      return tellOrganiser(tx, event)
    case 'sign_in.new_place':
      return { notice: newPlaceNotice(event), to: [event.subject] }
    case 'token.reused': {
      const name = await findApplicationName(tx, event.after.clientId)
      return { notice: reuseNotice(event, name ?? null), to: [event.subject] }
    }
    case 'application.granted': {
      const name = await findApplicationName(tx, event.after.clientId)
      return { notice: grantNotice(event, name ?? null), to: [event.subject] }
    }
    default:
      return null
  }
}

async function tellMembers(tx: Tx, event: EventOf<TeamStep>): Promise<Message | null> {
  const team = await findNamedTeam(tx, event.subject)
  const notice = team === undefined ? null : teamNotice(event, team)
  return team === undefined || notice === null ? null : { notice, to: await listMemberGuids(tx, team.guid) }
}

async function tellCaptains(tx: Tx, event: EventOf<'tournament.status_changed'>): Promise<Message | null> {
  const tournament = await findNamedTournament(tx, event.tournament)
  const notice = tournament === undefined ? null : cancellationNotice(event, tournament)
  return tournament === undefined || notice === null
    ? null
    : { notice, to: await listCaptainGuids(tx, tournament.guid) }
}

async function tellHolder(tx: Tx, event: EventOf<'access.granted' | 'access.revoked'>): Promise<Message | null> {
  const tournament = await findNamedTournament(tx, event.tournament)
  const notice = tournament === undefined ? null : roleNotice(event, tournament)
  return notice === null ? null : { notice, to: [event.subject] }
}

async function tellOrganiser(
  tx: Tx,
  event: EventOf<'visibility.approved' | 'visibility.rejected'>,
): Promise<Message | null> {
  const tournament = await findNamedTournament(tx, event.tournament)
  const platformName = await findPlatformName(tx, event.after.platformGuid)
  if (tournament === undefined || platformName === undefined) return null
  return { notice: decisionNotice(event, tournament, platformName), to: [tournament.organiserGuid] }
}

/** Inserts a notification for each user whom an event concerns. */
export const notifier: Follower = {
  name: 'notifications',
  from: 'first',
  async handle(tx, events) {
    // What the messages need is read concurrently; they are inserted in the order of their events.
    const messages = await Promise.all(events.map((event) => messageOf(tx, event)))
    let latest = 0
    for (const [index, event] of events.entries()) {
      const message = messages[index]
      if (message == null) continue
      const recipients = recipientsOf(message.to, event)
      // Lists are ordered by time, so that messages of events of the same millisecond are dated a millisecond apart.
      latest = Math.max(event.at.getTime(), latest + 1)
      if (recipients.length > 0) await insertNotifications(tx, recipients, message.notice, new Date(latest))
    }
  },
}
