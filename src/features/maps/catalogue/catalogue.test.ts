import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeCatalogue, startFakeCatalogue } from '../../../../test/fakes/catalogue.ts'
import { startFakeBeatLeader, startFakeScoreSaber } from '../../../../test/fakes/ranking.ts'
import { type Harness, startHarness } from '../../../../test/harness.ts'
import { enterMaps } from './commands.ts'
import type { SongReference } from './types.ts'

let catalogue: FakeCatalogue
let a: Awaited<ReturnType<typeof startFakeScoreSaber>>
let b: Awaited<ReturnType<typeof startFakeBeatLeader>>
let api: Harness

beforeAll(async () => {
  ;[catalogue, a, b] = await Promise.all([startFakeCatalogue(), startFakeScoreSaber(), startFakeBeatLeader()])
  api = await startHarness({ catalogueUrl: catalogue.url, rankingAUrl: a.url, rankingBUrl: b.url })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await Promise.all([catalogue.close(), a.close(), b.close()])
})

const byHash = (hash: string): SongReference => ({ kind: 'hash', hash })

test('smoke', async () => {
  const one = catalogue.maps.add({ difficulties: ['Expert', 'Lawless/Hard'] })
  const id = a.leaderboards.add({ hash: one.hash, difficulty: 7 })
  const idB = b.leaderboards.add({ hash: one.hash, difficulty: 5, characteristic: 'Lawless' })
  const found = await api.app.clients.catalogue.lookUp([
    byHash(one.hash),
    { kind: 'key', key: one.key },
    { kind: 'leaderboardA', id },
    { kind: 'leaderboardB', id: idB },
    byHash('f'.repeat(40)),
  ])
  expect(found).toMatchObject([
    { outcome: 'found', hash: one.hash },
    { outcome: 'found', hash: null },
    { outcome: 'found', hash: one.hash, named: { difficulty: 'Expert', characteristic: 'Standard' } },
    { outcome: 'found', hash: one.hash, named: { difficulty: 'Hard', characteristic: 'Lawless' } },
    { outcome: 'unknown' },
  ])
  const identity = { hash: one.hash, characteristic: 'standard', difficulty: 'Expert' } as const
  const finding = found[0]
  if (finding === undefined) throw new Error('none')
  const maps = await api.app.database.transaction((tx) => enterMaps(tx, [{ identity, finding }], new Date()))
  expect(maps).toMatchObject([{ hash: one.hash, characteristic: 'Standard', state: 'known', name: expect.any(String) }])
})
