import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { openBrowser, type RealBrowser, type VisitorOptions } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { type FakeReceiver, startFakeReceiver } from '../../test/fakes/receiver.ts'
import { type Caller, type Harness, startHarness } from '../../test/harness.ts'
import { type MadePlatform, type MadeTournament, makePlatform, makeTeam, makeTournament } from '../../test/make.ts'
import { shellBlocks } from '../../test/markdown.ts'
import { pictureIn, plain } from '../../test/media-files.ts'
import { complaintsOf, faultsOf, faultsOfPages } from './site/checks.ts'
import { ways } from './site/hands.ts'
import { visitAs } from './site/readers.ts'

/** The first day of a reviewer and of a platform's owner, by these pages alone. */

let api: Harness
let browser: RealBrowser
let receiver: FakeReceiver
let organiser: Caller
let owner: Caller
beforeAll(async () => {
  receiver = await startFakeReceiver()
  ;[api, browser] = await Promise.all([startHarness({ webhookAllowPrivate: true }), openBrowser(), freshenPages()])
  organiser = await api.user({ name: 'maestro' })
  owner = await api.user({ globalRoles: ['role:owner'] })
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await api?.[Symbol.asyncDispose]()
  await receiver?.close()
})

const visit = (user: Caller, options: VisitorOptions = {}) => visitAs(browser, api, user, options)

async function join(platform: MadePlatform, user: Caller, role: 'admin' | 'reviewer'): Promise<Caller> {
  const body = { userIdentifier: user.guid, role }
  const reply = await api.post(`/tournament-platforms/${platform.contextId}/members`, owner, body)
  expect(reply.status).toBe(200)
  return user
}

/** A tournament that asks a platform. */
async function ask(platform: MadePlatform, name: string): Promise<MadeTournament> {
  const cup = await makeTournament(api, organiser, { name, status: 'approved' })
  const texts = { summary: `${name} in short.`, description: '# Welcome\n\nBring a **headset**.' }
  expect((await api.patch(`/tournaments/${cup.guid}`, organiser, texts)).status).toBe(200)
  const wish = { scope: 'selected', platformGuids: [platform.guid] }
  expect((await api.put(`/tournaments/${cup.guid}/visibility`, organiser, wish)).status).toBe(200)
  return cup
}

interface Request {
  readonly guid: string
  readonly status: string
  readonly reason: string | null
  readonly tournament: { readonly name: string }
}

async function requestOf(platform: MadePlatform, cup: MadeTournament): Promise<Request> {
  const { requests } = (await api.get(`/tournament-platforms/${platform.contextId}/requests`, owner)).body
  return requests.find(({ tournament }: { tournament: MadeTournament }) => tournament.guid === cup.guid)
}

const detailOf = (page: Page, name: string) => page.getByRole('complementary', { name })
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim())

