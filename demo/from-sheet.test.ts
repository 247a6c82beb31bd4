import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from '../test/harness.ts'
import { takePackage } from '../test/package-imports.ts'
import { carried, expectSamePackage } from '../test/round-trips.ts'
import { demo } from './demo.ts'

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

test('the cup begins with a sheet, 24 of whose teams have never signed in', async () => {
  const told: string[] = []
  const { tournament } = await demo(api.app.config, { fromSheet: true, say: (line) => told.push(line) })
  expect(told.join('\n')).toContain('56 teams: 192 people are invited')
  const { body } = await api.get(`/tournaments/${tournament.guid}`)
  expect(body).toMatchObject({ status: 'completed', counts: { teams: 57, registered: 32 } })
  const teams = (await api.get(`/tournaments/${tournament.guid}/teams?status=unregistered&limit=100`)).body.teams
  const absent = teams.filter(({ captain }: { captain: { isPlaceholder: boolean } }) => captain.isPlaceholder)
  expect(absent).toHaveLength(24)

  // The whole cup in another service, and taken again there. (P7, P8)
  await using other = await startHarness()
  const organiser = { ...(await api.user()), token: await api.token(body.organiser, ['rest:write']) }
  const original = await takePackage(api, tournament.guid, organiser)
  const again = await carried(original, other, await other.user({ globalRoles: ['role:owner'] }))
  await expectSamePackage(again, original)
})
