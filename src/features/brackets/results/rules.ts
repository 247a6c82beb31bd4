import { isDeepStrictEqual } from 'node:util'
import { type MembersOf, membersOf } from '../../../core/events.ts'
import { normaliseGuid } from '../../../core/ids.ts'
import { conflict, invalid, missing } from '../../../core/problem.ts'
import type { Decision, Game, SideIndex } from '../../../engine/types.ts'
import type { Bracket } from '../brackets/types.ts'
import type { GameDetail, GameMap, GamePlayer, GameSideDetail, MatchRecord, StoredGame } from '../matches/types.ts'
import type { Correction } from './types.ts'

/** No match starts in a bracket that still has empty places. (additions: Divisions, brackets, matches) */
export function checkPlaced({ status }: Pick<Bracket, 'status'>): void {
  if (status === 'draft') {
    throw conflict('bracket.incomplete', 'The bracket has places without a team; fill them first.')
  }
}

/**
 * Whether a change is a correction: the match has a result already, so the caller must have seen what the change
 * alters. (additions: Divisions, brackets, matches)
 */
export function isCorrection({ status, outcome }: Pick<MatchRecord, 'status' | 'outcome'>): boolean {
  return status === 'completed' && outcome !== 'bye'
}

/**
 * A caller who changes a result must give the bracket's current revision. (additions: Divisions, brackets, matches)
 * @throws Problem `match.completed`, `correction.stale`
 */
export function checkSeen(revision: number | undefined, bracket: Pick<Bracket, 'revision'>): void {
  if (revision === undefined) {
    throw conflict(
      'match.completed',
      'The match has a result already; to correct it, preview with dryRun=true and give the revision of the bracket.',
    )
  }
  if (revision !== bracket.revision) {
    throw conflict('correction.stale', 'The bracket has changed since this revision; preview the correction again.')
  }
}

/** The maximum of corrections of one match, including undone ones. */
export const maxCorrections = 200

/**
 * Corrections are stored with the matches that they alter, so their number is limited. An undo does not count. (D8)
 * @param made the number of earlier corrections
 * @throws Problem `correction.limit_reached`
 */
export function checkCorrections(made: number): void {
  if (made < maxCorrections) return
  throw conflict(
    'correction.limit_reached',
    `The match was corrected or reopened ${maxCorrections} times, as often as may be; undo one of these corrections instead.`,
  )
}

/**
 * A correction can be undone once. (additions: Divisions, brackets, matches)
 * @throws Problem `correction.unknown`, `correction.undone`
 */
export function checkIsStanding(correction: Correction | undefined): asserts correction is Correction {
  if (correction === undefined) throw unknownCorrection()
  if (correction.undoneAt !== null) throw conflict('correction.undone', 'This correction was undone already.')
}

/** The revisions of brackets that a caller has seen: by bracket GUID, or a single one if only one bracket changes. */
export interface Seen {
  readonly revision?: number | undefined
  readonly revisions?: Readonly<Record<string, number>> | undefined
}

/**
 * A caller who changes several brackets must give the current revision of each, as the preview returned it. If only one
 * bracket changes, `revision` is enough. (D60, D85)
 * @throws Problem `correction.stale`
 */
export function checkAllSeen(
  { revision, revisions }: Seen,
  brackets: readonly Pick<Bracket, 'guid' | 'revision'>[],
): void {
  if (revision === undefined && revisions === undefined) {
    if (brackets.length === 0) return
    throw conflict('correction.stale', 'Preview it with dryRun=true first, and give the `revisions` that this tells.')
  }
  const seen = new Map(Object.entries(revisions ?? {}).map(([guid, each]) => [normaliseGuid(guid), each]))
  const [only] = brackets
  const isSeen =
    revisions === undefined
      ? brackets.length === 1 && only?.revision === revision
      : seen.size === brackets.length &&
        brackets.every((bracket) => seen.get(bracket.guid) === bracket.revision) &&
        (revision === undefined || brackets.every((bracket) => bracket.revision === revision))
  if (!isSeen) {
    throw conflict('correction.stale', 'The brackets concerned have changed since these revisions; preview it again.')
  }
}

export interface ResultInput {
  readonly outcome: Decision['outcome']
  readonly winner?: 1 | 2
  readonly scores?: readonly number[]
}

/** Reads the decision of a match. If no winner is given, the scores decide. */
export function readDecision({ outcome, winner, scores: given }: ResultInput): Decision {
  const scores = readScores(given)
  const named = winner === undefined ? null : sideIndex(winner)
  switch (outcome) {
    case 'score': {
      const by = named ?? leader(scores)
      if (by === null) throw invalid('result.winner_missing', 'Give `winner`, or `scores` of which one is higher.')
      return { outcome, winner: by, scores }
    }
    case 'walkover':
      if (named === null) throw invalid('result.winner_missing', 'Give as `winner` the side that goes on: 1 or 2.')
      return { outcome, winner: named }
    case 'draw':
      refuseWinner(named)
      return { outcome, scores }
    case 'double_forfeit':
      refuseWinner(named)
      return { outcome }
  }
}

