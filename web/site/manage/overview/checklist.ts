import type { DivisionWithBrackets, StaffGroup, TournamentWithParts } from '../../../../client/generated.ts'
import type { VisibilityOverview } from '../../data/generated.ts'
import { phaseOf } from '../../parts/phase.ts'

/** What there is to do in a tournament, by its phases, and what of it is done. */

export const parts = ['prepare', 'register', 'draw', 'play', 'end'] as const
type Part = (typeof parts)[number]

/** A step, with the operation by which it is done. */
const steps = {
  about: 'tournaments.update',
  look: 'tournaments.update',
  dates: 'tournaments.update',
  rules: 'tournaments.update',
  timeline: 'timeline.replace',
  staff: 'access.grant',
  listing: 'visibility.choose',
  registration: 'registration.desk',
  brackets: 'brackets.create',
  start: 'tournaments.changeStatus',
  complete: 'tournaments.changeStatus',
  placements: 'brackets.create',
} as const
export type StepName = keyof typeof steps

export interface Step {
  readonly name: StepName
  readonly act: (typeof steps)[StepName]
  readonly isDone: boolean
}

interface Facts {
  readonly tournament: TournamentWithParts
  readonly staff: readonly StaffGroup[] | undefined
  readonly visibility: VisibilityOverview | undefined
  readonly divisions: readonly DivisionWithBrackets[] | undefined
}

const partOf = {
  draft: 'prepare',
  soon: 'register',
  open: 'register',
  closed: 'draw',
  running: 'play',
  over: 'end',
} as const

/** The part that a tournament is in; none once it is cancelled. */
export function currentPart(tournament: TournamentWithParts, now: number): Part | null {
  const phase = phaseOf(tournament, now)
  return phase === 'cancelled' ? null : partOf[phase]
}

export function checklist(
  { tournament, staff = [], divisions = [] }: Facts,
  now: number,
): Record<Part, readonly Step[]> {
  const { summary, description, imageUrl, bannerUrl, startsAt, endsAt, registrationClosesAt, publicRegistration } =
    tournament
  const { rules, links, timeline = [], status, placements } = tournament
  const isOver = status === 'completed'
  const step = (name: StepName, isDone: boolean): Step => ({ name, act: steps[name], isDone })
  const phase = phaseOf(tournament, now)
  return {
    prepare: [
      step('about', summary !== null && description !== null),
      step('look', imageUrl !== null || bannerUrl !== null),
      step('dates', startsAt !== null && endsAt !== null && (registrationClosesAt !== null || !publicRegistration)),
      step('rules', rules !== null || links.rulesUrl !== null),
      step('timeline', timeline.length > 0),
      step(
        'staff',
        staff.some(({ role, users }) => role !== 'organiser' && users.length > 0),
      ),
      step('listing', status !== 'draft'),
    ],
    register: [step('registration', ['closed', 'running', 'over'].includes(phase))],
    draw: [
      step('brackets', divisions.length > 0 && divisions.every(({ brackets }) => brackets.length > 0)),
      step('start', status === 'ongoing' || isOver),
    ],
    play: [step('complete', isOver)],
    end: [step('placements', placements.length > 0)],
  }
}
