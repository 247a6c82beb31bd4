import type { Problem } from '../../core/problem.ts'
import { databaseError } from './database.ts'

/** The problem for each violated constraint, by the constraint's name. */
export type Constraints = Readonly<Record<string, () => Problem>>

/** The database decides uniqueness; a violation that no slice translates is a defect and stays an error. */
export function problemOf(error: unknown, constraints: Constraints): unknown {
  const name = databaseError(error)?.constraint
  return (name !== undefined && constraints[name]?.()) || error
}
