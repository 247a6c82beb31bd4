import { conflict } from '../../../../core/problem.ts'
import type { Qualifier, QualifierStatus } from '../types.ts'

/** The members that decide the status: the status that the organiser set, and the dates. */
export type Moving = Pick<Qualifier, 'status' | 'openedAt' | 'opensAt' | 'closesAt'>

/**
 * The status at a time. The opening date opens a draft, and the closing date closes an open qualifier; both are applied
 * on reading. A qualifier that was opened by hand is closed only by a later date. (additions: Details, 11)
 */
export function statusAt({ status, openedAt, opensAt, closesAt }: Moving, now: Date): QualifierStatus {
  const isOpen = status === 'open' || (status === 'draft' && isPast(opensAt, now))
  if (!isOpen) return status
  const isClosed = isPast(closesAt, now) && (openedAt === null || closesAt.getTime() > openedAt.getTime())
  return isClosed ? 'closed' : 'open'
}

/** The next date that may change the status; null if no date is in the future. */
export function movesAt({ status, opensAt, closesAt }: Moving, now: Date): Date | null {
  const isAhead = (date: Date | null) => date !== null && !isPast(date, now)
  if (status === 'draft' && isAhead(opensAt)) return opensAt
  return status !== 'closed' && status !== 'final' && isAhead(closesAt) ? closesAt : null
}

function isPast(date: Date | null, now: Date): date is Date {
  return date !== null && date.getTime() <= now.getTime()
}

/** The allowed next statuses of each status. Dates may move a draft past its open time directly to closed. */
const steps: Readonly<Record<QualifierStatus, readonly QualifierStatus[]>> = {
  draft: ['open'],
  open: ['closed'],
  closed: ['open', 'final'],
  final: [],
}

/**
 * The new settings, with the requested status if there is one. A status that the dates give anyway is not stored.
 * (additions: Details, 11)
 * @param was the status until now
 * @throws Problem `qualifier.status_illegal`
 */
export function moved<Q extends Moving>(
  was: QualifierStatus,
  next: Q,
  asked: QualifierStatus | undefined,
  now: Date,
): Q {
  const byDate = statusAt(next, now)
  if (asked === undefined || asked === byDate) {
    const isLegal = byDate === was || steps[was].includes(byDate) || (was === 'draft' && byDate === 'closed')
    if (!isLegal) throw datesAgainst(was, byDate)
    return next
  }
  if (asked !== was && !steps[was].includes(asked)) throw illegalStep(was, asked)
  const set = { ...next, status: asked, openedAt: asked === 'open' ? now : null }
  if (statusAt(set, now) !== asked) throw datesAgainst(asked, statusAt(set, now))
  return set
}

function illegalStep(was: QualifierStatus, asked: QualifierStatus) {
  const [first, ...others] = steps[was]
  const way = first === undefined ? 'it stays so' : `from there it goes to ${[first, ...others].join(' or ')}`
  return conflict('qualifier.status_illegal', `The qualifier is ${was} and cannot become ${asked}; ${way}.`)
}

function datesAgainst(status: QualifierStatus, byDate: QualifierStatus) {
  return conflict(
    'qualifier.status_illegal',
    `The qualifier is ${status}, and these dates would make it ${byDate}; give other dates.`,
  )
}

/** Attempts are recorded only while the qualifier is open. (additions: Details, 11) */
export function checkOpen(status: QualifierStatus): void {
  if (status !== 'open') {
    throw conflict('qualifier.not_open', `The qualifier is ${status}; attempts are recorded while it is open.`)
  }
}

/** A board may also be recorded after the closing, since its attempts were played before. */
export function checkTakesBoards(status: QualifierStatus): void {
  checkNotFinal(status)
  if (status === 'draft') {
    throw conflict('qualifier.not_open', 'The qualifier is a draft; open it before its results are fetched.')
  }
}

/** A final qualifier cannot change. (additions: Details, 11) */
export function checkNotFinal(status: QualifierStatus): void {
  if (status === 'final') throw conflict('qualifier.final', 'The qualifier is final, and stays as it is.')
}

/** Seeding needs a closed or final qualifier, whose results can no longer improve. (additions: Details, 11) */
export function checkSeedable(status: QualifierStatus): void {
  if (status !== 'closed' && status !== 'final') {
    throw conflict(
      'qualifier.not_closed',
      `The qualifier is ${status}; close it before it seeds teams, or preview with dryRun=true.`,
    )
  }
}
