import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Harness, startHarness } from '../../../../test/harness.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'
import { makeVisibility, type Visibility } from '../../../../test/visibility.ts'

let api: Harness
let kit: Visibility
beforeAll(async () => {
  api = await startHarness()
  kit = await makeVisibility(api)
})
afterAll(() => api[Symbol.asyncDispose]())

interface Asked {
  readonly path: string
  readonly platformId: string
}

describe('reviewers who follow a draft are told nothing more of it (D25, RT12)', () => {
  test.each<{ readonly once: string; readonly end: (asked: Asked) => Promise<{ readonly status: number }> }>([
    {
      once: 'it asks their platform no longer',
      end: ({ path }) => api.put(`${path}/visibility`, kit.organiser, { scope: 'selected', platformGuids: [] }),
    },
    {
      once: 'their platform is deleted',
      end: async ({ platformId }) =>
        api.delete(`/admin/tournament-platforms/${platformId}`, await api.user({ globalRoles: ['role:owner'] })),
    },
  ])('once $once', async ({ end }) => {
    const platform = await kit.community()
    const cup = await kit.arrange('draft', 'pending')
    await kit.place(cup, platform.guid, 'pending')
    const path = `/tournaments/${cup.guid}`
    // Reviewers of the system platform see the same and stay subscribed.
    await using other = await openSocket(api, { as: await kit.member('reviewer') })
    await using reviewer = await openSocket(api, { as: await kit.member('reviewer', platform.guid) })
    for (const socket of [other, reviewer]) {
      expect(await socket.ask({ type: 'subscribe', topic: path })).toMatchObject({ type: 'snapshot' })
    }
    expect((await end({ path, platformId: platform.id })).status).toBeLessThan(300)
    await api.patch(path, kit.organiser, { summary: 'For those whom it asks.' })
    await reviewer.copies.until((held) => held.of(path).ended === 'gone', 'the end')
    await other.copies.until((held) => JSON.stringify(held.of(path).body).includes('whom it asks'), 'the change')
    expect(JSON.stringify(reviewer.copies.packets)).not.toContain('whom it asks')
  })
})
