import type { Slice } from '../../slice.ts'
import { playDue } from './jobs.ts'
import { actingOperations } from './routes/acting.ts'
import { beginningOperations } from './routes/beginning.ts'
import { refereeingOperations } from './routes/refereeing.ts'

export const play: Slice = {
  name: 'play',
  operations: [...beginningOperations, ...actingOperations, ...refereeingOperations],
  parameters: {
    claim: { description: 'GUID of a claim, as the state of the session tells it.' },
    score: { description: 'GUID of a score, as the state of the session tells it.' },
    penalty: { description: 'GUID of a penalty, as the state of the session tells it.' },
  },
  due: playDue,
}
