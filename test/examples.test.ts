import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allow, decide, signInHere } from './authorization.ts'
import type { Browser } from './browser.ts'
import { decideDevice } from './device.ts'
import { freePort, type Harness, startHarness } from './harness.ts'

/** What the README tells authors of applications, done as it stands there: its shell lines, and the scripts it quotes. */

const root = path.join(import.meta.dirname, '..')
const readme = readFileSync(path.join(root, 'README.md'), 'utf8')
const section = /^## Let an application act for users\n([\s\S]*?)^## /m.exec(readme)?.[1] ?? ''

function blocks(language: string, text: string): string[] {
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, name, code = '']) =>
    name === language ? [code] : [],
  )
}

let api: Harness
let browser: Browser
let token: string
beforeAll(async () => {
  api = await startHarness()
  browser = await signInHere(api, 'Listener')
  const [mint] = /^TOKEN=.*$/m.exec(readme) ?? []
  token = await shell(`${mint}\necho "$TOKEN"`)
})
afterAll(() => api[Symbol.asyncDispose]())

/** Runs lines of the README as whoever follows them would, but on this service. */
async function shell(lines: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const { databaseUrl, dataDir, publicUrl } = api.app.config
  const env = { ...process.env, DATABASE_URL: databaseUrl ?? '', DATA_DIR: dataDir, PUBLIC_URL: publicUrl, ...more }
  const script = lines.replaceAll('http://127.0.0.1:3001', api.url)
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], { cwd: root, env })
  return stdout.trim()
}

/** Registers an application by the README's own line; answers the environment of its script. */
async function register(type: 'confidential' | 'public'): Promise<Record<string, string>> {
  const redirectUri = `http://127.0.0.1:${await freePort()}/callback`
  const [curl = ''] = blocks('sh', section)
  expect(curl).toMatch(/"type": "confidential"[\s\S]*"http:\/\/127\.0\.0\.1:8090\/callback"/)
  const line = curl.replace('"confidential"', `"${type}"`).replace('http://127.0.0.1:8090/callback', redirectUri)
  const { clientId, clientSecret } = JSON.parse(await shell(line, { TOKEN: token }))
  expect(clientSecret === undefined).toBe(type === 'public')
  return { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret ?? '', REDIRECT_URI: redirectUri }
}

interface Run {
  /** Waits for a line that the script prints. */
  line(pattern: RegExp): Promise<RegExpExecArray>
  /** Exit code, and what it said of its failure. */
  readonly end: Promise<{ readonly code: number; readonly said: string }>
}

function run(script: string, env: Readonly<Record<string, string>>): Run {
  const child = spawn(process.execPath, [path.join(root, 'examples', script)], {
    env: { ...process.env, SERVICE: api.url, ...env },
  })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async line(pattern) {
      for (let next = await lines.next(); !next.done; next = await lines.next()) {
        const found = pattern.exec(next.value)
        if (found !== null) return found
      }
      throw new Error(`no such line was printed; ${said}`)
    },
    end: once(child, 'close').then(([code]) => ({ code, said })),
  }
}

/** The browser comes back to the script. No user is as quick as a test, before which the script may not listen yet. */
async function bringBack(address: string | URL): Promise<Response> {
  for (;;) {
    const response = await fetch(address).catch(() => setTimeout(20, null))
    if (response !== null) return response
  }
}

test('the README quotes the scripts word for word, in ten lines each', () => {
  const quotes = blocks('ts', section)
  const scripts = ['bot.ts', 'native.ts'].map((name) => readFileSync(path.join(root, 'examples', name), 'utf8'))
  expect(quotes.length).toBe(scripts.length)
  quotes.forEach((quote, index) => {
    expect(scripts[index]).toContain(`\n${quote}`)
    expect(quote.trimEnd().split('\n').length).toBeLessThanOrEqual(10)
  })
})

test('every script and address that the section names exists', async () => {
  const links = [...section.matchAll(/\]\((examples\/[\w.]+)\)/g)].map(([, file = '']) => file)
  expect(links).toEqual(['examples/bot.ts', 'examples/native.ts', 'examples/headset.ts'])
  for (const file of links) expect(readFileSync(path.join(root, file), 'utf8')).not.toBe('')
  const [, metadata = ''] = /<http:\/\/127\.0\.0\.1:3001([^>]*)>/.exec(section) ?? []
  expect((await fetch(`${api.url}${metadata}`)).status).toBe(200)
})

describe.concurrent.each([
  ['bot.ts', 'confidential'],
  ['native.ts', 'public'],
] as const)('examples/%s', (script, type) => {
  test('gets tokens for whoever opens the link that it prints, and uses them', async () => {
    const env = await register(type)
    const { line, end } = run(script, env)
    const [, link = ''] = await line(/^Open (\S+)$/)
    const back = await allow(browser, link)
    expect(`${back.origin}${back.pathname}`).toBe(env.REDIRECT_URI)
    // A browser asks for more than it was sent for.
    expect((await bringBack(new URL('/favicon.ico', back))).status).toBe(404)
    expect(await (await bringBack(back)).text()).toBe('You can close this page.')
    await line(/^Acting for listener\w*\.$/)
    expect(await end).toEqual({ code: 0, said: '' })
  })

  test.each([
    ['another state', 'state', 'a guess'],
    ['another issuer', 'iss', 'https://other.example'],
  ])('takes no answer with %s', async (_what, parameter, value) => {
    const { line, end } = run(script, await register(type))
    const [, link = ''] = await line(/^Open (\S+)$/)
    const back = await allow(browser, link)
    back.searchParams.set(parameter, value)
    await bringBack(back)
    const { code, said } = await end
    expect([code, said]).toEqual([1, expect.stringContaining('This is no answer to what we asked.')])
  })

  test('says so when the user refuses', async () => {
    const { line, end } = run(script, await register(type))
    const [, link = ''] = await line(/^Open (\S+)$/)
    const denied = await decide(browser, await browser.visit(link), 'deny')
    await bringBack(denied.headers.get('location') ?? '')
    const { code, said } = await end
    expect([code, said]).toEqual([1, expect.stringContaining('No code, but access_denied.')])
  })
})

test.concurrent('examples/headset.ts waits for whoever types the code that it shows, and uses its tokens', async () => {
  const { line, end } = run('headset.ts', await register('public'))
  const [, address, user_code = ''] = await line(/^Open (\S+) and type (\S+)$/)
  expect(address).toBe(`${api.url}/device`)
  await decideDevice(browser, { user_code })
  await line(/^Acting for listener\w*\.$/)
  expect(await end).toEqual({ code: 0, said: '' })
})

test.concurrent('examples/headset.ts says so when it is no client', async () => {
  const { code, said } = await run('headset.ts', { CLIENT_ID: 'nobody' }).end
  expect([code, said]).toEqual([1, expect.stringContaining('The client is unknown')])
})
