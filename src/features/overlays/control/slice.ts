import type { Slice } from '../../slice.ts'
import { controlEvents } from './events.ts'

/** What overlays show now: the match that they point at, the scene, who casts. */
export const control: Slice = { name: 'control', events: controlEvents }
