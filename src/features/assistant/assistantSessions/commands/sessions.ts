import type { SignedIn } from '../../../../core/actor.ts'
import { conflict, invalid } from '../../../../core/problem.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import { isOrganiser } from '../../../tournaments/access/policy.ts'
import { notLinked } from '../../assistantLinks/rules/links.ts'
import { lockLinkForShare } from '../../assistantLinks/store.ts'
import { proposeWhatIsKnown, setPlayState } from '../../proposals/commands/plays.ts'
import { findOpenPlay, lockLeftPlays, movePlay } from '../../proposals/store/plays.ts'
import type { Play } from '../../proposals/types.ts'
import { controllerNow } from '../queries.ts'
import { controlBy, noControl, notController } from '../rules/control.ts'
import { checkRoom } from '../rules/limits.ts'
import {
  countOpen,
  findSession,
  insertSession,
  lockOpenOfMatch,
  lockSession,
  updateSession,
} from '../store/sessions.ts'
import type { AssistantSession, SessionPlayer, SessionState } from '../types.ts'

/** Operations on a session that any process may run. */

/**
 * The state of a new session. If it takes over a song, the state has the song's map and the players who were mapped by
 * hand.
 */
function stateFor(play: Play | undefined): SessionState {
  const nothing = { players: [], others: [], map: null, warnings: [] } as const
  if (play === undefined) return nothing
  const { maxScore: _most, ...map } = play.map
  // Players who were mapped by hand keep that account. All other players are found again by their verified accounts.
  const players = play.expected
    .filter(({ mapped }) => mapped)
    .map(
      ({ userGuid, side, platformId }): SessionPlayer => ({
        userGuid,
        side,
        platformId,
        mapped: true,
        connected: false,
        playState: null,
        downloadState: null,
        load: { state: 'idle', error: null },
        readyCheck: 'none',
        bannedMods: [],
        streamDelayMs: null,
      }),
    )
  return { ...nothing, players, map }
}

/**
 * The match at the assistant, and whether this service made it, copied from the session whose song is taken over. (D75)
 */
async function matchOf(
  tx: Tx,
  play: Play | undefined,
): Promise<Pick<AssistantSession, 'assistantMatch' | 'isMatchOurs'>> {
  if (play === undefined) return { assistantMatch: null, isMatchOurs: false }
  const session = play.sessionGuid === null ? undefined : await findSession(tx, play.sessionGuid)
  if (session?.assistantMatch == null) return { assistantMatch: play.assistantMatch, isMatchOurs: false }
  // The match may have been made again since the song began.
  const { assistantMatch, isMatchOurs } = session
  return { assistantMatch, isMatchOurs }
}

export interface Opened {
  readonly session: AssistantSession
  readonly isNew: boolean
}

/**
 * Opens the session of a match and gives control of it to the actor. If a session is open, it is returned, and the
 * actor takes control if nobody has it. A failed session is tried again. A song that a closed session left open is
 * taken over by the new session, which waits for its results. (AS4, AS5, D75)
 * @throws Problem `assistant.not_linked`, `assistant.readonly`, `assistant.too_many_sessions`
 */
export async function openSession(tx: Tx, actor: SignedIn, match: MatchRecord, now: Date): Promise<Opened> {
  const { tournamentGuid, guid: matchGuid } = match
  const link = await lockLinkForShare(tx, tournamentGuid)
  if (link === undefined || !link.enabled) throw notLinked()
  if (link.tokenKind === 'readonly') {
    throw conflict('assistant.readonly', 'The link of the tournament may only read; give it a token of another kind.')
  }
  const control = { ...controlBy(actor, now), controllerSince: now }
  const open = await lockOpenOfMatch(tx, matchGuid)
  if (open === undefined) {
    checkRoom(await countOpen(tx, tournamentGuid))
    const [play, ...earlier] = await lockLeftPlays(tx, matchGuid)
    const left = { state: stateFor(play), ...(await matchOf(tx, play)) }
    const given = { tournamentGuid, matchGuid, openedBy: actor.guid, openedAt: now, ...left, ...control }
    const session = await insertSession(tx, given)
    if (session === undefined)
      throw conflict('assistant.opened_meanwhile', 'Somebody has just opened the session; ask again.')
    if (play !== undefined) await movePlay(tx, play.guid, session.guid)
    for (const one of earlier) await leaveBehind(tx, one, now)
    const common = { subject: session.guid, tournament: tournamentGuid, actor: actor.guid, touches: [matchGuid] }
    emit(tx, { type: 'assistant.session_opened', ...common, after: { match: matchGuid } })
    return { session, isNew: true }
  }
  const isFree = (await controllerNow(tx, open, now)) === null
  const changes = {
    ...(isFree ? control : {}),
    ...(open.status === 'failed' ? { status: 'connecting' as const, lastError: null } : {}),
  }
  if (Object.keys(changes).length === 0) return { session: open, isNew: false }
  return { session: await change(tx, open, actor.guid, changes), isNew: false }
}

/** Ends a song that is older than the one taken over. No reports of it will come. */
async function leaveBehind(tx: Tx, { guid }: Play, now: Date): Promise<void> {
  await proposeWhatIsKnown(tx, guid, now)
  await setPlayState(tx, guid, 'uncertain', now)
}

