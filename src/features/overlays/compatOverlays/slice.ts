import type { Slice } from '../../slice.ts'
import { compatibleOverlays } from './routes.ts'

/** Overlays in the format of clients that were written for another service. Only the compatibility door uses it. */
export const compatOverlays: Slice = { name: 'compatOverlays', compatible: [compatibleOverlays] }
