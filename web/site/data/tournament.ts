import { useParams } from '@tanstack/react-router'
import { createContext, useContext } from 'react'
import type { DivisionWithBrackets, TournamentAccess, TournamentWithParts } from '../../../client/generated.ts'
import { address } from './api.ts'
import { type Read, useRead, useReader } from './queries.ts'

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

/** Whether the reader may use an operation, by its stable name. */
export function useMay(): (operation: string) => boolean {
  const { data } = useAccess()
  return (operation) => data?.operations.includes(operation) === true
}
