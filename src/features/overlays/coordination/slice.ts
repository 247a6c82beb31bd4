import type { Slice } from '../../slice.ts'

/** What those who run a match day look at, in one read. */
export const coordination: Slice = { name: 'coordination' }
