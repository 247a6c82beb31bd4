import type { Slice } from '../../slice.ts'

export const playing: Slice = { name: 'playing' }
