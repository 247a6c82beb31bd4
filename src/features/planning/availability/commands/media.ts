import { type MediaField, mediaField } from '../../../../infra/media/fields.ts'
import { mayThere, readNamesIn } from '../../../tournaments/tournaments/queries.ts'
import { lockTournament } from '../../../tournaments/tournaments/store/tournaments.ts'
import { mayManageSheet } from '../policy.ts'
import { descriptionColumn, listNamed } from '../store/media.ts'
import { findSheet, lockSheet, updateSheet } from '../store/sheets.ts'

/** The pictures in sheets’ descriptions, for the management of media. Users who manage the sheet may remove them. */
export const sheetMediaFields: readonly MediaField[] = [
  mediaField({
    subject: 'availability_sheet',
    field: 'description',
    kept: descriptionColumn,
    names: async (db, guids, actor) => readNamesIn(db, await listNamed(db, guids), actor, mayManageSheet),
    mayDetach: async (db, actor, guid) => {
      const sheet = await findSheet(db, guid)
      return sheet !== undefined && mayThere(db, actor, sheet.tournamentGuid, (here) => mayManageSheet(here, sheet))
    },
    lock: async (tx, guid) => {
      const found = await findSheet(tx, guid)
      return found && (await lockTournament(tx, found.tournamentGuid)) && lockSheet(tx, guid)
    },
    update: async (tx, sheet, { guid, actorGuid, without, now }) => {
      await updateSheet(tx, guid, { ...sheet, description: without(sheet.description) }, now)
      return { type: 'availability.sheet_updated', subject: guid, tournament: sheet.tournamentGuid, actor: actorGuid }
    },
  }),
]
