import type { EventTable, TournamentEvent } from '../../../core/events.ts'

/** Has only numbers of matches, as there may be thousands of them. */
export type ScheduleEvent =
  | TournamentEvent<'schedule.proposed', { after: { readonly placed: number; readonly unplaced: number } }>
  /** `cleared`: the number of matches that lost their former times. */
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
