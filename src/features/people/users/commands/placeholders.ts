import { randomUUID } from 'node:crypto'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { insertPlaceholders } from '../store/placeholders.ts'
import type { NewPlaceholder } from '../types.ts'

/**
 * Inserts records for people who have not signed in, in the order in which they are given, and returns their GUIDs.
 * Somebody else may have inserted one for a chat account meanwhile; its GUID is returned then. (additions: People who
 * are not here yet)
 */
export async function makePlaceholders(
  tx: Tx,
  people: readonly NewPlaceholder[],
  origin: { readonly tournamentGuid: string; readonly actorGuid: string; readonly avatarUrl: string },
): Promise<readonly string[]> {
  if (people.length === 0) return []
  const rows = people.map((person) => ({ ...person, guid: randomUUID() }))
  const byChatId = await insertPlaceholders(tx, rows, origin)
  const guids = rows.map(({ guid, chatPlatformId }) => byChatId.get(chatPlatformId ?? '') ?? guid)
  emit(tx, {
    type: 'users.placed',
    subject: origin.tournamentGuid,
    tournament: origin.tournamentGuid,
    actor: origin.actorGuid,
    after: { userGuids: guids },
    touches: guids,
  })
  return guids
}
