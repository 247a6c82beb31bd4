import type { Queue } from '../../../infra/health/types.ts'
import { readWaiting } from './store/waiting.ts'

export const chatDeliveriesQueue: Queue = {
  name: 'chat_deliveries',
  help: 'Updates and announcements that are being sent to the chat.',
  read: readWaiting,
}
