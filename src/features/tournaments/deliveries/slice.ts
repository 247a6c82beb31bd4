import type { Slice } from '../../slice.ts'
import { deliveriesOperations } from './routes.ts'

export const deliveries: Slice = {
  name: 'deliveries',
  tags: { deliveries: 'What was sent to the chat channels of a tournament.' },
  operations: deliveriesOperations,
  parameters: { chatDelivery: { description: 'GUID of a delivery, as the list of deliveries gives it.' } },
}
