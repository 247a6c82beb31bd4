import { useMemo } from 'react'
import type { Match, Team } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { type Read, useRead } from '../../data/queries.ts'

/** Who plays: the members of both teams. Games and live values name users by their GUIDs alone. */

/** 0 for the first side, 1 for the second. */
export type Index = 0 | 1
export const indexes: readonly Index[] = [0, 1]

export interface People {
  readonly teams: readonly [Team | undefined, Team | undefined]
  readonly nameOf: (user: string) => string | undefined
  readonly sideOf: (user: string) => Index | undefined
  /** The teams are still asked for. */
  readonly isLoading: boolean
  /** Why one of them is not known. */
  readonly error: Error | null
  readonly again: () => void
}

export const ownName = (user: { readonly preferredName: string | null; readonly username: string }): string =>
  user.preferredName || user.username

export function usePeople({ sides }: Match, tournament: string): People {
  const [first, second] = indexes.map((at) => sides[at]?.team?.id)
  const [own, others] = [useTeam(tournament, first), useTeam(tournament, second)]
  const [one, two, isLoading] = [own.data, others.data, own.isLoading || others.isLoading]
  const error = own.error ?? others.error
  const [askOne, askTwo] = [own.refetch, others.refetch]
  return useMemo(() => {
    const known = new Map(
      [one, two].flatMap((team, at) =>
        (team?.members ?? []).map(({ user }) => [user.guid, { name: ownName(user), side: at as Index }] as const),
      ),
    )
    return {
      teams: [one, two],
      nameOf: (user) => known.get(user)?.name,
      sideOf: (user) => known.get(user)?.side,
      isLoading,
      error,
      again: () => void Promise.all([one === undefined && askOne(), two === undefined && askTwo()]),
    }
  }, [one, two, isLoading, error, askOne, askTwo])
}

export const teamAddress = (tournament: string, team: string) =>
  address('/tournaments/{tournament}/teams/{team}', { tournament, team })

function useTeam(tournament: string, team: string | undefined): Read<Team> {
  return useRead(team === undefined ? null : teamAddress(tournament, team))
}