test.each(ways)(
  'a reviewer’s first day by $way: from the menu to the queue, approve, reject, block, until nothing waits',
  async ({ way, handsOf, options }) => {
    const platform = await makePlatform(api, { name: 'Night League' })
    const reviewer = await join(platform, await api.user({ name: 'alla' }), 'reviewer')
    const [breve, largo, presto] = [
      await ask(platform, 'Breve Cup'),
      await ask(platform, 'Largo Cup'),
      await ask(platform, 'Presto Cup'),
    ]
    await makeTeam(api, breve, await api.user(), { members: [await api.user()] })
    await using visitor = await visit(reviewer, options)
    const { page } = visitor
    const hands = handsOf(page)
    const hasKeys = way === 'keys'
    const complaints = complaintsOf(page)
    const button = (of: string, name: string) => detailOf(page, of).getByRole('button', { name, exact: true })
    await page.goto('/about')
    await hands.press(page.getByRole('button', { name: 'Alla' }))
    await hands.press(page.getByRole('link', { name: 'Review', exact: true }))
    await page.getByText('3 requests wait').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await hands.press(page.getByRole('main').getByRole('link', { name: 'Night League' }))
    await page.getByRole('heading', { name: 'Requests' }).waitFor()
    await page.getByRole('link', { name: 'Breve Cup' }).waitFor()
    if (hasKeys) {
      // The newest is the first.
      await page.keyboard.press('j')
      expect(await focused(page)).toBe('Presto Cup')
      await page.keyboard.press('j')
      expect(await focused(page)).toBe('Largo Cup')
      await page.keyboard.press('k')
      await page.keyboard.press('Enter')
    } else await hands.press(page.getByRole('link', { name: 'Presto Cup' }))
    await detailOf(page, 'Presto Cup').getByText('Presto Cup in short.').waitFor()
    await detailOf(page, 'Presto Cup').getByRole('heading', { name: 'Welcome' }).waitFor()
    await detailOf(page, 'Presto Cup').getByText('Nobody has decided on it yet.').waitFor()
    expect(await faultsOf(page)).toEqual([])
    if (hasKeys) await page.keyboard.press('a')
    else await hands.press(button('Presto Cup', 'Approve'))
    await page.getByRole('status').filter({ hasText: 'Presto Cup is approved.' }).waitFor()
    expect((await requestOf(platform, presto)).status).toBe('approved')
    // The next one is open already.
    const second = detailOf(page, 'Largo Cup')
    await second.waitFor()
    await expect.poll(() => focused(page)).toBe('Largo Cup')
    if (hasKeys) await page.keyboard.press('r')
    else await hands.press(button('Largo Cup', 'Reject'))
    await second.getByRole('alert').getByText('Write the reason first.').waitFor()
    // In a field, keys are letters.
    await hands.write(second.getByLabel('Reason'), 'a rule is missing')
    await hands.press(button('Largo Cup', 'Reject'))
    await page.getByRole('status').filter({ hasText: 'Largo Cup is rejected.' }).waitFor()
    expect(await requestOf(platform, largo)).toMatchObject({ status: 'rejected', reason: 'a rule is missing' })
    await hands.write(detailOf(page, 'Breve Cup').getByLabel('Reason'), 'Stolen prizes.')
    await hands.press(button('Breve Cup', 'Block…'))
    const dialog = page.getByRole('dialog', { name: 'Block Breve Cup?' })
    await dialog.getByText('for 1 team and 2 players').waitFor()
    await dialog.getByText('The organiser cannot ask again.').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await hands.press(dialog.getByRole('button', { name: 'Block' }))
    await page.getByText('Nothing waits for a decision.').waitFor()
    await expect.poll(() => focused(page)).toMatch(/^Breve Cup is blocked\./)
    expect((await requestOf(platform, breve)).status).toBe('blocked')
    // It can be undone from where it is now.
    if (hasKeys) {
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
    } else await hands.press(page.getByRole('status').filter({ hasText: 'is blocked' }).getByRole('link'))
    await detailOf(page, 'Breve Cup').getByRole('listitem').filter({ hasText: 'Stolen prizes.' }).waitFor()
    if (hasKeys) await page.keyboard.press('a')
    else await hands.press(button('Breve Cup', 'Approve'))
    await expect.poll(async () => (await requestOf(platform, breve)).status).toBe('approved')
    // What is asked now comes by itself.
    await hands.press(page.getByRole('link', { name: 'Waiting' }))
    await ask(platform, 'Vivace Cup')
    await page.getByRole('link', { name: 'Vivace Cup' }).waitFor()
    // The refusal without a reason was one.
    expect(complaints).toEqual([expect.stringContaining('status of 400')])
  },
)

