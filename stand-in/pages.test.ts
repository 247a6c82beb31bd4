import type { Response } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, type RealBrowser, type RealVisitor, type VisitorOptions } from '../test/chromium/browser.ts'
import { faultsOf } from '../test/chromium/faults.ts'
import { provisionMs } from '../test/chromium/provide.ts'
import { type FakeWebsite, startFakeWebsite } from '../test/fakes/website.ts'
import { type Harness, startHarness } from '../test/harness.ts'

/** The page of the stand-in in a real browser, for new users and against other websites. */

let browser: RealBrowser
let api: Harness
beforeAll(async () => {
  browser = await openBrowser()
  api = await startHarness()
}, provisionMs)
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await browser.close()
})

const title = 'Who do you want to be?'
const begin = '/api/auth/chat?return_to=/healthz'

/** A visitor on the page, after the redirect of a sign-in. */
async function arrive(options: VisitorOptions = {}): Promise<RealVisitor> {
  const visitor = await browser.visitor(api, options)
  await visitor.page.goto(begin)
  return visitor
}

/** The user who is signed in to the service; null for an anonymous browser. */
async function signedInAs({ context }: RealVisitor): Promise<string | null> {
  const reply = await context.request.post(`${api.url}/api/auth/token`, { headers: { origin: api.url } })
  if (reply.status() === 401) return null
  const { token } = await reply.json()
  const { guid } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())
  return (await api.get(`/users/${guid}/card`)).body.preferredName
}

const problemOf = (response: Response | null) => [response?.status(), response?.headers()['problem-code']]

describe.each([
  ['with scripts', true],
  ['without scripts', false],
])('on a phone %s', (_, javaScript) => {
  const options = { phone: true, javaScript }

  test('a newcomer invents a user and comes back signed in', async () => {
    await using visitor = await arrive(options)
    const { page, context } = visitor
    await page.getByLabel('Name').fill(`Quaver ${javaScript}`)
    await page.getByRole('button', { name: 'Sign in' }).tap()
    await page.waitForURL(`${api.url}/healthz`)
    const inThirtyDays = Date.now() / 1000 + 30 * 86_400
    expect(await context.cookies()).toEqual([
      {
        name: 'downbeat_session',
        value: expect.stringMatching(/^[\w-]{43}$/),
        domain: '127.0.0.1',
        path: '/',
        expires: expect.closeTo(inThirtyDays, -2),
        httpOnly: true,
        secure: false,
        sameSite: 'Lax',
      },
    ])
    expect(await signedInAs(visitor)).toBe(`Quaver ${javaScript}`)
    expect(visitor.outside).toEqual([])
  })

  test('they may be somebody who is here', async () => {
    const name = `minim-${javaScript}`
    await api.user({ name })
    await api.user({ name: `other-${javaScript}` })
    await using visitor = await arrive(options)
    await visitor.page.getByRole('button', { name }).tap()
    await visitor.page.waitForURL(`${api.url}/healthz`)
    expect(await signedInAs(visitor)).toBe(name)
  })

  test('they may cancel, are told so, and are nobody', async () => {
    const users = await api.sql('select guid from users')
    await using visitor = await arrive(options)
    const { page } = visitor
    const [answer] = await Promise.all([
      page.waitForResponse((response) => new URL(response.url()).pathname === '/api/auth/chat/callback'),
      page.getByRole('button', { name: 'Cancel' }).tap(),
    ])
    expect(problemOf(answer)).toEqual([400, 'sign_in.declined'])
    expect(await page.textContent('body')).toContain('declined')
    expect(await signedInAs(visitor)).toBeNull()
    expect(await api.sql('select guid from users')).toHaveLength(users.length)
  })

  test('a name is asked for before anything is sent', async () => {
    await using visitor = await arrive(options)
    const { page } = visitor
    // The font comes after the page.
    await page.waitForLoadState('networkidle')
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url()))
    await page.getByRole('button', { name: 'Sign in' }).tap()
    expect(await page.getByLabel('Name').evaluate((input) => input.matches(':invalid:focus'))).toBe(true)
    expect(sent).toEqual([])
  })
})

