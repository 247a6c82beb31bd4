import { writeFileSync } from 'node:fs'
import type { Reporter } from 'vitest/node'

/** What a run of the tests came to. */
export interface Failures {
  /** Paths of the test files in which something failed. */
  readonly files: readonly string[]
  /** Errors outside of any test. */
  readonly errors: number
}

/** Writes what failed to the file that `TEST_FAILURES` names, for `scripts/test.ts`. */
export default class implements Reporter {
  onTestRunEnd: NonNullable<Reporter['onTestRunEnd']> = (modules, errors) => {
    const { TEST_FAILURES: file } = process.env
    if (file === undefined) return
    const files = modules.filter((module) => !module.ok()).map(({ moduleId }) => moduleId)
    writeFileSync(file, JSON.stringify({ files, errors: errors.length } satisfies Failures))
  }
}
