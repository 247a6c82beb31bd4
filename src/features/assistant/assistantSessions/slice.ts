import type { Slice } from '../../slice.ts'

export const assistantSessions: Slice = { name: 'assistantSessions' }
