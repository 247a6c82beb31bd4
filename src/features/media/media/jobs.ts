import path from 'node:path'
import type { Job } from '../../../infra/jobs/jobs.ts'
import { dropJob } from '../../../infra/media/objects/drop.ts'
import { dropObject, sweep } from './commands/sweeping.ts'
import { purgeJob } from './commands/takedown.ts'

const daily: Job = {
  name: 'media.sweep',
  cron: '47 3 * * *',
  slots: 1,
  async run(_payload, { database, services, now, log }) {
    const incoming = path.join(services.config.dataDir, 'media', 'incoming')
    const swept = await sweep({ database, storage: services.storage, incoming, now: now() })
    log.info(swept, 'media swept')
  },
}

/** If clients read from the bucket directly, a medium must leave it together with its record. (M22) */
const drop: Job = {
  name: dropJob,
  async run(payload, { database, services }) {
    const { digest } = payload as { readonly digest: string }
    await dropObject({ database, storage: services.storage }, digest)
  },
}

/** Logs the addresses that operators must purge from caches in front of the service. (M22) */
const purge: Job = {
  name: purgeJob,
  async run(payload, { log }) {
    const { addresses } = payload as { readonly addresses: readonly string[] }
    log.warn({ addresses }, 'media taken down: purge these addresses, and those beside them, from caches')
  },
}

export const mediaJobs: readonly Job[] = [daily, drop, purge]
