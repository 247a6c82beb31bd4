import { extensionOf, type MediaKind, type MediaType, mediaKinds, mediaTypes } from '../../core/media.ts'
import type { VariantWanted } from '../decoder/requests.ts'

/** The meaning of a file name in an address: the full medium, or a variant of its kind. */
export interface Wanted {
  readonly type: MediaType
  /** Null for the full medium. */
  readonly variant: VariantWanted | null
}

const variantForm = /^([1-9]\d{1,3})\.(webp|png|jpeg)$/

/** Null for a name without a file. (M18) */
export function wantedBy(
  name: string,
  { kind, type }: { readonly kind: MediaKind; readonly type: MediaType },
): Wanted | null {
  if (name === `full.${extensionOf(type)}`) return { type, variant: null }
  const { form, widths, hasCard } = mediaKinds[kind]
  if (form !== 'picture') return null
  if (name === 'card.jpeg') return hasCard ? { type: mediaTypes.jpeg, variant: { width: null, format: 'jpeg' } } : null
  const [, digits, format] = variantForm.exec(name) ?? []
  const width = Number(digits)
  if (format === undefined || !(widths as readonly number[]).includes(width)) return null
  const known = format as VariantWanted['format']
  return { type: mediaTypes[known], variant: { width, format: known } }
}
