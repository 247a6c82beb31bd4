import type { EditionRules, Failure } from '../types.ts'

/** Who may take part. All failed checks are reported together, so that a user need not try repeatedly. (A2, A3) */

export interface Person {
  readonly createdAt: Date
  readonly isBanned: boolean
  readonly isBot: boolean
  /** When the user's links that are still verified were verified, by platform; null without one. */
  readonly verifiedAt: { readonly 'ranking-a': Date | null; readonly 'ranking-b': Date | null }
  readonly tournamentsPlayed: number
}

export function failuresOfVoter(person: Person, rules: EditionRules): Failure[] {
  const link = linkFailure(person, rules)
  return [
    ...(person.isBanned ? (['banned'] as const) : []),
    ...(person.isBot ? (['bot'] as const) : []),
    ...(person.createdAt >= new Date(rules.accountBefore) ? (['account_too_new'] as const) : []),
    ...(link === null ? [] : [link]),
    ...(person.tournamentsPlayed < rules.minTournamentsPlayed ? (['too_few_tournaments'] as const) : []),
  ]
}

/** The failed checks of a nominator, who needs a verified link or an account that is old enough. (A3) */
export function failuresOfNominator(person: Person, rules: EditionRules): Failure[] {
  const isLinked = Object.values(person.verifiedAt).some((at) => at !== null)
  const isOld = person.createdAt < new Date(rules.accountBefore)
  return [
    ...(person.isBanned ? (['banned'] as const) : []),
    ...(person.isBot ? (['bot'] as const) : []),
    ...(isLinked || isOld ? [] : (['account_too_new', 'link_missing'] as const)),
  ]
}

function linkFailure({ verifiedAt }: Person, { link, linkBefore, accountBefore }: EditionRules): Failure | null {
  if (link === 'none') return null
  const platforms = link === 'either' ? (['ranking-a', 'ranking-b'] as const) : [link]
  const dates = platforms.map((platform) => verifiedAt[platform]).filter((at) => at !== null)
  if (dates.length === 0) return 'link_missing'
  const before = new Date(linkBefore ?? accountBefore)
  return dates.some((at) => at < before) ? null : 'link_too_new'
}
