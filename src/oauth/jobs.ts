import type { Tx } from '../infra/db/database.ts'
import type { Job } from '../infra/jobs/jobs.ts'
import { codeLifetime } from './lifetimes.ts'
import { deleteExpiredCodes, deleteExpiredDeviceRequests } from './store/codes.ts'
import { deleteExpiredRefreshTokens, deleteOldGrants } from './store/grants.ts'
import { refreshTokenLifetime } from './token/issue.ts'
import { accessTokenLifetime } from './tokens.ts'

const batch = 1_000

/** Forgets what nobody can use any more. Codes stay for a day, so that a second use of one still shows. (D38) */
const sweep: Job = {
  name: 'oauth.sweep',
  cron: '37 * * * *',
  run: async (_payload, { database, now }) => {
    const before = (seconds: number) => new Date(now().getTime() - seconds * 1000)
    const deletions = [
      (tx: Tx) => deleteExpiredCodes(tx, before(86_400), batch),
      (tx: Tx) => deleteExpiredDeviceRequests(tx, before(codeLifetime), batch),
      (tx: Tx) => deleteExpiredRefreshTokens(tx, now(), batch),
      (tx: Tx) => deleteOldGrants(tx, before(refreshTokenLifetime + accessTokenLifetime), batch),
    ]
    for (const remove of deletions) {
      for (let removed = batch; removed === batch; ) removed = await database.transaction(remove)
    }
  },
}

export const oauthJobs: readonly Job[] = [sweep]
