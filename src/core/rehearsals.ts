import type { Operation } from './operation.ts'

/**
 * Whether the operation is possible in a rehearsal. A command that is may neither concern accounts, nor send anything,
 * nor list anything; a new command is not until its record says so. (R1, R3)
 */
export function isPossibleInRehearsals({ kind, prepare, inRehearsals }: Operation): boolean {
  return inRehearsals ?? (kind === 'query' && prepare === undefined)
}
