import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Match } from '../../../client/generated.ts'
import { type Address, address } from '../data/api.ts'
import { useEveryPage } from '../data/every-page.ts'
import type { Reads } from '../data/generated.ts'
import { usePages } from '../data/queries.ts'
import { useShownAddress, useShownRead } from '../data/tournament.ts'
import { roundName } from '../parts/match.tsx'
import { asTitle } from '../parts/rounds.ts'
import { dayOf } from '../parts/time.tsx'

/** All matches of a tournament as pages list them: whole, with running ones as they are now. */

type Query = Reads['/tournaments/{tournament}/matches']['query']

const pageSize = 100

/** The running matches, by one address for all pages that show them. */
export function useRunning(tournament: string) {
  return useShownRead(
    address('/tournaments/{tournament}/matches', { tournament }, { status: 'running', limit: 24, delayed: true }),
    { live: true },
  )
}

export function useMatchList(tournament: string, query: Query = {}) {
  const listed: Address<Reads['/tournaments/{tournament}/matches']['body']> | null = useShownAddress(
    address('/tournaments/{tournament}/matches', { tournament }, { ...query, limit: pageSize, delayed: true }),
  )
  const pages = usePages(listed)
  const running = useRunning(tournament).data?.matches
  // A schedule with matches left out would tell that these hours are free.
  const rest = useEveryPage(pages)
  useFreshness(listed, running)
  const now = new Map(running?.map((match) => [match.guid, match]))
  const matches = pages.data?.pages.flatMap((page) => page.matches.map((match) => now.get(match.guid) ?? match))
  return { ...pages, data: matches, rest }
}

/** Whenever a match begins or ends, others have got their sides: the list is read again. */
function useFreshness(listed: string | null, running: readonly Match[] | undefined): void {
  const cache = useQueryClient()
  const key = running?.map(({ guid }) => guid).join()
  const last = useRef(key)
  useEffect(() => {
    if (last.current !== undefined && last.current !== key)
      void cache.invalidateQueries({ queryKey: [listed, 'pages'] })
    last.current = key
  }, [cache, listed, key])
}

type Groups = readonly (readonly [string, readonly Match[]])[]

/** Matches by the day in a zone, or by their round where they have no time; both in order of time. */
export function byDay(matches: readonly Match[], zone: string, roundOf: (match: Match) => string = roundName): Groups {
  return [
    ...Map.groupBy(inOrder(matches), (match) =>
      match.scheduledAt === null ? asTitle(roundOf(match)) : dayOf(match.scheduledAt, zone),
    ),
  ]
}

export function byRound(matches: readonly Match[], roundOf: (match: Match) => string): Groups {
  return [...Map.groupBy(matches, (match) => asTitle(roundOf(match)))]
}

/** Those without a time last, by their number. */
export const inOrder = (matches: readonly Match[]): readonly Match[] =>
  matches.toSorted(
    (one, other) => (one.scheduledAt ?? '9').localeCompare(other.scheduledAt ?? '9') || one.number - other.number,
  )
