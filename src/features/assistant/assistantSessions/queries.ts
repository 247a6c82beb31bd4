import type { Actor } from '../../../core/actor.ts'
import type { Depends } from '../../../core/operation.ts'
import { lineupOf } from '../../../engine/flows/legal-maps.ts'
import type { Machine as FlowMachine } from '../../../engine/flows/machine.ts'
import { replay } from '../../../engine/flows/replay.ts'
import { stateOf } from '../../../engine/flows/state.ts'
import { difficulties, type Parameters } from '../../../infra/clients/assistant/messages.ts'
import type { Db } from '../../../infra/db/database.ts'
import { findMatch } from '../../brackets/matches/store/matches.ts'
import type { MatchRecord } from '../../brackets/matches/types.ts'
import { listRows } from '../../flows/flowSessions/store/rows.ts'
import { findCurrentOfMatch, findCurrentOfMatches } from '../../flows/flowSessions/store/sessions.ts'
import { findPoolMap, listWholeMaps } from '../../maps/pools/store/maps.ts'
import { findPool } from '../../maps/pools/store/pools.ts'
import type { WholePoolMap } from '../../maps/pools/types.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import { listMembers } from '../../teams/teams/store/teams.ts'
import { missingPermissionsOf, unusableWith } from '../assistantLinks/rules/permissions.ts'
import { findLink } from '../assistantLinks/store.ts'
import { viewerOf } from './policy.ts'
import { controllerOf } from './rules/control.ts'
import type { ChosenMap, Expected, Failure } from './rules/machine.ts'
import { isStillController, listControls } from './store/operators.ts'
import { listLastPlays } from './store/plays.ts'
import type { AssistantSession, SessionMap } from './types.ts'
import { type AssistantSessionView, assistantSessionView, shownUsers } from './views.ts'

/** Reads who plays which map, from a match and its flow session. */
const wholeLog = 2 ** 31 - 1

export interface MatchContext {
  readonly match: MatchRecord
  readonly flow: FlowMachine | null
  readonly flowSession: string | null
  readonly expected: readonly Expected[]
}

export async function readMatchContext(db: Db, matchGuid: string, now: Date): Promise<MatchContext | null> {
  const match = await findMatch(db, matchGuid)
  if (match === undefined) return null
  const session = await findCurrentOfMatch(db, matchGuid)
  const isPlayed = session !== undefined && session.status !== 'void'
  const flow = isPlayed ? replay(session.guid, await listRows(db, session.guid, 0, wholeLog)) : null
  const sides = [match.team1Guid, match.team2Guid]
  const members = await listMembers(
    db,
    sides.filter((team) => team !== null),
  )
  const named = sides.flatMap((team, index) => {
    const side = (index + 1) as 1 | 2
    const lineup = flow === null ? null : playingFor(flow, side, now)
    const active = (team === null ? [] : (members.get(team) ?? [])).filter(({ isActive }) => isActive)
    return (lineup ?? active.map(({ userGuid }) => userGuid)).slice(0, 8).map((userGuid) => ({ userGuid, side }))
  })
  const facts = await listUserFacts(
    db,
    named.map(({ userGuid }) => userGuid),
  )
  const expected = named.flatMap(({ userGuid, side }): Expected[] => {
    const user = facts.get(userGuid)
    if (user === undefined) return []
    const platformIds = [...new Set([user.rankingIdA, user.rankingIdB].filter((id) => id !== null))]
    return [{ userGuid, side, name: user.preferredName ?? user.username, platformIds }]
  })
  return { match, flow, flowSession: session?.guid ?? null, expected }
}

/** The users of a seat who play the open run, else the next map. (AS7) */
function playingFor(flow: FlowMachine, seat: number, now: Date): readonly string[] | null {
  const turn = turnOf(flow, now)
  const run =
    turn === null
      ? undefined
      : flow.games
          .find(({ game, isGone }) => game === turn.game && !isGone)
          ?.chains.at(-1)
          ?.runs.at(-1)
  const lineup = run?.lineups[seat - 1]
  if (lineup !== undefined && lineup.length > 0) return lineup
  return lineupOf(flow, seat)
}

export interface FlowTurn {
  readonly game: number
  readonly run: number
  readonly technical: boolean
  /** GUID of a map of the pool. */
  readonly map: string
}

/** The game that a flow session has to play now; null if it waits for something else. */
export function turnOf(flow: FlowMachine, now: Date): FlowTurn | null {
  const { games, turn, phase } = stateOf(flow, now.getTime(), { seats: [], isReferee: true })
  const isPlaying = phase === 'playing' || turn?.action === 'play'
  // If several maps were picked before the first song, the first of them is next.
  const game = games.find(({ phase: of }) => of === 'playing' || of === 'replay' || of === 'up_next')
  if (!isPlaying || game === undefined || game.map === null) return null
  const open = flow.games.find(({ game: number, isGone }) => number === game.game && !isGone)
  const run = open?.chains.at(-1)?.runs.at(-1)
  return { game: game.game, run: run?.run ?? 1, technical: (run?.replaying.length ?? 0) > 0, map: game.map }
}

/** The ways in which a controller can name a map. */
export type MapWish =
  | { readonly source: 'flow' }
  | { readonly poolMapGuid: string }
  | {
      readonly hash: string
      readonly characteristic: string
      readonly difficulty: string
      readonly modifiers?: readonly string[]
    }

