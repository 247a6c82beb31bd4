import type { TournamentWithParts } from '../../../client/generated.ts'

/** In which state readers meet a tournament. It decides what its first page begins with. */

export type Phase =
  | 'draft'
  /** Registration opens later. */
  | 'soon'
  | 'open'
  /** Registration is over, or not public, and the tournament has not begun. */
  | 'closed'
  | 'running'
  | 'over'
  | 'cancelled'

export type Place = TournamentWithParts

export function phaseOf(
  {
    status,
    publicRegistration,
    registrationOpensAt,
    registrationClosesAt,
    startsAt,
  }: Pick<Place, 'status' | 'publicRegistration' | 'registrationOpensAt' | 'registrationClosesAt' | 'startsAt'>,
  now: number,
): Phase {
  if (status === 'ongoing') return 'running'
  if (status === 'completed') return 'over'
  if (status !== 'approved') return status
  const isPast = (at: string | null) => at !== null && Date.parse(at) <= now
  if (!publicRegistration || isPast(registrationClosesAt) || isPast(startsAt)) return 'closed'
  return registrationOpensAt !== null && !isPast(registrationOpensAt) ? 'soon' : 'open'
}
