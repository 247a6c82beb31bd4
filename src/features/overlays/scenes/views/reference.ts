import { type Static, Type } from 'typebox'
import { nullable, oneOf } from '../../../../core/schema.ts'
import { bindable } from '../../../../engine/scenes/bindable.ts'
import { elementTypes } from '../../../../engine/scenes/document.ts'
import { formatters } from '../../../../engine/scenes/formatters.ts'
import { type DrawnType, elementParts, usualParts } from '../../../../engine/scenes/parts.ts'
import { paths } from '../../../../engine/scenes/paths/paths.ts'
import { type Sample, type SamplePreset, samplePresets } from '../../../../engine/scenes/samples/samples.ts'
import { sceneSchema } from '../../../../engine/scenes/schema/schema.ts'

/** The reference for authors of overlay documents. (overlays: Operations) */

/** Serialised once, because the whole schema is always sent. */
export const schemaText = JSON.stringify(sceneSchema)

const PathView = Type.Object({
  path: Type.String({
    description: '`{n}` is a place in a list, from 0; `{name}` a name that the document or a controller has chosen.',
    examples: ['sides.{n}.team.name'],
  }),
  type: Type.String({
    description:
      '`text`, `number`, `boolean`, `instant`, `color`, `address`, `guid`; `list` and `object` for what holds others; `plain` for what may be a text, a number or a boolean.',
    examples: ['text'],
  }),
  words: Type.String({ description: 'What stands there.', examples: ['Name'] }),
  most: nullable(Type.Integer(), 'Of a list, the longest that it gets; null where that is open, and for all others.'),
})

const ElementTypeView = Type.Object({
  type: oneOf(elementTypes, { description: 'Of the element.' }),
  bindable: Type.Array(
    Type.Object({
      property: Type.String({ description: 'What `property` of a binding, and `set` of a condition, may name.' }),
      type: Type.String({ description: '`text`, `number`, `boolean`, `color` or `address`.' }),
    }),
    { description: 'What may be bound to the tree, or set by a condition.' },
  ),
  parts: nullable(
    Type.Array(Type.String()),
    'What `parts` of its props may name; null for a type that is not drawn as a whole.',
  ),
  usualParts: nullable(Type.Array(Type.String()), 'Those that are drawn where a document names none.'),
})

export const BindingsView = Type.Object(
  {
    paths: Type.Array(PathView, { description: 'In the order in which the tree is told of.' }),
    elements: Type.Array(ElementTypeView),
    formatters: Type.Array(Type.String(), { description: 'Names of `format` in bindings.', examples: [['percent']] }),
  },
  { title: 'OverlayBindings' },
)

function isDrawn(type: string): type is DrawnType {
  return Object.hasOwn(elementParts, type)
}

export const bindingsView: Static<typeof BindingsView> = {
  paths: paths.map(({ path, type, words, most = null }) => ({ path, type, words, most })),
  elements: elementTypes.map((type) => ({
    type,
    bindable: Object.entries(bindable[type]).map(([property, kind]) => ({ property, type: kind })),
    parts: isDrawn(type) ? [...elementParts[type]] : null,
    usualParts: isDrawn(type) ? [...usualParts(type)] : null,
  })),
  formatters: Object.keys(formatters),
}

/** Other reads describe the format: of the data tree, of the control state and of live values. */
const open = (description: string) => Type.Unsafe<object>({ type: 'object', additionalProperties: true, description })

export const SampleView = Type.Object(
  {
    preset: oneOf(samplePresets, { description: 'The one that was asked for.' }),
    data: open('As the data tree of an overlay is answered.'),
    control: open('As the control state of an overlay is answered; its scene is null.'),
    live: open('By key, as the live topic of an overlay tells them; empty where no song runs.'),
  },
  { title: 'OverlaySample' },
)

export function sampleView(preset: SamplePreset, { data, control, live }: Sample): Static<typeof SampleView> {
  return { preset, data, control, live }
}
