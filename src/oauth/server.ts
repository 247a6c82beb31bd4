import type { Operation } from '../core/operation.ts'
import type { Job } from '../infra/jobs/jobs.ts'

/** The authorization server as the composition root sees it: a part like the slices, standing beside them. */

const operations: readonly Operation[] = []

const jobs: readonly Job[] = []

export const authorizationServer = { name: 'oauth', uses: [], operations, jobs }
