import type { TournamentWithParts } from '../../../client/generated.ts'
import { type Address, address } from './api.ts'
import type { Reads } from './generated.ts'
import { useRead } from './queries.ts'

/** How far the public is behind in a tournament that holds its results. (V4) */

export type Horizon = Reads['/tournaments/{tournament}/horizon']['body']

export const horizonAddress = (tournament: string): Address<Horizon> =>
  address('/tournaments/{tournament}/horizon', { tournament })

/** For its staff; undefined while it is not known, and where nothing is held. */
export function useHorizon({ id, spoilerMode }: Pick<TournamentWithParts, 'id' | 'spoilerMode'>): Horizon | undefined {
  return useRead(horizonAddress(id), { live: true, enabled: spoilerMode === 'held' }).data
}

/**
 * How late everybody but the staff sees it, in seconds: the longest delay of the tournament and its channels; 0 where
 * nothing is held, and null while the channels are not known.
 */
export function useLateness(tournament: TournamentWithParts | undefined): number | null {
  const isHeld = tournament?.spoilerMode === 'held'
  const at = address('/tournaments/{tournament}/channels', { tournament: tournament?.id ?? '' })
  const read = useRead(at, { live: true, enabled: isHeld })
  if (!isHeld) return 0
  if (read.data === undefined && read.error === null) return null
  const channels = read.data?.channels.map(({ delaySeconds }) => delaySeconds) ?? []
  return Math.max(tournament.streamDelaySeconds, ...channels)
}
