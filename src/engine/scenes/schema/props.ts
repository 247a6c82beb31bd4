import type { ElementType } from '../document.ts'
import { type DrawnType, elementParts, usualParts } from '../parts.ts'
import { closed, type JsonSchema, number, ref, whole, yesNo } from './values.ts'

/** The schemas of `props`, which differ by type of element. (overlays: Scene document, OV1) */

const weights = [400, 500, 600, 700, 800, 900] as const

/**
 * Family of one of the document's fonts, or one of the four that every page has: `sans`, `serif`, `mono`, `display`.
 */
const font: JsonSchema = { type: 'string', pattern: '^[A-Za-z0-9 ]{1,40}$' }

const lettering = {
  font,
  weight: { enum: weights },
  italic: yesNo,
  size: number(4, 600),
  color: ref('color'),
  align: { enum: ['left', 'center', 'right'] },
  verticalAlign: { enum: ['top', 'middle', 'bottom'] },
  lineHeight: number(0.5, 4),
  letterSpacing: number(-50, 200),
  case: { enum: ['none', 'upper', 'lower'] },
  fit: { enum: ['clip', 'ellipsis', 'shrink', 'wrap'] },
  outline: closed({ width: number(0, 50), color: ref('color') }),
} as const

const fitting: JsonSchema = { enum: ['contain', 'cover', 'fill'] }
const gap = number(0, 1_000)
const path = ref('path')
const directions = ['up', 'down', 'left', 'right'] as const

/** Schema for elements that the page draws from the tree: which parts are shown, and how. */
function drawn(type: DrawnType, more: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
  const parts = elementParts[type]
  return closed({
    parts: {
      type: 'array',
      maxItems: parts.length,
      uniqueItems: true,
      items: { enum: parts },
      description: `Of what is drawn, what is shown; none, or an empty list: ${usualParts(type).join(', ')}.`,
    },
    color: ref('color'),
    muted: ref('color'),
    background: ref('color'),
    raised: ref('color'),
    line: ref('color'),
    accent: ref('color'),
    font,
    displayFont: font,
    density: { enum: ['compact', 'normal', 'spacious'] },
    maxRows: whole(1, 32),
    ...more,
  })
}

export const propsOf: Readonly<Record<ElementType, JsonSchema>> = {
  text: closed({
    text: { type: 'string', maxLength: 2_000 },
    ...lettering,
  }),
  image: closed({
    media: ref('guid'),
    fit: fitting,
    flip: { enum: ['none', 'horizontal', 'vertical', 'both'] },
    tint: ref('color'),
  }),
  video: closed({ media: ref('guid'), loop: yesNo, muted: yesNo, startAt: number(0, 86_400), fit: fitting }),
  shape: closed({
    form: { enum: ['rectangle', 'ellipse', 'line', 'polygon'] },
    points: {
      type: 'array',
      maxItems: 32,
      items: { type: 'array', minItems: 2, maxItems: 2, items: number(-10_000, 10_000) },
      description: '[x, y] each, in pixels from the corner of the element; replaced whole.',
    },
    fill: ref('color'),
    gradient: closed(
      {
        angle: number(-360, 360),
        stops: {
          type: 'array',
          minItems: 2,
          maxItems: 8,
          items: closed({ at: number(0, 1), color: ref('color') }, ['at', 'color']),
        },
      },
      ['stops'],
    ),
  }),
  group: closed({ clip: yesNo }),
  list: closed({
    source: path,
    max: whole(1, 32),
    direction: { enum: directions },
    gap,
    columns: whole(1, 32),
    align: { enum: ['start', 'center', 'end'] },
  }),
  bar: closed({
    mode: { enum: ['progress', 'tug'] },
    value: { type: 'number' },
    min: { type: 'number' },
    max: { type: 'number' },
    colors: { type: 'array', minItems: 1, maxItems: 2, items: ref('color') },
    direction: { enum: directions },
  }),
  pips: closed({
    value: whole(0, 32),
    total: whole(0, 32),
    filled: ref('color'),
    empty: ref('color'),
    shape: { enum: ['circle', 'rectangle', 'diamond', 'parallelogram'] },
    direction: { enum: ['left', 'right'] },
    gap,
  }),
  timer: closed({
    source: { enum: ['flow', 'countdown', 'schedule', 'song'] },
    format: { enum: ['m:ss', 'h:mm:ss', 'seconds'] },
    warnAt: number(0, 86_400),
    warnColor: ref('color'),
    ...lettering,
  }),
  mapCard: drawn('mapCard'),
  pickBans: drawn('pickBans'),
  bracket: drawn('bracket'),
  standings: drawn('standings', { source: { enum: ['standings', 'qualifier'] } }),
  schedule: drawn('schedule'),
  casters: drawn('casters'),
  stream: closed({
    side: whole(1, 2),
    player: whole(1, 6),
    prefer: { enum: ['whep', 'llhls', 'hls', 'embed'] },
    muted: yesNo,
    fallback: ref('guid'),
  }),
}
