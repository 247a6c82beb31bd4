import { emit } from '../../../../infra/events/emit.ts'
import type { MediaField } from '../../../../infra/media/fields.ts'
import { withoutMedia } from '../../../../infra/media/references.ts'
import { endUsage } from '../../../../infra/media/usages.ts'
import { readNamesIn } from '../../../tournaments/tournaments/queries.ts'
import { findTournamentFor, lockTournament } from '../../../tournaments/tournaments/store/tournaments.ts'
import { mayManageSheet } from '../policy.ts'
import { descriptionColumn, listNamed } from '../store/media.ts'
import { findSheet, lockSheet, updateSheet } from '../store/sheets.ts'

const subject = 'availability_sheet'
const field = 'description'

/**
 * The pictures in the descriptions of sheets. Media managers see them here, and users who manage the sheet may remove
 * them.
 */
export const sheetMediaFields: readonly MediaField[] = [
  {
    ...{ subject, field, kept: descriptionColumn },
    names: async (db, guids, actor) => readNamesIn(db, await listNamed(db, guids), actor, mayManageSheet),
    mayDetach: async (db, actor, guid) => {
      const sheet = await findSheet(db, guid)
      const seen = sheet && (await findTournamentFor(db, sheet.tournamentGuid, actor.guid))
      if (sheet === undefined || seen === undefined) return false
      const isOrganiser = seen.tournament.organiserGuid === actor.guid
      return mayManageSheet({ ...actor, isOrganiser, roles: new Set(seen.roles) }, sheet)
    },
    detach: async (tx, guid, { mediaGuid, actorGuid, services, now }) => {
      const found = await findSheet(tx, guid)
      if (found === undefined || (await lockTournament(tx, found.tournamentGuid)) === undefined) return false
      const sheet = await lockSheet(tx, guid)
      if (sheet === undefined) return false
      if (!(await endUsage(tx, { subject, subjectGuid: guid, field, mediaGuid }, now))) return false
      const description = withoutMedia(services.config.media.url, sheet.description ?? '', mediaGuid)
      await updateSheet(tx, guid, { ...sheet, description }, now)
      emit(tx, {
        ...{ type: 'availability.sheet_updated', subject: guid, tournament: sheet.tournamentGuid, actor: actorGuid },
      })
      return true
    },
  },
]
