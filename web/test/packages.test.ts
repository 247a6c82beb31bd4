import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { openBrowser, type RealBrowser } from '../../test/chromium/browser.ts'
import { type Harness, startHarness } from '../../test/harness.ts'
import { makeTeam, makeTournament, roleHolder } from '../../test/make.ts'
import { renewed, signedBy, smallPackage, unpacked } from '../../test/package-imports.ts'
import { facts, fileOf, packed, smallFiles } from '../../test/packages.ts'
import { complaintsOf, faultsOf, isSettled, widerOf } from './site/checks.ts'
import { visitAs } from './site/readers.ts'

/** Pages on which an organiser takes a package or brings one, and anybody checks one, in a real browser. (P1, P2, P6) */

let api: Harness
let browser: RealBrowser
beforeAll(async () => {
  ;[api, browser] = await Promise.all([startHarness(), openBrowser(), freshenPages()])
})
afterAll(async () => {
  await browser?.close()
  await api?.[Symbol.asyncDispose]()
})

const zip = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/zip', buffer })
const verdictOf = (page: Page) => page.locator('main [role="status"]')

test('a package is whole, of a stranger, or broken; nothing of it is sent', async () => {
  const { packages } = api.app.services.keys
  const hostile = { ...facts, tournament: { ...facts.tournament, name: '<img src=x onerror=alert(1)> ‮puC' } }
  const whole = await packed(await packages.current(new Date()), smallFiles, hostile)
  const flipped = Buffer.from(whole)
  // Rows are packed; a picture is stored, and is the last file.
  flipped.writeUInt8(flipped.readUInt8(whole.length - 3_000) ^ 1, whole.length - 3_000)

  await using visitor = await browser.visitor(api)
  const { page } = visitor
  const complaints = complaintsOf(page)
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' || request.postData() !== null) sent.push(request.url())
  })
  await page.goto('/about')
  await page.getByRole('link', { name: 'Check a package' }).click()
  await page.waitForURL('**/packages')
  await isSettled(page)
  // By keys alone: the field is a stop of its own, and its label is what is seen.
  const field = page.locator('main input[type="file"]')
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), field.press('Enter')])
  await chooser.setFiles(zip('cup.zip', whole))
  const verdict = verdictOf(page)
  await expect.poll(() => verdict.textContent()).toContain('Whole, and signed by this service')
  const about = page.getByRole('region', { name: 'What it says about itself' })
  expect(await about.textContent()).toContain(hostile.tournament.name)
  await about.getByText(/^All \d+ kinds of rows$/).press('Enter')
  expect(await about.getByRole('row', { name: /^teams/ }).textContent()).toBe('teams300')
  expect(await about.textContent()).toContain('300 teams')
  expect(await faultsOf(page)).toEqual([])

  const old = await packed(await packages.current(new Date()))
  await packages.rotate(new Date(), false)
  await page.reload()
  await isSettled(page)
  await field.setInputFiles(zip('old.zip', old))
  await expect.poll(() => verdict.textContent()).toContain('Whole, and signed by this service')
  await field.setInputFiles(zip('cut.zip', whole.subarray(0, -20)))
  await expect.poll(() => verdict.textContent()).toContain('Broken')
  expect(await about.count()).toBe(0)
  await field.setInputFiles(zip('flipped.zip', flipped))
  await expect.poll(() => verdict.textContent()).toMatch(/^flipped\.zip.*Broken/)
  await field.setInputFiles(zip('text.zip', Buffer.from('no package')))
  await expect.poll(() => verdict.textContent()).toMatch(/^text\.zip.*Broken.*cannot be read/)
  const unlisted = await packed(await packages.current(new Date()), [...smallFiles, fileOf('data/more.ndjson', '{}\n')])
  await field.setInputFiles(zip('miscounted.zip', unlisted))
  await expect.poll(() => verdict.textContent()).toMatch(/^miscounted\.zip.*Broken.*data\/more\.ndjson/)

  // The key of another service; and this one, by a key that it takes back.
  await using other = await startHarness()
  const foreign = await packed(await other.app.services.keys.packages.current(new Date()))
  await field.setInputFiles(zip('foreign.zip', foreign))
  await expect.poll(() => verdict.textContent()).toContain('Whole, signed by a key that is not known here')
  const current = await packed(await packages.current(new Date()))
  await packages.rotate(new Date(), true)
  await page.reload()
  await isSettled(page)
  await field.setInputFiles(zip('revoked.zip', current))
  await expect.poll(() => verdict.textContent()).toMatch(/Broken.*revoked/)
  expect(sent).toEqual([])
  expect(visitor.outside).toEqual([])
  expect(complaints).toEqual([])
})

