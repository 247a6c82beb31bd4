import { isDeepStrictEqual } from 'node:util'
import { conflict, missing } from '../../../../core/problem.ts'
import type { Machine } from '../../../../engine/flows/machine.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import type { SessionRecord } from '../../../flows/flowSessions/types.ts'
import type { GameProposal, Play } from '../types.ts'
import { hasResult, type Place, placeOf } from './places.ts'

/** The match's session as it is now, and its place when the song began. */
export interface SeenSession {
  readonly record: Pick<SessionRecord, 'guid' | 'status'>
  readonly machine: Machine
  /** null if the song began in another session, or while no map was played. */
  readonly place: Place | null
}

/**
 * The effect of an acceptance now. `flow`: the scores go to the session. `hand`: the match without a session gets its
 * next game. `correction`: the match is completed and has this game. `moved`: match or flow went on without the
 * proposal. (AS19, AS21)
 */
export type Standing = 'flow' | 'hand' | 'correction' | 'moved'

type MatchWithGames = Pick<MatchRecord, 'status' | 'games'>

export function standingOf(
  { flowSessionGuid, game, run }: Pick<Play, 'flowSessionGuid' | 'game' | 'run'>,
  match: MatchWithGames,
  session: SeenSession | null,
): Standing {
  if (match.status === 'cancelled') return 'moved'
  if (session !== null && session.record.status === 'void') return 'moved'
  if (flowSessionGuid !== null && session?.record.guid !== flowSessionGuid) return 'moved'
  if (match.status === 'completed') return match.games.some(({ number }) => number === game) ? 'correction' : 'moved'
  const isNext = game === match.games.length + 1
  if (session === null || !isLive(session) || session.machine.isByHand) return isNext ? 'hand' : 'moved'
  const { machine, place } = session
  const isThere = place !== null && place.game === game && place.run === run
  const mayGo = isThere && isDeepStrictEqual(place, placeOf(machine)) && !hasResult(machine, place)
  return mayGo ? 'flow' : 'moved'
}

function isLive({ record: { status } }: SeenSession): boolean {
  return status === 'running' || status === 'paused'
}

/** Whether the song has a result that did not come from a proposal. */
export function hasResultElsewhere(
  { game }: Pick<Play, 'game'>,
  match: MatchWithGames,
  session: SeenSession | null,
): boolean {
  if (match.games.some(({ number }) => number === game)) return true
  return session !== null && session.place !== null && hasResult(session.machine, session.place)
}

export function isOpen({ status }: Pick<GameProposal, 'status'>): boolean {
  return status === 'collecting' || status === 'proposed'
}

/** Whether the song or its match had a result before the proposal was made. */
export function isLate({ warnings }: Pick<GameProposal, 'warnings'>): boolean {
  return warnings.some(({ code }) => code === 'late')
}

/** @throws Problem `proposal.decided` */
export function checkOpen(proposal: Pick<GameProposal, 'status'>): void {
  if (!isOpen(proposal)) throw conflict('proposal.decided', `The proposal was ${proposal.status} already.`)
}

export function stale() {
  return conflict('proposal.stale', 'The match has gone on without this proposal; look at it again.')
}

export function unknownProposal() {
  return missing('proposal.unknown', 'This match has no such proposal.')
}
