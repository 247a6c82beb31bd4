import { writeFileSync } from 'node:fs'
import type { Reporter } from 'vitest/node'

/** The failures of a test run. */
export interface Failures {
  /** Paths of the test files with failures. */
  readonly files: readonly string[]
  /** Errors outside of any test. */
  readonly errors: number
  /** The number of test files that ran. */
  readonly ran: number
}

/** Writes the failures to the file that `TEST_FAILURES` names, for `scripts/test.ts`. */
export default class implements Reporter {
  onTestRunEnd: NonNullable<Reporter['onTestRunEnd']> = (modules, errors) => {
    const { TEST_FAILURES: file } = process.env
    if (file === undefined) return
    const files = modules.filter((module) => !module.ok()).map(({ moduleId }) => moduleId)
    writeFileSync(file, JSON.stringify({ files, errors: errors.length, ran: modules.length } satisfies Failures))
  }
}
