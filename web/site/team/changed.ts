import type { Team } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { useTournamentId } from '../data/tournament.ts'
import type { Known } from '../data/writes.ts'

export const teamAddress = (tournament: string, team: string) =>
  address('/tournaments/{tournament}/teams/{team}', { tournament, team })

/** What keeps the reader's team from its place; of a reader without a team, that they have none. */
export const eligibilityAddress = (tournament: string) =>
  address('/tournaments/{tournament}/registration-eligibility', { tournament })

/** What a change of a team does to what is known. */
export function useChanged(team: Pick<Team, 'guid'>) {
  const tournament = useTournamentId()
  return (known: Known, changed?: Team) => {
    if (changed !== undefined) known.put(teamAddress(tournament, team.guid), changed)
    else known.renew(`/tournaments/${tournament}/teams`)
    known.renew(eligibilityAddress(tournament))
    known.renew(`/tournaments/${tournament}/registrations`)
  }
}
