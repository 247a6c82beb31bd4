import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { UserCard } from '../../../client/generated.ts'
import { address, request } from '../data/api.ts'
import { useRead, useReader } from '../data/queries.ts'
import { eligibilityAddress } from '../team/changed.ts'

/** Which teams are the reader's. */

const playedAddress = (user: string) => address('/userWithOngoingTournaments/{user}', { user })

/** The GUIDs of the teams that the reader plays in, in all tournaments. */
export function useOwnTeams(): ReadonlySet<string> {
  const { user } = useReader()
  const { data } = useRead(user ? playedAddress(user.guid) : null)
  return useMemo(() => new Set(data?.playerRoles.map(({ team }) => team.guid)), [data])
}

interface OwnTeam {
  /** The GUID of the team; null where the reader is in none. */
  readonly data: string | null | undefined
  readonly error: Error | null
  readonly isFetching: boolean
  readonly refetch: () => unknown
}

/**
 * The reader's team in a tournament. Teams of a user are read of tournaments in the main listing alone; in all others,
 * eligibility tells whether there is one, and the list of teams which.
 */
export function useOwnTeam(
  tournament: { readonly guid: string; readonly id: string } | undefined,
  user: UserCard,
): OwnTeam {
  const played = useRead(playedAddress(user.guid))
  const listed = played.data?.playerRoles.find((role) => role.tournament.guid === tournament?.guid)?.team.guid
  const isUnlisted = played.isSuccess && tournament !== undefined && listed === undefined
  const verdict = useRead(isUnlisted ? eligibilityAddress(tournament.id) : null)
  const isNone = verdict.data?.team.failures.some(({ code }) => code === 'team.none') === true
  const found = useQuery({
    queryKey: [teamsAddress(tournament?.id ?? ''), 'with', user.guid],
    queryFn: ({ signal }) => findTeamOf(user.guid, teamsAddress(tournament?.id ?? ''), signal),
    enabled: isUnlisted && verdict.isSuccess && !isNone,
  })
  if (listed !== undefined) return { ...stateOf(played), data: listed }
  if (!isUnlisted) return { ...stateOf(played), data: undefined }
  if (isNone) return { ...stateOf(verdict), data: null }
  return verdict.isSuccess ? { ...stateOf(found), data: found.data } : { ...stateOf(verdict), data: undefined }
}

const stateOf = ({ error, isFetching, refetch }: Omit<OwnTeam, 'data'>) => ({ error, isFetching, refetch })

const teamsAddress = (tournament: string) => address('/tournaments/{tournament}/teams', { tournament }, { limit: 100 })

async function findTeamOf(
  user: string,
  teams: ReturnType<typeof teamsAddress>,
  signal: AbortSignal,
): Promise<string | null> {
  type Page = NonNullable<(typeof teams)['__body']>
  let before = ''
  for (;;) {
    const page: Page = await request<Page>(`${teams}${before}`, { signal })
    const own = page.teams.find(({ members }) => members.some((member) => member.user.guid === user))
    if (own !== undefined) return own.guid
    if (page.nextCursor === null) return null
    before = `&before=${encodeURIComponent(page.nextCursor)}`
  }
}
