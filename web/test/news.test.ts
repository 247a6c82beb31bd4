import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { makeBracket } from '../../test/bracket-play.ts'
import { openBrowser, type RealBrowser, type VisitorOptions } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { type FakeChatWebhooks, startFakeChatWebhooks } from '../../test/fakes/chat-webhook.ts'
import { type Caller, type Harness, startHarness } from '../../test/harness.ts'
import { grantRole, makeTournament } from '../../test/make.ts'
import {
  announce,
  type Channel,
  chatWebhookConfig,
  contents,
  delivery,
  longText,
  makeChannel,
  misbehaveAt,
} from '../../test/updates.ts'
import { complaintsOf, faultsOf, isSettled } from './site/checks.ts'
import { byKeys } from './site/hands.ts'
import { visitAs } from './site/readers.ts'

/** What a tournament tells, and what was told and changed: updates, announcements, deliveries, audit. (W2, W10, W19) */

let chat: FakeChatWebhooks
let api: Harness
let browser: RealBrowser
beforeAll(async () => {
  chat = await startFakeChatWebhooks()
  ;[api, browser] = await Promise.all([startHarness({ chat: chatWebhookConfig(chat) }), openBrowser(), freshenPages()])
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await api?.[Symbol.asyncDispose]()
  await chat?.close()
})

const visit = (user: Caller, options?: VisitorOptions) => visitAs(browser, api, user, options)
const refused = { status: 400, body: { code: 50_035, message: 'Invalid Form Body' } }

/** What a page shows of messages, as it was sent: a preview has no marks. */
const plain = (text: string) => text.replaceAll('**', '').replace(/\s+/g, ' ').trim()

const line = (page: Page | Locator, text: string) => page.getByRole('listitem').filter({ hasText: text })

test('by keys alone an update is written from a change, sent as it was shown, and what failed is sent again', async () => {
  const channel = await makeChannel(api, chat)
  const { organiser, tournament, webhook } = channel
  await api.patch(`/tournaments/${tournament.id}`, organiser, { capacity: 16 })
  await using visitor = await visit(organiser)
  const { page } = visitor
  const hands = byKeys(page)
  await page.goto(`/manage/${tournament.id}/updates`)
  await hands.write(page.getByLabel('Title'), 'More places')
  await hands.press(page.getByRole('button', { name: 'Put into the text Places' }))
  const text = page.getByLabel('Text Needed')
  await expect.poll(() => text.inputValue()).toMatch(/^- \*\*Places:\*\* .+ → 16$/)
  await text.focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.insertText(`\n\n${longText(3)}`)
  await hands.pick(page.getByRole('checkbox', { name: 'Places' }))
  await hands.pick(page.getByRole('checkbox', { name: 'Chat of the tournament' }))
  // A draft is there after a reload.
  await page.reload()
  const shown = page.getByRole('region', { name: 'As chat messages' })
  await shown.getByText('Message 1 of 3').waitFor()
  await page.getByRole('region', { name: 'As a page' }).getByText('Part 3.').waitFor()
  expect(await page.getByRole('checkbox', { name: 'Places' }).isChecked()).toBe(true)
  const previewed = plain((await shown.textContent()) ?? '')
  misbehaveAt(chat, 2, refused)
  await hands.press(page.getByRole('button', { name: 'Publish and send 3 messages' }))
  const published = line(page, 'More places').filter({ has: page.getByRole('button', { name: 'Delete' }) })
  await published.getByText('1 of 3 messages are in the chat').waitFor()
  await published.getByText('The chat platform refuses the message').waitFor()
  await expect.poll(() => text.inputValue()).toBe('')
  await hands.press(published.getByRole('button', { name: 'Send again' }))
  await published.getByText('3 of 3 messages are in the chat').waitFor()
  expect(webhook.messages).toHaveLength(3)
  for (const content of contents(webhook)) {
    for (const each of content.split('\n')) expect(previewed).toContain(plain(each).replace(/^- /, ''))
    expect(previewed).toContain(`${content.length.toLocaleString('en')} of 2,000`)
  }
  expect(webhook.messages.at(-1)?.embeds).toMatchObject([{ title: 'Places' }])
  expect((await api.get(`/tournaments/${tournament.id}/updates`)).body.updates).toMatchObject([
    { title: 'More places', changes: [{ title: 'Places', after: '16' }] },
  ])
})

