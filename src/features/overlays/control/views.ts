import { type Static, type TSchema, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { ValueType } from '../../../engine/scenes/paths/described.ts'
import { match } from '../../../engine/scenes/paths/records.ts'
import { described } from '../../../engine/scenes/paths/words.ts'
import type { DataTree } from '../../../engine/scenes/tree.ts'
import { UserCard } from '../../people/users/views.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import type { Overlay } from '../overlays/types.ts'
import type { DraftFacts } from '../sceneDocuments/types.ts'
import { type Caster, type Control, mapCards } from './types.ts'

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

/**
 * The schema of the data tree. It is generated from the descriptions of the paths, so that both have the same members.
 */

interface DescribedNode {
  readonly words: string
  readonly of?: Members
  readonly each?: Members | Value
  readonly most?: number | null
}
type Value = readonly [ValueType, words: string]
type Members = { readonly [name: string]: DescribedNode | Value }

function plainOf([type, words]: Value): TSchema {
  const description = words
  switch (type) {
    case 'number':
      return Type.Number({ description })
    case 'boolean':
      return Type.Boolean({ description })
    case 'instant':
      return Type.String({ format: 'date-time', description })
    case 'guid':
      return Type.String({ format: 'uuid', description })
    default:
      return Type.String({ description })
  }
}

/** Every member except lists may be null, if its value is unknown. */
function memberOf(node: DescribedNode | Value): TSchema {
  if (isValue(node)) return nullable(plainOf(node))
  const { words, of, each, most = null } = node
  if (each !== undefined) {
    const bound = most === null ? {} : { maxItems: most }
    const item = isValue(each) ? plainOf(each) : objectOf(each)
    return Type.Array(item, { description: words, ...bound })
  }
  return nullable(objectOf(of ?? {}), words)
}

function objectOf(members: Members): TSchema {
  const title = titles.get(members)
  return Type.Object(
    Object.fromEntries(Object.entries(members).map(([name, node]) => [name, memberOf(node)])),
    title === undefined ? {} : { title },
  )
}

/** Titles of schemas that occur at several places of the tree. */
const titles = new Map<object, string>([[match, 'OverlayMatch']])

function isValue(node: DescribedNode | Value | Members): node is Value {
  return Array.isArray(node)
}

/** Leaves out the members that the page adds from its other topics and its clock. */
const { live: _live, casters: _casters, control: _control, variables: _variables, time: _time, ...node } = described

export const OverlayDataView = Type.Unsafe<DataTree>({
  ...objectOf(node as unknown as Members),
  title: 'OverlayData',
  description: 'What scenes are bound to, as everybody may see it.',
})

export const OutlineView = Type.Object(
  {
    guid: Guid,
    name: Type.String({ examples: ['Main stream'] }),
    tournament: Type.Object({ guid: Guid, id: Type.String(), name: Type.String() }),
    published: nullable(
      Type.Object({ version: Type.Integer(), publishedAt: Instant }),
      'What its pages look like; null as long as nothing is published.',
    ),
  },
  { title: 'OverlayOutline' },
)

export function outlineView(
  { guid, name }: Overlay,
  tournament: Pick<Tournament, 'guid' | 'id' | 'name'>,
  facts: Pick<DraftFacts, 'published'> | undefined,
): Static<typeof OutlineView> {
  const published = facts?.published ?? null
  return {
    guid,
    name,
    tournament: { guid: tournament.guid, id: tournament.id, name: tournament.name },
    published: published === null ? null : { version: published.number, publishedAt: formatInstant(published.at) },
  }
}

/** (overlays: Operations) */
export const OverlayStateView = Type.Object(
  {
    overlay: OutlineView,
    control: ControlView,
    data: OverlayDataView,
    live: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Scores while a song runs, by key (`player:{user}`), as the live topic of the match tells them; empty while nothing is told. Not in the topic.',
      }),
    ),
    serverTime: Type.Optional({ ...Instant, description: 'Now, by the clock of the service. Not in the topic.' }),
  },
  { title: 'OverlayState', description: 'All that a page shows, in one answer.' },
)