test('two reviewers at once: the second sees who decided what, keeps what they typed, and decides anew', async () => {
  const platform = await makePlatform(api, { name: 'Case Study' })
  const first = await join(platform, await api.user({ name: 'prima' }), 'reviewer')
  const second = await join(platform, await api.user({ name: 'secunda' }), 'reviewer')
  const cup = await ask(platform, 'Fermata Cup')
  const { guid } = await requestOf(platform, cup)
  const decide = (body: object) =>
    api.post(`/tournament-platforms/${platform.contextId}/requests/${guid}/review`, first, body)
  await using visitor = await visit(second)
  const { page } = visitor
  // Its socket tells nothing, so that it decides on what it has read.
  await page.routeWebSocket(/./, () => {})
  await page.goto(`/review/${platform.contextId}?request=${guid}`)
  const detail = detailOf(page, 'Fermata Cup')
  await detail.getByText('Nobody has decided on it yet.').waitFor()
  await detail.getByLabel('Reason').fill('No contact.')
  expect((await decide({ decision: 'approved', reason: 'Well made.' })).status).toBe(200)
  await detail.getByRole('button', { name: 'Reject' }).click()
  const notice = detail.getByRole('alert').filter({ hasText: 'Prima has decided meanwhile:' })
  await notice.getByText('Approved').waitFor()
  await notice.getByText('Well made.').waitFor()
  expect(await detail.getByLabel('Reason').inputValue()).toBe('No contact.')
  expect(await detail.getByRole('button', { name: 'Reject' }).isDisabled()).toBe(true)
  expect((await requestOf(platform, cup)).status).toBe('approved')
  expect(await faultsOf(page)).toEqual([])
  await notice.getByRole('button', { name: 'Decide anew' }).click()
  await detail.getByRole('button', { name: 'Reject' }).click()
  await page.getByRole('status').filter({ hasText: 'Fermata Cup is rejected.' }).waitFor()
  expect(await requestOf(platform, cup)).toMatchObject({ status: 'rejected', reason: 'No contact.' })

  // With its socket, a page says it before anybody presses a button; what is open stays open.
  await using live = await visit(second)
  await live.page.goto(`/review/${platform.contextId}?status=rejected&request=${guid}`)
  const open = detailOf(live.page, 'Fermata Cup')
  await open.getByLabel('Reason').fill('Still none.')
  expect((await decide({ decision: 'approved' })).status).toBe(200)
  await open.getByRole('alert').filter({ hasText: 'Prima has decided meanwhile:' }).waitFor()
  await live.page.getByText('No request is rejected.').waitFor()
  await open.getByRole('button', { name: 'Leave it so' }).click()
  expect(await open.getByLabel('Reason').inputValue()).toBe('')
  expect((await requestOf(platform, cup)).status).toBe('approved')
})

test('what comes while the list is read stays in it, although the answer is older', async () => {
  const platform = await makePlatform(api, { name: 'Late Answers' })
  const reviewer = await join(platform, await api.user({ name: 'tarda' }), 'reviewer')
  await ask(platform, 'Prima Cup')
  await using visitor = await visit(reviewer)
  const { page } = visitor
  const release = Promise.withResolvers<void>()
  const lists = /\/requests\?status=pending$/
  await page.route(lists, async (route) => {
    const response = await route.fetch()
    await release.promise
    return route.fulfill({ response })
  })
  await page.goto(`/review/${platform.contextId}`)
  const listed = (name: string) => page.getByRole('main').getByRole('link', { name })
  await listed('Prima Cup').waitFor()
  await ask(platform, 'Seconda Cup')
  await listed('Seconda Cup').waitFor()
  const answered = page.waitForResponse(lists)
  release.resolve()
  expect((await (await answered).json()).requests).toHaveLength(1)
  // What an answer changes is drawn by then.
  await page.evaluate(() => new Promise((drawn) => setTimeout(() => requestAnimationFrame(drawn))))
  expect([await listed('Prima Cup').count(), await listed('Seconda Cup').count()]).toEqual([1, 1])
})

test('many platforms are shown by pages and found by name; those on which something waits come first', async () => {
  const reviewer = await api.user({ name: 'tutti' })
  const names = Array.from({ length: 14 }, (_, at) => `Tutti ${String(at + 1).padStart(2, '0')}`)
  const platforms = await Promise.all(names.map((name) => makePlatform(api, { name })))
  for (const platform of platforms) await join(platform, reviewer, 'reviewer')
  const asked = platforms.at(-1) as MadePlatform
  await ask(asked, 'Unisono Cup')
  await using visitor = await visit(reviewer, { phone: true })
  const { page } = visitor
  const main = page.getByRole('main')
  const lines = main.getByRole('listitem')
  const told = page.getByRole('status')
  await page.goto('/review')
  await told.getByText('14 platforms, requests wait on 1', { exact: true }).waitFor()
  expect(await lines.count()).toBe(12)
  await lines.first().getByText('Tutti 14').waitFor()
  await lines.first().getByText('1 request waits').waitFor()
  expect(await faultsOf(page)).toEqual([])
  // What is asked now comes by itself.
  await ask(asked, 'Solo Cup')
  await lines.first().getByText('2 requests wait').waitFor()
  await main.getByRole('link', { name: 'Next page' }).tap()
  await page.waitForURL('**/review?page=2')
  await expect.poll(() => lines.allTextContents()).toHaveLength(2)
  await main.getByText('Page 2 of 2').waitFor()
  await main.getByRole('searchbox', { name: 'Name or short ID' }).fill('tutti 07')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/review?q=*')
  await told.getByText('1 platform, nothing waits', { exact: true }).waitFor()
  expect(await lines.allTextContents()).toEqual([expect.stringContaining('Tutti 07')])
  await page.goto('/review?q=nowhere')
  await main.getByText('No platform of yours is called that.').waitFor()
})

