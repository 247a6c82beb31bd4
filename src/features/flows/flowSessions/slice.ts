import type { Slice } from '../../slice.ts'
import { flowSessionsEvents } from './events.ts'
import { sessionEnder } from './followers.ts'
import { findAddressed, resolveFlowSession } from './resolve.ts'
import { flowSessionsOperations } from './routes.ts'
import { flowSessionsPersonalData } from './store/personal-data.ts'

export const flowSessions: Slice = {
  name: 'flowSessions',
  tags: { flowSessions: 'How matches are picked and played, turn by turn, and sessions without a match.' },
  operations: flowSessionsOperations,
  parameters: {
    flowSession: {
      description: 'GUID of a session of a flow that the caller may see.',
      ahead: findAddressed,
      resolve: resolveFlowSession,
      problems: { 'flow.session_unknown': 'missing' },
    },
  },
  events: flowSessionsEvents,
  followers: [sessionEnder],
  personalData: flowSessionsPersonalData,
}
