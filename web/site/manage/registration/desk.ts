import { useMemo } from 'react'
import type { AdditionalField, RegistrationDeskEntry } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useEveryPage } from '../../data/every-page.ts'
import { useFacts, usePages } from '../../data/queries.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { failuresOf } from './verdict.ts'

/** The registration desk: its teams, what they are sorted by, and which of them are shown. */

export type Entry = RegistrationDeskEntry

export const filters = ['all', 'ready', 'blocked', 'changed'] as const
export type Filter = (typeof filters)[number]

export const sortings = ['place', 'team', 'players', 'eligible', 'since'] as const
export type Sorting = (typeof sortings)[number]

/** Which teams are shown, and in which order: what the address says. */
export interface Shown {
  readonly filter: Filter
  readonly q: string
  readonly sort: Sorting
}

interface Search {
  readonly filter?: string
  readonly q?: string
  readonly sort?: string
  /** The short id of the team that is open. */
  readonly team?: string
}

/** The search of the address with another value of one member; undefined removes it. */
export function searchWith(search: Search, name: keyof Search, value: string | undefined): Search {
  const { [name]: _before, ...others } = search
  return value === undefined ? others : { ...others, [name]: value }
}

export function shownBy({ filter, q = '', sort }: Search): Shown {
  return {
    filter: filters.find((each) => each === filter) ?? 'all',
    q,
    sort: sortings.find((each) => each === sort) ?? 'place',
  }
}

/** Every team of the tournament; it is read again whenever something happens there. */
export function useDesk() {
  const tournament = useTournamentId()
  const pages = usePages(address('/tournaments/{tournament}/registrations', { tournament }, { limit: 500 }))
  const rest = useEveryPage(pages)
  useFacts(address('/tournaments/{tournament}/registrations', { tournament }), pages.refetch)
  const data = useMemo(() => {
    const [first] = pages.data?.pages ?? []
    if (first === undefined) return undefined
    return { registration: first.registration, teams: pages.data?.pages.flatMap(({ teams }) => teams) ?? [] }
  }, [pages.data])
  return { ...pages, data, rest }
}

/** The team itself does not meet a requirement. */
export const isBlocked = (entry: Entry): boolean => failuresOf(entry).length > 0

/** As the filters of the API are, but for what the whole tournament refuses. */
const isIn: Readonly<Record<Filter, (entry: Entry) => boolean>> = {
  all: () => true,
  ready: ({ status, eligibility }) => status === 'unregistered' && eligibility.eligible,
  blocked: isBlocked,
  changed: ({ changedAt }) => changedAt !== null,
}

export const countOf = (teams: readonly Entry[], filter: Filter): number => teams.filter(isIn[filter]).length

export function shownOf(teams: readonly Entry[], { filter, q, sort }: Shown): readonly Entry[] {
  const wanted = q.toLocaleLowerCase()
  const isNamed = ({ team, members }: Entry) =>
    [team.name, team.id, ...members.map(({ name }) => name)].some((name) => name.toLocaleLowerCase().includes(wanted))
  return teams.filter((entry) => isIn[filter](entry) && (wanted === '' || isNamed(entry))).toSorted(by[sort])
}

const steps = { qualified: 0, registered: 1, unregistered: 2 } as const
const stepOf = ({ status, withdrawnAt }: Entry) => (withdrawnAt === null ? steps[status] : 3)
const byName = (one: Entry, other: Entry) => one.team.name.localeCompare(other.team.name)

const by: Readonly<Record<Sorting, (one: Entry, other: Entry) => number>> = {
  place: (one, other) =>
    stepOf(one) - stepOf(other) ||
    (one.seed ?? Number.MAX_SAFE_INTEGER) - (other.seed ?? Number.MAX_SAFE_INTEGER) ||
    byName(one, other),
  team: byName,
  players: (one, other) => one.members.length - other.members.length || byName(one, other),
  eligible: (one, other) => failuresOf(other).length - failuresOf(one).length || byName(one, other),
  since: (one, other) => other.since.localeCompare(one.since),
}

/** How many answers there are, of how many that are asked for. */
export function answersOf({ answers, members }: Entry, fields: readonly AdditionalField[]) {
  const asked = fields.reduce((sum, { subject }) => sum + (subject === 'team' ? 1 : members.length), 0)
  return { given: answers.length, asked }
}
