import { isDeepStrictEqual } from 'node:util'
import type { SignedIn } from '../../../../core/actor.ts'
import { membersOf } from '../../../../core/events.ts'
import { readNameOf } from '../../../../core/names.ts'
import { invalid } from '../../../../core/problem.ts'
import { settle } from '../../../../engine/progress.ts'
import { isSameMatch } from '../../../../engine/propagation.ts'
import { planSwissRound } from '../../../../engine/swiss.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { newGuids } from '../../../tournaments/tournaments/store/tournaments.ts'
import { played, toEngine } from '../../matches/rules.ts'
import { advanceMatches, findLastNumber, insertMatches, listMatchesOfBracket } from '../../matches/store/matches.ts'
import type { MatchRecord } from '../../matches/types.ts'
import { checkMayPlay, type Placement, placeTeams } from '../rules/entrants.ts'
import { standingsOf, stateOf, toRecords, withdrawnOf } from '../rules/plan.ts'
import {
  checkNextRound,
  checkPlaceable,
  checkRevision,
  checkUnplayed,
  lengthen,
  matchesToLengthen,
} from '../rules/structure.ts'
import {
  type BracketChanges,
  deleteBracket as deleteRow,
  listEntrants,
  replaceEntrants,
  updateBracket as updateRow,
} from '../store/brackets.ts'
import { listTeamsNamed } from '../store/entering.ts'
import { countLosses } from '../store/losses.ts'
import type { Bracket, Losses } from '../types.ts'
import type { BracketRecord } from './generate.ts'
import { lockBrackets, lockStructure } from './lock.ts'

type Address = Pick<Bracket, 'guid' | 'tournamentGuid'>

/** Locks a bracket for a change of its structure, and reads its entrants and matches. */
async function lockWhole(tx: Tx, { guid, tournamentGuid }: Address): Promise<BracketRecord> {
  await lockStructure(tx, tournamentGuid)
  const [bracket] = await lockBrackets(tx, guid)
  const [entrants, matches] = await Promise.all([listEntrants(tx, guid), listMatchesOfBracket(tx, guid)])
  return { bracket, entrants, matches }
}

export interface BracketUpdate {
  readonly name?: string
  readonly order?: number
  /** Best-of by `section:round`. */
  readonly bestOfByRound?: Readonly<Record<string, number>>
}

/**
 * Changes the given settings. If all of them hold already, nothing is saved. Matches that have begun keep their length.
 * @throws Problem `bracket.nothing_to_change`, `request.invalid`, `tournament.over`, `bracket.unknown`,
 * `bracket.settings_invalid`, `bracket.round_played`
 */
export async function updateBracket(
  tx: Tx,
  actor: SignedIn,
  { guid, tournamentGuid }: Address,
  { name, order, bestOfByRound }: BracketUpdate,
  now: Date,
): Promise<void> {
  if (name === undefined && order === undefined && bestOfByRound === undefined) {
    throw invalid('bracket.nothing_to_change', 'Give at least one of name, order and bestOfByRound.')
  }
  const wanted: BracketChanges = {
    ...(name === undefined ? {} : { name: readNameOf('name', name) }),
    ...(order === undefined ? {} : { order }),
  }
  const { bracket, entrants, matches } = await lockWhole(tx, { guid, tournamentGuid })
  const settings = bestOfByRound === undefined ? bracket.settings : lengthen(bracket, bestOfByRound, entrants.length)
  const lengthened = bestOfByRound === undefined ? [] : matchesToLengthen(matches, bestOfByRound, bracket)
  const changes = { ...wanted, settings }
  const names = (Object.keys(changes) as (keyof typeof changes)[]).filter(
    (member) =>
      !isDeepStrictEqual(changes[member], bracket[member]) || (member === 'settings' && lengthened.length > 0),
  )
  if (names.length === 0) return
  const logged = names.map((member) => (member === 'settings' ? 'bestOfByRound' : member))
  await advanceMatches(tx, lengthened, now)
  await updateRow(tx, guid, changes, now)
  emit(tx, {
    type: 'bracket.updated',
    subject: guid,
    tournament: tournamentGuid,
    actor: actor.guid,
    before: membersOf({ ...bracket, ...bracket.settings }, logged),
    after: membersOf({ ...changes, ...settings }, logged),
  })
}

/** The maximum number of placements in one entry of the event log. */
const mostPlacementsLogged = 64

/**
 * Puts teams into places, or takes them out, before any match was played. (additions: Divisions, brackets, matches)
 * @param seen the revision on which the placements are based, if the caller says so
 * @throws Problem `tournament.over`, `bracket.unknown`, `bracket.stale`, `bracket.played`, `slot.unknown`,
 * `bracket.entrants_invalid`, `team.unknown`, `team.withdrawn`, `team.not_registered`
 */
