import type { Slice } from '../../slice.ts'
import { webhooksEvents } from './events.ts'
import { webhooksFollower } from './followers.ts'
import { webhooksJobs } from './jobs.ts'
import { webhooksQueue } from './queues.ts'
import { webhooksOperations } from './routes.ts'
import { webhooksPersonalData } from './store/personal-data.ts'

export const webhooks: Slice = {
  name: 'webhooks',
  tags: { webhooks: 'What platforms are told of by HTTP, with every attempt.' },
  operations: webhooksOperations,
  events: webhooksEvents,
  parameters: { delivery: { description: 'GUID of a delivery to the webhook of the platform.' } },
  jobs: webhooksJobs,
  followers: [webhooksFollower],
  queues: [webhooksQueue],
  personalData: webhooksPersonalData,
}
