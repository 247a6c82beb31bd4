import { desc, eq } from 'drizzle-orm'
import { clear, declarePersonalData, deleteRows, pick, rowsOf } from '../../../../infra/db/personal-data.ts'
import { overlayEditors, overlays, overlayTokens } from '../tables.ts'

/** The overlays that name the user as an editor, and the tokens that the user made. */
export const overlaysPersonalData = declarePersonalData({
  sections: {
    overlaysEdited: rowsOf(overlayEditors, 'userGuid', {
      join: [overlays, eq(overlays.guid, overlayEditors.overlayGuid)],
      shows: ['overlayGuid', pick(overlays, 'tournamentGuid', 'name'), 'addedAt'],
      order: ['addedAt', desc(overlays.guid)],
    }),
    // Without the secrets.
    overlayTokens: rowsOf(overlayTokens, 'createdBy', {
      shows: ['guid', 'overlayGuid', 'label', 'preview', 'expiresAt', 'createdAt'],
    }),
  },
  // Pages of a broadcast must keep working: the tokens stay without an owner.
  forget: [deleteRows(overlayEditors, 'userGuid'), clear(overlayTokens, 'createdBy')],
})
