import type { Slice } from '../../slice.ts'
import { chatDeliveriesQueue } from './queues.ts'
import { chatDeliveriesJobs } from './jobs.ts'

export const chatDeliveries: Slice = { name: 'chatDeliveries', jobs: chatDeliveriesJobs, queues: [chatDeliveriesQueue] }
