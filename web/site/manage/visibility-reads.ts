import { address } from '../data/api.ts'
import { useFacts, useRead, useRenewal } from '../data/queries.ts'
import { useMay, useTournament } from '../data/tournament.ts'

/**
 * Where the tournament wants to be seen, and what was decided. It is no topic of its own: a decision reaches the
 * organiser as a notification, and an approval changes the tournament.
 */
export function useVisibility() {
  const { id = '', updatedAt } = useTournament().data ?? {}
  const may = useMay()
  const at = address('/tournaments/{tournament}/visibility', { tournament: id })
  const read = useRead(at, { enabled: id !== '' && may('visibility.read') })
  useRenewal(at, updatedAt)
  useFacts(address('/users/@me/notifications', {}), () => {
    if (read.data !== undefined) void read.refetch()
  })
  return read
}
