import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Match } from '../../../client/generated.ts'
import { type Address, address } from '../data/api.ts'
import { useEveryPage } from '../data/every-page.ts'
import type { Reads } from '../data/generated.ts'
import { useFacts, usePages } from '../data/queries.ts'
import { useTournamentId } from '../data/tournament.ts'

/** All matches of a tournament as those who plan them see them now, and the sheets that ask for their times. */

type Body = Reads['/tournaments/{tournament}/matches']['body']

const listed = (tournament: string): Address<Body> =>
  address('/tournaments/{tournament}/matches', { tournament }, { limit: 100 })

export function useMatches() {
  const tournament = useTournamentId()
  const pages = usePages(listed(tournament))
  const { hasNextPage, refetch } = pages
  // A plan with matches left out would tell that these hours are free.
  const rest = useEveryPage(pages)
  useFacts(address('/tournaments/{tournament}/matches', { tournament }), refetch)
  const matches = useMemo(() => {
    if (pages.data === undefined || hasNextPage) return undefined
    return pages.data.pages.flatMap((page) => page.matches)
  }, [pages.data, hasNextPage])
  return { ...pages, data: matches, error: rest.error ?? pages.error, refetch: rest.again }
}

/** Puts a match as the service answered it into the list. */
export function takeMatch(cache: QueryClient, tournament: string, match: Match): void {
  cache.setQueryData<InfiniteData<Body>>([listed(tournament), 'pages', ''], (known) =>
    known === undefined
      ? undefined
      : {
          ...known,
          pages: known.pages.map((page) => ({
            ...page,
            matches: page.matches.map((each) =>
              each.guid === match.guid && each.revision <= match.revision ? match : each,
            ),
          })),
        },
  )
}

/** Reads all matches again, after several have changed. */
export function useRenewMatches(): () => void {
  const cache = useQueryClient()
  const tournament = useTournamentId()
  return () => void cache.invalidateQueries({ queryKey: [listed(tournament), 'pages'] })
}

export const availabilityAddress = (tournament: string) =>
  address('/tournaments/{tournament}/availability', { tournament })

/** Whether a match is still to be played, against somebody. */
export const isOpen = ({ status, sides }: Match): boolean =>
  (status === 'locked' || status === 'waiting' || status === 'ready') && !sides.some(({ bye }) => bye)
