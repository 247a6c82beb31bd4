import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeBracket } from '../../../../test/bracket-play.ts'
import { type FakePush, startFakePush } from '../../../../test/fakes/push.ts'
import { type Harness, startHarness } from '../../../../test/harness.ts'
import { allPushed, makePushDevice } from '../../../../test/push.ts'

let api: Harness
let fake: FakePush
beforeAll(async () => {
  fake = await startFakePush()
  api = await startHarness({ webhookAllowPrivate: true })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await fake[Symbol.asyncDispose]()
})

test('a match that is called is told to its players once, without the message of the call', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const browsers = await Promise.all(made.captains.map((captain) => makePushDevice(api, fake, captain)))
  const reply = await api.post(`${made.match(1)}/call`, made.organiser, { message: 'To the stage' })
  expect(reply.status, reply.text).toBeLessThan(300)
  await allPushed(api)
  const told = browsers.flatMap((browser) => browser.told())
  const data = { tournamentGuid: made.cup.guid, matchGuid: (await made.readMatch(1)).guid }
  expect(told).toMatchObject([
    { kind: 'match_called', data },
    { kind: 'match_called', data },
  ])
  expect(JSON.stringify(told)).not.toContain('stage')
})
