import path from 'node:path'
import { TestRunner } from 'vitest'
import { limitOf } from './patience.ts'

/** Gives the tests of each file the limit of time that `patience.ts` has for it. */
export default class extends TestRunner {
  /** Comes right before the tests of a file are collected; `onCollectStart` is not waited for. */
  override importFile(...[file, source]: Parameters<TestRunner['importFile']>): unknown {
    // A worker runs many files with one configuration.
    this.config.testTimeout = limitOf(path.relative(this.config.root, file).replaceAll(path.sep, '/'))
    return super.importFile(file, source)
  }
}
