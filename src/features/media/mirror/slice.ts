import type { Slice } from '../../slice.ts'
import { mirrorJobs } from './jobs.ts'
import { mirrorPersonalData } from './store/personal-data.ts'

/** Pictures elsewhere, shown from here; delivered beside the operations, as media are. */
export const mirror: Slice = { name: 'mirror', jobs: mirrorJobs, personalData: mirrorPersonalData }