/** The code that the page shows, as a module. */
async function snippetOf(page: Page): Promise<(headers: object, body: string, secret: string) => boolean> {
  const code = await page.getByRole('region', { name: 'Code that checks a signature' }).locator('pre').textContent()
  return (await import(`data:text/javascript,${encodeURIComponent(code ?? '')}`)).isGenuine
}

test.each(ways)(
  'an owner’s first day by $way: record, team, webhooks with a secret, a test, deliveries and replays',
  async ({ way, handsOf, options }) => {
    const platform = await makePlatform(api, { name: 'Forte Circle' })
    const joining = { keys: 'Pianissimo', touch: 'Rallentando' }[way]
    const [admin, other, comer] = [
      await join(platform, await api.user({ name: 'forte' }), 'admin'),
      await join(platform, await api.user({ name: 'mezzo' }), 'admin'),
      await api.user({ name: joining.toLowerCase() }),
    ]
    const at = `/tournament-platforms/${platform.contextId}`
    await using visitor = await visit(admin, options)
    const { page } = visitor
    const hands = handsOf(page)
    const complaints = complaintsOf(page)
    const press = (name: string | RegExp, within: Pick<Page, 'getByRole'> = page) =>
      hands.press(within.getByRole('button', { name }))
    const hook = `/hooks/${way}`
    await page.goto(`/p/${platform.contextId}`)
    await hands.press(page.getByRole('link', { name: 'Manage the platform' }))
    // Record: somebody else has saved the same field.
    const part = (name: string) => page.getByRole('region', { name, exact: true })
    await hands.write(part('Record').getByLabel('Description'), 'Cups at night.')
    expect((await api.put(at, other, { description: 'Cups by day.' })).status).toBe(200)
    await press('Save the record')
    await part('Record').getByText('Cups by day.').waitFor()
    await press('Keep mine', part('Record'))
    await press('Save the record')
    await part('Record').getByText('Saved', { exact: true }).waitFor()
    expect((await api.get(at)).body.description).toBe('Cups at night.')
    // Its picture: what is none is refused in words.
    const refused = { name: 'page.png', mimeType: 'image/png', buffer: Buffer.from('<html></html>') }
    await hands.attach('Upload a picture', refused)
    await part('Record').getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor()
    await hands.attach('Upload a picture', { ...refused, buffer: await pictureIn('png', plain(200)) })
    await expect.poll(() => part('Record').getByLabel('Picture', { exact: true }).inputValue()).toContain('/media/')
    await press('Save the record')
    await part('Record').getByText('Saved', { exact: true }).waitFor()
    const { imageUrl } = (await api.get(at)).body
    expect((await fetch(imageUrl)).status).toBe(200)
    expect(complaints.splice(0)).toEqual([expect.stringContaining('status of 415')])
    // Webhooks.
    const hooks = part('Webhooks')
    await hands.write(hooks.getByLabel('Custom webhook'), `${receiver.url}${hook}`)
    await hands.pick(hooks.getByRole('checkbox', { name: 'Somebody joins the team' }))
    await press('Save the webhooks')
    await hooks.getByText('Saved', { exact: true }).waitFor()
    await press('Make a secret')
    await press('Show Signing secret')
    const secret = (await hooks.locator('.code').first().textContent()) ?? ''
    expect(secret).toMatch(/^whsec_/)
    await press('Send a sample')
    await hooks.getByRole('status').getByText('Taken', { exact: true }).waitFor()
    await hooks.getByText('Answered 204.').waitFor()
    // The page's own code knows the message, and no other.
    const isGenuine = await snippetOf(page)
    const [sample] = receiver.at(hook)
    if (sample === undefined) throw new Error('nothing came')
    expect(isGenuine(sample.headers, sample.body, secret)).toBe(true)
    expect(isGenuine(sample.headers, `${sample.body} `, secret)).toBe(false)
    expect(isGenuine(sample.headers, sample.body, `whsec_AAAA${secret.slice(10)}`)).toBe(false)
    expect(isGenuine({ ...sample.headers, 'webhook-timestamp': '1700000000' }, sample.body, secret)).toBe(false)
    expect(isGenuine({ ...sample.headers, 'webhook-signature': undefined }, sample.body, secret)).toBe(false)
    // Team: somebody joins, which is delivered.
    const team = part('Team')
    await hands.write(team.getByLabel('Add a person'), joining.slice(0, 7))
    await hands.choose(page.getByRole('option', { name: joining }))
    await press('Add', team)
    await team.getByRole('link', { name: joining }).waitFor()
    const deliveries = part('Deliveries')
    const line = deliveries.getByRole('listitem').filter({ hasText: 'Somebody joins the team' })
    await line.getByText('Sent', { exact: true }).waitFor()
    await hands.press(line.locator('summary'))
    const [, joined] = receiver.at(hook)
    await line.getByText(joined?.body ?? '?', { exact: true }).waitFor()
    await press('Send again Somebody joins the team')
    await line.getByText('Tried 2 times.').waitFor()
    await deliveries.getByLabel('Since').fill('2026-01-01T12:00')
    await press('Count them')
    await deliveries.getByText('1 message was sent or given up since then.').waitFor()
    await press('Send them again…')
    await press('Send them again', page.getByRole('dialog', { name: 'Send 1 message again?' }))
    await line.getByText('Tried 3 times.').waitFor()
    const came = receiver.at(hook).slice(1)
    expect(came.map(({ id, body }) => [id, body])).toEqual(Array(3).fill([joined?.id, joined?.body]))
    // Not with a part of the page below the bar on top.
    await page.evaluate(() => scrollTo(0, 0))
    expect(await faultsOf(page)).toEqual([])
    // Somebody leaves.
    await press(`Remove… ${joining}`)
    const leaving = page.getByRole('dialog', { name: `Remove ${joining} from the team?` })
    await leaving.getByText('2 people stay in the team.').waitFor()
    await press('Remove', leaving)
    await team.getByRole('link', { name: joining }).waitFor({ state: 'detached' })
    const { members } = (await api.get(`${at}/settings`, admin)).body
    expect(members.map(({ user }: { user: { guid: string } }) => user.guid)).toEqual([admin.guid, other.guid])
    expect(members).not.toContain(comer.guid)
    // Afterwards the secret is shown no more.
    await page.reload()
    await hooks.getByText('A secret is configured. It is never shown.').waitFor()
    expect(await page.content()).not.toContain(secret)
    expect(complaints).toEqual([])
  },
)

