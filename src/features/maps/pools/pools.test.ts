import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeCatalogue, startFakeCatalogue } from '../../../../test/fakes/catalogue.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament, roleHolder } from '../../../../test/make.ts'

let catalogue: FakeCatalogue
let api: Harness
let organiser: Caller
let pooler: Caller
let caster: Caller
let tournament: MadeTournament

beforeAll(async () => {
  catalogue = await startFakeCatalogue()
  api = await startHarness({ catalogueUrl: catalogue.url })
  organiser = await api.user()
  tournament = await makeTournament(api, organiser, { status: 'approved' })
  pooler = await roleHolder(api, tournament, 'role:pooler')
  caster = await roleHolder(api, tournament, 'role:caster')
})

afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  await catalogue?.close()
})

const path = () => `/tournaments/${tournament.guid}/pools`

describe('a pool', () => {
  test('goes its way from draft to archive', async () => {
    const made = await api.post(path(), organiser, { name: 'Group stage' })
    expect(made.status, made.text).toBe(201)
    const pool = `${path()}/${made.body.guid}`
    expect(outcome(await api.get(pool))).toEqual([404, 'pool.unknown'])
    expect(outcome(await api.get(pool, caster))).toEqual([404, 'pool.unknown'])
    expect((await api.get(pool, pooler)).body.draftRevision).toBe(1)
    const song = catalogue.maps.add()
    const added = await api.post(`${pool}/maps`, pooler, { ref: song.key, difficulty: 'Expert' })
    expect(added.status, added.text).toBe(201)
    const published = await api.post(`${pool}/publish`, organiser, {})
    expect(published.status, published.text).toBe(200)
    const seen = await api.get(pool)
    expect(seen.body).toMatchObject({ status: 'published', revision: 1, maps: [{ order: 0 }] })
  })
})
