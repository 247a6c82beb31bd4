import type { Slice } from '../../slice.ts'
import { chatDeliveriesJobs } from './jobs.ts'
import { chatDeliveriesQueue } from './queues.ts'

export const chatDeliveries: Slice = { name: 'chatDeliveries', jobs: chatDeliveriesJobs, queues: [chatDeliveriesQueue] }
