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
 * What data are read by: the match that is shown, the order of its sides, what is highlighted. A tag of its own, so that data are not
 * read anew whenever a text changes that they do not hold.
 */
export function dataTag(overlay: string): string {
  return `${overlay} data`
}

interface Pointed {
  /** GUID. */
  readonly match: string | null
}

export type ControlEvent =
  | TournamentEvent<'overlay.pointed', { before: Pointed; after: Pointed }>
  /** By somebody or, without an actor, because the match went on. */
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