async function change(
  tx: Tx,
  { guid, tournamentGuid, matchGuid }: AssistantSession,
  actor: string,
  changes: Parameters<typeof updateSession>[2],
): Promise<AssistantSession> {
  const changed = await updateSession(tx, guid, changes)
  const common = { subject: guid, tournament: tournamentGuid, actor, touches: [matchGuid] }
  const { phase, status } = changed
  emit(tx, { type: 'assistant.session_updated', ...common, after: { match: matchGuid, phase, status } })
  return changed
}

export type ControlAction = 'take' | 'renew' | 'release' | 'takeover'

/**
 * Takes, renews, releases or takes over control. One operator at a time has control, as long as their right to it
 * exists. (AS5, D76)
 * @throws Problem `assistant.not_controller`, `assistant.reason_missing`
 */
export async function control(
  tx: Tx,
  actor: SignedIn,
  session: AssistantSession,
  { action, reason }: { readonly action: ControlAction; readonly reason: string | null },
  now: Date,
): Promise<AssistantSession> {
  const held = await controllerNow(tx, session, now)
  const renewed = controlBy(actor, now)
  const { guid, tournamentGuid: tournament, matchGuid: match } = session
  switch (action) {
    case 'renew':
      if (held !== actor.guid) throw notController(held)
      // A renewal emits no event, because nothing visible changes.
      return updateSession(tx, guid, renewed)
    case 'release':
      if (held !== actor.guid) throw notController(held)
      return change(tx, session, actor.guid, noControl)
    case 'take':
      if (held !== null && held !== actor.guid) throw notController(held)
      if (held === actor.guid) return updateSession(tx, guid, renewed)
      return change(tx, session, actor.guid, { ...renewed, controllerSince: now })
    case 'takeover': {
      if (reason === null) throw invalid('assistant.reason_missing', 'Say in `reason` why you take control over.')
      const taken = await updateSession(tx, guid, { ...renewed, controllerSince: now })
      const common = { subject: guid, tournament, actor: actor.guid, touches: [match] }
      const after = { match, controller: actor.guid, reason }
      emit(tx, { type: 'assistant.control_taken', ...common, before: { controller: held }, after })
      return taken
    }
  }
}

/**
 * Closes a session. The process that holds it leaves the assistant, and deletes the match there if that is asked for
 * and this service made it. While a song is played, closing needs `force`, because nobody would wait for the results.
 * (D75)
 * @throws Problem `assistant.not_controller`, `assistant.closed`, `assistant.play_open`
 */
export async function closeSession(
  tx: Tx,
  actor: SignedIn,
  guid: string,
  { deleteMatch, force }: { readonly deleteMatch: boolean; readonly force: boolean },
  now: Date,
): Promise<AssistantSession> {
  const session = await lockSession(tx, guid)
  if (session === undefined || session.closedAt !== null) throw sessionClosed()
  const held = await controllerNow(tx, session, now)
  if (held !== actor.guid && !isOrganiser(actor)) throw notController(held)
  const play = await findOpenPlay(tx, guid)
  if (play !== undefined && !force) throw stillPlayed(session, play)
  return endSession(tx, session, { reason: 'closed', actor: actor.guid, deleteMatch, now })
}

/** The refusal names the players who are still in the game. (D75) */
function stillPlayed({ state }: AssistantSession, { guid, game, run, state: playState, startedAt, map }: Play) {
  const inGame = state.players.flatMap(({ userGuid, playState: of }) => (of === 'game' ? [userGuid] : []))
  return conflict(
    'assistant.play_open',
    'A song is being played; wait for its end, return to the menu, or close with `force: true`.',
    {
      play: { guid, game, run, state: playState, startedAt: formatInstant(startedAt), map: { ...map } },
      inGame,
    },
  )
}

/**
 * Ends a session for any reason. The known results of a song that is still open are proposed, so that they are not
 * lost. (D75)
 */
export async function endSession(
  tx: Tx,
  { guid, tournamentGuid, matchGuid, state }: AssistantSession,
  given: { readonly reason: string; readonly actor: string | null; readonly deleteMatch: boolean; readonly now: Date },
): Promise<AssistantSession> {
  const { reason, actor, deleteMatch, now } = given
  const play = await findOpenPlay(tx, guid)
  if (play !== undefined) await proposeWhatIsKnown(tx, play.guid, now)
  const ended = await updateSession(tx, guid, {
    status: 'closed',
    phase: 'closed',
    closedAt: now,
    closeReason: reason,
    deleteMatch,
    // The players' accounts are removed, because nobody needs them after the end.
    state: { ...state, others: [], players: state.players.map((player) => ({ ...player, platformId: null })) },
    ...noControl,
  })
  const common = { subject: guid, tournament: tournamentGuid, actor, touches: [matchGuid] }
  emit(tx, { type: 'assistant.session_closed', ...common, after: { match: matchGuid, reason } })
  return ended
}

export function sessionClosed() {
  return conflict('assistant.closed', 'The match has no open session; open one first.')
}
