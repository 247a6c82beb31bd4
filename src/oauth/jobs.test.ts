import { afterAll, beforeAll, expect, test } from 'vitest'
import { authorize, callAs, makeParty, obtain, type Party } from '../../test/authorization.ts'
import { type Harness, startHarness } from '../../test/harness.ts'
import { oauthJobs } from './jobs.ts'

let api: Harness
let party: Party
beforeAll(async () => {
  api = await startHarness()
  party = await makeParty(api)
})
afterAll(() => api[Symbol.asyncDispose]())

const day = 86_400_000
const sweep = (at: Date) => oauthJobs[0]?.run({}, { ...api.app, now: () => at })

async function counts(): Promise<Record<string, number>> {
  const tables = ['authorization_codes', 'device_requests', 'refresh_tokens', 'grants', 'access_tokens', 'consents']
  const rows = await Promise.all(
    tables.map((table) => api.sql<{ count: number }>(`select count(*)::int as count from ${table}`)),
  )
  return Object.fromEntries(tables.map((table, index) => [table, rows[index]?.[0]?.count ?? -1]))
}

test('the hourly sweep forgets what nobody can use any more, and nothing sooner', async () => {
  await api.sql('delete from access_tokens')
  await obtain(party)
  await authorize(party)
  await callAs(party, '/oauth/device_authorization', {})
  const all = {
    authorization_codes: 2,
    device_requests: 1,
    refresh_tokens: 1,
    grants: 1,
    access_tokens: 1,
    consents: 1,
  }
  const now = Date.now()
  const after = async (days: number) => {
    await sweep(new Date(now + days * day))
    return counts()
  }
  await sweep(new Date(now + 9 * 60_000))
  expect(await counts()).toEqual(all)
  // Codes are kept for ten minutes and one more day, in which a second use is detected; refresh tokens for 180 days;
  // grants for 60 days more.
  expect(await after(1)).toEqual({ ...all, device_requests: 0 })
  expect(await after(1.1)).toEqual({ ...all, device_requests: 0, authorization_codes: 0 })
  expect(await after(179)).toEqual({ ...all, device_requests: 0, authorization_codes: 0 })
  const late = { ...all, device_requests: 0, authorization_codes: 0, refresh_tokens: 0 }
  expect(await after(181)).toEqual(late)
  expect(await after(239)).toEqual(late)
  expect(await after(241)).toEqual({ ...late, grants: 0, access_tokens: 0 })
})
