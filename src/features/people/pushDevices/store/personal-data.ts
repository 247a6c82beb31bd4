import { declarePersonalData, deleteRows, rowsOf } from '../../../../infra/db/personal-data.ts'
import { pushDevices } from '../tables.ts'
import { quietHours } from './devices.ts'

/** A user's devices, without the secrets by which messages are sent to them. */
export const pushDevicesPersonalData = declarePersonalData({
  sections: {
    pushDevices: rowsOf(pushDevices, 'userGuid', {
      shows: ['guid', 'name', 'mutedKinds', { quietHours }, 'createdAt', 'updatedAt'],
    }),
  },
  forget: [deleteRows(pushDevices, 'userGuid')],
})
