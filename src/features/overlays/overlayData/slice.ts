import type { Slice } from '../../slice.ts'

/** What overlays show of a tournament, as everybody may see it: read for the operations of the slices that stand above. */
export const overlayData: Slice = { name: 'overlayData' }
