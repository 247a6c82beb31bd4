import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basic, challengeOf, verifier } from '../../../test/authorization.ts'
import { openBrowser, type RealBrowser, type VisitorOptions } from '../../../test/chromium/browser.ts'
import { faultsOf } from '../../../test/chromium/faults.ts'
import { provisionMs } from '../../../test/chromium/provide.ts'
import { type FakeWebsite, startFakeWebsite } from '../../../test/fakes/website.ts'
import { type Harness, type Reply, startHarness } from '../../../test/harness.ts'
import { type MadeApplication, makeApplication } from '../../../test/make.ts'
import { picture, upload } from '../../../test/media.ts'
import { mirrorUrl } from '../../core/mirror.ts'

/** Consent and device pages in a real browser: as users see them, and as other websites may try to abuse them. */

let browser: RealBrowser
let api: Harness
let site: FakeWebsite
let bot: MadeApplication
let native: MadeApplication
beforeAll(async () => {
  browser = await openBrowser()
  api = await startHarness()
  site = await startFakeWebsite({ '/callback': '<title>Back</title>' })
  const owner = await api.user({ name: 'semiquaver' })
  const redirectUris = [`${site.crossSiteUrl}/callback`]
  bot = await makeApplication(api, owner, { name: 'Overlay Studio', redirectUris })
  native = await makeApplication(api, owner, { name: 'Headset Client', type: 'public', redirectUris })
}, provisionMs)
afterAll(async () => {
  await site.close()
  await api[Symbol.asyncDispose]()
  await browser.close()
})

const requestOf = (application: MadeApplication, more: Readonly<Record<string, string>> = {}) =>
  `/api/oauth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: application.clientId,
    redirect_uri: `${site.crossSiteUrl}/callback`,
    scope: 'rest:read ws:read',
    state: 'kept as it is',
    ...more,
  })}`

function form(path: string, members: Readonly<Record<string, string>>, authorization?: string): Promise<Reply> {
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' }
  if (authorization !== undefined) headers.authorization = authorization
  return api.call('POST', path, { headers, raw: new URLSearchParams(members).toString() })
}

const redeem = (code: string, members: Readonly<Record<string, string>> = {}, authorization?: string) =>
  form(
    '/oauth/token',
    { grant_type: 'authorization_code', code, redirect_uri: `${site.crossSiteUrl}/callback`, ...members },
    authorization,
  )

const kinds: readonly (readonly [string, VisitorOptions])[] = [
  ['phone without scripts', { phone: true, javaScript: false }],
  ['desktop with scripts', {}],
]

describe.each(kinds)('on a %s', (kind, options) => {
  test('a user signs in on the way, sees who asks for what, allows it, and arrives with a code that is worth a token', async () => {
    await using visitor = await browser.visitor(api, options)
    const { page } = visitor
    await page.goto(requestOf(bot))
    await page.getByLabel('Name').fill(`Quaver ${kind}`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/api/oauth/authorize?**')
    expect(await page.title()).toBe('Allow Overlay Studio? · Downbeat')
    const text = await page.textContent('main')
    for (const word of [
      'Overlay Studio',
      'semiquaver',
      `Quaver ${kind}`,
      'See everything that you can see',
      'rest:read',
      'ws:read',
      'localhost',
    ]) {
      expect(text).toContain(word)
    }
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(`${site.crossSiteUrl}/callback?**`)
    const { searchParams } = new URL(page.url())
    expect([searchParams.get('state'), searchParams.get('iss')]).toEqual(['kept as it is', api.url])
    const reply = await redeem(searchParams.get('code') ?? '', {}, basic(bot.clientId, bot.clientSecret ?? ''))
    expect([reply.status, reply.body.scope]).toEqual([200, 'rest:read ws:read'])

    // The second time the user is not asked, and the browser is redirected immediately.
    await page.goto(requestOf(bot))
    expect(page.url()).toMatch(`${site.crossSiteUrl}/callback?code=`)
  })

  test('a user refuses, and the application is told', async () => {
    await using visitor = await browser.visitor(api, { ...options, name: `Breve ${kind}` })
    const { page } = visitor
    await page.goto(requestOf(native, { code_challenge: challengeOf(verifier()), code_challenge_method: 'S256' }))
    await page.getByRole('button', { name: 'Refuse' }).click()
    await page.waitForURL(`${site.crossSiteUrl}/callback?**`)
    const { searchParams } = new URL(page.url())
    expect([searchParams.get('error'), searchParams.get('state'), searchParams.get('code')]).toEqual([
      'access_denied',
      'kept as it is',
      null,
    ])
  })

  test('a wrong address is told on a page, and leads nowhere', async () => {
    await using visitor = await browser.visitor(api, options)
    const { page } = visitor
    await page.goto(requestOf(bot, { redirect_uri: 'http://localhost.evil.example/callback' }))
    expect(new URL(page.url()).origin).toBe(api.url)
    expect(await page.textContent('main')).toContain('redirect_uri')
    expect(await faultsOf(page)).toEqual([])
    expect(visitor.outside).toEqual([])
  })

  test('a user types the code of a headset, sees it again, and lets the headset in', async () => {
    const begun = await form('/oauth/device_authorization', { client_id: native.clientId, scope: 'ws:write' })
    const { user_code: userCode, device_code: deviceCode, verification_uri: address } = begun.body
    await using visitor = await browser.visitor(api, { ...options, name: `Minim ${kind}` })
    const { page } = visitor
    await page.goto(address)
    expect(await faultsOf(page)).toEqual([])
    await page.getByLabel('Code').fill(userCode.toLowerCase().replace('-', ' '))
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByRole('main').getByText(userCode).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { level: 1, name: 'Connected', exact: true }).waitFor()
    const grantType = 'urn:ietf:params:oauth:grant-type:device_code'
    const reply = await form('/oauth/token', {
      grant_type: grantType,
      device_code: deviceCode,
      client_id: native.clientId,
    })
    expect([reply.status, reply.body.scope]).toEqual([200, 'ws:write'])
  })
})