describe('the page', () => {
  beforeAll(async () => {
    // The longest name on the chat platform, without a place to break it.
    await api.user({ name: 'W'.repeat(32) })
    await api.user({ name: 'Ligature' })
  })

  test.each([
    ['on a phone', { phone: true }],
    ['on a phone, in the dark', { phone: true, dark: true }],
    ['on a desktop', {}],
    ['on a desktop, in the dark', { dark: true }],
  ])('is readable and usable %s, and asks for nothing from elsewhere', async (_, options) => {
    await using visitor = await arrive(options)
    const { page, outside } = visitor
    expect(await page.title()).toBe(`${title} · Downbeat`)
    expect(await page.getByRole('button').count()).toBeGreaterThan(3)
    expect(await faultsOf(page)).toEqual([])
    expect(outside).toEqual([])
  })

  test('takes the colours of the system', async () => {
    const grounds = []
    for (const dark of [false, true]) {
      await using visitor = await arrive({ dark })
      const shot = await visitor.page.screenshot({ clip: { x: 0, y: 0, width: 1, height: 1 } })
      grounds.push(shot.toString('base64'))
    }
    expect(grounds[0]).not.toBe(grounds[1])
  })

  test('can be used by keyboard, in the order in which it reads, with a visible focus', async () => {
    await using visitor = await arrive()
    const { page } = visitor
    const controls = await page.locator('a[href], input:not([type=hidden]), button').all()
    let before = await page.screenshot()
    for (const control of controls) {
      await page.keyboard.press('Tab')
      expect(await control.evaluate((element) => element.matches(':focus-visible'))).toBe(true)
      const after = await page.screenshot()
      expect(after.equals(before)).toBe(false)
      before = after
    }
    await page.getByLabel('Name').focus()
    await page.keyboard.type('Keys')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${api.url}/healthz`)
    expect(await signedInAs(visitor)).toBe('Keys')
  })

  test('lets somebody who is here be chosen by keyboard', async () => {
    await using visitor = await arrive()
    const { page } = visitor
    // The name of the service leads to its first page, and comes before all choices.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    const chosen = await page.locator('button:focus').textContent()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${api.url}/healthz`)
    expect(chosen).toContain(await signedInAs(visitor))
  })
})

describe('the page of a channel', () => {
  beforeAll(async () => {
    const embed = { title: 'Grand final', description: 'Moved', fields: [{ name: 'Before', value: 'W'.repeat(300) }] }
    const body = { content: `See https://example.org/${'w'.repeat(200)} and **come**`, embeds: [embed] }
    expect((await api.post('/auth/stand-in/webhooks/1/token', null, body)).status).toBe(204)
  })

  test.each([
    ['on a phone', { phone: true }],
    ['on a desktop, in the dark', { dark: true }],
  ])('is readable %s, and asks for nothing from elsewhere', async (_, options) => {
    await using visitor = await browser.visitor(api, options)
    const { page, outside } = visitor
    await page.goto('/api/auth/stand-in/channels/1')
    expect(await page.title()).toBe('Chat channel · Downbeat')
    expect(await page.textContent('dt')).toBe('Before')
    expect(await faultsOf(page)).toEqual([])
    expect(outside).toEqual([])
  })
})

