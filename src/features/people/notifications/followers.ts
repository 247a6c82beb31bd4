import type { Tx } from '../../../infra/db/database.ts'
import type { Follower, LoggedEvent } from '../../../infra/events/follow.ts'
import {
  applicationOf,
  type Change,
  cancellationNotice,
  decisionNotice,
  grantNotice,
  type NamedApplication,
  newPlaceNotice,
  platformOfDecision,
  recipientsOf,
  reuseNotice,
  roleNotice,
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

/** What is told of an event and to whom, as things stand now; null when there is nothing to tell any more. */
type Telling = (tx: Tx, event: LoggedEvent) => Promise<Message | null>

const tellMembers: Telling = async (tx, event) => {
  const team = event.subject === null ? undefined : await findNamedTeam(tx, event.subject)
  const notice = team === undefined ? null : teamNotice(event, team)
  return team === undefined || notice === null ? null : { notice, to: await listMemberGuids(tx, team.guid) }
}

const tellCaptains: Telling = async (tx, event) => {
  const tournament = await tournamentOf(tx, event)
  const notice = tournament === undefined ? null : cancellationNotice(event, tournament)
  return tournament === undefined || notice === null
    ? null
    : { notice, to: await listCaptainGuids(tx, tournament.guid) }
}

const tellHolder: Telling = async (tx, event) => {
  const tournament = await tournamentOf(tx, event)
  const notice = tournament === undefined ? null : roleNotice(event, tournament)
  return notice === null ? null : { notice, to: [event.subject] }
}

const tellOrganiser: Telling = async (tx, event) => {
  const tournament = await tournamentOf(tx, event)
  const guid = platformOfDecision(event)
  const name = guid === null ? undefined : await findPlatformName(tx, guid)
  if (tournament === undefined || guid === null || name === undefined) return null
  return { notice: decisionNotice(event, tournament, { guid, name }), to: [tournament.organiserGuid] }
}

const tellOfSignIn: Telling = async (_tx, event) => {
  const notice = newPlaceNotice(event)
  return notice === null ? null : { notice, to: [event.subject] }
}

function tellOfApplication(noticeOf: (event: Change, application: NamedApplication) => Notice): Telling {
  return async (tx, event) => {
    const clientId = applicationOf(event)
    if (clientId === null) return null
    const name = (await findApplicationName(tx, clientId)) ?? null
    return { notice: noticeOf(event, { clientId, name }), to: [event.subject] }
  }
}

async function tournamentOf(tx: Tx, { tournament }: LoggedEvent) {
  return tournament === null ? undefined : findNamedTournament(tx, tournament)
}

const tellings: ReadonlyMap<string, Telling> = new Map([
  ['team.registered', tellMembers],
  ['team.unregistered', tellMembers],
  ['team.qualified', tellMembers],
  ['team.disqualified', tellMembers],
  ['tournament.status_changed', tellCaptains],
  ['access.granted', tellHolder],
  ['access.revoked', tellHolder],
  ['visibility.approved', tellOrganiser],
  ['visibility.rejected', tellOrganiser],
  ['sign_in.new_place', tellOfSignIn],
  ['token.reused', tellOfApplication(reuseNotice)],
  ['application.granted', tellOfApplication(grantNotice)],
])

/** Leaves messages for those whom an event concerns, once for each. */
export const notifier: Follower = {
  name: 'notifications',
  from: 'first',
  async handle(tx, events) {
    // What the messages need travels together; the messages are left in the order of their events.
    const messages = await Promise.all(events.map((event) => tellings.get(event.type)?.(tx, event)))
    let latest = 0
    for (const [index, event] of events.entries()) {
      const message = messages[index]
      if (message == null) continue
      const recipients = recipientsOf(message.to, event)
      // Lists go by time: what happened within one millisecond is told a millisecond apart.
      latest = Math.max(event.at.getTime(), latest + 1)
      if (recipients.length > 0) await insertNotifications(tx, recipients, message.notice, new Date(latest))
    }
  },
}
