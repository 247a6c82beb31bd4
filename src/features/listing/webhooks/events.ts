import type { Event, EventTable } from '../../../core/events.ts'
import type { WebhookEvent } from '../platforms/types.ts'
import type { Channel } from './types.ts'

/** By channel that was set up: whether it took the sample. */
type Taken = { readonly [Name in Channel]?: boolean }

/** One delivery, or how many of what happened since then. */
type Replayed = { readonly deliveryGuid: string } | { readonly since: string; readonly deliveries: number }

export type WebhooksEvent =
  | Event<'platform.webhooks_tested', { after: { readonly event: WebhookEvent } & Taken }>
  | Event<'platform.deliveries_replayed', { after: Replayed }>

declare module '../../../core/events.ts' {
  interface Events {
    webhooks: WebhooksEvent
  }
}

export const webhooksEvents: EventTable<WebhooksEvent> = {
  'platform.webhooks_tested': {
    subject: 'platform',
    members: { event: 'private', chat: 'private', custom: 'private' },
  },
  'platform.deliveries_replayed': {
    subject: 'platform',
    members: { deliveryGuid: 'private', since: 'private', deliveries: 'private' },
  },
}
