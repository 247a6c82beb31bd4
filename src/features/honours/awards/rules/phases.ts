import { conflict, invalid } from '../../../../core/problem.ts'
import type { EditionStatus } from '../types.ts'

/** What comes after what in an edition of awards. (awards: States of an edition) */

const next: Readonly<Record<EditionStatus, readonly EditionStatus[]>> = {
  draft: ['nominating'],
  nominating: ['shortlisting', 'cancelled'],
  shortlisting: ['voting', 'cancelled'],
  voting: ['counting', 'cancelled'],
  // Once more to vote where the first place is tied, and the rules ask for it. (A9)
  counting: ['published', 'voting', 'cancelled'],
  published: [],
  cancelled: [],
}

export function checkStep(from: EditionStatus, to: EditionStatus): void {
  if (next[from].includes(to)) return
  throw conflict('award.step_illegal', `An edition that is ${from} does not become ${to}.`)
}

/** The instants of an edition, in the order in which they come. */
export interface Dates {
  readonly nominationsOpenAt: Date
  readonly nominationsCloseAt: Date
  readonly votingOpensAt: Date
  readonly votingClosesAt: Date
  /** null for by hand. */
  readonly publishAt: Date | null
}

const order = ['nominationsOpenAt', 'nominationsCloseAt', 'votingOpensAt', 'votingClosesAt', 'publishAt'] as const

/** Whoever votes is to have a day for it at least. */
const leastVotingMs = 24 * 3_600_000

/** @throws Problem `award.dates_invalid` */
export function checkDates(dates: Dates): void {
  for (const [index, name] of order.slice(1).entries()) {
    const [before, after] = [order[index] as (typeof order)[number], dates[name]]
    const earlier = dates[before]
    if (after !== null && earlier !== null && after < earlier) {
      throw invalid('award.dates_invalid', `\`${name}\` is before \`${before}\`; give instants in their order.`)
    }
  }
  if (dates.votingClosesAt.getTime() - dates.votingOpensAt.getTime() < leastVotingMs) {
    throw invalid('award.dates_invalid', 'Voting takes 24 hours at least.')
  }
}

/** What falls due by the clock alone: the status that an edition comes to, and when; null where nothing does. */
export function dueStep(status: EditionStatus, dates: Dates): { readonly to: EditionStatus; readonly at: Date } | null {
  switch (status) {
    case 'draft':
      return { to: 'nominating', at: dates.nominationsOpenAt }
    case 'nominating':
      return { to: 'shortlisting', at: dates.nominationsCloseAt }
    case 'shortlisting':
      return { to: 'voting', at: dates.votingOpensAt }
    case 'voting':
      return { to: 'counting', at: dates.votingClosesAt }
    case 'counting':
      return dates.publishAt === null ? null : { to: 'published', at: dates.publishAt }
    default:
      return null
  }
}