/** Finds the map that the wish names, with how it is played; a failure if there is none. (AS8) */
export async function chooseMap(
  db: Db,
  { tournamentGuid, matchGuid }: { readonly tournamentGuid: string; readonly matchGuid: string },
  wish: MapWish,
  now: Date,
): Promise<ChosenMap | { readonly failure: Failure }> {
  if ('hash' in wish) return freeMap({ modifiers: [], ...wish, hash: wish.hash.toLowerCase() })
  if ('poolMapGuid' in wish) {
    const chosen = await poolMap(db, wish.poolMapGuid.toLowerCase(), tournamentGuid)
    if (chosen !== null) return chosen
    return { failure: { code: 'assistant.map_unknown', message: 'No pool of the tournament shows such a map.' } }
  }
  const context = await readMatchContext(db, matchGuid, now)
  const chosen = context === null ? null : await flowMap(db, context, now)
  if (chosen !== null) return chosen
  return { failure: { code: 'assistant.no_turn', message: 'The flow session has no map to be played now; name one.' } }
}

/** The map that the flow has to play now, with the modifiers and options of its pool. (AS8) */
async function flowMap(db: Db, { flow }: MatchContext, now: Date): Promise<ChosenMap | null> {
  const turn = flow === null ? null : turnOf(flow, now)
  const entry = flow?.pool.find(({ guid }) => guid === turn?.map)
  if (entry === undefined) return null
  const kept = await findPoolMap(db, entry.guid)
  const { hash, difficulty, characteristic, name, maxScore } = entry.map
  const map = {
    poolMapGuid: entry.guid,
    hash,
    characteristic,
    difficulty,
    name: name ?? hash,
    modifiers: entry.modifiers,
    maxScore,
  }
  return chosenOf(map, kept)
}

async function poolMap(db: Db, guid: string, tournamentGuid: string): Promise<ChosenMap | null> {
  const found = await findPoolMap(db, guid)
  // A map that poolers have not released yet is treated as unknown.
  if (found === undefined || found.releasedAt === null) return null
  if ((await findPool(db, found.poolGuid))?.tournamentGuid !== tournamentGuid) return null
  const kept: WholePoolMap | undefined = (await listWholeMaps(db, [found.poolGuid])).find((one) => one.guid === guid)
  if (kept === undefined) return null
  const { hash, difficulty, characteristic, name, maxScore } = kept.map
  const map = {
    poolMapGuid: guid,
    hash,
    characteristic,
    difficulty,
    name: name ?? hash,
    modifiers: kept.modifiers,
    maxScore,
  }
  return chosenOf(map, kept)
}

/** A map that was chosen before, with the options that its pool has now. */
export async function chooseKept(db: Db, map: SessionMap & { readonly maxScore?: number | null }): Promise<ChosenMap> {
  const kept = map.poolMapGuid === null ? undefined : await findPoolMap(db, map.poolMapGuid)
  return { ...chosenOf({ maxScore: null, ...map }, kept), isFree: map.poolMapGuid === null }
}

function freeMap(given: {
  readonly hash: string
  readonly characteristic: string
  readonly difficulty: string
  readonly modifiers: readonly string[]
}): ChosenMap {
  return { ...chosenOf({ ...given, poolMapGuid: null, name: given.hash, maxScore: null }, undefined), isFree: true }
}

function chosenOf(
  map: ChosenMap['map'] & { readonly maxScore: number | null },
  kept: Pick<WholePoolMap, 'options' | 'playerOptions' | 'attempts'> | undefined,
): ChosenMap {
  const { hash, characteristic, name, modifiers, maxScore, poolMapGuid, difficulty } = map
  const parameters: Parameters = {
    hash,
    characteristic,
    name,
    modifiers,
    difficulty: difficulties.find((one) => one === difficulty) ?? 'ExpertPlus',
    playerOptions: kept?.playerOptions ?? [],
    disablePause: kept?.options.disablePause ?? false,
    disableFail: kept?.options.disableFail ?? false,
    disableScoreSubmission: kept?.options.disableScoreSubmission ?? false,
    showScoreboard: kept?.options.showScoreboard ?? false,
    disableCustomNotesOnStream: kept?.options.disableCustomNotesOnStream ?? false,
    target: kept?.options.target ?? 0,
    attempts: kept?.attempts ?? 0,
  }
  return {
    map: { poolMapGuid, hash, characteristic, difficulty, name, modifiers },
    parameters,
    isFree: false,
    maxScore,
  }
}

/**
 * GUID of the present controller; null if nobody has control. Control ends with the right to it, even before that is
 * saved. (AS5, D76)
 */
export async function controllerNow(db: Db, session: AssistantSession, now: Date): Promise<string | null> {
  const held = controllerOf(session, now)
  return held !== null && (await isStillController(db, session)) ? held : null
}

/** The operations that the tournament's assistant is known to disallow. (AS3) */
export async function listUnusable(db: Db, tournamentGuid: string): Promise<readonly string[]> {
  const link = await findLink(db, tournamentGuid)
  return link === undefined ? [] : unusableWith(missingPermissionsOf(link))
}

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
