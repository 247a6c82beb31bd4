import path from 'node:path'
import { type RunnerTestFile, TestRunner } from 'vitest'
import { limitOf } from './patience.ts'

/** Gives the tests of each file the limit of time that `patience.ts` has for it. */
export default class extends TestRunner {
  override onCollectStart(file: RunnerTestFile): void {
    super.onCollectStart(file)
    // A worker runs many files with one configuration.
    this.config.testTimeout = limitOf(path.relative(this.config.root, file.filepath).replaceAll(path.sep, '/'))
  }
}
