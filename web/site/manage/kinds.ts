import type { ChatDelivery } from '../../../client/generated.ts'
import { type WordId, words } from '../data/words.ts'

/** What is announced in the chat of a tournament by itself, in the order of an evening. */

export type Kind = NonNullable<ChatDelivery['announcement']>

export const kindGroups = [
  ['registration', ['registration_opened', 'registration_closing', 'team_registered']],
  ['draw', ['bracket_published', 'pool_published', 'schedule_changed']],
  ['play', ['round_ready', 'match_called', 'match_started', 'stream_live', 'match_finished', 'placements']],
] as const satisfies readonly (readonly [string, readonly Kind[]])[]

export const kinds: readonly Kind[] = kindGroups.flatMap(([, each]) => each)

export const kindWord = (kind: Kind) => words(`kind.${kind}` as WordId)

/** The tournament's own webhook; others go by their labels. */
export const mainChannel = 'main'

export const channelName = (channel: string) => (channel === mainChannel ? words('kind.main') : channel)
