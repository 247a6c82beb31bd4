import type { Slice } from '../../slice.ts'

export const gameTokens: Slice = { name: 'gameTokens' }