test('who may not sees no way there, and is refused; a part that fails says so; nothing is wrong at any width', async () => {
  const platform = await makePlatform(api, { name: 'A league with a name of many and rather long words' })
  const reviewer = await join(platform, await api.user(), 'reviewer')
  const admin = await join(platform, await api.user(), 'admin')
  await ask(platform, 'Sostenuto Cup of the many long and longer words')
  const [review, manage] = [`/review/${platform.contextId}`, `/platforms/${platform.contextId}/manage`]
  {
    await using visitor = await visit(await api.user({ name: 'extra' }))
    const { page } = visitor
    await page.goto(review)
    await page.getByRole('heading', { name: 'You may not see this page' }).waitFor()
    await page.goto('/review/nowhere')
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
    await page.goto('/review')
    await page.getByText('You review no platform yet.').waitFor()
    await page.getByRole('button', { name: 'Extra' }).click()
    await page.getByRole('link', { name: 'Agenda' }).waitFor()
    expect(await page.getByRole('link', { name: 'Review', exact: true }).count()).toBe(0)
  }
  {
    await using visitor = await visit(reviewer)
    const { page } = visitor
    await page.goto(manage)
    await page.getByRole('heading', { name: 'You may not see this page' }).waitFor()
    await page.goto(review)
    await page.getByRole('link', { name: /^Sostenuto/ }).waitFor()
    expect(await page.getByRole('link', { name: 'Manage the platform' }).count()).toBe(0)
  }
  {
    await using visitor = await browser.visitor(api)
    await visitor.page.goto(manage)
    await visitor.page.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor()
  }
  await using visitor = await visit(admin)
  expect(await faultsOfPages(visitor.page, ['/review', review, `${review}?status=blocked`, manage])).toEqual([])
  await visitor.page.routeWebSocket(/./, () => {})
  await visitor.page.route('**/api/tournament-platforms/*/deliveries*', (route) =>
    route.fulfill({ status: 403, headers: { 'request-id': 'broken' }, json: { error: 'It broke.' } }),
  )
  await visitor.page.goto(manage)
  const failing = visitor.page.getByRole('region', { name: 'Deliveries' })
  await failing.getByRole('button', { name: 'Try again' }).waitFor()
  await visitor.page.getByRole('region', { name: 'Team' }).getByRole('listitem').first().waitFor()
})

