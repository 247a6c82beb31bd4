import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshenPages } from '../../src/infra/web/built.ts'
import { openBrowser, type RealBrowser, type RealVisitor } from '../../test/chromium/browser.ts'
import { provisionMs } from '../../test/chromium/provide.ts'
import { type FakeRanking, type ScoreSaberPlayer, startFakeScoreSaber } from '../../test/fakes/ranking.ts'
import { type Caller, type Harness, startHarness } from '../../test/harness.ts'
import { makeTournament } from '../../test/make.ts'
import { makeStreamKey } from '../../test/streaming.ts'
import { type Front, startFront } from './front.ts'
import { visitAs } from './site/readers.ts'

/** The forms of a reader's own pages: nothing typed is lost, and refusals are in words. (W10, W17, W19) */

let api: Harness
let front: Front
let browser: RealBrowser
let ranking: FakeRanking<ScoreSaberPlayer>
beforeAll(async () => {
  ;[front, ranking] = await Promise.all([startFront(), startFakeScoreSaber()])
  ;[api, browser] = await Promise.all([
    startHarness({ publicUrl: front.url, rankingAUrl: ranking.url }),
    openBrowser(),
    freshenPages(),
  ])
  front.target = api.url
}, provisionMs)
afterAll(async () => {
  await browser?.close()
  await front?.[Symbol.asyncDispose]()
  await api?.[Symbol.asyncDispose]()
  await ranking?.close()
})

async function visit(user: Caller): Promise<RealVisitor> {
  const visitor = await visitAs(browser, front, user)
  visitor.page.on('dialog', (dialog) => void dialog.accept())
  return visitor
}

interface Form {
  readonly name: string
  /** Prepares what the page is about; resolves to its address. */
  readonly at: (user: Caller) => Promise<string> | string
  readonly label: string
  readonly text: string
  readonly send: string
  /** What else the form needs. */
  readonly fill?: (page: Page) => Promise<void>
  /** Somebody else saves this; forms of new records have no others. */
  readonly others?: (user: Caller, address: string) => Promise<unknown>
  /** What the service has then. */
  readonly stored: (user: Caller) => Promise<unknown>
}

const application = { name: 'Score board', scopes: ['rest:read'], redirectUris: ['https://board.example/back'] }
const named = async (user: Caller) =>
  (await api.get('/oauth/applications', user)).body.map(({ name }: { readonly name: string }) => name)

const forms: readonly Form[] = [
  {
    name: 'profile',
    at: () => '/me/profile',
    label: 'Pronouns',
    text: 'they',
    send: 'Save',
    others: (user) => api.post('/updateUserSettings', user, { pronouns: 'she' }),
    stored: async (user) => (await api.get('/users/@me', user)).body.pronouns,
  },
  {
    name: 'description',
    at: () => '/me/profile',
    label: 'Description',
    text: 'I play.\nOften.',
    send: 'Save',
    others: (user) => api.post('/updateUserSettings', user, { description: 'Something else' }),
    stored: async (user) => (await api.get('/users/@me', user)).body.description,
  },
  {
    name: 'link',
    at: () => '/me/settings',
    label: 'Number of your profile there',
    text: '',
    send: 'Link Ranking platform A',
    stored: async (user) => (await api.get('/users/@me/identities', user)).body.at(-1).externalId,
  },
  {
    name: 'mail',
    at: () => '/me/settings',
    label: 'New address',
    text: 'me@mail.example',
    send: 'Send the link',
    stored: async () => 'me@mail.example',
  },
  {
    name: 'stream key',
    at: () => '/me/streaming',
    label: 'New key for',
    text: 'Living room',
    send: 'Make a key',
    stored: async (user) => (await api.get('/users/@me/streamKeys', user)).body[0].label,
  },
  {
    name: 'new application',
    at: () => '/me/applications',
    label: 'Name',
    text: 'Counter',
    send: 'Register an application',
    fill: async (page) => {
      await page.getByLabel('See everything that you can see').check()
      await page.getByLabel('Where users are sent back to').fill('https://board.example/back')
    },
    stored: async (user) => (await named(user))[0],
  },
  {
    name: 'application',
    at: async (user) => {
      const { body } = await api.post('/oauth/applications', user, { ...application, type: 'confidential' })
      return `/me/applications/${body.clientId}`
    },
    label: 'Name',
    text: 'Counter',
    send: 'Save',
    others: (user, address) =>
      api.patch(`/oauth/applications/${address.split('/').at(-1)}`, user, { name: 'Another name' }),
    stored: async (user) => (await named(user))[0],
  },
]

test.each(forms)('$name: what is typed stays through a reload, a dead service and others who save', async (form) => {
  const user = await api.user()
  const text = form.text === '' ? ranking.players.add().id : form.text
  await using visitor = await visit(user)
  const { page } = visitor
  const address = await form.at(user)
  const field = page.getByRole('main').getByLabel(form.label).first()
  const send = page.getByRole('button', { name: form.send, exact: true }).first()
  await page.goto(address)
  await field.fill(text)
  await form.fill?.(page)
  await page.reload()
  await expect.poll(() => field.inputValue()).toBe(text)

  front.isDown = true
  try {
    await send.click()
    await page.getByText('The service could not be reached. Nothing was lost').waitFor()
    expect(await field.inputValue()).toBe(text)
  } finally {
    front.isDown = false
  }

  if (form.others !== undefined) {
    await form.others(user, address)
    await page.reload()
    await page.getByText('Somebody else saved meanwhile').waitFor()
    expect(await field.inputValue()).toBe(text)
    await page.getByRole('button', { name: 'Keep mine' }).click()
  }
  await send.click()
  await expect.poll(() => form.stored(user)).toBe(text)
  // Nothing of it waits any more.
  await expect
    .poll(() => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('downbeat.form'))))
    .toEqual([])
})