test('the keyboard alone will do', async () => {
  await using visitor = await browser.visitor(api, { name: 'Fermata' })
  const { page } = visitor
  await page.goto(requestOf(bot))
  for (const name of ['Downbeat', 'Use another account', 'Allow']) {
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe(name)
  }
  await page.keyboard.press('Enter')
  await page.waitForURL(`${site.crossSiteUrl}/**`)
})

test('somebody else on the same browser signs in as themselves, and is asked themselves', async () => {
  await using visitor = await browser.visitor(api, { name: 'Ostinato' })
  const { page } = visitor
  await page.goto(requestOf(bot))
  await page.getByRole('link', { name: 'Use another account' }).click()
  await page.getByLabel('Name').fill('Crotchet')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/api/oauth/authorize?**')
  expect(await page.textContent('main')).toContain('Crotchet')
})

test('no other host is asked for anything, whatever pictures users and applications have', async () => {
  await using visitor = await browser.visitor(api, { name: 'Staccato' })
  const asked: string[] = []
  visitor.context.on('request', (request) => asked.push(request.url()))
  await api.sql(`update applications set image_url = 'https://tracker.example/pixel.png' where client_id = $1`, [
    bot.clientId,
  ])
  await visitor.page.goto(requestOf(bot))
  expect(visitor.outside).toEqual([])
  expect(new Set(asked.map((address) => new URL(address).origin))).toEqual(new Set([api.url]))
  expect(asked).toContain(mirrorUrl(api.url, 'https://tracker.example/pixel.png'))

  // The same on a device’s page. Its policy names no other host, so no content of the page can load from one.
  const begun = await form(
    '/oauth/device_authorization',
    { client_id: bot.clientId, scope: 'ws:write' },
    basic(bot.clientId, bot.clientSecret ?? ''),
  )
  const answer = await visitor.page.goto(`/device?user_code=${begun.body.user_code}`)
  expect(answer?.headers()['content-security-policy']).toContain(`img-src ${api.url};`)
  expect(visitor.outside).toEqual([])
  expect(asked.filter((address) => address.includes('/media/remote/')).length).toBeGreaterThan(2)
})

test('own media show, and what is elsewhere leaves its letter behind until it is there', async () => {
  const owner = await api.user()
  const uploaded = await upload(api, owner, await picture({ width: 200, height: 200 }), { kind: 'app_image' })
  const drawn = await makeApplication(api, owner, { name: 'Drawn', redirectUris: [`${site.crossSiteUrl}/callback`] })
  const set = await api.patch(`/oauth/applications/${drawn.clientId}`, owner, { imageUrl: uploaded.body.url })
  expect(set.status).toBe(200)
  await using visitor = await browser.visitor(api, { name: 'Sforzato' })
  await visitor.page.goto(requestOf(drawn))
  await visitor.page.waitForLoadState('networkidle')
  const shown = await visitor.page
    .locator('.picture')
    .evaluateAll((spans) => spans.map((span) => [span.textContent, span.querySelector('img')?.naturalWidth]))
  expect(shown).toEqual([
    ['D', 128],
    ['S', 0],
  ])
  expect(visitor.outside).toEqual([])
})

test('hostile names stay text', async () => {
  const owner = await api.user({ name: '<b>owner</b>' })
  const hostile = await makeApplication(api, owner, {
    name: '"><script>document.title="owned"</script>',
    redirectUris: [`${site.crossSiteUrl}/callback`],
  })
  await using visitor = await browser.visitor(api, { name: 'Legato' })
  await visitor.page.goto(requestOf(hostile))
  expect(await visitor.page.title()).toContain('<script>')
  expect(await visitor.page.locator('main script, main b').count()).toBe(0)
})

describe('another website', () => {
  test('cannot show the page in a frame', async () => {
    await using visitor = await browser.visitor(api, { name: 'Marcato' })
    for (const address of [requestOf(bot), '/device']) {
      const framing = await startFakeWebsite({
        '/': `<title>Frame</title><iframe src="${api.url}${address}"></iframe>`,
      })
      await visitor.page.goto(`${framing.url}/`)
      const frame = visitor.page.frames()[1]
      await frame?.waitForLoadState().catch(() => {})
      expect(await frame?.locator('button').count()).toBe(0)
      await framing.close()
    }
  })

  test.each(['url', 'crossSiteUrl'] as const)('cannot decide in the user’s place (%s)', async (place) => {
    await using visitor = await browser.visitor(api, { name: `Tenuto ${place}` })
    const { page } = visitor
    await page.goto(requestOf(bot))
    const sealed = await page.locator('input[name=request]').inputValue()
    // Refused even with the page's own value, which no other website can read.
    const forging = await startFakeWebsite({
      '/': `<title>Forge</title><form method="post" action="${api.url}/api/oauth/authorize" target="_top">
        <input name="request" value="${sealed}"><input name="decision" value="approve"></form><script>document.forms[0].submit()</script>`,
    })
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === 'POST'),
      page.goto(`${forging[place]}/`).catch(() => {}),
    ])
    expect([answer.status(), answer.headers()['problem-code']]).toEqual([403, 'request.cross_site'])
    const codes = await api.sql(
      'select c.guid from authorization_codes c join users u on u.guid = c.user_guid where u.preferred_name = $1',
      [`Tenuto ${place}`],
    )
    expect(codes).toEqual([])
    await forging.close()
  })
})
