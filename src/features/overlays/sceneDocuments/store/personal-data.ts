import { declarePersonalData, deleteRows, rowsOf } from '../../../../infra/db/personal-data.ts'
import { overlayClientLeases, overlayTemplates, overlayVersions } from '../tables.ts'

/** What somebody kept or published belongs to the tournament, and stays without them; their templates are theirs alone. */
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
  // Ids that were lent to them are lent to nobody else: documents know by which they were written.
  forget: [deleteRows(overlayTemplates, 'userGuid'), deleteRows(overlayClientLeases, 'userGuid')],
})
