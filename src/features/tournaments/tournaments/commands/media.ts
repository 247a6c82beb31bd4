import { type MediaField, mediaField } from '../../../../infra/media/fields.ts'
import type { MediaColumn } from '../../../../infra/media/store.ts'
import { organisersAndStaff } from '../../access/policy.ts'
import { mayThere, readNamesFor } from '../queries.ts'
import { bannerColumn, imageColumn, type TextName, textColumn, textNames } from '../store/media.ts'
import { lockTournament, updateTournament } from '../store/tournaments.ts'

/**
 * The pictures of a tournament and in its texts. Media managers see them here, and users who may change the field may
 * unset them. (D29)
 */
export const tournamentMediaFields: readonly MediaField[] = [
  fieldOf('imageUrl', imageColumn),
  fieldOf('bannerUrl', bannerColumn),
  ...textNames.map((name) => fieldOf(name, textColumn(name))),
]

function fieldOf(field: 'imageUrl' | 'bannerUrl' | TextName, kept: MediaColumn): MediaField {
  return mediaField({
    subject: 'tournament',
    field,
    kept,
    names: async (db, guids, actor) => {
      const seen = await readNamesFor(db, guids, actor)
      return new Map([...seen].map(([guid, { name }]) => [guid, name]))
    },
    mayDetach: (db, actor, guid) => mayThere(db, actor, guid, (here) => organisersAndStaff.allows(here, {})),
    lock: lockTournament,
    update: async (tx, { tournament }, { guid, actorGuid, without, now }) => {
      const before = { [field]: tournament[field] }
      const after = { [field]: kept.isText ? without(tournament[field]) : null }
      await updateTournament(tx, guid, after, now)
      return { type: 'tournament.updated', subject: guid, tournament: guid, actor: actorGuid, before, after }
    },
  })
}
