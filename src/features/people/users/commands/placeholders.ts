import { conflict } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { insertPlacedPeople, insertPlaceholders } from '../store/placeholders.ts'
import type { NewPlaceholder, PlacedPerson } from '../types.ts'

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
  emitPlaced(tx, people, origin)
}

/**
 * Inserts records for the people of an imported tournament. None is put anywhere as the account that they may have here:
 * that takes its place itself. (P6)
 */
export async function placePeople(
  tx: Tx,
  people: readonly PlacedPerson[],
  origin: { readonly tournamentGuid: string; readonly actorGuid: string; readonly avatarUrl: string },
): Promise<void> {
  if (people.length === 0) return
  await insertPlacedPeople(tx, people, origin)
  emitPlaced(tx, people, origin)
}

function emitPlaced(
  tx: Tx,
  people: readonly { readonly guid: string }[],
  { tournamentGuid, actorGuid }: { readonly tournamentGuid: string; readonly actorGuid: string },
): void {
  const guids = people.map(({ guid }) => guid)
  emit(tx, {
    type: 'users.placed',
    subject: tournamentGuid,
    tournament: tournamentGuid,
    actor: actorGuid,
    after: { userGuids: guids },
    touches: guids,
  })
}
