import { desc, eq } from 'drizzle-orm'
import { clear, declarePersonalData, deleteRows, pick, rowsOf } from '../../../../infra/db/personal-data.ts'
import { overlayEditors, overlays, overlayTokens } from '../tables.ts'

/** Which overlays somebody may edit by name, and which tokens they made. */
export const overlaysPersonalData = declarePersonalData({
  sections: {
    overlaysEdited: rowsOf(overlayEditors, 'userGuid', {
      join: [overlays, eq(overlays.guid, overlayEditors.overlayGuid)],
      shows: ['overlayGuid', pick(overlays, 'tournamentGuid', 'name'), 'addedAt'],
      order: ['addedAt', desc(overlays.guid)],
    }),
    // Without what would let somebody use them.
    overlayTokens: rowsOf(overlayTokens, 'createdBy', {
      shows: ['guid', 'overlayGuid', 'label', 'preview', 'expiresAt', 'createdAt'],
    }),
  },
  // Pages of a broadcast go on: its tokens stay, and are nobody's.
  forget: [deleteRows(overlayEditors, 'userGuid'), clear(overlayTokens, 'createdBy')],
})
