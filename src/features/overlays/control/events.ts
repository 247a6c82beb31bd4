import { type EventTable, everyMember, type MembersOf, type TournamentEvent } from '../../../core/events.ts'
import type { Control } from './types.ts'

export type ControlMember =
  | 'scene'
  | 'swapSides'
  | 'mapCard'
  | 'audio'
  | 'casters'
  | 'flavour'
  | 'highlighted'
  | 'countdownTo'
  | 'blank'
  | 'custom'
  | 'autoAdvance'
  | 'autoDelayMs'

/**
 * The tag of an overlay's data: its match, the order of the sides, and the highlighted matches. It is separate, so that
 * changes of texts, which the data do not contain, do not cause a new read.
 */
export function dataTag(overlay: string): string {
  return `${overlay} data`
}

interface Pointed {
  /** GUID of the match. */
  readonly match: string | null
}

export type ControlEvent =
  | TournamentEvent<'overlay.pointed', { before: Pointed; after: Pointed }>
  /** The actor is null if the scene followed the match. */
  | TournamentEvent<
      'overlay.control_changed',
      { before: MembersOf<Control, ControlMember>; after: MembersOf<Control, ControlMember> }
    >

declare module '../../../core/events.ts' {
  interface Events {
    control: ControlEvent
  }
}

export const controlEvents: EventTable<ControlEvent> = {
  'overlay.pointed': { subject: 'overlay', members: everyMember(['match'], 'public') },
  'overlay.control_changed': {
    subject: 'overlay',
    members: everyMember(
      [
        ...(['scene', 'swapSides', 'mapCard', 'audio', 'casters', 'flavour', 'highlighted', 'countdownTo'] as const),
        ...(['blank', 'custom', 'autoAdvance', 'autoDelayMs'] as const),
      ],
      'public',
    ),
  },
}
