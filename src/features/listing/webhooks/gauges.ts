import type { Gauge } from '../../../infra/metrics.ts'
import { countWaiting, secondsWaited } from './store/deliveries.ts'

export const webhooksGauges: readonly Gauge[] = [
  { name: 'webhook_deliveries_waiting', help: 'Webhook deliveries that are in the queue.', read: countWaiting },
  {
    name: 'webhook_deliveries_oldest_seconds',
    help: 'How long the webhook delivery that has waited longest has been in the queue.',
    read: secondsWaited,
  },
]