function refuseWinner(winner: SideIndex | null): void {
  if (winner !== null) throw invalid('result.winner_impossible', 'A draw or a double forfeit has no `winner`.')
}

function readScores(given: readonly number[] | undefined): readonly [number, number] | null {
  const [first, second] = given ?? []
  return first === undefined || second === undefined ? null : [first, second]
}

function leader(scores: readonly [number, number] | null): SideIndex | null {
  if (scores === null || scores[0] === scores[1]) return null
  return scores[0] > scores[1] ? 0 : 1
}

function sideIndex(side: 1 | 2): SideIndex {
  return side === 1 ? 0 : 1
}

/** Reads the number of a map in an address. */
export function readNumber(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw invalid('game.number_invalid', 'Maps are numbered from 1.')
  return Number(text)
}

export interface GameInput {
  readonly sides: readonly (GameSideDetail & { readonly score: number | null })[]
  /** null for a tie; if left out, the higher score wins. */
  readonly winner?: 1 | 2 | null
  readonly map?: GameMap
  readonly players?: readonly GamePlayer[]
}

/** Reads the result of a map. A winner that the referee gives overrides the scores. (domain: replays, penalties) */
export function readGame(
  number: number,
  { sides, winner, map, players }: GameInput,
): Game & { readonly detail: GameDetail } {
  const [first, second] = sides
  if (first === undefined || second === undefined) throw new Error('a game has two sides')
  const scores = [first.score, second.score] as const
  const known = first.score !== null && second.score !== null
  if (!known && winner === undefined) {
    throw invalid('game.winner_missing', 'Give the `score` of both sides, or say who won as `winner`.')
  }
  const reportedWinner = winner === undefined || winner === null ? null : sideIndex(winner)
  const detail: GameDetail = {
    sides: [detailOf(first), detailOf(second)],
    ...(map === undefined ? {} : { map: mapOf(map) }),
    ...(players === undefined ? {} : { players: players.map(playerOf) }),
  }
  return {
    number,
    scores,
    winner: winner === undefined ? leader([first.score ?? 0, second.score ?? 0]) : reportedWinner,
    detail,
  }
}

/** Keeps only the known members, since bodies may have others. (D9) */
function detailOf({ accuracy, completion }: GameSideDetail): GameSideDetail {
  return { ...(accuracy === undefined ? {} : { accuracy }), ...(completion === undefined ? {} : { completion }) }
}

function mapOf({ hash, difficulty, characteristic, name }: GameMap): GameMap {
  return { hash, difficulty, characteristic, ...(name === undefined ? {} : { name }) }
}

function playerOf({ userGuid, side, score, accuracy }: GamePlayer): GamePlayer {
  return { userGuid: userGuid.toLowerCase(), side, score, ...(accuracy === undefined ? {} : { accuracy }) }
}

/** Every named player of a map must be in the team of their side. */
export function checkPlayers(
  players: readonly GamePlayer[],
  { team1Guid, team2Guid }: Pick<MatchRecord, 'team1Guid' | 'team2Guid'>,
  members: ReadonlyMap<string, readonly { readonly userGuid: string }[]>,
): void {
  for (const { userGuid, side } of players) {
    const team = side === 1 ? team1Guid : team2Guid
    if (team === null || !members.get(team)?.some((member) => member.userGuid === userGuid)) {
      throw invalid('game.player_unknown', `No member of the team on side ${side} has the GUID ${userGuid}.`)
    }
  }
}

type LoggedMatch = Pick<MatchRecord, 'number' | 'status' | 'outcome' | 'sides' | 'games'>

type Logged = ReturnType<typeof logged>
/** The match number and the members that differ. */
export type LoggedSide = Pick<Logged, 'number'> & MembersOf<Logged>

/** What the event log says of a match before and after a change. */
export function loggedChange(before: LoggedMatch, after: LoggedMatch): readonly [LoggedSide, LoggedSide] {
  const [was, is] = [logged(before, after), logged(after, before)]
  const names = (Object.keys(was) as (keyof typeof was)[]).filter(
    (name) => !isDeepStrictEqual(was[name], is[name]) || (name === 'games' && is.games.length > 0),
  )
  const part = (state: typeof was) => ({ ...membersOf(state, names), number: state.number })
  return [part(was), part(is)]
}

/** The members of a match that the event log contains; of its games only those that differ from `other`. */
function logged({ number, status, outcome, sides, games }: LoggedMatch, other: LoggedMatch) {
  const winner = sides.findIndex(({ result }) => result === 'win')
  const changed = games.filter((game) => !other.games.some((known) => isDeepStrictEqual(known, game)))
  return {
    number,
    status,
    outcome,
    winner: winner === -1 ? null : winner + 1,
    scores: sides.map(({ score }) => score),
    games: changed.map(loggedGame),
  }
}

function loggedGame({ number, scores, winner, detail }: StoredGame) {
  const { map } = detail ?? {}
  return { number, scores, winner: winner === null ? null : winner + 1, ...(map === undefined ? {} : { map }) }
}

export function unknownCorrection() {
  return missing('correction.unknown', 'There is no such correction in this tournament.')
}
