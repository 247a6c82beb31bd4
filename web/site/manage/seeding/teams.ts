import { useMemo } from 'react'
import type { Team } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useEveryPage } from '../../data/every-page.ts'
import { usePages } from '../../data/queries.ts'
import { useTournamentId } from '../../data/tournament.ts'

/** All teams that may play: registered or qualified, and not withdrawn. */
export function useTeams() {
  const tournament = useTournamentId()
  const pages = usePages(
    address('/tournaments/{tournament}/teams', { tournament }, { status: 'registered,qualified', limit: 100 }),
  )
  const { hasNextPage } = pages
  const rest = useEveryPage(pages)
  const teams = useMemo(
    () => pages.data?.pages.flatMap((page) => page.teams).filter(({ withdrawnAt }) => withdrawnAt === null),
    [pages.data],
  )
  return { teams: hasNextPage ? undefined : teams, ...rest, error: rest.error ?? pages.error }
}

export type PlayingTeam = Team
