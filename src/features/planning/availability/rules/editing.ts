import { countDropped, type Run, refit } from '../../../../engine/availability.ts'
import type { TeamStatus } from '../../../teams/teams/types.ts'
import { addressedRoles, isEligible } from '../policy.ts'
import type { Sheet, SheetSettings, StaffAnswers, TeamAnswers } from '../types.ts'
import { slotLengthOf, slotsToAnswer } from './sheet.ts'

/** Answers that an edit takes away. */
export interface Dropped {
  /** Of staff: slots and matches. */
  readonly responses: number
  /** Slots. */
  readonly teamResponses: number
  /** Teams of which nothing is left. */
  readonly teamSubmissions: number
}

/** What an edit makes of stored answers. */
export interface Kept {
  /** Those alone that change, and of which something is left. */
  readonly staff: readonly StaffAnswers[]
  readonly teams: readonly TeamAnswers[]
  /** Those of which nothing is left. */
  readonly goneStaff: readonly string[]
  readonly goneTeams: readonly string[]
  readonly dropped: Dropped
}

type TeamAnswersOf = TeamAnswers & { readonly status: TeamStatus }

/**
 * An edit keeps every answer that the sheet could still be given: to a slot or match that it still asks for, from a role
 * or a team that it still asks, and with a status that it still accepts. Of slots of another length, those are answered
 * whose time was answered the same throughout. (additions: F)
 */
export function keepAnswers(
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
    // A captain may have answered that there is nothing to answer.
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

/** A team that was asked and no longer is; what a team of neither kind once answered waits until it is asked again. */
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