export async function placeEntrants(
  tx: Tx,
  actor: SignedIn,
  { guid, tournamentGuid }: Address,
  placements: readonly Placement[],
  { seen, now }: { readonly seen: number | undefined; readonly now: Date },
): Promise<void> {
  const { bracket, entrants, matches } = await lockWhole(tx, { guid, tournamentGuid })
  checkRevision(seen, bracket)
  checkPlaceable(bracket)
  const placed = placeTeams(entrants, placements)
  const slots = new Set(placements.map(({ slot }) => slot))
  const named = placed.flatMap(({ slot, team }) => (slots.has(slot) && team !== null ? [team] : []))
  checkMayPlay(named, await listTeamsNamed(tx, tournamentGuid, named))
  const changed = placed.filter((entrant, index) => !isDeepStrictEqual(entrant, entrants[index]))
  if (changed.length === 0) return
  const before = matches.map(toEngine)
  const after = settle({ entrants: placed, matches: before }, { withdrawn: withdrawnOf(placed) })
  const altered = matches.flatMap((record, index): MatchRecord[] => {
    const [was, is] = [before[index], after[index]]
    return was === undefined || is === undefined || isSameMatch(was, is) ? [] : [played(record, is, now)]
  })
  await Promise.all([
    replaceEntrants(tx, bracket, placed),
    advanceMatches(tx, altered, now),
    updateRow(tx, guid, stateOf(bracket, placed, after), now),
  ])
  const logged = changed.slice(0, mostPlacementsLogged).map(({ slot }) => slot)
  const loggedPlacements = (state: BracketRecord['entrants']) => ({
    entrants: state.filter(({ slot }) => logged.includes(slot)).map(({ slot, team }) => ({ slot, teamGuid: team })),
  })
  emit(tx, {
    type: 'bracket.entrants_placed',
    subject: guid,
    tournament: tournamentGuid,
    actor: actor.guid,
    before: loggedPlacements(entrants),
    after: { ...loggedPlacements(placed), changed: changed.length },
  })
}

/**
 * Pairs the next round of a Swiss bracket. (additions: Divisions, brackets, matches; G7)
 * @throws Problem `tournament.over`, `bracket.unknown` and those of `checkNextRound`
 */
export async function pairRound(tx: Tx, actor: SignedIn, { guid, tournamentGuid }: Address, now: Date): Promise<void> {
  const { bracket, entrants, matches } = await lockWhole(tx, { guid, tournamentGuid })
  checkNextRound(bracket)
  const past = matches.map(toEngine)
  const withdrawn = withdrawnOf(entrants)
  const standings = standingsOf(bracket, past, entrants)
  const planned = planSwissRound({ matches: past, entrants, standings, withdrawn }, bracket.settings, 1)
  const settled = settle({ entrants, matches: planned }, { withdrawn })
  const [guids, offset] = await Promise.all([newGuids(tx, settled.length), findLastNumber(tx, bracket.divisionGuid)])
  await insertMatches(tx, toRecords(settled, { bracket, guids, offset, now }), now)
  const roundsMade = bracket.roundsMade + 1
  await updateRow(
    tx,
    guid,
    { roundsMade, ...stateOf({ ...bracket, roundsMade }, entrants, [...past, ...settled]) },
    now,
  )
  emit(tx, {
    type: 'bracket.round_paired',
    subject: guid,
    tournament: tournamentGuid,
    actor: actor.guid,
    before: { rounds: bracket.roundsMade },
    after: { rounds: roundsMade, matches: settled.length },
  })
}

/**
 * Returns what would be deleted with the bracket, if it was only asked for; then nothing is deleted.
 * @throws Problem `tournament.over`, `bracket.unknown`, `bracket.played`
 */
export async function deleteBracket(
  tx: Tx,
  actor: SignedIn,
  { guid, tournamentGuid }: Address,
  { force, dryRun }: { readonly force: boolean; readonly dryRun: boolean },
): Promise<Losses | undefined> {
  await lockStructure(tx, tournamentGuid)
  const [bracket] = await lockBrackets(tx, guid)
  checkUnplayed(bracket, force)
  if (dryRun) return countLosses(tx, guid)
  await deleteRow(tx, guid)
  const { divisionGuid, name, format, status, started } = bracket
  emit(tx, {
    type: 'bracket.deleted',
    subject: guid,
    tournament: tournamentGuid,
    actor: actor.guid,
    before: { divisionGuid, name, format, status, started },
  })
  return undefined
}
