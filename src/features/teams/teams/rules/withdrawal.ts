import { conflict } from '../../../../core/problem.ts'
import type { Team } from '../types.ts'

/**
 * A team can withdraw only once. (D54)
 * @throws Problem `team.withdrawn`
 */
export function checkNotWithdrawn({ withdrawnAt }: Pick<Team, 'withdrawnAt'>): void {
  if (withdrawnAt !== null) throw conflict('team.withdrawn', 'The team has withdrawn already.')
}

type Leaver = Pick<Team, 'guid' | 'name' | 'tournamentGuid'>

/**
 * A withdrawn team can take part again only after its withdrawal is taken back; everything else is refused, for every
 * caller. (D60)
 * @param data further members of the error
 * @throws Problem `team.withdrawn`
 */
export function checkIsBack(team: Leaver & Pick<Team, 'withdrawnAt'>, data?: Readonly<Record<string, unknown>>): void {
  if (team.withdrawnAt !== null) throw conflict('team.withdrawn', withdrawnMessage(team), data)
}

export function withdrawnMessage({ guid, name, tournamentGuid }: Leaver): string {
  return `“${name}” has withdrawn; take that back first with DELETE /tournaments/${tournamentGuid}/teams/${guid}/withdrawal.`
}
