import type { Queue } from '../../../infra/health/types.ts'
import { countWaiting, secondsWaited } from './store/deliveries.ts'

export const webhooksQueue: Queue = {
  name: 'webhook_deliveries',
  help: 'Webhook deliveries that are in the queue.',
  read: async (db) => {
    const [waiting, oldestSeconds] = await Promise.all([countWaiting(db), secondsWaited(db)])
    return { waiting, oldestSeconds }
  },
}
