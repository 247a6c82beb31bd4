import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, type Harness, startHarness } from './harness.ts'
import { shellBlocks } from './markdown.ts'

/** The commands of the guide for administrators, run as they are written, by an owner. */

const text = readFileSync(path.join(import.meta.dirname, '..', 'docs/guide/administer.md'), 'utf8')
const sections = new Map(text.split(/^## /m).map((each) => [each.split('\n')[0] ?? '', shellBlocks(each)]))

let api: Harness
let owner: Caller
let person: Caller
beforeAll(async () => {
  api = await startHarness()
  owner = await api.user({ globalRoles: ['role:owner'] })
  person = await api.user({ name: 'quaver' })
})
afterAll(() => api?.[Symbol.asyncDispose]())

const end = '= end of an answer ='

/** The answers of each block of a section; null for one without a body. */
async function run(section: string, env: () => Promise<Readonly<Record<string, string>>> = async () => ({})) {
  const answers: unknown[][] = []
  for (const block of sections.get(section) ?? []) {
    const lines = block.replaceAll('http://127.0.0.1:3001', api.url)
    const script = `curl() { command curl --silent --fail-with-body "$@"; echo; echo '${end}'; }\n${lines}`
    const shell = { env: { ...process.env, TOKEN: owner.token, PERSON: person.guid, ...(await env()) } }
    const { stdout } = await promisify(execFile)('bash', ['-euc', script], shell)
    const bodies = stdout.split(`${end}\n`).slice(0, -1)
    answers.push(bodies.map((body) => (body.trim() === '' ? null : JSON.parse(body))))
  }
  return answers
}

test('health', async () => {
  expect(await run('Health')).toMatchObject([[{ checkedAt: expect.any(String) }, { platforms: [{}] }]])
})

test('users', async () => {
  const [found, edited, roles, bans] = await run('Users')
  expect(found).toMatchObject([{ users: [{ guid: person.guid }] }, { guid: person.guid }])
  expect(edited).toMatchObject([
    { country: 'SE', rankingIdA: '76561198000000001' },
    { country: 'SE', rankingIdA: null },
  ])
  expect(roles).toMatchObject([{ globalRoles: ['global:notices:manage'] }, { globalRoles: [] }])
  expect(bans).toMatchObject([
    { bannedAt: expect.any(String), banReason: 'Scores that were not played.' },
    { bannedAt: null, banReason: null },
  ])
})

test('platforms', async () => {
  expect(await run('Platforms')).toMatchObject([[{ contextId: 'night-league' }, { members: [] }], [null]])
  expect((await api.get('/tournament-platforms/night-league')).status).toBe(404)
})

test('notices', async () => {
  const newest = async () => (await api.get('/admin/notices', owner)).body.notices[0]?.guid ?? ''
  const [made, changed] = await run('Notices', async () => ({ NOTICE: await newest() }))
  expect(made).toMatchObject([
    { html: '<p>The service rests from <strong>18:00</strong> to 19:00 UTC.</p>\n' },
    { title: 'Maintenance on Sunday', level: 'warning' },
    { notices: [{ title: 'Maintenance on Sunday' }] },
  ])
  expect(changed).toMatchObject([{ level: 'info' }, { endsAt: expect.any(String) }, null])
  expect((await api.get('/admin/notices', owner)).body.notices).toEqual([])
})
