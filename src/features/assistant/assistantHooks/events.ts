import { type EventTable, everyMember, type TournamentEvent } from '../../../core/events.ts'

export type AssistantHookEvent =
  /** Maps were pushed to the assistant. The event counts those that were pushed and those that failed. */
  TournamentEvent<
    'assistant.pushed',
    {
      after: {
        /** GUID of the pool in this service. */
        readonly pool: string | null
        /** GUID of the event at the assistant. */
        readonly qualifier: string | null
        readonly added: number
        readonly updated: number
        readonly removed: number
        readonly failed: number
      }
    }
  >

declare module '../../../core/events.ts' {
  interface Events {
    assistantHooks: AssistantHookEvent
  }
}

export const assistantHooksEvents: EventTable<AssistantHookEvent> = {
  'assistant.pushed': {
    subject: 'tournament',
    members: everyMember(['pool', 'qualifier', 'added', 'updated', 'removed', 'failed'], 'private'),
  },
}