const guide = readFileSync(path.join(import.meta.dirname, '../../docs/guide/review.md'), 'utf8')

/** Runs lines of the guide as they are written, with this service. @returns what was answered, without empty answers */
async function shell(lines: string, env: Readonly<Record<string, string>>) {
  const script = `curl() { command curl --silent --fail-with-body "$@"; echo; }\n${lines}`
  const here = script.replaceAll('http://127.0.0.1:3001', api.url)
  const { stdout } = await promisify(execFile)('bash', ['-euc', here], { env: { ...process.env, ...env } })
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

test('the guide’s lines review a tournament and run a platform; its code is that of the page', async () => {
  const platform = await makePlatform(api, { contextId: 'night-league' })
  const [reviewer, admin, comer] = [
    await join(platform, await api.user(), 'reviewer'),
    await join(platform, await api.user(), 'admin'),
    await api.user(),
  ]
  const request = await requestOf(platform, await ask(platform, 'Guide Cup'))
  const [review = '', team = '', webhooks = '', deliveries = ''] = shellBlocks(guide)
  const [mine, queue, before, ...decided] = await shell(review, { TOKEN: reviewer.token, REQUEST: request.guid })
  expect(mine).toMatchObject([{ contextId: 'night-league', role: 'reviewer' }])
  expect([queue.requests, before.decisions]).toMatchObject([[{ guid: request.guid }], []])
  expect(decided.map((reply) => reply.request.status)).toEqual(['approved', 'rejected', 'blocked'])
  const env = { TOKEN: admin.token, MEMBER: comer.guid, HOOK: `${receiver.url}/hooks/guide` }
  const [record, member] = await shell(team, env)
  expect(record.description).toBe('Cups for those who play at night.')
  expect(member).toMatchObject({ role: 'reviewer', user: { guid: comer.guid } })
  const [, settings, tested] = await shell(webhooks, env)
  expect(settings).toMatchObject({ customWebhookSecret: 'configured', customWebhookUrl: env.HOOK })
  expect(settings.members).toHaveLength(2)
  expect(tested).toMatchObject({ chat: null, custom: { ok: true, status: 204 } })
  await join(platform, comer, 'reviewer')
  const list = async () => (await api.get('/tournament-platforms/night-league/deliveries', admin)).body.deliveries
  await expect.poll(list).toMatchObject([{ status: 'delivered' }])
  const [{ guid }] = await list()
  const [listed, one, again, counted] = await shell(deliveries, { ...env, DELIVERY: guid })
  expect(listed.deliveries).toMatchObject([{ guid }])
  expect(one.body).toBe(receiver.at('/hooks/guide')[1]?.body)
  expect(again.guid).toBe(guid)
  // The replay of the line before may not be over.
  expect(counted.replayed).toBeLessThanOrEqual(1)
  await expect.poll(() => receiver.at('/hooks/guide').length).toBeGreaterThanOrEqual(3)
  const code = readFileSync(path.join(import.meta.dirname, '../site/platforms/manage/verify.js'), 'utf8')
  expect(guide).toContain(`\n\`\`\`js\n${code}\`\`\`\n`)
})
