import type { Awards } from '../../../../client/generated.ts'
import type { Writes } from '../../data/generated.ts'
import { hasReached } from './editions.ts'

/** An edition as its form has it. */

export const dateNames = [
  'nominationsOpenAt',
  'nominationsCloseAt',
  'votingOpensAt',
  'votingClosesAt',
  'publishAt',
] as const
export const links = ['either', 'ranking-a', 'ranking-b', 'none'] as const
export const ties = ['shared', 'runoff'] as const

type Rules = Awards['rules']
const ruleNames = [
  ...['accountBefore', 'link', 'linkBefore', 'minTournamentsPlayed', 'nominationsPerCategory'],
  ...['tie', 'selfNomination', 'showCounts'],
] as readonly (keyof Values)[]

export interface Values {
  readonly id: string
  readonly title: string
  readonly description: string
  /** Empty for none. */
  readonly bannerUrl: string
  readonly nominationsOpenAt: string | null
  readonly nominationsCloseAt: string | null
  readonly votingOpensAt: string | null
  readonly votingClosesAt: string | null
  readonly publishAt: string | null
  readonly accountBefore: string | null
  readonly link: Rules['link']
  /** null for the date of accounts. */
  readonly linkBefore: string | null
  readonly minTournamentsPlayed: number | null
  readonly nominationsPerCategory: number | null
  readonly tie: Rules['tie']
  readonly selfNomination: boolean
  readonly showCounts: boolean
}

const dayMs = 86_400_000

/** A plan that can be used as it is: three weeks of nominations, a week for shortlists, two weeks of voting. */
export function plannedValues(now: number): Values {
  const hour = Math.ceil(now / 3_600_000) * 3_600_000
  const at = (days: number) => new Date(hour + days * dayMs).toISOString()
  return {
    id: String(new Date(now).getFullYear()),
    title: '',
    description: '',
    bannerUrl: '',
    nominationsOpenAt: at(7),
    nominationsCloseAt: at(28),
    votingOpensAt: at(35),
    votingClosesAt: at(49),
    publishAt: null,
    accountBefore: at(0),
    link: 'either',
    linkBefore: null,
    minTournamentsPlayed: 0,
    nominationsPerCategory: 3,
    tie: 'shared',
    selfNomination: false,
    showCounts: true,
  }
}

export const valuesOf = (awards: Awards): Values => ({
  id: awards.id,
  title: awards.title,
  description: awards.description,
  bannerUrl: awards.bannerUrl ?? '',
  nominationsOpenAt: awards.nominationsOpenAt,
  nominationsCloseAt: awards.nominationsCloseAt,
  votingOpensAt: awards.votingOpensAt,
  votingClosesAt: awards.votingClosesAt,
  publishAt: awards.publishAt,
  accountBefore: awards.rules.accountBefore,
  link: awards.rules.link,
  linkBefore: awards.rules.linkBefore === awards.rules.accountBefore ? null : awards.rules.linkBefore,
  minTournamentsPlayed: awards.rules.minTournamentsPlayed,
  nominationsPerCategory: awards.rules.nominationsPerCategory,
  tie: awards.rules.tie,
  selfNomination: awards.rules.selfNomination,
  showCounts: awards.rules.showCounts,
})

/** The body of a request with these values; fields that are required are never empty where a form is sent. */
export function bodyOf(values: Partial<Values>): Writes['POST /awards']['body'] {
  const isRule = (name: string) => ruleNames.some((each) => each === name)
  const rules = Object.entries(values).filter(([name]) => isRule(name))
  const others = Object.entries(values).filter(([name]) => !isRule(name))
  const body = { ...Object.fromEntries(others), ...(rules.length > 0 && { rules: Object.fromEntries(rules) }) }
  return body as Writes['POST /awards']['body']
}

const begins = {
  nominationsOpenAt: 'nominating',
  nominationsCloseAt: 'shortlisting',
  votingOpensAt: 'voting',
  votingClosesAt: 'counting',
  publishAt: 'published',
} as const

/** Whether a date has passed and stays as it is. (awards: States of an edition) */
export function isFixed(awards: Awards, name: (typeof dateNames)[number], now: number): boolean {
  const { status, runoff } = awards
  if (status === 'cancelled' || hasReached(status, begins[name])) return true
  if (status === 'draft' || name === 'publishAt') return false
  if (name === 'votingClosesAt' && runoff !== null) return true
  return Date.parse(awards[name]) <= now
}