test('a button keeps the focus while it sends; pressed again meanwhile, also by Enter in its form, it sends once', async () => {
  const user = await api.user()
  await using visitor = await visit(user)
  const { page } = visitor
  const posts: (() => void)[] = []
  await page.route('**/api/users/@me/streamKeys', async (route) => {
    if (route.request().method() === 'POST') await new Promise<void>((go) => posts.push(go))
    await route.continue()
  })
  await page.goto('/me/streaming')
  const field = page.getByLabel('New key for')
  const send = page.getByRole('button', { name: 'Make a key' })
  const focused = page.locator(':focus')
  await field.fill('Living room')
  await send.focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => send.getAttribute('aria-disabled')).toBe('true')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Space')
  expect(await focused.textContent()).toBe('Make a key')
  await field.press('Enter')
  await send.focus()
  expect(posts).toHaveLength(1)
  posts[0]?.()
  await expect.poll(() => send.getAttribute('aria-disabled')).toBe('false')
  await page.getByRole('button', { name: 'Revoke…' }).waitFor()
  expect(await focused.textContent()).toBe('Make a key')
  expect(posts).toHaveLength(1)
  expect((await api.get('/users/@me/streamKeys', user)).body).toHaveLength(1)
  // What it removes hands its focus to the heading above.
  await page.getByRole('button', { name: 'Revoke…' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).press('Enter')
  await expect.poll(() => page.getByRole('button', { name: 'Revoke…' }).count()).toBe(0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H2')
})

describe('what is refused is told in the words of the service', () => {
  const refused = (page: Page, words: string | RegExp) => page.getByRole('alert').getByText(words).waitFor()

  test('a sixth stream key', async () => {
    const user = await api.user()
    for (let keys = 0; keys < 5; keys++) await makeStreamKey(api, user)
    await using visitor = await visit(user)
    const { page } = visitor
    await page.goto('/me/streaming')
    await page.getByLabel('New key for').fill('One more')
    await page.getByRole('button', { name: 'Make a key' }).click()
    await refused(page, /5/)
    expect(await page.getByLabel('New key for').inputValue()).toBe('One more')
  })

  test('an application that sends its users to an open address', async () => {
    await using visitor = await visit(await api.user())
    const { page } = visitor
    await page.goto('/me/applications')
    await page.getByRole('main').getByLabel('Name').fill('Counter')
    await page.getByLabel('See everything that you can see').check()
    await page.getByLabel('Where users are sent back to').fill('http://board.example/back')
    await page.getByRole('button', { name: 'Register an application' }).click()
    await refused(page, /https/)
  })

  test('an account on which a tournament relies, which is named before; one that is free goes', async () => {
    const user = await api.user({ name: 'leaver' })
    const cup = await makeTournament(api, user, { name: 'Autumn Cup' })
    await makeStreamKey(api, user)
    await using visitor = await visit(user)
    const { page } = visitor
    await page.goto('/me/account')
    await page.getByRole('main').getByRole('link', { name: 'Autumn Cup' }).waitFor()
    await page.getByRole('button', { name: 'Delete the account…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('With it go no application, one stream key and no upload of yours.').waitFor()
    const act = dialog.getByRole('button', { name: 'Delete the account' })
    expect(await act.isDisabled()).toBe(true)
    await dialog.getByLabel(/To confirm, type/).fill(user.username)
    await act.click()
    await refused(page, new RegExp(cup.id))
    await api.post(`/tournaments/${cup.id}/status`, user, { status: 'cancelled' })
    await act.click()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    expect((await api.get('/users/@me', user)).status).toBe(401)
  })
})

test('a stream key is replaced with a grace for the old one, and revoked; no page keeps it', async () => {
  const user = await api.user()
  const { key } = await makeStreamKey(api, user)
  await using visitor = await visit(user)
  const { page } = visitor
  await page.goto('/me/streaming')
  await page.getByRole('button', { name: 'Replace…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Let the old key go on for 10 minutes').check()
  await dialog.getByRole('button', { name: 'Replace' }).click()
  await expect.poll(() => page.getByRole('button', { name: 'Revoke…' }).count()).toBe(2)
  expect(await page.getByRole('button', { name: 'Replace…' }).count()).toBe(1)
  await page.getByText(/ends .*\d\d:\d\d/).waitFor()
  await page.getByRole('button', { name: 'Revoke…' }).last().click()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await expect.poll(() => page.getByRole('button', { name: 'Revoke…' }).count()).toBe(1)
  const left = (await api.get('/users/@me/streamKeys', user)).body
  expect(left).toHaveLength(1)
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + location.href)
  expect(kept).not.toContain(key)
})

test('uploads say where they are used; what is used is deleted by its name alone', async () => {
  const user = await api.user()
  await using visitor = await visit(user)
  const { page } = visitor
  await page.goto('/me/profile')
  const picture = await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 128, height: 128 })
    canvas.getContext('2d')?.fillRect(0, 0, 64, 128)
    const blob = await new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve)
    })
    return [...new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer(0))]
  })
  const file = { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from(picture) }
  await page.locator('input[type="file"]').setInputFiles(file)
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.goto('/me/media')
  await page.getByText('Used in one place').waitFor()
  await page.getByRole('button', { name: 'Delete…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The one place that shows it is emptied first.').waitFor()
  await dialog.getByLabel(/To confirm, type/).fill('me.png')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('You have uploaded nothing.').waitFor()
  // A file that is none is refused in words.
  await page.goto('/me/profile')
  await page.locator('input[type="file"]').setInputFiles({ ...file, buffer: Buffer.from('no picture') })
  await page.getByRole('alert').waitFor()
})
