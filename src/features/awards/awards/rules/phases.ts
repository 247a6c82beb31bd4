import { conflict, invalid } from '../../../../core/problem.ts'
import { type Edition, type EditionStatus, editionStatuses } from '../types.ts'

/** The phases of an edition and their order. (awards: States of an edition) */

const next: Readonly<Record<EditionStatus, readonly EditionStatus[]>> = {
  draft: ['nominating'],
  nominating: ['shortlisting', 'cancelled'],
  shortlisting: ['voting', 'cancelled'],
  voting: ['counting', 'cancelled'],
  // Back to `voting` for a runoff, if a first place is tied and the rules ask for it. (A9)
  counting: ['published', 'voting', 'cancelled'],
  published: [],
  cancelled: [],
}

export function checkStep(from: EditionStatus, to: EditionStatus): void {
  if (next[from].includes(to)) return
  throw conflict('award.step_illegal', `An edition that is ${from} does not become ${to}.`)
}

/** The dates of an edition, in chronological order. */
export interface Dates {
  readonly nominationsOpenAt: Date
  readonly nominationsCloseAt: Date
  readonly votingOpensAt: Date
  readonly votingClosesAt: Date
  /** null: published by hand. */
  readonly publishAt: Date | null
}

/** The names of the dates, in chronological order. */
export const dateNames = [
  'nominationsOpenAt',
  'nominationsCloseAt',
  'votingOpensAt',
  'votingClosesAt',
  'publishAt',
] as const

/** The minimum duration of voting. */
const minVotingMs = 24 * 3_600_000

/** @throws Problem `award.dates_invalid` */
export function checkDates(dates: Dates): void {
  for (const [index, name] of dateNames.slice(1).entries()) {
    const [before, after] = [dateNames[index] as (typeof dateNames)[number], dates[name]]
    const earlier = dates[before]
    if (after !== null && earlier !== null && after < earlier) {
      throw invalid('award.dates_invalid', `\`${name}\` is before \`${before}\`; give instants in their order.`)
    }
  }
  if (dates.votingClosesAt.getTime() - dates.votingOpensAt.getTime() < minVotingMs) {
    throw invalid('award.dates_invalid', 'Voting takes 24 hours at least.')
  }
}

/**
 * The next step that is due by date, and when; null for none. A runoff has its own end. (awards: States of an edition;
 * A9)
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

/** Whether an edition has reached a phase. A cancelled edition has reached none. */
export function hasReached({ status }: Pick<Edition, 'status'>, phase: EditionStatus): boolean {
  return status !== 'cancelled' && editionStatuses.indexOf(status) >= editionStatuses.indexOf(phase)
}

/** The phases in which managers may change texts and pictures of an edition: all except `cancelled`. */
export const changingPhases: readonly EditionStatus[] = editionStatuses.filter((status) => status !== 'cancelled')

/**
 * Checks that the status is one of the phases. Only the status decides, not the dates. (awards: States of an edition;
 * awards: Details, 4)
 * @throws Problem `award.phase_wrong`
 */
export function checkPhase({ status }: Pick<Edition, 'status'>, phases: readonly EditionStatus[]): void {
  if (phases.includes(status)) return
  throw conflict(
    'award.phase_wrong',
    `This is possible while the edition is ${phases.join(' or ')}; it is ${status} now.`,
  )
}

/** The phase that begins at each date. */
const begins = {
  nominationsOpenAt: 'nominating',
  nominationsCloseAt: 'shortlisting',
  votingOpensAt: 'voting',
  votingClosesAt: 'counting',
  publishAt: 'published',
} as const satisfies Readonly<Record<keyof Dates, EditionStatus>>

const hourMs = 3_600_000

/**
 * Checks that no date is moved that has passed: its phase has begun, or its time has come. Dates of a draft can be
 * moved, and `publishAt` until the publication, because voting may end after it. Voting never ends sooner than an hour
 * from now. (awards: States of an edition)
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
  // During a runoff, which has its own end, the end of voting has passed.
  if (name === 'votingClosesAt' && edition.runoffClosesAt !== null) return true
  return edition[name] <= now
}

/** @throws Problem `award.no_categories` */
export function checkHasCategories(count: number): void {
  if (count > 0) return
  throw conflict('award.no_categories', 'Add at least one category before nominations open.')
}

/** A category, with the number of its nominees that have not declined. */
export interface Shortlist {
  readonly guid: string
  readonly name: string
  readonly shortlistSize: number
  readonly nominees: number
}

export const minNominees = 2

/**
 * The categories that are not ready for voting. Each needs at least 2 nominees that have not declined, and at most as
 * many as its shortlist.
 */
export function openShortlists(shortlists: readonly Shortlist[]): readonly Shortlist[] {
  return shortlists.filter(({ nominees, shortlistSize }) => nominees < minNominees || nominees > shortlistSize)
}

/** @throws Problem `award.shortlists_open`, which names these categories */
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
