import type { Slice } from '../../slice.ts'
import { pushDevicesEvents } from './events.ts'
import { pushFollower } from './followers.ts'
import { pushDevicesDue, pushDevicesJobs } from './jobs.ts'
import { pushDevicesOperations } from './routes.ts'
import { pushDevicesPersonalData } from './store/personal-data.ts'

export const pushDevices: Slice = {
  name: 'pushDevices',
  tags: { pushDevices: 'The browsers on which a user is told of what concerns them.' },
  operations: pushDevicesOperations,
  parameters: { pushDevice: { description: 'GUID of a device of the signed-in user.' } },
  events: pushDevicesEvents,
  followers: [pushFollower],
  jobs: pushDevicesJobs,
  due: pushDevicesDue,
  personalData: pushDevicesPersonalData,
}
