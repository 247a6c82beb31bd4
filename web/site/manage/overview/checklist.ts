import type {
  DivisionWithBrackets,
  FlowPlan,
  Match,
  Pool,
  Qualifier,
  StaffGroup,
  TournamentWithParts,
} from '../../../../client/generated.ts'
import type { PoolPlan, VisibilityOverview } from '../../data/generated.ts'
import { phaseOf } from '../../parts/phase.ts'
import { isOpen } from '../matches.ts'

/** What there is to do in a tournament, by its phases, and how it is with each. */

export const parts = ['prepare', 'register', 'draw', 'play', 'end'] as const
type Part = (typeof parts)[number]

/** A step, with the operation by which it is done. */
const steps = {
  about: 'tournaments.update',
  dates: 'tournaments.update',
  rules: 'tournaments.update',
  look: 'tournaments.update',
  timeline: 'timeline.replace',
  staff: 'access.grant',
  listing: 'visibility.choose',
  pools: 'pools.create',
  'pool-plan': 'plans.replace',
  flow: 'flowPlans.replace',
  qualifier: 'qualifiers.seed',
  registration: 'registration.desk',
  brackets: 'brackets.create',
  places: 'brackets.placeEntrants',
  schedule: 'schedules.propose',
  start: 'tournaments.changeStatus',
  matches: 'matches.start',
  complete: 'tournaments.changeStatus',
  placements: 'brackets.create',
} as const
export type StepName = keyof typeof steps

export type StepState =
  | 'done'
  /** Now, by those who run the tournament. */
  | 'due'
  /** Others have to act, or a time has to come. */
  | 'waits'
  /** Other steps come first. */
  | 'later'
  /** Open, and may stay so. */
  | 'optional'

export interface Step {
  readonly name: StepName
  readonly act: (typeof steps)[StepName]
  readonly state: StepState
}

/** What is undefined may not be read by this reader. */
export interface Facts {
  readonly tournament: TournamentWithParts
  readonly staff: readonly StaffGroup[] | undefined
  readonly visibility: VisibilityOverview | undefined
  readonly divisions: readonly DivisionWithBrackets[] | undefined
  readonly pools: readonly Pool[] | undefined
  readonly poolPlan: PoolPlan | undefined
  readonly flowPlan: FlowPlan | undefined
  readonly qualifier: Qualifier | undefined
  readonly matches: readonly Match[] | undefined
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

export const requestOf = (visibility: VisibilityOverview | undefined) =>
  visibility?.platforms.find(({ platform }) => platform.isSystem)?.request ?? null

/** How many matches are still to be played, and how many of them have a time. */
export function timesOf(matches: readonly Match[] = []) {
  const open = matches.filter(isOpen)
  return { open: open.length, timed: open.filter(({ scheduledAt }) => scheduledAt !== null).length }
}

const isPlanned = (plan: PoolPlan | FlowPlan | undefined) =>
  plan !== undefined && (plan.default !== null || plan.brackets.length > 0 || plan.matches.length > 0)

export function checklist(facts: Facts, now: number): Record<Part, readonly Step[]> {
  const { tournament, staff = [], visibility, divisions = [], pools = [], poolPlan, flowPlan, qualifier } = facts
  const { summary, description, imageUrl, bannerUrl, startsAt, endsAt, registrationClosesAt, publicRegistration } =
    tournament
  const { rules, links, timeline = [], status, placements, counts, capacity } = tournament
  const phase = phaseOf(tournament, now)
  const isRehearsal = tournament.rehearsal !== undefined
  // A rehearsal begins from its draft, and is never listed.
  const isPublic = status !== 'draft' || isRehearsal
  const hasBegun = status === 'ongoing' || status === 'completed'
  const isFull = capacity !== null && counts.registered >= capacity
  // Who plays is known once no team can come any more, or a qualifier has decided.
  const isKnown =
    (hasBegun || (isPublic && (phase === 'closed' || isFull || counts.qualified > 0))) && qualifier?.status !== 'open'
  const brackets = divisions.flatMap((division) => division.brackets)
  const hasBrackets = divisions.length > 0 && divisions.every((division) => division.brackets.length > 0)
  const hasPlaces = brackets.every(({ entrants }) => entrants.every(({ team }) => team !== null))
  const { open, timed } = timesOf(facts.matches)
  const hasPool = pools.some((pool) => pool.kind === 'match' && pool.status === 'published')
  const step = (name: StepName, isDone: boolean, otherwise: StepState = 'due'): Step => ({
    name,
    act: steps[name],
    state: isDone ? 'done' : otherwise,
  })
  const isDrawn = hasBrackets && hasPlaces
  const isRunning = facts.matches?.some((match) => match.status === 'running') === true
  // Nothing of it helps a tournament that is over.
  const wanted = status === 'completed' ? 'optional' : 'due'
  const isPlayed = status === 'completed' || (hasBegun && isDrawn && open === 0 && !isRunning)
  return {
    prepare: [
      step('about', summary !== null && description !== null, wanted),
      step(
        'dates',
        startsAt !== null && endsAt !== null && (registrationClosesAt !== null || !publicRegistration),
        wanted,
      ),
      step('rules', rules !== null || links.rulesUrl !== null, wanted),
      step('look', imageUrl !== null || bannerUrl !== null, 'optional'),
      step('timeline', timeline.length > 0, 'optional'),
      step(
        'staff',
        staff.some(({ role, users }) => role !== 'organiser' && users.length > 0),
        'optional',
      ),
      ...(isRehearsal
        ? []
        : [step('listing', isPublic, requestOf(visibility)?.status === 'pending' ? 'waits' : 'due')]),
    ],
    register: [
      step('pools', hasPool || hasBegun),
      step('pool-plan', poolPlan === undefined || isPlanned(poolPlan) || hasBegun, hasPool ? 'due' : 'later'),
      step('flow', isPlanned(flowPlan), 'optional'),
      step('qualifier', counts.qualified > 0 || qualifier?.status === 'final', stateOf(qualifier, tournament)),
      step(
        'registration',
        hasBegun || isFull || (phase === 'closed' && (publicRegistration || counts.registered > 0)),
        isPublic ? (publicRegistration ? 'waits' : 'due') : 'later',
      ),
    ],
    draw: [
      step('brackets', hasBrackets, isKnown ? 'due' : 'later'),
      step('places', isDrawn, hasBrackets && isKnown ? 'due' : 'later'),
      step('schedule', isDrawn && timed === open, isDrawn ? 'due' : 'later'),
      step('start', hasBegun, isPublic && isDrawn ? 'due' : 'later'),
    ],
    play: [
      step('matches', isPlayed, status === 'ongoing' ? 'due' : 'later'),
      step('complete', status === 'completed', status === 'ongoing' && isPlayed ? 'due' : 'later'),
    ],
    end: [step('placements', placements.length > 0, status === 'completed' ? 'due' : 'later')],
  }
}

/** A qualifier is nothing that a tournament needs; one that there is has to be opened, closed and made seeds of. */
function stateOf(qualifier: Qualifier | undefined, { status, counts }: TournamentWithParts): StepState {
  if (qualifier === undefined) return 'optional'
  if (status === 'draft') return 'later'
  if (qualifier.status === 'open') return 'waits'
  if (qualifier.status === 'draft') return counts.registered > 0 || qualifier.opensAt === null ? 'due' : 'waits'
  return 'due'
}

/** What has to be done next, in the order of the work. */
export function nextOf(list: Record<Part, readonly Step[]>): readonly Step[] {
  return parts.flatMap((part) => list[part]).filter(({ state }) => state === 'due')
}
