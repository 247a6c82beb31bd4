import type { EventOf, EventType } from '../../../core/events.ts'
import { replay } from '../../../engine/flows/replay.ts'
import { stateOf } from '../../../engine/flows/state.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { followerOf } from '../../../infra/events/follow.ts'
import type { LoggedEvent } from '../../../infra/events/logged.ts'
import { listRows } from '../../flows/flowSessions/store/rows.ts'
import { sendPushes } from './commands/sending.ts'
import { worthTellingUntil } from './rules/messages.ts'
import { concernedSeats, type SessionEvent, sessionPlaceOf } from './rules/occasions.ts'
import {
  type Concerned,
  listCaptainsOfSmallTeams,
  listHolders,
  listOfficials,
  listPlayers,
  listSessionRows,
  type SessionRow,
} from './store/recipients.ts'
import type { Occasion, Push, PushSubject } from './types.ts'

const types = [
  'invitation.created',
  'assignment.changed',
  'match.called',
  'match.updated',
  'assistant.proposal_made',
  'team.member_left',
  'team.member_removed',
  'flow.row',
  'private_session.changed',
  'draft_session.changed',
] as const satisfies readonly EventType[]

type PushingEvent = LoggedEvent<EventOf<(typeof types)[number]>>
type Of<Type extends (typeof types)[number]> = LoggedEvent<EventOf<Type>>

/** Users get no message about what they did themselves. */
function push(event: PushingEvent, occasion: Occasion, userGuid: string, subject: PushSubject): Push[] {
  if (userGuid === event.actor) return []
  return [{ userGuid, occasion, subject, at: event.at, until: worthTellingUntil(occasion, event.at) }]
}

function ofInvitation(event: Of<'invitation.created'>): Push[] {
  const { subject: invitationGuid, tournament: tournamentGuid, after } = event
  const { userGuid, teamGuid } = after
  return push(event, 'invitation.created', userGuid, { tournamentGuid, teamGuid, invitationGuid })
}

function ofAssignment(event: Of<'assignment.changed'>): Push[] {
  const { subject: assignmentGuid, tournament: tournamentGuid, before, after } = event
  if (before !== null || after.user === undefined) return []
  const match = after.match == null ? {} : { matchGuid: after.match }
  return push(event, 'duty.assigned', after.user, { tournamentGuid, assignmentGuid, ...match })
}

function ofOfficials(event: Of<'match.updated'>): Push[] {
  const { subject: matchGuid, tournament: tournamentGuid, before, after } = event
  const known = new Set(before.officials?.map(({ userGuid }) => userGuid))
  const added = new Set(after.officials?.flatMap(({ userGuid }) => (known.has(userGuid) ? [] : [userGuid])))
  return [...added].flatMap((userGuid) => push(event, 'duty.assigned', userGuid, { tournamentGuid, matchGuid }))
}

async function ofCalls(tx: Tx, events: readonly Of<'match.called'>[]): Promise<Push[]> {
  const matches = events.map(({ subject }) => subject)
  const players = byRecord(await listPlayers(tx, matches))
  return events.flatMap((event) => {
    const { subject: matchGuid, tournament: tournamentGuid } = event
    const called = players.get(matchGuid) ?? []
    return called.flatMap((user) => push(event, 'match.called', user, { tournamentGuid, matchGuid }))
  })
}

/** The roles that decide about proposals of results. */
const deciding = ['role:referee', 'role:coordinator', 'role:hcoordinator']

async function ofProposals(tx: Tx, events: readonly Of<'assistant.proposal_made'>[]): Promise<Push[]> {
  const open = events.filter(({ after }) => after.status === 'proposed')
  const officials = byRecord(
    await listOfficials(
      tx,
      open.map(({ after }) => after.match),
      deciding,
    ),
  )
  return open.flatMap((event) => {
    const subject = { tournamentGuid: event.tournament, matchGuid: event.after.match }
    return (officials.get(event.after.match) ?? []).flatMap((user) => push(event, 'result.proposed', user, subject))
  })
}

