import { deleteInBatches } from '../infra/jobs/batches.ts'
import type { Job } from '../infra/jobs/jobs.ts'
import { codeLifetime } from './lifetimes.ts'
import { deleteExpiredCodes, deleteExpiredDeviceRequests } from './store/codes.ts'
import { deleteExpiredRefreshTokens, deleteOldGrants } from './store/grants.ts'
import { refreshTokenLifetime } from './token/issue.ts'
import { accessTokenLifetime } from './tokens.ts'

/**
 * Deletes expired codes, tokens and grants. Codes stay for another day, so that a second use is still detected. (D38)
 */
const sweep: Job = {
  name: 'oauth.sweep',
  cron: '37 * * * *',
  run: async (_payload, { database, now }) => {
    const before = (seconds: number) => new Date(now().getTime() - seconds * 1000)
    const grantsBefore = before(refreshTokenLifetime + accessTokenLifetime)
    await deleteInBatches(database, (tx, limit) => deleteExpiredCodes(tx, before(86_400), limit))
    await deleteInBatches(database, (tx, limit) => deleteExpiredDeviceRequests(tx, before(codeLifetime), limit))
    await deleteInBatches(database, (tx, limit) => deleteExpiredRefreshTokens(tx, now(), limit))
    await deleteInBatches(database, (tx, limit) => deleteOldGrants(tx, grantsBefore, limit))
  },
}

export const oauthJobs: readonly Job[] = [sweep]