test('two browsers edit an update: each text is chosen, nothing is lost, and it is deleted with its message', async () => {
  const channel = await makeChannel(api, chat)
  const { organiser, tournament, webhook } = channel
  const staff = await api.user()
  await grantRole(api, tournament, staff, 'role:staff')
  const guid = await announce(api, channel, { title: 'Finals', content: 'On Sunday.' })
  await delivery(api, channel, guid)
  await using one = await visit(organiser)
  await using other = await visit(staff)
  for (const { page } of [one, other]) {
    await page.goto(`/manage/${tournament.id}/updates`)
    await page.getByRole('link', { name: 'Edit Finals' }).click()
    await page.getByRole('heading', { name: 'Edit an update' }).waitFor()
  }
  await one.page.getByLabel('Text Needed').fill('On Sunday at 18:00.')
  await other.page.getByLabel('Text Needed').fill('On Monday.')
  await other.page.getByLabel('Title').fill('Finals moved')
  await other.page.getByRole('button', { name: 'Save changes' }).click()
  await other.page.getByRole('heading', { name: 'New update' }).waitFor()
  await one.page.getByText('Somebody else saved meanwhile: On Monday.').waitFor()
  expect(await one.page.getByLabel('Title').inputValue()).toBe('Finals moved')
  expect(await one.page.getByRole('button', { name: 'Save changes' }).isDisabled()).toBe(true)
  await one.page.getByRole('button', { name: 'Keep mine' }).click()
  // While the service is away nothing is lost either.
  await one.page.route(`**/updates/${guid}`, (route) => route.abort())
  await one.page.getByRole('button', { name: 'Save changes' }).click()
  await one.page.getByText('The service could not be reached. Nothing was lost').waitFor()
  await one.page.unroute(`**/updates/${guid}`)
  await one.page.getByRole('button', { name: 'Save changes' }).click()
  await one.page.getByRole('heading', { name: 'New update' }).waitFor()
  await expect.poll(() => contents(webhook)).toEqual(['**Finals moved**\nOn Sunday at 18:00.'])
  await delivery(api, channel, guid)
  const { page } = one
  await page.getByRole('button', { name: 'Delete…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('It goes from the page for good, and its message from the chat.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Delete', exact: true }).isDisabled()).toBe(true)
  await dialog.getByLabel('To confirm, type Finals moved').fill('Finals moved')
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('Nothing was published yet.').waitFor()
  await expect.poll(() => webhook.messages).toEqual([])
})

test('announcements are set, previewed and tested by keys; a channel that is gone says so', async () => {
  const { organiser, tournament, webhook } = await makeChannel(api, chat)
  const path = `/tournaments/${tournament.id}`
  await api.patch(path, organiser, { streamDelaySeconds: 600 })
  await using visitor = await visit(organiser)
  const { page } = visitor
  const hands = byKeys(page)
  await page.goto(`/manage/${tournament.id}/announcements`)
  const kind = line(page.getByRole('region', { name: 'Match day' }), 'A match begins')
  await kind.getByText('A match has begun:').waitFor()
  await page.getByText('wait 600 seconds, as the stream does').waitFor()
  await kind.getByLabel('Channel').focus()
  await page.keyboard.type('Main')
  await hands.write(kind.getByLabel('Mentions'), '42')
  // Somebody else sets another kind meanwhile: both are kept.
  await api.patch(path, organiser, { announcements: { placements: 'main' } })
  await expect.poll(() => line(page, 'The tournament is over').getByLabel('Channel').inputValue()).toBe('main')
  await hands.press(page.getByRole('button', { name: 'Save', exact: true }))
  await kind.getByText('@role 42').waitFor()
  expect((await api.get(path, organiser)).body).toMatchObject({
    announcements: { match_started: 'main', placements: 'main' },
    announcementRoles: { match_started: ['42'] },
  })
  await hands.press(page.getByRole('button', { name: 'Send a test' }))
  await expect.poll(() => contents(webhook)).toEqual([expect.stringContaining('(test) **A match has begun:**')])
  const tests = page.getByRole('region', { name: 'Test' })
  await tests.getByText('Sent', { exact: true }).waitFor()
  webhook.delete()
  await hands.press(page.getByRole('button', { name: 'Send a test' }))
  await tests.getByText('The chat webhook does not exist any more').waitFor()
  await kind.getByText('The chat webhook does not exist any more').waitFor()
  // What failed is found by its state, with the message and without the address.
  await hands.press(kind.getByRole('link', { name: 'Deliveries' }))
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor()
  const failed = line(page, 'A match begins')
  await failed.getByRole('button', { name: 'Send again' }).waitFor()
  expect(await failed.count()).toBe(1)
  await hands.press(failed.getByText('The message'))
  await failed.getByText('A match has begun:').waitFor()
  expect(await page.content()).not.toContain(new URL(webhook.url).pathname.split('/').at(-1))
  const fresh = chat.addWebhook()
  await api.patch(path, organiser, { chatWebhookUrl: fresh.url })
  await hands.press(failed.getByRole('button', { name: 'Send again' }))
  await page.getByText('Nothing has failed.').waitFor()
  await expect.poll(() => fresh.messages).toHaveLength(1)
})

test('the audit finds who changed what; settings and corrections are undone after a preview', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const { cup, organiser } = made
  const [admin, caster] = [await api.user(), await api.user()]
  await grantRole(api, cup, admin, 'role:admin')
  await grantRole(api, cup, caster, 'role:caster')
  await api.patch(`/tournaments/${cup.guid}`, admin, { capacity: 24, summary: 'Four days.' })
  await made.win(1, 'team-1')
  const { revision } = await made.read()
  await made.tell(1, { outcome: 'walkover', winner: 2, revision, reason: 'A player was not on the roster.' })
  await using visitor = await visit(organiser)
  const { page } = visitor
  await page.goto(`/manage/${cup.id}/audit`)
  const correction = line(page, 'A player was not on the roster.').first()
  await correction.getByRole('button', { name: 'Undo' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('One match changes:').waitFor()
  await dialog.getByText('Team 1', { exact: false }).first().waitFor()
  expect(await faultsOf(page)).toEqual([])
  expect((await made.readMatch(1)).outcome).toBe('walkover')
  await dialog.getByRole('button', { name: 'Undo it' }).click()
  await correction.getByText('Undone', { exact: false }).waitFor()
  expect((await made.readMatch(1)).outcome).toBe('score')
  await page.getByText('undid a correction').waitFor()
  // The person is chosen in the list, and is in the address.
  await page.getByLabel('Who').selectOption({ label: admin.username })
  await page.waitForURL(`**person=${admin.guid}`)
  const change = line(page, 'changed settings')
  await expect.poll(() => page.getByText('undid a correction').count()).toBe(0)
  await change.getByText('24').waitFor()
  await change.getByRole('button', { name: 'Undo…' }).click()
  await dialog.getByText('Places').waitFor()
  await dialog.getByRole('button', { name: 'Undo it' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect((await api.get(`/tournaments/${cup.guid}`)).body).toMatchObject({ capacity: null, summary: null })
  await page.getByLabel('From').fill('2021-01-02')
  await page.getByLabel('Until').fill('2021-01-03')
  await page.getByText('Nothing was changed that fits.').waitFor()
  // Who may not undo it sees it, and no way to.
  await using other = await visit(caster)
  await other.page.goto(`/manage/${cup.id}/audit`)
  await other.page.getByText('changed settings').first().waitFor()
  expect(await other.page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
})

test('a place that was claimed by a link is given back from the audit, for 14 days', async () => {
  const organiser = await api.user()
  const cup = await makeTournament(api, organiser)
  const rows = ['Quavers', 'Breves'].map((teamName) => ({ teamName, captain: { name: `Lead of ${teamName}` } }))
  const sheet = await api.post(`/tournaments/${cup.guid}/teams/import`, organiser, { rows })
  const claimed = await Promise.all(
    sheet.body.rows.map(async ({ team }: { readonly team: { readonly guid: string } }) => {
      const path = `/tournaments/${cup.guid}/teams/${team.guid}`
      const { captain } = (await api.get(path, organiser)).body
      const link = await api.post(`/users/${captain.guid}/claimLinks`, organiser, { tournament: cup.guid })
      const user = await api.user({ scopes: ['rest:write', 'rest:user:write', 'rest:user:read'] })
      const reply = await api.post(`/claims/${link.body.token}`, user)
      expect(reply.status, reply.text).toBe(200)
      return { path, user, placeholder: captain.guid }
    }),
  )
  const [first, second] = claimed
  await using visitor = await visit(organiser)
  const { page } = visitor
  await page.goto(`/manage/${cup.id}/audit`)
  const undo = page.getByRole('button', { name: 'Undo… ' })
  await undo.and(page.getByRole('button', { name: first.user.username })).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(`and ${first.user.username} loses them`).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Undo it' }).click()
  await dialog.waitFor({ state: 'detached' })
  const captainOf = async (path: string) => (await api.get(path, organiser)).body.captain.guid
  expect([await captainOf(first.path), await captainOf(second.path)]).toEqual([first.placeholder, second.user.guid])
  await expect.poll(() => undo.count()).toBe(1)
  // The log names those who play by names from the sheet.
  await line(page, 'took a place back').getByText('Lead of Quavers').waitFor()
  // It is too late for the other one, although the page has not heard of it.
  await api.sql(`update claims set created_at = now() - interval '15 days' where user_guid = $1`, [second.user.guid])
  await undo.click()
  await dialog.getByRole('button', { name: 'Undo it' }).click()
  await dialog.getByRole('alert').getByText('A claim can be taken back for 14 days.').waitFor()
  expect(await captainOf(second.path)).toBe(second.user.guid)
})

test('the pages are whole when they are full and when they fail, at 360 and 1440 px', async () => {
  const channel: Channel = await makeChannel(api, chat)
  const { organiser, tournament } = channel
  await api.patch(`/tournaments/${tournament.id}`, organiser, {
    streamDelaySeconds: 90,
    announcements: { placements: 'main' },
  })
  misbehaveAt(chat, 2, refused)
  const title = `${'Donaudampfschifffahrt'.repeat(5)}إعلان`
  const bad = await announce(api, channel, {
    title,
    content: longText(3),
    changes: [{ title, before: '1', after: '2' }],
  })
  await delivery(api, channel, bad, 'failed')
  await using visitor = await visit(organiser)
  const { page } = visitor
  const complaints = complaintsOf(page)
  const faults: string[] = []
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`/manage/${tournament.id}/deliveries?state=failed`)
    await page.getByText('The 3 messages').click()
    faults.push(...(await faultsOf(page)))
    await page.goto(`/manage/${tournament.id}/updates?update=${bad}`)
    await page.getByText('Viewers are 2 minutes behind.').waitFor()
    await page.getByText('Message 3 of 3').waitFor()
    faults.push(...(await faultsOf(page)))
    await page.goto(`/manage/${tournament.id}/audit`)
    await isSettled(page)
    faults.push(...(await faultsOf(page)))
  }
  expect(faults).toEqual([])
  expect(complaints).toEqual([])
  await page.route('**/updates/preview', (route) =>
    route.fulfill({ status: 500, body: '{"error":"Something broke."}' }),
  )
  await page.goto(`/manage/${tournament.id}/updates?update=${bad}`)
  const shown = page.getByRole('region', { name: 'As chat messages' })
  await shown.getByRole('button', { name: 'Try again' }).waitFor()
  await page.unroute('**/updates/preview')
  await shown.getByRole('button', { name: 'Try again' }).click()
  await shown.getByText('Message 3 of 3').waitFor()
})
