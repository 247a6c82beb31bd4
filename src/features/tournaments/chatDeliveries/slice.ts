import type { Slice } from '../../slice.ts'
import { chatDeliveriesJobs } from './jobs.ts'

export const chatDeliveries: Slice = { name: 'chatDeliveries', jobs: chatDeliveriesJobs }
