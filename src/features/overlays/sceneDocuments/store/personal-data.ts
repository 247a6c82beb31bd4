import { declarePersonalData, deleteRows, rowsOf } from '../../../../infra/db/personal-data.ts'
import { overlayClientLeases, overlayTemplates, overlayVersions } from '../tables.ts'

/** Versions that a user saved or published stay with the tournament, without the user. The user's own templates are deleted. */
export const sceneDocumentsPersonalData = declarePersonalData({
  sections: {
    overlayVersions: rowsOf(overlayVersions, 'by', {
      shows: ['overlayGuid', 'number', 'kind', 'name', 'at'],
      order: ['at'],
    }),
    overlayTemplates: rowsOf(overlayTemplates, 'userGuid', {
      shows: ['guid', 'name', 'description', 'bytes', 'createdAt'],
    }),
  },
  // Client ids that the user had are never given to another user: documents name their writers by these ids.
  forget: [deleteRows(overlayTemplates, 'userGuid'), deleteRows(overlayClientLeases, 'userGuid')],
})
