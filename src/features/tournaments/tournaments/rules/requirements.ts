import { isCountryCode } from '../../../../core/countries.ts'
import { invalid } from '../../../../core/problem.ts'
import type { RequirementsInput } from '../bodies.ts'
import type { RankRange, Requirements } from '../types.ts'

/**
 * Reads the requirements for players. Null, an empty list and an empty range require nothing.
 * (additions: Tournament record; D49)
 * @throws Problem `tournament.invalid`
 */
export function readRequirements(input: RequirementsInput): Requirements {
  const all = {
    countries: readCountries(input.countries),
    rankA: readRange('rankA', input.rankA),
    rankB: readRange('rankB', input.rankB),
    rankingA: input.rankingA,
    rankingB: input.rankingB,
    emailVerified: input.emailVerified,
    chatAccountAgeDays: input.chatAccountAgeDays,
    verifiedLinks: input.verifiedLinks,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value != null))
}

function readCountries(codes: readonly string[] | null | undefined): readonly string[] | null {
  if (codes == null || codes.length === 0) return null
  return [...new Set(codes.map(readCountry))]
}

function readCountry(code: string): string {
  const country = code.toUpperCase()
  if (isCountryCode(country)) return country
  throw invalid('tournament.invalid', '"requirements.countries" must hold ISO 3166-1 alpha-2 codes such as CA, or XK.')
}

function readRange(name: string, range: RequirementsInput['rankA']): RankRange | null {
  const [min, max] = [range?.min ?? null, range?.max ?? null]
  if (min !== null && max !== null && min > max) {
    throw invalid('tournament.invalid', `"requirements.${name}.min" must not be above "requirements.${name}.max".`)
  }
  if (min === null && max === null) return null
  return { ...(min === null ? {} : { min }), ...(max === null ? {} : { max }) }
}
