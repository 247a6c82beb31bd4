import type { EventTable, TournamentEvent } from '../../../core/events.ts'

/** Numbers of matches, of which there may be thousands. */
export type ScheduleEvent =
  | TournamentEvent<'schedule.proposed', { after: { readonly placed: number; readonly unplaced: number } }>
  /** `cleared`: those that lost the time that they had. */
  | TournamentEvent<'schedule.applied', { after: { readonly placed: number; readonly cleared: number } }>

declare module '../../../core/events.ts' {
  interface Events {
    schedules: ScheduleEvent
  }
}

export const schedulesEvents: EventTable<ScheduleEvent> = {
  'schedule.proposed': { subject: 'schedule', members: { placed: 'private', unplaced: 'private' } },
  'schedule.applied': { subject: 'schedule', members: { placed: 'private', cleared: 'private' } },
}
