import type { Slice } from '../../slice.ts'
import { chatDeliveriesDue, chatDeliveriesJobs } from './jobs.ts'
import { chatDeliveriesQueue } from './queues.ts'

export const chatDeliveries: Slice = {
  name: 'chatDeliveries',
  jobs: chatDeliveriesJobs,
  due: chatDeliveriesDue,
  queues: [chatDeliveriesQueue],
}