async function ofRosters(tx: Tx, events: readonly Of<'team.member_left' | 'team.member_removed'>[]): Promise<Push[]> {
  const captains = byRecord(
    await listCaptainsOfSmallTeams(
      tx,
      events.map(({ subject }) => subject),
    ),
  )
  return events.flatMap((event) => {
    const { subject: teamGuid, tournament: tournamentGuid } = event
    const told = captains.get(teamGuid) ?? []
    return told.flatMap((user) => push(event, 'team.too_small', user, { tournamentGuid, teamGuid }))
  })
}

function byRecord(concerned: readonly Concerned[]): ReadonlyMap<string, readonly string[]> {
  const users = Map.groupBy(concerned, ({ subject }) => subject)
  return new Map([...users].map(([subject, rows]) => [subject, rows.map(({ userGuid }) => userGuid)]))
}

async function ofSessions(tx: Tx, events: readonly SessionEvent[]): Promise<Push[]> {
  const places = events.flatMap((event) => sessionPlaceOf(event) ?? [])
  const rows = await listSessionRows(tx, places)
  if (rows.length === 0) return []
  const holders = new Set(
    await listHolders(
      tx,
      rows.flatMap(({ speakers }) => speakers.flat()),
    ),
  )
  const pushes: Push[] = []
  for (const row of rows) {
    const event = events.find(({ subject, after }) => subject === row.sessionGuid && isAt(after, row.position))
    if (event === undefined || !row.speakers.flat().some((user) => holders.has(user))) continue
    const { occasion, seats } = concernedSeats(row, row.kind === 'scores' ? await claiming(tx, row, event.at) : [])
    const { tournamentGuid, sessionGuid, matchGuid } = row
    const subject = { tournamentGuid, ...(matchGuid === null ? {} : { matchGuid }), sessionGuid }
    const users = new Set(seats.flatMap((seat) => row.speakers[seat - 1] ?? []).filter((user) => holders.has(user)))
    pushes.push(...[...users].flatMap((user) => push(event, occasion, user, subject)))
  }
  return pushes
}

function isAt(after: SessionEvent['after'], position: number): boolean {
  return 'withheld' in after ? after.withheld === position : after.position === position
}

/** The seats that may now accept the result of a map or claim a replay. */
async function claiming(tx: Tx, { sessionGuid, position }: SessionRow, at: Date): Promise<readonly number[]> {
  const machine = replay(sessionGuid, await listRows(tx, sessionGuid))
  if (machine.position !== position) return []
  const { phase, turn } = stateOf(machine, at.getTime(), { seats: [], isReferee: false })
  return phase === 'window' && turn !== null ? turn.seats.filter((seat) => !turn.accepted.includes(seat)) : []
}

function isOf<const Type extends (typeof types)[number]>(...wanted: readonly Type[]) {
  return (event: PushingEvent): event is Of<Type> => wanted.some((type) => event.type === type)
}

/** Tells users on their devices what concerns them. (additions: Push) */
export const pushFollower = followerOf({
  name: 'push',
  from: 'now',
  types,
  gatherMs: 100,
  makesDue: true,
  async handle(tx, events) {
    await sendPushes(tx, [
      ...events.filter(isOf('invitation.created')).flatMap(ofInvitation),
      ...events.filter(isOf('assignment.changed')).flatMap(ofAssignment),
      ...events.filter(isOf('match.updated')).flatMap(ofOfficials),
      ...(await ofCalls(tx, events.filter(isOf('match.called')))),
      ...(await ofProposals(tx, events.filter(isOf('assistant.proposal_made')))),
      ...(await ofRosters(tx, events.filter(isOf('team.member_left', 'team.member_removed')))),
      ...(await ofSessions(tx, events.filter(isOf('flow.row', 'private_session.changed', 'draft_session.changed')))),
    ])
  },
})
