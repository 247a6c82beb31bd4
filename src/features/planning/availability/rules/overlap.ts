import { listEntries } from '../../../../core/list.ts'
import { invalid } from '../../../../core/problem.ts'
import type { TournamentRole } from '../../../../core/roles.ts'
import { parseInstant } from '../../../../core/time.ts'
import {
  type AvailabilityStatus,
  answersTo,
  type Respondent,
  type Run,
  ranksOf,
  type Span,
  type Tally,
  tally,
} from '../../../../engine/availability.ts'
import type { MatchAnswer, Sheet, SheetMatch } from '../types.ts'
import { slotsToAnswer } from './sheet.ts'

/** A slot, or a match. The time of a match may not be known yet. */
export interface Target {
  readonly span: Span | null
  readonly match: SheetMatch | null
}

/** A user or team that the sheet asks. */
export interface Person extends Respondent {
  /** The GUID of the user or the team. */
  readonly guid: string
  /** null for teams. */
  readonly role: TournamentRole | null
}

/** A slot or match with the answers to it. */
export interface Suggestion extends Target, Tally {
  /** The users or teams that answered. */
  readonly people: readonly { readonly person: Person; readonly status: AvailabilityStatus }[]
  /** The rank, 1 for the best. */
  readonly rank: number
}

/** The maximum number of people with answers in one response. (D8) */
export const maxPeople = 250_000

/** The slots or matches of a sheet in order of time. Matches without a time come last, in the sheet's order. (G13) */
export function targetsOf(sheet: Sheet, matches: readonly SheetMatch[]): Target[] {
  if (sheet.mode !== 'matches') return slotsToAnswer(sheet).map((span) => ({ span, match: null }))
  const time = ({ scheduledAt }: SheetMatch) => scheduledAt?.getTime() ?? Infinity
  const inOrder = matches.toSorted((a, b) => (time(a) === time(b) ? 0 : time(a) - time(b)))
  return inOrder.map((match) => ({ span: null, match }))
}

/** Returns one status for each target; undefined without an answer. */
export function statusesOf(
  targets: readonly Target[],
  { runs, matches = [] }: { readonly runs: readonly Run[]; readonly matches?: readonly MatchAnswer[] },
): (AvailabilityStatus | undefined)[] {
  const ofMatches = new Map(matches.map(({ matchGuid, status }) => [matchGuid, status]))
  const spans = targets.map(({ span }) => span).filter((span) => span !== null)
  if (spans.length > 0) return answersTo(spans, runs).map((answer) => answer?.status)
  return targets.map(({ match }) => ofMatches.get(match?.matchGuid ?? ''))
}

/**
 * Ranks the slots or matches, and returns all or the best of them in order of time.
 * @param top the number of best ones to return; all by default
 * @throws Problem `availability.overlap_too_large`
 */
export function suggestionsOf(targets: readonly Target[], people: readonly Person[], top = Infinity): Suggestion[] {
  const tallies = tally(targets.length, people)
  const ranks = ranksOf(tallies)
  const chosen = targets.flatMap((target, index) => {
    const [counted, rank] = [tallies[index], ranks[index]]
    return counted === undefined || rank === undefined || rank > top ? [] : [{ index, rank, ...target, ...counted }]
  })
  const answered = chosen.reduce((sum, { unanswered }) => sum + people.length - unanswered, 0)
  if (answered > maxPeople) {
    throw invalid(
      'availability.overlap_too_large',
      'These are too many answers for one reply; ask for the best with `top`.',
    )
  }
  return chosen.map(({ index, ...suggestion }) => ({
    ...suggestion,
    people: people.flatMap((person) => {
      const status = person.statuses[index]
      return status === undefined ? [] : [{ person, status }]
    }),
  }))
}

export const maxChosen = 100

/**
 * Returns the slots and matches for a calendar: those named by start or GUID, or the best ones. Matches without a known
 * time are left out. (additions: F)
 * @throws Problem `availability.slot_unknown`
 */
export function chooseTargets(targets: readonly Target[], text: string): Target[] {
  const names = listEntries(text)
  if (names.length > maxChosen) throw slotUnknown(`\`slots\` may name at most ${maxChosen}.`)
  const chosen = new Set(names.map((name) => readTarget(targets, name)))
  return targets.filter((target) => chosen.has(target))
}

function readTarget(targets: readonly Target[], name: string): Target {
  const instant = parseInstant(name)
  const time = instant.ok ? instant.value?.getTime() : undefined
  const found = targets.find(({ span, match }) =>
    match === null ? span?.start === time : match.matchGuid === name.toLowerCase(),
  )
  if (found === undefined) {
    throw slotUnknown('`slots` must list starts of slots, or GUIDs of matches, that are on the sheet.')
  }
  if (startOf(found) === null) throw slotUnknown(`It is not known yet when match ${found.match?.number} is played.`)
  return found
}

function slotUnknown(message: string) {
  return invalid('availability.slot_unknown', message)
}

/** The start in milliseconds; null for a match without a time. */
export function startOf({ span, match }: Target): number | null {
  return span?.start ?? match?.scheduledAt?.getTime() ?? null
}
