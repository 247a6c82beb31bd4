import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import { UserCard } from '../../../people/users/views/card.ts'
import type { Overlay } from '../../overlays/types.ts'
import { type Caster, type Control, mapCards } from '../types.ts'

export const CasterView = Type.Object(
  {
    name: Type.String({ examples: ['Quaver'] }),
    pronouns: Type.String({ description: 'Empty where none are told.', examples: ['they/them'] }),
    imageUrl: nullable(Type.String(), 'Of own media, or the picture of the user.'),
    handle: Type.String({ description: 'Where they are found elsewhere; may be empty.', examples: ['@quaver'] }),
    userGuid: nullable(Guid, 'Of the user, where the caster is one.'),
  },
  { title: 'OverlayCaster' },
)

export const CustomView = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
  description: 'Values of one’s own, which scenes may be bound to, by their names.',
})

/** (overlays: Records) */
export const ControlView = Type.Object(
  {
    scene: nullable(
      Type.String({ examples: ['gameplay'] }),
      'Id of the scene of the published document that is shown; null until one is published.',
    ),
    matchGuid: nullable(Guid, 'The match that the overlay points at.'),
    swapSides: Type.Boolean({ description: 'Whether the second side of the match is shown first.' }),
    mapCard: oneOf(mapCards, {
      description: 'Whether the card of the present map is shown: as the scene has it, always, or never.',
    }),
    audio: Type.Object({
      active: Type.Integer({
        minimum: 0,
        maximum: 2,
        description: 'Whose sound is heard: 0 the first side’s that is shown, 1 the second’s, 2 both.',
      }),
      muted: Type.Boolean(),
      volume: Type.Number({ description: '0 to 1.' }),
    }),
    casters: Type.Array(CasterView, { description: 'At most three.' }),
    flavour: Type.String({ description: 'A line of text; may be empty.' }),
    highlighted: Type.Array(Guid, { description: 'GUIDs of matches, at most eight.' }),
    countdownTo: nullable(Instant, 'What the countdown of the scenes runs to.'),
    blank: Type.Boolean({ description: 'Whether nothing is shown at all.' }),
    custom: CustomView,
    autoAdvance: Type.Boolean({
      description: 'Whether scenes follow the match, and the end of the tournament, by themselves.',
    }),
    autoDelayMs: Type.Integer({ description: 'How long the summary of a game is shown then.' }),
    revision: Type.Integer({ description: 'Grows with each change; 0 before the first.', examples: [12] }),
    updatedAt: Instant,
    updatedBy: Type.Optional(
      nullable(UserCard, 'Who changed it last; for staff and editors alone. Null where the match has.'),
    ),
  },
  { title: 'OverlayControl', description: 'What an overlay shows now.' },
)
export type ControlView = Static<typeof ControlView>

export interface ControlParts {
  /** ID of the scene that is shown. */
  readonly scene: string | null
  /** undefined for outsiders. */
  readonly updatedBy?: UserCard | null
}

export function controlView(
  control: Control,
  { createdAt }: Pick<Overlay, 'createdAt'>,
  { scene, updatedBy }: ControlParts,
): ControlView {
  const { matchGuid, swapSides, mapCard, audio, casters, flavour, highlighted } = control
  const { countdownTo, blank, custom, autoAdvance, autoDelayMs, revision } = control
  return {
    scene,
    matchGuid,
    swapSides,
    mapCard,
    audio,
    casters: casters.map(casterView),
    flavour,
    highlighted: [...highlighted],
    countdownTo: formatInstant(countdownTo),
    blank,
    custom: { ...custom },
    autoAdvance,
    autoDelayMs,
    revision,
    updatedAt: formatInstant(control.updatedAt ?? createdAt),
    ...(updatedBy === undefined ? {} : { updatedBy }),
  }
}

function casterView({ name, pronouns, imageUrl, handle, userGuid }: Caster): Static<typeof CasterView> {
  return { name, pronouns, imageUrl, handle, userGuid }
}
