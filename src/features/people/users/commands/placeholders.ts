import { conflict } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { insertPlaceholders } from '../store/placeholders.ts'
import type { NewPlaceholder } from '../types.ts'

/**
 * Inserts records for people who have not signed in. (additions: People who are not here yet)
 * @throws Problem `team_import.people_changed` if one of them has signed in meanwhile
 */
export async function makePlaceholders(
  tx: Tx,
  people: readonly (NewPlaceholder & { readonly guid: string })[],
  origin: { readonly tournamentGuid: string; readonly actorGuid: string; readonly avatarUrl: string },
): Promise<void> {
  if (people.length === 0) return
  if ((await insertPlaceholders(tx, people, origin)) < people.length) {
    throw conflict('team_import.people_changed', 'Somebody in the sheet has signed in just now; send it again.')
  }
  const guids = people.map(({ guid }) => guid)
  emit(tx, {
    type: 'users.placed',
    subject: origin.tournamentGuid,
    tournament: origin.tournamentGuid,
    actor: origin.actorGuid,
    after: { userGuids: guids },
    touches: guids,
  })
}
