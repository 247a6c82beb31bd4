import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { Channel, Match } from '../../../../client/generated.ts'
import { type Address, address } from '../../data/api.ts'
import type { Reads } from '../../data/generated.ts'
import { useFacts, usePages, useRead } from '../../data/queries.ts'
import { useTournament, useTournamentId } from '../../data/tournament.ts'
import { useChannels } from '../../tournament/channels.tsx'
import { answersIn } from './answers.ts'
import type { Board, Rules } from './clashes.ts'

/** All matches with their times, as those who plan them see them now, and what their times depend on. */

type Body = Reads['/tournaments/{tournament}/matches']['body']

const listed = (tournament: string): Address<Body> =>
  address('/tournaments/{tournament}/matches', { tournament }, { limit: 100 })

export function useMatches() {
  const tournament = useTournamentId()
  const pages = usePages(listed(tournament))
  const { hasNextPage, isFetching, fetchNextPage, refetch } = pages
  // A plan with matches left out would tell that these hours are free.
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage])
  useFacts(address('/tournaments/{tournament}/matches', { tournament }), refetch)
  const matches = useMemo(() => {
    if (pages.data === undefined || hasNextPage) return undefined
    return pages.data.pages.flatMap((page) => page.matches)
  }, [pages.data, hasNextPage])
  return { ...pages, data: matches }
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

export interface Plan extends Board {
  readonly zone: string
  readonly channels: readonly Channel[]
  /** Of the matches with that address, by it. */
  readonly channelByUrl: ReadonlyMap<string, Channel>
}

export function usePlan(rules: Rules) {
  const tournament = useTournamentId()
  const record = useTournament()
  const matches = useMatches()
  const channels = useChannels(tournament)
  // Without the answers, everything else can still be planned.
  const state = useRead(availabilityAddress(tournament), { live: true })
  const answers = useMemo(() => answersIn(state.data), [state.data])
  const { minutes, rest } = rules
  const plan = useMemo((): Plan | undefined => {
    if (record.data === undefined || matches.data === undefined || channels.data === undefined) return undefined
    const { startsAt, endsAt, timezone } = record.data
    return {
      matches: matches.data,
      byGuid: new Map(matches.data.map((match) => [match.guid, match])),
      answers,
      rules: { minutes, rest },
      startsAt,
      endsAt,
      zone: timezone,
      channels: channels.data.channels,
      channelByUrl: new Map(channels.data.channels.map((channel) => [channel.url, channel])),
    }
  }, [record.data, matches.data, channels.data, answers, minutes, rest])
  const failed = [record, matches, channels].find(({ error, data }) => error !== null && data === undefined)
  return {
    plan: {
      data: plan,
      error: failed?.error ?? null,
      isFetching: failed?.isFetching ?? false,
      refetch: () => {
        for (const each of [record, matches, channels]) if (each.data === undefined) void each.refetch()
      },
    },
    sheets: state,
  }
}
