import type { Slice } from '../../slice.ts'
import { compatibleOverlays } from './routes.ts'

/** Overlays as clients know them that were written for another service: for the compatibility door alone. */
export const compatOverlays: Slice = { name: 'compatOverlays', compatible: [compatibleOverlays] }
