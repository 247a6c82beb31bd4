import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take long because they wait: for processes, for browsers, for time. */
const slow =
  /\/(process|embedded|commands|jobs|memory|events|documentation|permissions|pages|demo|reads|hostile|streams|slow|lives|drain|blind|delayed|partition|browser)\.test\.ts$/

/** Slow files begin first: what begins last ends alone, while all other workers have nothing left to do. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification) => slow.test(moduleId)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}
