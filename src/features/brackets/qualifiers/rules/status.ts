import { conflict } from '../../../../core/problem.ts'
import type { Qualifier, QualifierStatus } from '../types.ts'

/** What moves a qualifier: the organiser, and its dates. */
export type Moving = Pick<Qualifier, 'status' | 'openedAt' | 'opensAt' | 'closesAt'>

/**
 * Dates move a draft to open and what is open to closed, and are looked at when somebody asks. What was opened by hand is
 * closed by a date that comes after that. (additions: Details, 11)
 */
export function statusAt({ status, openedAt, opensAt, closesAt }: Moving, now: Date): QualifierStatus {
  const isOpen = status === 'open' || (status === 'draft' && isPast(opensAt, now))
  if (!isOpen) return status
  const isClosed = isPast(closesAt, now) && (openedAt === null || closesAt.getTime() > openedAt.getTime())
  return isClosed ? 'closed' : 'open'
}

/** The next date that may move it, if one is still to come. */
export function movesAt({ status, opensAt, closesAt }: Moving, now: Date): Date | null {
  const isAhead = (date: Date | null) => date !== null && !isPast(date, now)
  if (status === 'draft' && isAhead(opensAt)) return opensAt
  return status !== 'closed' && status !== 'final' && isAhead(closesAt) ? closesAt : null
}

function isPast(date: Date | null, now: Date): date is Date {
  return date !== null && date.getTime() <= now.getTime()
}

/** From each status to those that may follow; dates may move a draft past the time in which it was open. */
const steps: Readonly<Record<QualifierStatus, readonly QualifierStatus[]>> = {
  draft: ['open'],
  open: ['closed'],
  closed: ['open', 'final'],
  final: [],
}

/**
 * What a qualifier is set to, with its dates and the status that was asked for, if one was. A status that the dates give
 * it anyway is left to them. (additions: Details, 11)
 * @param was what it was until now
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

/** Attempts belong to the time in which the qualifier is open. (additions: Details, 11) */
export function checkOpen(status: QualifierStatus): void {
  if (status !== 'open') {
    throw conflict('qualifier.not_open', `The qualifier is ${status}; attempts are recorded while it is open.`)
  }
}

/** A board from elsewhere may come in after the closing: it was played before. */
export function checkTakesBoards(status: QualifierStatus): void {
  checkNotFinal(status)
  if (status === 'draft') {
    throw conflict('qualifier.not_open', 'The qualifier is a draft; open it before its results are fetched.')
  }
}

/** What is final stays as it is. (additions: Details, 11) */
export function checkNotFinal(status: QualifierStatus): void {
  if (status === 'final') throw conflict('qualifier.final', 'The qualifier is final, and stays as it is.')
}

/** Seeds follow from results that nobody can better any more. (additions: Details, 11) */
export function checkSeedable(status: QualifierStatus): void {
  if (status !== 'closed' && status !== 'final') {
    throw conflict(
      'qualifier.not_closed',
      `The qualifier is ${status}; close it before it seeds teams, or preview with dryRun=true.`,
    )
  }
}
