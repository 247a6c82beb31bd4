import type { Event, EventTable } from '../../../core/events.ts'

interface OfUser {
  readonly user: string
}

/** Never contains the endpoint of a device or its keys. */
export type PushDeviceEvent =
  | Event<'push_device.saved', { after: OfUser }>
  /** By its user, by another user of the same browser, because its push service no longer knows it, or because the service's key was replaced. */
  | Event<'push_device.removed', { before: OfUser }>

declare module '../../../core/events.ts' {
  interface Events {
    pushDevices: PushDeviceEvent
  }
}

/** The tag that every change of a user's devices touches. */
export function pushDevicesTag(userGuid: string): string {
  return `push_devices:${userGuid}`
}

const ofUser = { subject: 'push_device', members: { user: 'private' } } as const

export const pushDevicesEvents: EventTable<PushDeviceEvent> = {
  'push_device.saved': ofUser,
  'push_device.removed': ofUser,
}
