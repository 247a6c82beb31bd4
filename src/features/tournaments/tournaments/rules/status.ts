import { conflict } from '../../../../core/problem.ts'
import type { Tournament, TournamentStatus } from '../types.ts'

/**
 * The cause of a status change. `organiser`: the organiser requests it; `reopening`: the same, but only within a time
 * limit.
 */
export type Cause = 'organiser' | 'reopening' | 'approval' | 'revocation' | 'block'

interface Step {
  readonly from: TournamentStatus
  readonly to: TournamentStatus
  readonly by: Cause
}

/** All status changes of a tournament, each with its cause. (D25) */
export const steps: readonly Step[] = [
  { from: 'draft', to: 'approved', by: 'approval' },
  { from: 'approved', to: 'draft', by: 'revocation' },
  { from: 'approved', to: 'ongoing', by: 'organiser' },
  { from: 'ongoing', to: 'completed', by: 'organiser' },
  { from: 'completed', to: 'ongoing', by: 'reopening' },
  { from: 'draft', to: 'cancelled', by: 'organiser' },
  { from: 'approved', to: 'cancelled', by: 'organiser' },
  { from: 'ongoing', to: 'cancelled', by: 'organiser' },
  { from: 'draft', to: 'cancelled', by: 'block' },
  { from: 'approved', to: 'cancelled', by: 'block' },
  { from: 'ongoing', to: 'cancelled', by: 'block' },
  { from: 'completed', to: 'cancelled', by: 'block' },
]

/** The tournament's status after a decision on the system platform's list; null if the status stays. (D25) */
export function statusAfter(status: TournamentStatus, decision: 'approval' | 'revocation' | 'block') {
  return steps.find(({ from, by }) => from === status && by === decision)?.to ?? null
}

/**
 * In a cancelled tournament nothing can be planned, played or announced. Existing records stay. (D25)
 * @throws Problem `tournament.cancelled`
 */
export function checkNotCancelled({ status }: Pick<Tournament, 'status'>): void {
  if (status === 'cancelled') throw conflict('tournament.cancelled', 'The tournament was cancelled.')
}

const reopenableMs = 14 * 24 * 3_600_000

/** The organiser may resume a completed tournament within 14 days. (D25) */
export function isReopenable(completedAt: Date | null, now: Date): boolean {
  return completedAt !== null && now.getTime() - completedAt.getTime() <= reopenableMs
}

/**
 * The organiser and admins may make only the status changes that are theirs. `reopensAtAnyTime` removes the time limit
 * on resuming. (D25)
 * @throws Problem `tournament.step_illegal`
 */
export function checkStep(
  tournament: Pick<Tournament, 'status' | 'completedAt' | 'rehearsalOf'>,
  to: TournamentStatus,
  reopensAtAnyTime: boolean,
  now: Date,
): void {
  const { status, completedAt } = tournament
  const causes = steps.filter((step) => step.from === status && step.to === to).map(({ by }) => by)
  if (causes.includes('organiser')) return
  // No platform approves a rehearsal, so it begins without. (R1)
  if (tournament.rehearsalOf !== null && status === 'draft' && to === 'ongoing') return
  if (!causes.includes('reopening')) throw illegal(whyNot(status, to, causes))
  if (!reopensAtAnyTime && !isReopenable(completedAt, now)) {
    throw illegal('A completed tournament can be resumed within 14 days; after that, ask an owner or developer.')
  }
}

function illegal(message: string) {
  return conflict('tournament.step_illegal', message)
}

function whyNot(status: TournamentStatus, to: TournamentStatus, causes: readonly Cause[]): string {
  if (causes.includes('approval')) {
    return 'A draft is approved by being listed; ask for it to be listed on the system platform.'
  }
  if (status === to) return `The tournament is ${status} already.`
  return `The tournament is ${status}, and cannot become ${to}.`
}
