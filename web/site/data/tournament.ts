import { useParams } from '@tanstack/react-router'
import { createContext, useContext, useMemo } from 'react'
import type {
  DivisionWithBrackets,
  Match,
  MatchCard,
  TournamentAccess,
  TournamentWithParts,
} from '../../../client/generated.ts'
import { type Address, address } from './api.ts'
import { type Read, type ReadOptions, useRead, useReader } from './queries.ts'
import { undelayed } from './topics.ts'

/** What several pages of a tournament read, under the same addresses, so that it is asked for once. */

export const tournamentAddress = (tournament: string) =>
  address('/tournaments/{tournament}', { tournament }, { include: 'timeline,html' })

/** The tournament of pages whose address does not name it. */
export const TournamentContext = createContext<string | null>(null)

export function useTournamentId(): string {
  const named = useParams({ strict: false }).tournament as string
  return useContext(TournamentContext) ?? named
}

export function useTournament(): Read<TournamentWithParts> {
  return useRead(tournamentAddress(useTournamentId()), { live: true })
}

export const staffAddress = (tournament: string) => address('/tournaments/{tournament}/staff', { tournament })

export const divisionsAddress = (tournament: string) => address('/tournaments/{tournament}/divisions', { tournament })

export function useDivisions(): Read<readonly DivisionWithBrackets[]> {
  return useRead(divisionsAddress(useTournamentId()), { live: true })
}

/** The name of a division by its GUID, for addresses. */
export function divisionIds(divisions: readonly DivisionWithBrackets[] | undefined): ReadonlyMap<string, string> {
  return new Map(divisions?.map(({ guid, id }) => [guid, id]))
}

/** What the reader may do in the tournament. For readers without a session nothing is asked. (W2) */
export function useAccess(): Read<TournamentAccess> {
  const tournament = useTournamentId()
  const { user } = useReader()
  return useRead(user ? address('/tournaments/{tournament}/access', { tournament }) : null, { live: true })
}

/**
 * Whether the reader sees the tournament late, as viewers of its stream do; undefined until it is known. A late answer
 * is the one that everybody gets. A tournament that is not public has none: its staff and reviewers see it as it is. A
 * cancelled one may be public or not, but those who have a role in it see its present state on other pages too.
 * (RT42, R1)
 */
export function useIsLate(): boolean | undefined {
  const { user } = useReader()
  const { data } = useTournament()
  const access = useAccess()
  if (user === null) return true
  if (data === undefined) return undefined
  if (data.rehearsal !== undefined) return false
  if (data.status !== 'cancelled') return data.status !== 'draft'
  if (access.data === undefined && access.error === null) return undefined
  return (access.data?.roles.length ?? 0) === 0
}

/**
 * The address by which public pages read something of the tournament; null until it is known.
 * @param late the address for viewers of the stream, with `delayed`
 */
export function useShownAddress<Body>(late: Address<Body> | null): Address<Body> | null {
  const isLate = useIsLate()
  if (late === null || isLate === undefined) return null
  return isLate ? late : undelayed(late)
}

/** A read of a public page; see `useShownAddress`. */
export function useShownRead<Body>(late: Address<Body> | null, options: ReadOptions = {}): Read<Body> {
  return useRead(useShownAddress(late), options)
}

/** Whether the reader may use an operation, by its stable name. */
export function useMay(): (operation: string) => boolean {
  const { data } = useAccess()
  return (operation) => data?.operations.includes(operation) === true
}

/** Gives the number of a match; where several divisions count from 1, with a short form of its division. */
export type CodeOf = (match: Pick<Match | MatchCard, 'number' | 'division'>) => string

/** The same function as long as no division changes. */
export function useMatchCodes(): CodeOf {
  const divisions = useDivisions().data
  return useMemo(() => {
    if (divisions === undefined || divisions.length < 2) return ({ number }) => String(number)
    const short = shortIds(divisions)
    return ({ number, division }) =>
      `${short.get(typeof division === 'string' ? division : division.guid) ?? ''} ${number}`.trim()
  }, [divisions])
}

const mostLetters = 4

/** What tells the ids of divisions apart, by their GUIDs: of `division-a` and `division-b` the letters `a` and `b`. */
export function shortIds(
  divisions: readonly { readonly guid: string; readonly id: string }[],
): ReadonlyMap<string, string> {
  const [first = '', ...others] = divisions.map(({ id }) => id)
  let common = 0
  while (common < first.length && others.every((id) => id[common] === first[common])) common++
  const from = first.lastIndexOf('-', common - 1) + 1
  return new Map(divisions.map(({ guid, id }) => [guid, id.slice(from).slice(0, mostLetters)]))
}
