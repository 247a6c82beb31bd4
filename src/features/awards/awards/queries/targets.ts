import type { SignedIn } from '../../../../core/actor.ts'
import { isGuid } from '../../../../core/ids.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { findUser } from '../../../people/users/store/users.ts'
import { findTeamByGuid } from '../../../teams/teams/store/teams.ts'
import { isPublic } from '../../../tournaments/tournaments/policy.ts'
import { findTournamentFor } from '../../../tournaments/tournaments/store/tournaments.ts'
import { unknownTarget } from '../rules/nominating.ts'
import type { NomineeType } from '../types.ts'

interface Found {
  readonly guid: string
  readonly name: string
}

/**
 * Finds a record by its identifier. Everybody must be allowed to see it, because nominees become public. (D5, D6)
 * @throws Problem `award.target_unknown`
 */
export async function findTarget(
  db: Db,
  actor: SignedIn,
  type: Extract<NomineeType, 'user' | 'tournament' | 'team'>,
  identifier: string,
): Promise<Found> {
  const found = await finders[type](db, identifier === '@me' && type === 'user' ? actor.guid : identifier)
  if (found === undefined) throw unknownTarget(type)
  return found
}

type Finder = (db: Db, identifier: string) => Promise<Found | undefined>

const findPublicTournament: Finder = async (db, identifier) => {
  const tournament = (await findTournamentFor(db, identifier, null))?.tournament
  return tournament !== undefined && isPublic(tournament) ? tournament : undefined
}

const finders = {
  user: async (db: Db, identifier: string) => {
    const user = await findUser(db, identifier)
    return user && { guid: user.guid, name: user.preferredName }
  },
  tournament: findPublicTournament,
  // The short id of a team is unique only within its tournament, so a team needs a GUID.
  team: async (db: Db, identifier: string) => {
    const team = isGuid(identifier) ? await findTeamByGuid(db, identifier.toLowerCase()) : undefined
    const isShown = team !== undefined && (await findPublicTournament(db, team.tournamentGuid)) !== undefined
    return isShown ? team : undefined
  },
} satisfies Readonly<Record<string, Finder>>
