import { type EventTable, everyMember, type TournamentEvent } from '../../../core/events.ts'

export type AssistantHookEvent =
  /** Maps went to the assistant: how many, and how many did not. */
  TournamentEvent<
    'assistant.pushed',
    {
      after: {
        /** GUID of the pool here. */
        readonly pool: string | null
        /** GUID of the assistant's event. */
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