describe('another website', () => {
  let website: FakeWebsite
  beforeAll(async () => {
    const wanted = {
      response_type: 'code',
      client_id: 'local',
      redirect_uri: `${api.url}/api/auth/chat/callback`,
      state: 'guessed',
      name: 'Forged',
    }
    const inputs = Object.entries(wanted).map(([name, value]) => `<input name="${name}" value="${value}">`)
    const form = (path: string) =>
      `<form method="post" target="_top" action="${api.url}${path}">${inputs.join('')}</form><script>document.forms[0].submit()</script>`
    const choose = form('/api/auth/stand-in/oauth2/authorize')
    website = await startFakeWebsite({
      '/harmless': '<title>Harmless</title>harmless',
      '/frames': `<iframe src="/harmless"></iframe><iframe src="${api.url}${begin}"></iframe>`,
      '/choose': choose,
      '/choose-without-referrer': `<meta name="referrer" content="no-referrer">${choose}`,
      '/choose-in-sandbox': `<iframe sandbox="allow-forms allow-scripts allow-top-navigation" srcdoc='${choose}'></iframe>`,
      '/sign-out': form('/api/auth/sign-out'),
      '/read-token': `<script>
        fetch('${api.url}/api/auth/token', { method: 'POST', credentials: 'include' }).then(
          async (response) => { document.title = 'read ' + await response.text() },
          () => { document.title = 'refused' })
        </script>`,
    })
  })
  afterAll(() => website.close())

  const places = [['of the same site', 'url'] as const, ['of another site', 'crossSiteUrl'] as const]

  test.each(places)('%s cannot frame the page', async (_, at) => {
    await using visitor = await browser.visitor(api, { name: 'Framed' })
    const { page } = visitor
    await page.goto(`${website[at]}/frames`)
    const [, harmless, framed] = page.frames()
    expect(await harmless?.textContent('body')).toBe('harmless')
    await expect.poll(() => framed?.url()).toBe('chrome-error://chromewebdata/')
    expect(await framed?.textContent('body')).not.toContain(title)
  })

  test.each(places)('%s cannot choose in the visitor’s place, however it sends the form', async (_, at) => {
    await using visitor = await arrive()
    const { page, context } = visitor
    for (const way of ['/choose', '/choose-without-referrer', '/choose-in-sandbox']) {
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.request().method() === 'POST'),
        page.goto(`${website[at]}${way}`),
      ])
      expect([way, ...problemOf(answer)]).toEqual([way, 403, 'request.cross_site'])
    }
    expect((await context.cookies()).map(({ name }) => name)).toEqual(['downbeat_sign_in'])
    expect(await signedInAs(visitor)).toBeNull()
    expect(await api.sql(`select guid from users where preferred_name = 'Forged'`)).toEqual([])
  })

  test.each(places)('%s cannot have the visitor come back as somebody else', async (_, at) => {
    const redirect_uri = `${api.url}/api/auth/chat/callback`
    const asked = await fetch(`${api.url}/api/auth/stand-in/oauth2/authorize`, {
      method: 'POST',
      body: new URLSearchParams({
        response_type: 'code',
        client_id: 'local',
        redirect_uri,
        state: 'x',
        name: 'Mallory',
      }),
      redirect: 'manual',
    })
    const location = asked.headers.get('location') ?? ''
    expect(location).toContain('code=')
    const headers = { 'content-type': 'text/html' }
    website.misbehave(/lure$/, { status: 200, headers, body: `<script>location = '${location}'</script>` })
    await using visitor = await arrive()
    const { page } = visitor
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url() === location),
      page.goto(`${website[at]}/lure`),
    ])
    expect(problemOf(answer)).toEqual([400, 'sign_in.state_invalid'])
    expect(await signedInAs(visitor)).toBeNull()
  })

  test.each(places)('%s can neither sign the visitor out nor read their token', async (_, at) => {
    await using visitor = await browser.visitor(api, { user: await api.user({ name: 'Steady' }) })
    const { page } = visitor
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === 'POST'),
      page.goto(`${website[at]}/sign-out`),
    ])
    expect(problemOf(answer)).toEqual([403, 'request.cross_site'])
    await page.goto(`${website[at]}/read-token`)
    await expect.poll(() => page.title()).toBe('refused')
    expect(await signedInAs(visitor)).toBe('Steady')
  })
})
