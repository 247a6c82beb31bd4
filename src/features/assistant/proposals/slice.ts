import type { Slice } from '../../slice.ts'

export const proposals: Slice = { name: 'proposals' }
