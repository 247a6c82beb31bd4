import { declarePersonalData, deleteRows } from '../../../infra/db/personal-data.ts'
import { deleteInBatches } from '../../../infra/jobs/batches.ts'
import type { Job } from '../../../infra/jobs/jobs.ts'
import { listConnectionsOf } from '../../../infra/realtime/store/connections.ts'
import { deleteOldTickets } from '../../../infra/realtime/store/tickets.ts'
import { connections as held, connectionTickets as tickets } from '../../../infra/realtime/tables.ts'
import type { Slice } from '../../slice.ts'
import { connectionsEvents } from './events.ts'
import { connectionsOperations } from './routes.ts'

const sweep: Job = {
  name: 'connections.sweep',
  cron: '27 * * * *',
  run: (_payload, { database }) => deleteInBatches(database, deleteOldTickets),
}

export const connections: Slice = {
  name: 'connections',
  tags: { realtime: 'Connections of users, and what can be followed over them.' },
  operations: connectionsOperations,
  parameters: { connection: { description: 'GUID of one of the caller’s connections.' } },
  events: connectionsEvents,
  jobs: [sweep],
  personalData: declarePersonalData({
    sections: { connections: () => listConnectionsOf },
    forget: [deleteRows(tickets, 'userGuid'), deleteRows(held, 'userGuid')],
  }),
}
