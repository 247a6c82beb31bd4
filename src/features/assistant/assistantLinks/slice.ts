import type { Slice } from '../../slice.ts'

export const assistantLinks: Slice = { name: 'assistantLinks' }
