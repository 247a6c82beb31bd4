import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Harness, startHarness, startOn } from '../../../../test/harness.ts'
import type { Config } from '../../../config.ts'

/** The configuration of the system platform at the first start and at later starts. */

type System = Config['systemPlatform']
const unset: System = { contextId: null, name: null }

let api: Harness
beforeAll(async () => {
  api = await startHarness({ systemPlatform: { contextId: 'front-page', name: 'The front page' } })
})
afterAll(() => api[Symbol.asyncDispose]())

function startAgain(systemPlatform: System): Promise<Harness> {
  const { databaseUrl, dataDir, publicUrl } = api.app.config
  return startOn({ databaseUrl, dataDir, publicUrl, systemPlatform })
}

async function system(harness = api) {
  const { contextId, name } = (await harness.get('/tournament-platforms')).body[0]
  return { contextId, name }
}

const renamings = () =>
  api.sql(`select actor, before, after from event_log where type = 'platform.updated' and actor is null order by seq`)

test('at the first start it gets the id and the name that are configured, or the usual ones', async () => {
  expect(await system()).toEqual({ contextId: 'front-page', name: 'The front page' })
  await using usual = await startHarness()
  expect(await system(usual)).toEqual({ contextId: 'main', name: 'Main listing' })
})

describe('at a later start', () => {
  test('a configured name takes effect, once, also for whoever remembers the one before', async () => {
    const before = await renamings()
    expect(await system()).toMatchObject({ name: 'The front page' })
    const renamed = { contextId: 'front-page', name: 'The  stage\n' }
    const started = await Promise.all([startAgain(renamed), startAgain(renamed), startAgain(renamed)])
    for (const harness of [api, ...started]) {
      expect(await system(harness)).toEqual({ contextId: 'front-page', name: 'The stage' })
    }
    expect((await renamings()).slice(before.length)).toEqual([
      { actor: null, before: { name: 'The front page' }, after: { name: 'The stage' } },
    ])
    await Promise.all(started.map((harness) => harness[Symbol.asyncDispose]()))
  })

  test('what is not configured stays, also where administrators gave it another name', async () => {
    const owner = await api.user({ globalRoles: ['role:owner'] })
    const reply = await api.put('/tournament-platforms/front-page', owner, { name: 'Centre court' })
    expect(reply.status).toBe(200)
    const before = await renamings()
    await using again = await startAgain(unset)
    expect(await system(again)).toEqual({ contextId: 'front-page', name: 'Centre court' })
    expect(await renamings()).toEqual(before)
  })

  test.each([
    ['another id', { contextId: 'main', name: null }, /^SYSTEM_PLATFORM_ID must stay front-page\b.* it is main$/],
    ['another id, with a name', { contextId: 'main', name: 'Never' }, /^SYSTEM_PLATFORM_ID/],
    ['a name that is too long', { contextId: null, name: 'x'.repeat(101) }, /^SYSTEM_PLATFORM_NAME .* 100 characters$/],
    ['a name with nothing to see', { contextId: null, name: '\u3164' }, /^SYSTEM_PLATFORM_NAME .* visible character$/],
  ])('%s is refused, and changes nothing', async (_what, configured, reason) => {
    const before = await system()
    await expect(startAgain(configured)).rejects.toThrow(reason)
    expect(await system()).toEqual(before)
  })
})
