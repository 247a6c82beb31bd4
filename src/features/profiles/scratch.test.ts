import { test } from 'vitest'
import { startHarness } from '../../../test/harness.ts'
test('x', async () => {
  const api = await startHarness()
  await api.user()
  const { database } = api.app
  const end = database.pool.end.bind(database.pool)
  const http = api.app.http.close.bind(api.app.http)
  const t1 = performance.now()
  const at = () => Math.round(performance.now() - t1)
  Object.assign(api.app.http, { close: async () => { console.log('http close', at()); await http(); console.log('http closed', at()) } })
  Object.assign(database.pool, { end: async () => { console.log('pool end', at(), database.pool.totalCount, database.pool.idleCount); await end(); console.log('pool ended', at(), database.pool.totalCount) } })
  await api[Symbol.asyncDispose]()
  console.log('dispose', at())
})
