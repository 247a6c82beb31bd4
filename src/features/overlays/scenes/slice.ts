import type { Slice } from '../../slice.ts'

export const scenes: Slice = { name: 'scenes' }
