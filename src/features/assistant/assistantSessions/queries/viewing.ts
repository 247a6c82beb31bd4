import type { Actor } from '../../../../core/actor.ts'
import type { Depends } from '../../../../core/operation.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { findCurrentOfMatches } from '../../../flows/flowSessions/store/sessions.ts'
import { listUserFacts } from '../../../people/users/store/users.ts'
import { viewerOf } from '../policy.ts'
import { controllerOf } from '../rules/control.ts'
import { listControls } from '../store/operators.ts'
import { listLastPlays } from '../store/plays.ts'
import type { AssistantSession } from '../types.ts'
import { type AssistantSessionView, assistantSessionView, shownUsers } from '../views.ts'

interface Reader {
  readonly actor: Actor
  readonly now: Date
  readonly depends?: Depends
}

/** The views of sessions for the caller. The number of statements does not grow with the number of sessions. */
export async function readViews(
  db: Db,
  sessions: readonly AssistantSession[],
  reader: Reader,
): Promise<AssistantSessionView[]> {
  const { actor, now } = reader
  const guids = sessions.map(({ guid }) => guid)
  const matches = sessions.map(({ matchGuid }) => matchGuid)
  const [plays, flowSessions] = await Promise.all([listLastPlays(db, guids), findCurrentOfMatches(db, matches)])
  const shown = sessions.map((session) => {
    const viewer = viewerOf(actor, session, flowSessions.get(session.matchGuid))
    return { session, viewer, play: plays.get(session.guid) }
  })
  const forStaff = shown.flatMap(({ session, viewer }) => (viewer === 'staff' ? [session] : []))
  const held = forStaff.filter((session) => controllerOf(session, now) !== null)
  const [controls, users] = await Promise.all([
    listControls(
      db,
      held.map(({ guid }) => guid),
    ),
    listUserFacts(db, forStaff.flatMap(shownUsers)),
  ])
  return shown.map(({ session, ...beside }) => assistantSessionView(session, { ...beside, controls, users }, reader))
}

/** The view of one session for the caller. */
export async function readView(db: Db, session: AssistantSession, reader: Reader): Promise<AssistantSessionView> {
  const [view] = await readViews(db, [session], reader)
  if (view === undefined) throw new Error('a session has a view')
  return view
}
