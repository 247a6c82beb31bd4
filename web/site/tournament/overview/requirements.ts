import { words } from '../../data/words.ts'
import { countryOf } from '../../parts/country.ts'
import type { Place } from '../../parts/phase.ts'

/** What a team needs to take part, in words. */

const list = new Intl.ListFormat('en', { type: 'disjunction' })
const both = new Intl.ListFormat('en', { type: 'conjunction' })
const rank = new Intl.NumberFormat('en')

function ranked(range: { readonly min?: number; readonly max?: number } | undefined, platform: 'A' | 'B'): string[] {
  if (range === undefined) return []
  const { min, max } = range
  if (min !== undefined && max !== undefined)
    return [words('needs.rank-between', { platform, min: rank.format(min), max: rank.format(max) })]
  if (max !== undefined) return [words('needs.rank-from', { platform, max: rank.format(max) })]
  return min === undefined ? [] : [words('needs.rank-below', { platform, min: rank.format(min) })]
}

export function needsOf({ teamSize, requirements, additionalFields }: Place): readonly string[] {
  const {
    countries = [],
    rankA,
    rankB,
    rankingA,
    rankingB,
    emailVerified,
    chatAccountAgeDays,
    verifiedLinks,
  } = requirements
  const questions = additionalFields.filter(({ required }) => required).map(({ label }) => label)
  return [
    words('needs.team', { ...teamSize }),
    ...(countries.length > 0 ? [words('needs.countries', { countries: list.format(countries.map(countryOf)) })] : []),
    ...ranked(rankA, 'A'),
    ...ranked(rankB, 'B'),
    ...(rankingA && rankA === undefined ? [words('needs.linked', { platform: 'A' })] : []),
    ...(rankingB && rankB === undefined ? [words('needs.linked', { platform: 'B' })] : []),
    ...(verifiedLinks ? [words('needs.proved')] : []),
    ...(emailVerified ? [words('needs.mail')] : []),
    ...(chatAccountAgeDays ? [words('needs.chat-age', { days: chatAccountAgeDays })] : []),
    ...(questions.length > 0 ? [words('needs.answers', { questions: both.format(questions) })] : []),
  ]
}
