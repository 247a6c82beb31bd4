import { countDropped, type Run, refit } from '../../../../engine/availability.ts'
import type { TeamStatus } from '../../../teams/teams/types.ts'
import { addressedRoles, isEligible } from '../policy.ts'
import type { Sheet, SheetSettings, StaffAnswers, TeamAnswers } from '../types.ts'
import { slotLengthOf, slotsToAnswer } from './sheet.ts'

/** The numbers of answers that an edit of a sheet drops. */
export interface Dropped {
  /** Answers of staff, to slots and to matches. */
  readonly responses: number
  /** Answers of teams to slots. */
  readonly teamResponses: number
  /** Teams without any answer left. */
  readonly teamSubmissions: number
}

/** The effect of an edit on the saved answers. */
export interface Kept {
  /** Only rows that change and still have an answer. */
  readonly staff: readonly StaffAnswers[]
  readonly teams: readonly TeamAnswers[]
  /** The GUIDs of rows without any answer left. */
  readonly goneStaff: readonly string[]
  readonly goneTeams: readonly string[]
  readonly dropped: Dropped
}

type TeamAnswersOf = TeamAnswers & { readonly status: TeamStatus }

/**
 * Determines which answers fit the edited sheet. An answer is kept if its slot or match is still asked, its role or
 * team is still asked, and its status is still accepted. If the slot length changes, a new slot keeps an answer only if
 * the same answer covered all of its time. (additions: F)
 */
export function refitAnswers(
  before: Sheet,
  after: SheetSettings,
  staff: readonly StaffAnswers[],
  teams: readonly TeamAnswersOf[],
): Kept {
  const slots = slotsToAnswer(after)
  const length = slotLengthOf(before)
  const accepts = ({ status }: { readonly status: Run['status'] }) => after.acceptedStatuses.includes(status)
  const whatFits = (runs: readonly Run[]) => refit(runs.filter(accepts), slots)
  const asked = new Set(addressedRoles(after))
  const matchGuids = new Set(after.matchGuids)

  const keptStaff = staff.map((answers) => {
    const isAsked = asked.has(answers.role)
    const runs = isAsked ? whatFits(answers.runs) : []
    const matches = isAsked ? answers.matches.filter((match) => accepts(match) && matchGuids.has(match.matchGuid)) : []
    const dropped = countDropped(answers.runs, runs, length) + answers.matches.length - matches.length
    return { answers: { ...answers, runs, matches }, dropped, isGone: runs.length + matches.length === 0 }
  })
  const keptTeams = teams.map(({ status, ...answers }) => {
    const isAsked = after.audience === 'teams' && !isShutOut(before, after, status)
    const runs = isAsked ? whatFits(answers.runs) : []
    const dropped = countDropped(answers.runs, runs, length)
    // A captain may have submitted an empty list of answers; that submission is kept.
    return { answers: { ...answers, runs }, dropped, isGone: !isAsked || (dropped > 0 && runs.length === 0) }
  })
  const isChanged = ({ dropped, isGone }: Fate) => dropped > 0 && !isGone
  const goneTeams = keptTeams.filter(({ isGone }) => isGone).map(({ answers }) => answers.teamGuid)
  return {
    staff: keptStaff.filter(isChanged).map(({ answers }) => answers),
    teams: keptTeams.filter(isChanged).map(({ answers }) => answers),
    goneStaff: keptStaff.filter(({ isGone }) => isGone).map(({ answers }) => answers.guid),
    goneTeams,
    dropped: {
      responses: sumOf(keptStaff),
      teamResponses: sumOf(keptTeams),
      teamSubmissions: goneTeams.length,
    },
  }
}

/**
 * Whether the edit excludes a team that was asked before. Answers of teams that were not asked before stay until the
 * team is asked again.
 */
function isShutOut(before: Sheet, after: SheetSettings, status: TeamStatus): boolean {
  return isEligible(before, status) && !isEligible(after, status)
}

interface Fate {
  readonly dropped: number
  readonly isGone: boolean
}

function sumOf(fates: readonly Fate[]): number {
  return fates.reduce((sum, { dropped }) => sum + dropped, 0)
}
