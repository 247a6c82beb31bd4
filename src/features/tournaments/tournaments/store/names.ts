import { eq, sql } from 'drizzle-orm'
import type { TournamentRole } from '../../../../core/roles.ts'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { tournaments } from '../tables.ts'
import type { Tournament } from '../types.ts'
import { viewerColumns } from './tournaments.ts'

/** Tournaments that other records name, each with the viewer's roles in it. */

export type NamedTournament = Pick<Tournament, 'guid' | 'id' | 'name'>

export interface SeenName {
  readonly tournament: NamedTournament & Pick<Tournament, 'status' | 'approvedAt' | 'rehearsalOf'>
  readonly isOrganiser: boolean
  readonly roles: readonly TournamentRole[]
  readonly isReviewer: boolean
}

const { isOrganiser, roles, isReviewer } = viewerColumns

const named = statement('tournaments.named', (orm) =>
  orm
    .select({
      tournament: {
        guid: tournaments.guid,
        id: tournaments.id,
        name: tournaments.name,
        status: tournaments.status,
        approvedAt: tournaments.approvedAt,
        rehearsalOf: tournaments.rehearsalOf,
      },
      isOrganiser,
      roles,
      isReviewer,
    })
    .from(tournaments)
    .where(eq(tournaments.guid, sql`any(${sql.placeholder('guids')}::uuid[])`)),
)

/**
 * Returns the tournaments in no particular order, each with the viewer's roles. The policy decides whether the viewer
 * may see them.
 */
export async function listNamesFor(db: Db, guids: readonly string[], viewer: string | null): Promise<SeenName[]> {
  return guids.length === 0 ? [] : named(db, { guids: [...new Set(guids)], viewer })
}