test('without the keys of the service a package is of a stranger, and the page says why', async () => {
  const whole = await packed(await api.app.services.keys.packages.current(new Date()))
  await using visitor = await browser.visitor(api)
  const { page } = visitor
  await page.route('**/.well-known/package-keys.json', (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.goto('/packages')
  await page.getByText('The keys of this service could not be read').waitFor()
  // Dropped rather than chosen.
  const data = await page.evaluateHandle(
    (bytes) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([new Uint8Array(bytes)], 'dropped.zip', { type: 'application/zip' }))
      return transfer
    },
    [...whole],
  )
  await page.getByText('Or drop it here').dispatchEvent('drop', { dataTransfer: data })
  await expect.poll(() => verdictOf(page).textContent()).toMatch(/^dropped\.zip.*a key that is not known here/)
})

test('an organiser takes the tournament along, sees who did, and checks the file; other staff have no such page', async () => {
  const organiser = await api.user()
  const cup = await makeTournament(api, organiser, { name: 'Cup of ‮all' })
  const team = await makeTeam(api, cup, await api.user(), { name: 'The Quavers' })
  expect((await api.post(`/tournaments/${cup.guid}/register/${team.guid}`, organiser)).status).toBe(200)
  const caster = await roleHolder(api, cup, 'role:caster')
  await using visitor = await visitAs(browser, api, organiser)
  const { page } = visitor
  await page.goto(`/manage/${cup.id}`)
  await page.getByRole('link', { name: 'Package', exact: true }).first().click()
  await page.getByText('Nobody has taken a package yet.').waitFor()
  await page.getByLabel('Without pictures, videos and fonts').check()
  const make = page.getByRole('button', { name: 'Make the package' })
  const save = async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), make.press('Enter')])
    return { name: download.suggestedFilename(), content: await readFile(await download.path()) }
  }
  const first = await save()
  expect(first.name).toBe(`${cup.id}-full.zip`)
  const taken = page.getByRole('region', { name: 'Taken before', exact: true })
  await expect.poll(() => taken.getByRole('row').count()).toBe(2)
  await page.getByLabel('what everybody may see').check()
  expect(await page.getByLabel('With private answers').count()).toBe(0)
  expect((await save()).name).toBe(`${cup.id}-public.zip`)
  await page.getByLabel('everything, without people').check()
  expect((await save()).name).toBe('anonymised.zip')
  await expect.poll(() => taken.getByRole('row').count()).toBe(4)
  expect(await taken.getByRole('row').nth(1).textContent()).toContain('everything, without people')
  await page.getByLabel('everything, without private answers').check()
  await page.getByLabel('With private answers').check()
  const second = await save()
  await expect.poll(() => taken.getByRole('row').count()).toBe(5)
  expect(await taken.getByRole('row').nth(1).textContent()).toContain('everything, with private answers')
  expect(second.content.equals(first.content)).toBe(false)
  expect(await faultsOf(page)).toEqual([])
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await widerOf(page)).toBeLessThanOrEqual(0)
  }
  await page.getByRole('link', { name: 'Check it' }).click()
  await page.waitForURL('**/packages')
  await isSettled(page)
  await page.locator('main input[type="file"]').setInputFiles(zip(second.name, second.content))
  await expect.poll(() => verdictOf(page).textContent()).toContain('Whole, and signed by this service')
  expect(await page.locator('main').textContent()).toContain('everything, with private answers')

  await page.goto(`/manage/${cup.id}/package`)
  await page.route('**/package?**', (route) =>
    route.fulfill({
      ...{ status: 503, contentType: 'application/json' },
      headers: { 'problem-code': 'service.busy', 'request-id': 'one' },
      body: JSON.stringify({ error: 'Two packages are being made; try again.' }),
    }),
  )
  await make.click()
  await page.getByText('Two packages are being made; try again.').waitFor()

  await using other = await visitAs(browser, api, caster)
  await other.page.goto(`/manage/${cup.id}/package`)
  await other.page.locator('main h1').waitFor()
  expect(await other.page.getByRole('button', { name: 'Make the package' }).count()).toBe(0)
})

