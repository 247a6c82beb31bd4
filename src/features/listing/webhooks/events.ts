import type { Event, EventTable } from '../../../core/events.ts'
import type { WebhookEvent } from '../platforms/types.ts'
import type { Channel, Delivery, DeliveryStatus } from './types.ts'

/** For each channel with an address: whether it accepted the sample. */
type Taken = { readonly [Name in Channel]?: boolean }

/** One delivery, or the number of deliveries since a time. */
type Replayed = { readonly deliveryGuid: string } | { readonly since: string; readonly deliveries: number }

export type WebhooksEvent =
  | Event<'platform.webhooks_tested', { after: { readonly event: WebhookEvent } & Taken }>
  | Event<'platform.deliveries_replayed', { after: Replayed }>
  /**
   * The first attempt of a delivery failed, or the delivery was given up (`failed`); it succeeded afterwards
   * (`recovered`).
   */
  | Event<
      'platform.delivery_failed' | 'platform.delivery_recovered',
      {
        before: { readonly status: DeliveryStatus }
        after: Pick<Delivery, 'channel' | 'event' | 'status' | 'attempts'>
      }
    >

declare module '../../../core/events.ts' {
  interface Events {
    webhooks: WebhooksEvent
  }
}

/** The tag of a platform's deliveries: touched by every outcome of one. */
export function deliveriesTag(platformGuid: string): string {
  return `deliveries:${platformGuid}`
}

const fate = {
  subject: 'delivery',
  members: { channel: 'private', event: 'private', status: 'private', attempts: 'private' },
} as const

export const webhooksEvents: EventTable<WebhooksEvent> = {
  'platform.webhooks_tested': {
    subject: 'platform',
    members: { event: 'private', chat: 'private', custom: 'private' },
  },
  'platform.deliveries_replayed': {
    subject: 'platform',
    members: { deliveryGuid: 'private', since: 'private', deliveries: 'private' },
  },
  'platform.delivery_failed': fate,
  'platform.delivery_recovered': fate,
}
