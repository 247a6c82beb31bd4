import { type BrowserContext, chromium as launcher, type Page } from 'playwright-core'
import { type Machine, provideChromium, thisMachine } from './provide.ts'

/**
 * A real browser, for tests of what a page looks like, which requests its policy allows, and where forms lead.
 *
 * ```ts
 * let browser: RealBrowser
 * beforeAll(async () => {
 *   browser = await openBrowser()
 * }, provisionMs)
 * afterAll(() => browser.close())
 *
 * test('…', async () => {
 *   await using visitor = await browser.visitor(api, { phone: true, name: 'quaver' })
 *   await visitor.page.goto('/api/oauth/authorize?…')
 *   expect(visitor.outside).toEqual([])
 * })
 * ```
 */
export interface RealBrowser {
  /** A visitor without cookies, unless they sign in. Paths are those of the service. */
  visitor(api: { readonly url: string }, options?: VisitorOptions): Promise<RealVisitor>
  close(): Promise<void>
}

export interface VisitorOptions {
  /** 360 by 740 with touch, instead of a desktop's 1280 by 720. */
  readonly phone?: boolean
  /** False switches scripts off. */
  readonly javaScript?: boolean
  /** The time zone of the system; that of the tests unless given. */
  readonly zone?: string
  /** Whether the system prefers dark colours. */
  readonly dark?: boolean
  /** Signs in on the stand-in's page as a new user with this name, or as the existing user with it. */
  readonly name?: string
  /** Signs in there as one of the twenty newest users. */
  readonly user?: { readonly chatPlatformId: string }
}

export interface RealVisitor extends AsyncDisposable {
  readonly page: Page
  readonly context: BrowserContext
  /** Every requested address outside of this machine, from any page; none of them is ever reached. */
  readonly outside: readonly string[]
  close(): Promise<void>
}

const phone = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
const desktop = { viewport: { width: 1280, height: 720 } }

/**
 * The first three load pages of the browser's own for each window, which costs more than most pages of the tests. This
 * switch replaces Playwright's, so the names that Playwright gives follow.
 */
const withoutFeatures = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'],
  ...['AimEnabled', 'AvoidCorsURLLoaderRestartOnRedirect', 'AvoidUnnecessaryBeforeUnloadCheckSync'],
  ...['DestroyProfileOnBrowserClose', 'HttpsFirstBalancedModeAutoEnable', 'HttpsUpgrades', 'LensOverlay'],
  ...['MediaRouter', 'NetworkTimeServiceQuerying', 'OptimizationHints', 'PaintHolding', 'PreconnectToSearch'],
  'ThirdPartyStoragePartitioning',
]

/** The time limit in milliseconds. */
const patience = 60_000

/** A browser with a fresh profile. It may take `provisionMs` when the machine has no Chromium. */
export async function openBrowser(machine: Machine = thisMachine): Promise<RealBrowser> {
  const { executable, env } = await provideChromium(machine)
  const browser = await launcher.launch({
    executablePath: executable,
    env: env as Record<string, string>,
    // Root and many containers lack what the sandbox needs; the tests open only our own pages.
    chromiumSandbox: false,
    args: [
      '--no-proxy-server',
      '--no-pings',
      '--disable-domain-reliability',
      `--disable-features=${withoutFeatures.join()}`,
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  })
  return {
    async visitor(api, options = {}) {
      const context = await browser.newContext({
        ...(options.phone ? phone : desktop),
        baseURL: api.url,
        javaScriptEnabled: options.javaScript ?? true,
        ...(options.zone !== undefined && { timezoneId: options.zone }),
        colorScheme: options.dark ? 'dark' : 'light',
      })
      context.setDefaultTimeout(patience)
      const outside: string[] = []
      const note = (address: string) => void (isOutside(address) && outside.push(address))
      context.on('request', (request) => note(request.url()))
      context.on('page', (opened) => opened.on('websocket', (socket) => note(socket.url())))
      const page = await context.newPage()
      if (options.name !== undefined || options.user !== undefined) await signIn(page, options)
      const close = () => context.close()
      return { page, context, outside, close, [Symbol.asyncDispose]: close }
    },
    close: () => browser.close(),
  }
}

function isOutside(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return /^(http|ws)s?:$/.test(protocol) && hostname !== '127.0.0.1' && hostname !== 'localhost'
}

async function signIn(page: Page, { name, user }: VisitorOptions): Promise<void> {
  await page.goto('/api/auth/chat?return_to=/healthz')
  if (user === undefined) {
    await page.getByLabel('Name').fill(name ?? '')
    await page.getByRole('button', { name: 'Sign in' }).click()
  } else {
    await page.locator(`button[value="${user.chatPlatformId}"]`).click()
  }
  await page.waitForURL('**/healthz')
}
