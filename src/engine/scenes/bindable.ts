import type { ElementType } from './document.ts'

/** The properties of elements that may be bound to the tree or set by a condition. (OV2, OV4) */

export type BoundType = 'text' | 'number' | 'boolean' | 'color' | 'address'

const ofAll = {
  visible: 'boolean',
  opacity: 'number',
  rotation: 'number',
  x: 'number',
  y: 'number',
  width: 'number',
  height: 'number',
  'border.color': 'color',
  'border.width': 'number',
  'shadow.color': 'color',
} as const

const lettering = { color: 'color', size: 'number', weight: 'number', italic: 'boolean' } as const
const drawn = {
  color: 'color',
  muted: 'color',
  background: 'color',
  raised: 'color',
  line: 'color',
  accent: 'color',
  maxRows: 'number',
} as const

/**
 * Bindable properties by type of element. Members of `props` have their own names; members of `border` and `shadow` are
 * written with a dot. The `address` of an image replaces its media. It must be own media or an address of the mirror;
 * nothing else is fetched. (overlays: Security)
 */
export const bindable: Readonly<Record<ElementType, Readonly<Record<string, BoundType>>>> = {
  text: { ...ofAll, text: 'text', ...lettering },
  image: { ...ofAll, address: 'address', tint: 'color' },
  video: { ...ofAll, muted: 'boolean' },
  shape: { ...ofAll, fill: 'color' },
  group: ofAll,
  list: { ...ofAll, max: 'number' },
  bar: { ...ofAll, value: 'number', min: 'number', max: 'number' },
  pips: { ...ofAll, value: 'number', total: 'number', filled: 'color', empty: 'color' },
  timer: { ...ofAll, warnAt: 'number', warnColor: 'color', ...lettering },
  mapCard: { ...ofAll, ...drawn },
  pickBans: { ...ofAll, ...drawn },
  bracket: { ...ofAll, ...drawn },
  standings: { ...ofAll, ...drawn },
  schedule: { ...ofAll, ...drawn },
  casters: { ...ofAll, ...drawn },
  stream: { ...ofAll, side: 'number', player: 'number', muted: 'boolean' },
}

/** Whether the property may be bound in elements of the type. (OV2) */
export function isBindable(type: ElementType, property: string): boolean {
  return Object.hasOwn(bindable[type], property)
}
