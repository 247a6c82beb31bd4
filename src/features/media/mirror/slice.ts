import type { Slice } from '../../slice.ts'
import { mirrorJobs } from './jobs.ts'
import { mirrorPersonalData } from './store.ts'

/** Copies of external pictures. Like media, they are delivered outside the operations. */
export const mirror: Slice = { name: 'mirror', jobs: mirrorJobs, personalData: mirrorPersonalData }
