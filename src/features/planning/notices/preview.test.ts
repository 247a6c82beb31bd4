import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, outcome, startHarness } from '../../../../test/harness.ts'

/** What a text would look like as a notice, before anybody else sees it. */

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const path = '/notices/preview'

test('managers of notices are shown a text as the notice shows it, and nothing is stored', async () => {
  const content = 'Rests at **18:00**. <script>alert(1)</script>'
  for (const role of ['role:owner', 'role:dev', 'global:notices:manage'] as const) {
    const manager = await api.user({ globalRoles: [role] })
    const { status, body } = await api.post(path, manager, { content })
    expect([role, status, body.html.includes('<strong>18:00</strong>')]).toEqual([role, 200, true])
    expect(body.html).not.toContain('<script')
    expect((await api.get('/admin/notices', manager)).body.notices).toEqual([])
  }
  const manager = await api.user({ globalRoles: ['global:notices:manage'] })
  const { html } = (await api.post(path, manager, { content })).body
  await api.post('/notices', manager, { title: 'Work', content })
  expect((await api.get('/notices?include=html')).body[0].html.content).toBe(html)
})

test('nobody else is, nor a text that no notice may have', async () => {
  const others = [await api.user(), await api.user({ globalRoles: ['global:badges:manage'] })]
  for (const other of others) expect((await api.post(path, other, { content: 'a' })).status).toBe(403)
  const manager = await api.user({ globalRoles: ['role:dev'] })
  for (const content of ['', 'a'.repeat(4_001)])
    expect(outcome(await api.post(path, manager, { content }))[0]).toBe(400)
})
