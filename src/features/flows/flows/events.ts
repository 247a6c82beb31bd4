import { type EventTable, everyMember, type TournamentEvent } from '../../../core/events.ts'
import type { FlowPlan } from './types.ts'

interface Named {
  readonly name: string
}

/** The default flow, and the numbers of brackets and matches with a flow of their own. */
interface Planned extends Pick<FlowPlan, 'revision' | 'default'> {
  readonly brackets: number
  readonly matches: number
}

export type FlowEvent =
  | TournamentEvent<'flow.created', { after: Named }>
  | TournamentEvent<'flow.updated', { before: Named; after: Named }>
  | TournamentEvent<'flow.deleted', { before: Named }>
  | TournamentEvent<'flow_plan.updated', { before: Planned; after: Planned }>

declare module '../../../core/events.ts' {
  interface Events {
    flows: FlowEvent
  }
}

/** Everybody may see flows, so the events are public. They leave out the steps; readers load the flow. */
export const flowsEvents: EventTable<FlowEvent> = {
  'flow.created': { subject: 'flow', isPublic: true, members: { name: 'public' } },
  'flow.updated': { subject: 'flow', isPublic: true, members: { name: 'public' } },
  'flow.deleted': { subject: 'flow', isPublic: true, members: { name: 'public' } },
  'flow_plan.updated': {
    subject: 'tournament',
    isPublic: true,
    members: everyMember(['revision', 'default', 'brackets', 'matches'], 'public'),
  },
}
