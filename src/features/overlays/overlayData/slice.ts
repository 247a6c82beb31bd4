import type { Slice } from '../../slice.ts'

/**
 * The data that overlays show of a tournament, as everybody may see it. It has no operations of its own; other slices
 * read it.
 */
export const overlayData: Slice = { name: 'overlayData' }
