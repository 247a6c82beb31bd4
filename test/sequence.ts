import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take long: most of them wait, for processes, for browsers, for time; others ask much. */
const names =
  'acting applying audiences blind browser clocks commands compatible delayed demo documentation drain embedded events failures faults hostile jobs kinds lives match memory ' +
  'model modes nginx pages partition permissions process proposing publishing reads real reconciling reports restarts resume rights rush secrecy secrets slow streams unflushed whole-match'
const slow = new RegExp(`/(${names.replaceAll(' ', '|')})\\.test\\.ts$`)

/** So many others for each slow file: slow ones start services and browsers of their own, and few fit beside each other. */
const others = 3

/**
 * Slow files are spread over the first half: what begins last ends alone, while all other workers have nothing left to
 * do, and tests that wait for time fail where all workers run slow ones at once.
 */
export class SlowSpread extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification) => slow.test(moduleId)
    const quick = sorted.filter((file) => !isSlow(file))
    const spread = sorted.filter(isSlow).flatMap((file) => [file, ...quick.splice(0, others)])
    return [...spread, ...quick]
  }
}
