import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Slow test files: most of them wait for processes, browsers or time; others need much processor time. */
const names =
  'acting applying audiences blind browser clocks commands compatible delayed demo documentation drain embedded events failures faults hostile jobs kinds lives match memory ' +
  'model modes nginx pages partition permissions process proposing publishing reads real reconciling reports restarts resume rights rush secrecy secrets slow streams unflushed whole-match'
const slow = new RegExp(`/(${names.replaceAll(' ', '|')})\\.test\\.ts$`)

/**
 * The number of quick files after each slow one. Slow files start services and browsers of their own, so few of them
 * may run at the same time.
 */
const others = 3

/**
 * Spreads slow files over the first half of the run. A slow file that starts last would run alone at the end, and tests
 * that wait for time fail when all workers run slow files.
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
