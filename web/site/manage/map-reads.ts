import { address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { useTournamentId } from '../data/tournament.ts'

/** What the pages of pools and those of the qualifier read alike. */

export const poolsAddress = (tournament: string) => address('/tournaments/{tournament}/pools', { tournament })

export function usePools() {
  return useRead(poolsAddress(useTournamentId()), { live: true })
}

export const qualifierAddress = (tournament: string) => address('/tournaments/{tournament}/qualifier', { tournament })

export const boardAddress = (tournament: string) =>
  address('/tournaments/{tournament}/qualifier/standings', { tournament })

export const nameOfMap = ({ name, hash }: { readonly name: string | null; readonly hash: string }): string =>
  name ?? hash.slice(0, 8)
