import { emit } from '../../../../infra/events/emit.ts'
import type { MediaField } from '../../../../infra/media/fields.ts'
import { withoutMedia } from '../../../../infra/media/references.ts'
import type { MediaColumn } from '../../../../infra/media/store.ts'
import { endUsage } from '../../../../infra/media/usages.ts'
import { organisersAndStaff } from '../../access/policy.ts'
import { readNamesFor } from '../queries.ts'
import { bannerColumn, imageColumn, type TextName, textColumn, textNames } from '../store/media.ts'
import { findTournamentFor, lockTournament, updateTournament } from '../store/tournaments.ts'

/**
 * The pictures of a tournament and in its texts. Media managers see them here, and users who may change the field may
 * unset them. (D29)
 */
export const tournamentMediaFields: readonly MediaField[] = [
  mediaField('imageUrl', imageColumn),
  mediaField('bannerUrl', bannerColumn),
  ...textNames.map((name) => mediaField(name, textColumn(name))),
]

function mediaField(field: 'imageUrl' | 'bannerUrl' | TextName, kept: MediaColumn): MediaField {
  const subject = 'tournament'
  return {
    ...{ subject, field, kept },
    names: async (db, guids, actor) => {
      const seen = await readNamesFor(db, guids, actor)
      return new Map([...seen].map(([guid, { name }]) => [guid, name]))
    },
    mayDetach: async (db, actor, guid) => {
      const seen = await findTournamentFor(db, guid, actor.guid)
      if (seen === undefined) return false
      const isOrganiser = seen.tournament.organiserGuid === actor.guid
      return organisersAndStaff.allows({ ...actor, isOrganiser, roles: new Set(seen.roles) }, {})
    },
    detach: async (tx, guid, { mediaGuid, actorGuid, services, now }) => {
      const locked = await lockTournament(tx, guid)
      if (locked === undefined) return false
      if (!(await endUsage(tx, { subject, subjectGuid: guid, field, mediaGuid }, now))) return false
      const before = locked.tournament[field]
      const after = kept.isText ? withoutMedia(services.config.media.url, before ?? '', mediaGuid) : null
      await updateTournament(tx, guid, { [field]: after }, now)
      emit(tx, {
        type: 'tournament.updated',
        subject: guid,
        tournament: guid,
        actor: actorGuid,
        before: { [field]: before },
        after: { [field]: after },
      })
      return true
    },
  }
}
