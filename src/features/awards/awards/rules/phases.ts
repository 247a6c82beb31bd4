import { conflict, invalid } from '../../../../core/problem.ts'
import { type Edition, type EditionStatus, editionStatuses } from '../types.ts'

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

/** In their order. */
export const dateNames = [
  'nominationsOpenAt',
  'nominationsCloseAt',
  'votingOpensAt',
  'votingClosesAt',
  'publishAt',
] as const

/** Whoever votes is to have a day for it at least. */
const leastVotingMs = 24 * 3_600_000

/** @throws Problem `award.dates_invalid` */
export function checkDates(dates: Dates): void {
  for (const [index, name] of dateNames.slice(1).entries()) {
    const [before, after] = [dateNames[index] as (typeof dateNames)[number], dates[name]]
    const earlier = dates[before]
    if (after !== null && earlier !== null && after < earlier) {
      throw invalid('award.dates_invalid', `\`${name}\` is before \`${before}\`; give instants in their order.`)
    }
  }
  if (dates.votingClosesAt.getTime() - dates.votingOpensAt.getTime() < leastVotingMs) {
    throw invalid('award.dates_invalid', 'Voting takes 24 hours at least.')
  }
}

/**
 * What falls due by the clock alone: the status that an edition comes to, and when; null where nothing does. A runoff ends at an
 * instant of its own. (awards: States of an edition; A9)
 */
export function dueStep(
  edition: Dates & Pick<Edition, 'status' | 'runoffClosesAt'>,
): { readonly to: EditionStatus; readonly at: Date } | null {
  switch (edition.status) {
    case 'draft':
      return { to: 'nominating', at: edition.nominationsOpenAt }
    case 'nominating':
      return { to: 'shortlisting', at: edition.nominationsCloseAt }
    case 'shortlisting':
      return { to: 'voting', at: edition.votingOpensAt }
    case 'voting':
      return { to: 'counting', at: edition.runoffClosesAt ?? edition.votingClosesAt }
    case 'counting':
      return edition.publishAt === null ? null : { to: 'published', at: edition.publishAt }
    default:
      return null
  }
}

/** Whether an edition has come as far as a phase, or further. One that was cancelled has come to nothing. */
export function hasReached({ status }: Pick<Edition, 'status'>, phase: EditionStatus): boolean {
  return status !== 'cancelled' && editionStatuses.indexOf(status) >= editionStatuses.indexOf(phase)
}

/** Phases in which managers change what an edition is called and shows; one that was cancelled stays as it is. */
export const changingPhases: readonly EditionStatus[] = editionStatuses.filter((status) => status !== 'cancelled')

/**
 * Most is possible in some phases alone; the status decides, not the dates. (awards: States of an edition; awards: Details, 4)
 * @throws Problem `award.phase_wrong`
 */
export function checkPhase({ status }: Pick<Edition, 'status'>, phases: readonly EditionStatus[]): void {
  if (phases.includes(status)) return
  throw conflict(
    'award.phase_wrong',
    `This is possible while the edition is ${phases.join(' or ')}; it is ${status} now.`,
  )
}

/** What each date begins. */
const begins = {
  nominationsOpenAt: 'nominating',
  nominationsCloseAt: 'shortlisting',
  votingOpensAt: 'voting',
  votingClosesAt: 'counting',
  publishAt: 'published',
} as const satisfies Readonly<Record<keyof Dates, EditionStatus>>

const hourMs = 3_600_000

/**
 * Dates that have passed cannot be moved: what they begin has begun, or their instant has come. Those of a draft can, and so can the
 * one of publication until it has taken place, since voting may have ended behind it. Voting never ends sooner than in an hour.
 * (awards: States of an edition)
 * @throws Problem `award.date_passed`, `award.dates_invalid`
 */
export function checkMoves(before: Edition, after: Dates, now: Date): void {
  const moved = dateNames.filter((name) => before[name]?.getTime() !== after[name]?.getTime())
  for (const name of moved) {
    if (hasPassed(before, name, now)) {
      throw conflict('award.date_passed', `\`${name}\` has passed, and stays as it is.`)
    }
  }
  const isEndMoved = before.status !== 'draft' && moved.includes('votingClosesAt')
  if (isEndMoved && after.votingClosesAt.getTime() < now.getTime() + hourMs) {
    throw invalid('award.dates_invalid', '`votingClosesAt` is moved to an hour from now at the earliest.')
  }
}

function hasPassed(edition: Edition, name: keyof Dates, now: Date): boolean {
  if (hasReached(edition, begins[name])) return true
  if (edition.status === 'draft' || name === 'publishAt') return false
  // What is held then is a runoff, which has an end of its own.
  if (name === 'votingClosesAt' && edition.runoffClosesAt !== null) return true
  return edition[name] <= now
}

/** @throws Problem `award.no_categories` */
export function checkHasCategories(count: number): void {
  if (count > 0) return
  throw conflict('award.no_categories', 'Add at least one category before nominations open.')
}

/** A category, and how many nominees of it have not declined. */
export interface Shortlist {
  readonly guid: string
  readonly name: string
  readonly shortlistSize: number
  readonly nominees: number
}

export const leastNominees = 2

/** Categories that cannot be voted in yet: each needs 2 nominees that have not declined, and no more than its shortlist has. */
export function openShortlists(shortlists: readonly Shortlist[]): readonly Shortlist[] {
  return shortlists.filter(({ nominees, shortlistSize }) => nominees < leastNominees || nominees > shortlistSize)
}

/** @throws Problem `award.shortlists_open`, with which they are */
export function checkShortlists(shortlists: readonly Shortlist[]): void {
  const open = openShortlists(shortlists)
  if (open.length === 0) return
  const names = open.map(({ name, nominees, shortlistSize }) => `“${name}” has ${nominees} of 2 to ${shortlistSize}`)
  throw conflict(
    'award.shortlists_open',
    `Voting opens when every category has 2 nominees or more that have not declined, and no more than its shortlist: ${names.join(', ')}.`,
    { categories: open },
  )
}
