import type { Problem } from '../../core/problem.ts'
import { databaseError } from './database.ts'

/** What a violated constraint means to the caller, by the constraint's name. */
export type Constraints = Readonly<Record<string, () => Problem>>

/** The database has the last word on uniqueness; a violation that no slice explains is a defect and stays one. */
export function problemOf(error: unknown, constraints: Constraints): unknown {
  const name = databaseError(error)?.constraint
  return (name !== undefined && constraints[name]?.()) || error
}
