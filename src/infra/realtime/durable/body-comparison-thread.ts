import { answer } from '../../threads/lasting.ts'
import type { Compared } from './body-comparison.ts'
import { changeOf } from './body-patch.ts'

answer(({ before, after }: Compared) => changeOf(before, after))
