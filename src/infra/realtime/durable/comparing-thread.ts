import { answer } from '../../threads/lasting.ts'
import { changeOf } from './change.ts'
import type { Compared } from './comparing.ts'

answer(({ before, after }: Compared) => changeOf(before, after))
