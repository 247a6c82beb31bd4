import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take long: most of them wait, for processes, for browsers, for time; others ask much. */
const names =
  'acting applying audiences blind browser clocks commands delayed demo documentation drain embedded events failures faults hostile jobs kinds lives match memory ' +
  'model modes nginx pages partition permissions process proposing publishing reads real reconciling reports restarts resume rights rush secrecy secrets slow streams unflushed whole-match'
const slow = new RegExp(`/(${names.replaceAll(' ', '|')})\\.test\\.ts$`)

/** Slow files begin first: what begins last ends alone, while all other workers have nothing left to do. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification) => slow.test(moduleId)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}
