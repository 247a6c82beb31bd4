import type { Flair, Pool, Suggestion } from '../../../../client/generated.ts'
import { type Address, address } from '../../data/api.ts'
import { useRead, useReader } from '../../data/queries.ts'
import { useMay, useTournamentId } from '../../data/tournament.ts'

/** What the pages of poolers read, under the same addresses. */

export const poolAddress = (tournament: string, pool: string) =>
  address('/tournaments/{tournament}/pools/{pool}', { tournament, pool })

export const flairsAddress = (tournament: string) => address('/tournaments/{tournament}/flairs', { tournament })

export const poolingAddress = (tournament: string) => address('/tournaments/{tournament}/pooling', { tournament })

/** As many as a page of the service has. */
export const mostSuggestions = 100

export const suggestionsAddress = (
  tournament: string,
  query: { readonly status?: Suggestion['status']; readonly pool?: string },
) => address('/tournaments/{tournament}/suggestions', { tournament }, { ...query, limit: mostSuggestions })

export type Suggestions = ReturnType<typeof suggestionsAddress> extends Address<infer Body> ? Body : never

export function useFlairs(): readonly Flair[] {
  return useRead(flairsAddress(useTournamentId()), { live: true }).data ?? []
}

/** What the reader may do with the maps of a pool: published ones are corrected by heads alone, with a reason. */
export interface Rights {
  readonly isHead: boolean
  readonly mayChange: boolean
  readonly needsReason: boolean
}

export function useRights(pool: Pick<Pool, 'status'>): Rights {
  const may = useMay()
  const isHead = may('pools.publish')
  const isDraft = pool.status === 'draft'
  return {
    isHead,
    mayChange: may('pools.orderMaps') && (isDraft || (isHead && pool.status === 'published')),
    needsReason: !isDraft,
  }
}

export const useOwnGuid = (): string | undefined => useReader().user?.guid
