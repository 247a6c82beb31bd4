import { useMemo } from 'react'
import { address } from '../data/api.ts'
import { useRead, useReader } from '../data/queries.ts'

/** The GUIDs of the teams that the reader plays in, in all tournaments. */
export function useOwnTeams(): ReadonlySet<string> {
  const { user } = useReader()
  const { data } = useRead(user ? address('/userWithOngoingTournaments/{user}', { user: user.guid }) : null)
  return useMemo(() => new Set(data?.playerRoles.map(({ team }) => team.guid)), [data])
}