test('an organiser tries a package and imports it; who has an account here takes the place that waits (P6)', async () => {
  const [organiser, player] = await Promise.all([api.user(), api.user()])
  const { whole: original, key } = await smallPackage({ clef: player.chatPlatformId })
  const whole = await signedBy(key, await unpacked(original, { weather: () => [{}] }))
  await using visitor = await visitAs(browser, api, organiser)
  const { page } = visitor
  const complaints = complaintsOf(page)
  await page.goto('/new')
  await page.getByRole('link', { name: 'Import it' }).press('Enter')
  await page.waitForURL('**/new/package')
  const field = page.locator('main input[type="file"]')
  await field.setInputFiles(zip('text.zip', Buffer.from('no package')))
  await page.getByText('Broken', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Try it' }).count()).toBe(0)
  await field.setInputFiles(zip('public.zip', await packed(key, smallFiles, { ...facts, variant: 'public' })))
  await page.getByText('This package has what everybody may see').waitFor()
  expect(await page.getByRole('button', { name: 'Try it' }).count()).toBe(1)
  await field.setInputFiles(zip('cup.zip', whole))
  await page.getByText('This package has what everybody may see').waitFor({ state: 'hidden' })
  const id = page.getByLabel('Short id')
  await id.fill('cup again')
  await page.getByRole('button', { name: 'Try it' }).press('Enter')
  await page.getByText('The short id of the copy must be').waitFor()
  await id.fill('cup-again')
  expect(await page.getByRole('radio', { name: 'As what it was' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Try it' }).press('Enter')
  const result = page.getByRole('region', { name: 'What it would do' })
  await result.waitFor()
  expect(await result.textContent()).toMatch(/not known here.*3 people are placeholders.*teams2.*Not taken: roles/)
  await result.getByText('Left out').press('Enter')
  expect(await result.textContent()).toMatch(/data\/weather\.ndjson.*1 row/)
  expect(await api.sql("select 1 from tournaments where id = 'cup-again'")).toEqual([])
  expect(await faultsOf(page)).toEqual([])
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await widerOf(page)).toBeLessThanOrEqual(0)
  }
  // What was tried counts for that alone.
  await page.getByRole('radio', { name: 'Only the setup' }).check()
  expect(await result.count()).toBe(0)
  await page.getByRole('radio', { name: 'Everything' }).check()
  await page.getByRole('button', { name: 'Import', exact: true }).press('Enter')
  await page.waitForURL('**/manage/cup-again')
  expect(complaints.filter((each) => !each.includes('400'))).toEqual([])

  await using other = await visitAs(browser, api, player)
  await other.page.goto('/me/notifications')
  await other.page.locator('main').getByRole('link', { name: 'A place in Cup waits for you' }).waitFor()
  await other.page.getByRole('button', { name: /^Take the place/ }).press('Enter')
  expect(await faultsOf(other.page)).toEqual([])
  await other.page.getByRole('dialog').getByRole('button', { name: 'Take the place' }).press('Enter')
  await other.page.getByText('The place is yours now.').waitFor()
  const [claim] = await api.sql('select 1 from claims where user_guid = $1', [player.guid])
  expect(claim).toBeDefined()
})

test('an owner restores a package, by a signer whom they trust (P6)', async () => {
  const owner = await api.user({ globalRoles: ['role:owner'] })
  const { whole: original, key } = await smallPackage()
  const whole = await signedBy(key, await renewed(original, 'restored'))
  await using visitor = await visitAs(browser, api, owner)
  const { page } = visitor
  await page.goto('/new/package')
  await page.locator('main input[type="file"]').setInputFiles(zip('cup.zip', whole))
  await page.getByRole('radio', { name: 'As what it was' }).check()
  expect(await page.getByLabel('Short id').count()).toBe(0)
  const tryIt = page.getByRole('button', { name: 'Try it' })
  await tryIt.click()
  await page.getByText('say that you trust it').waitFor()
  await page.getByLabel('I trust the signer').check()
  await tryIt.click()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.waitForURL('**/manage/restored')
})
