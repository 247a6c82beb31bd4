import type { SignedIn } from '../../../core/actor.ts'
import { normaliseGuid } from '../../../core/ids.ts'
import { conflict, missing, Problem } from '../../../core/problem.ts'
import type { TournamentRole } from '../../../core/roles.ts'
import type { Schedule, SchedulingProblem } from '../../../engine/scheduling/types.ts'
import type { Db, Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { digestOf } from '../../../infra/secrets.ts'
import type { Task, Threads } from '../../../infra/threads/threads.ts'
import { listBrackets, lockBracket, updateBracket } from '../../brackets/brackets/store/brackets.ts'
import { listMatchesByGuid, scheduleMatches } from '../../brackets/matches/store/matches.ts'
import { replaceOfficialsInRoles } from '../../brackets/matches/store/officials.ts'
import { lockAccountForKeyShare } from '../../people/users/commands/users.ts'
import { lockTournament } from '../../tournaments/tournaments/commands/lock.ts'
import { checkNotCancelled } from '../../tournaments/tournaments/rules/status.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { lockSheet } from '../availability/store/sheets.ts'
import type { ProposalBody } from './bodies.ts'
import { readFacts, readWish } from './queries.ts'
import { type Facts, groundsOf, problemOf } from './rules/problem.ts'
import { fault, isLikeAddress } from './rules/wish.ts'
import * as store from './store.ts'
import type { Proposal, Wish } from './types.ts'

const solver: Task = { module: new URL('../../../engine/scheduling.ts', import.meta.url), name: 'schedule' }

/** A calculated proposal that is not saved yet. */
export interface Draft {
  readonly wish: Wish
  readonly schedule: Schedule
  readonly digest: string
}

/**
 * Calculates a proposal in a worker thread.
 * @throws Problem `tournament.cancelled`, `schedule.invalid`, `schedule.match_over`, `match.unknown`,
 *   `bracket.unknown`, `sheet.unknown`, `service.busy`
 */
export async function draftSchedule(
  db: Db,
  threads: Threads,
  tournament: Tournament,
  body: ProposalBody,
): Promise<Draft> {
  checkNotCancelled(tournament)
  const wish = await readWish(db, tournament.guid, body)
  const facts = await readFacts(db, tournament.guid, wish)
  const problem = problemOf(facts, wish)
  const schedule = await threads.run<SchedulingProblem, Schedule>(solver, problem)
  return { wish, schedule, digest: digest(facts, problem) }
}

function digest(facts: Facts, problem: SchedulingProblem): string {
  return digestOf(groundsOf(facts, problem)).toString('base64url')
}

/**
 * Saves a proposal, so that the organiser can decide on it. It changes no match yet.
 * @throws Problem `tournament.unknown`, `tournament.cancelled`
 */
export async function saveProposal(
  tx: Tx,
  actor: SignedIn,
  { guid: tournamentGuid }: Tournament,
  draft: Draft,
  now: Date,
): Promise<Proposal> {
  checkNotCancelled((await lockTournament(tx, tournamentGuid)).tournament)
  const proposal = await store.insertProposal(tx, { ...draft, tournamentGuid, createdByGuid: actor.guid }, now)
  await store.deleteOldProposals(tx, proposal)
  emit(tx, {
    type: 'schedule.proposed',
    subject: proposal.guid,
    tournament: tournamentGuid,
    actor: actor.guid,
    after: { placed: draft.schedule.placements.length, unplaced: draft.schedule.unplaced.length },
  })
  return proposal
}

/**
 * Gives the matches the times and officials of a proposal in one step. Matches that could not be placed lose their
 * former times, as other matches may take them now.
 * @param chosen the matches that get their places, where these are not all; all others stay as they are
 * @throws Problem `tournament.unknown`, `tournament.cancelled`, `proposal.unknown`, `schedule.invalid`,
 *   `schedule.applied`, `schedule.outdated`
 */
export async function applyProposal(
  tx: Tx,
  actor: SignedIn,
  found: Proposal,
  chosen: readonly string[] | undefined,
  now: Date,
): Promise<Proposal> {
  const { tournament } = await lockTournament(tx, found.tournamentGuid)
  checkNotCancelled(tournament)
  const proposal = await store.lockProposal(tx, found.guid)
  if (proposal === undefined) throw unknownProposal()
  if (proposal.appliedAt !== null) throw conflict('schedule.applied', 'This proposal was applied already.')
  const { brackets, matches } = await lockGrounds(tx, proposal)

  const placements = chosenOf(proposal, chosen)
  const placed = new Set(placements.map(({ match }) => match))
  const cleared =
    chosen === undefined ? matches.filter(({ guid, scheduledAt }) => scheduledAt !== null && !placed.has(guid)) : []
  await scheduleMatches(
    tx,
    [
      ...placements.map(({ match, start, stream }) => ({
        guid: match,
        scheduledAt: new Date(start).toISOString(),
        streamUrl: isLikeAddress(stream) ? stream : null,
      })),
      ...cleared.map(({ guid }) => ({ guid, scheduledAt: null, streamUrl: null })),
    ],
    now,
  )
  const officials = placements.flatMap(({ match, officials: crew }) =>
    crew.map(({ id, role }) => ({ matchGuid: match, userGuid: id, role: role as TournamentRole })),
  )
  const roles = Object.keys(proposal.wish.officialsPerMatch) as TournamentRole[]
  await replaceOfficialsInRoles(tx, [...placed], roles, officials)
  for (const guid of brackets) await updateBracket(tx, guid, {}, now)
  const applied = await store.markApplied(tx, proposal.guid, now)
  emit(tx, {
    type: 'schedule.applied',
    subject: proposal.guid,
    tournament: tournament.guid,
    actor: actor.guid,
    after: { placed: placements.length, cleared: cleared.length },
    touches: [...brackets, ...matches.map(({ guid }) => guid), ...officials.map(({ userGuid }) => userGuid)],
  })
  return applied
}

/** @throws Problem `schedule.invalid` */
function chosenOf({ schedule: { placements } }: Proposal, chosen: readonly string[] | undefined) {
  if (chosen === undefined) return placements
  const guids = new Set(chosen.map(normaliseGuid))
  const own = placements.filter(({ match }) => guids.has(match))
  if (own.length < guids.size) throw fault('`matches` must be matches that this proposal has placed.')
  return own
}

/**
 * Locks everything that a proposal depends on, and checks that it did not change. First it locks all brackets of the
 * tournament, as their matches take up time and people, in the order of their GUIDs, which is the order for all
 * transactions that lock several brackets. Then it locks the sheets, so that nobody can answer, and last the officials'
 * accounts.
 * @throws Problem `schedule.outdated`
 */
async function lockGrounds(
  tx: Tx,
  { tournamentGuid, wish, schedule, digest: before }: Proposal,
): Promise<{ readonly brackets: readonly string[]; readonly matches: Facts['matches'] }> {
  const found = await listMatchesByGuid(tx, wish.matchGuids)
  const brackets = [...new Set(found.map(({ bracketGuid }) => bracketGuid))]
  const all = (await listBrackets(tx, tournamentGuid)).map(({ guid }) => guid)
  for (const guid of all.toSorted()) await lockBracket(tx, guid)
  for (const guid of wish.sheetGuids) await lockSheet(tx, guid)
  const people = new Set(schedule.placements.flatMap(({ officials }) => officials.map(({ id }) => id)))
  try {
    for (const guid of [...people].sort()) await lockAccountForKeyShare(tx, guid)
    const facts = await readFacts(tx, tournamentGuid, wish)
    if (digest(facts, problemOf(facts, wish)) !== before) throw outdated()
    return { brackets, matches: facts.matches }
  } catch (error) {
    // A record that the proposal depends on was deleted.
    throw error instanceof Problem ? outdated() : error
  }
}

function outdated() {
  return conflict('schedule.outdated', 'Answers or matches have changed since this was worked out; propose again.')
}

export function unknownProposal() {
  return missing('proposal.unknown', 'There is no such proposal in this tournament.')
}
