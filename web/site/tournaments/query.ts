import type { Reads } from '../data/generated.ts'

/** The filters of the address, and the query of the API that they are. */

export const filterNames = [
  'q',
  'status',
  'registration',
  'platform',
  'from',
  'to',
  'organiser',
  'participant',
] as const
export type FilterName = (typeof filterNames)[number]
export type Search = { readonly [Name in FilterName | 'view']?: string }

/** The beginning of a day of the reader, or its end; nothing for what is no date. */
function instantOf(day: string | undefined, hasPassed: boolean): string | undefined {
  if (day === undefined || !/^\d{4}-\d\d-\d\d$/.test(day)) return undefined
  const at = new Date(`${day}T${hasPassed ? '23:59:59.999' : '00:00:00'}`)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

export function queryOf(search: Search): Reads['/tournaments']['query'] {
  const { q, status, registration, platform, organiser, participant } = search
  const [from, to] = [instantOf(search.from, false), instantOf(search.to, true)]
  return {
    ...(q && { q }),
    ...(status && { status }),
    ...(registration === 'open' && { registration: 'open' as const }),
    ...(platform && { platform }),
    ...(organiser && { organiser }),
    ...(participant && { participant }),
    ...(from && { from }),
    ...(to && { to }),
  }
}

export const givenOf = (search: Search): readonly FilterName[] =>
  filterNames.filter((name) => search[name] !== undefined)

export const without = (search: Search, name: FilterName): Search =>
  Object.fromEntries(Object.entries(search).filter(([key]) => key !== name))
