import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allow, decide, signInHere } from './authorization.ts'
import { type BracketBody, makeBracket } from './bracket-play.ts'
import type { Browser } from './browser.ts'
import { decideDevice } from './device.ts'
import { FlowPlay, makeFlowPlay } from './flow-play.ts'
import { freePort, type Harness, startHarness } from './harness.ts'

/** The guide for people who write programs, executed unchanged: its shell lines, and the scripts that it quotes. */

const root = path.join(import.meta.dirname, '..')
const readme = readFileSync(path.join(root, 'README.md'), 'utf8')
const section = guideOf('applications.md')

function guideOf(file: string): string {
  return readFileSync(path.join(root, 'docs/guide', file), 'utf8')
}

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

/** Runs lines of the documents like a reader, but with this service. */
async function shell(lines: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const { databaseUrl, dataDir, publicUrl } = api.app.config
  const env = { ...process.env, DATABASE_URL: databaseUrl ?? '', DATA_DIR: dataDir, PUBLIC_URL: publicUrl, ...more }
  const script = lines.replaceAll('http://127.0.0.1:3001', api.url)
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], { cwd: root, env })
  return stdout.trim()
}

/** Registers an application with the guide's own command; returns the environment of its script. */
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
  /** Waits for a line in the output of the script. */
  line(pattern: RegExp): Promise<RegExpExecArray>
  /** The exit code and the error output. */
  readonly end: Promise<{ readonly code: number; readonly said: string }>
  stop(): void
}

function run(script: string, env: Readonly<Record<string, string>>, ...args: readonly string[]): Run {
  return spawnHere(process.execPath, [path.join('examples', script), ...args], { SERVICE: api.url, ...env })
}

function spawnHere(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Run {
  const child = spawn(program, args, { cwd: root, env: { ...process.env, ...env } })
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
    stop: () => child.kill(),
  }
}

/**
 * Sends the browser back to the script. It retries, because the script may not listen yet, and no user is as quick as a
 * test.
 */
async function bringBack(address: string | URL): Promise<Response> {
  for (;;) {
    const response = await fetch(address).catch(() => setTimeout(20, null))
    if (response !== null) return response
  }
}

test('the guide quotes the scripts word for word, in ten lines each', () => {
  const quotes = blocks('ts', section)
  const scripts = ['bot.ts', 'native.ts'].map((name) => readFileSync(path.join(root, 'examples', name), 'utf8'))
  expect(quotes.length).toBe(scripts.length)
  quotes.forEach((quote, index) => {
    expect(scripts[index]).toContain(`\n${quote}`)
    expect(quote.trimEnd().split('\n').length).toBeLessThanOrEqual(10)
  })
})

test('every script and address that the guide names exists', async () => {
  const links = [...section.matchAll(/\]\(\.\.\/\.\.\/(examples\/[\w.]+)\)/g)].map(([, file = '']) => file)
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
    // A browser also requests other addresses.
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

test('the guide’s lines on flows tell whose turn it is, and take it', async () => {
  const flows = guideOf('flows.md')
  const [curl = ''] = blocks('sh', flows)
  const [, presets = ''] = /<http:\/\/127\.0\.0\.1:3001([^>]*)>/.exec(flows) ?? []
  expect((await fetch(`${api.url}${presets}`)).status).toBe(200)
  const made = await makeFlowPlay(api, { bestOf: 3, bracket: { tournament: { id: 'flow-cup' } } })
  const play = new FlowPlay(api, made)
  await play.begin({ flowGuid: 'accsaber-bo3', poolGuid: made.pool.guid })
  await play.act(play.state.turn.seats[0], { action: 'choose', place: 2 })
  const here = curl.replaceAll('spring-cup/matches/12', 'flow-cup/matches/1').replaceAll('spring-cup', 'flow-cup')
  const cut = here.indexOf('\n')
  const state = JSON.parse(await shell(here.slice(0, cut)))
  expect(state).toMatchObject({ phase: 'choosing', turn: { action: 'ban' } })
  const [MAP] = state.turn.options
  const given = { MAP, SESSION: state.session, POSITION: String(state.position) }
  const [seat] = state.turn.seats
  const answered = JSON.parse(await shell(here.slice(cut), { ...given, TOKEN: play.captain(seat).token }))
  expect(answered).toMatchObject({
    position: state.position + 1,
    maps: expect.arrayContaining([expect.objectContaining({ map: MAP, state: 'banned', seat })]),
  })
})

test('the guide’s lines on streams make a key, and tell what to do with it', async () => {
  const { token: owner } = await api.user({ globalRoles: ['role:owner'] })
  const body = {
    name: 'Stockholm',
    kind: 'mediamtx',
    ingest: [{ protocol: 'rtmp', url: 'rtmp://live.example.org/live' }],
  }
  expect((await api.call('POST', '/admin/streamServers', { token: owner, body })).status).toBe(201)
  const [lines = ''] = blocks('sh', guideOf('streams.md'))
  const cut = lines.indexOf('\ncurl')
  const { label, key } = JSON.parse(await shell(lines.slice(0, cut), { TOKEN: token }))
  expect(label).toBe('Living room')
  const { encoders } = JSON.parse(await shell(lines.slice(cut), { TOKEN: token }))
  expect(encoders).toEqual([expect.objectContaining({ keyField: expect.stringContaining(key) })])
})

describe('the guide on real time', () => {
  const realtime = guideOf('real-time.md')
  const topic = '/tournaments/spring-cup/matches/12'
  const [curl = ''] = blocks('sh', realtime)
  const [script = ''] = blocks('js', realtime)

  test('quotes the score board word for word, and names addresses that answer', async () => {
    const [quote = ''] = blocks('ts', realtime)
    expect(readFileSync(path.join(root, 'examples/scoreboard.ts'), 'utf8')).toContain(`\n${quote}`)
    const [, address = ''] = /<http:\/\/127\.0\.0\.1:3001([^>]*)>/.exec(realtime) ?? []
    expect((await fetch(`${api.url}${address}`)).status).toBe(200)
    for (const [, file = ''] of realtime.matchAll(/\]\(([\w./]+)\)/g))
      expect([file, existsSync(path.join(root, 'docs/guide', file))]).toEqual([file, true])
  })

  test('follows a match while it is played: with curl, in a browser, and by the score board', async () => {
    const made = await makeBracket(api, {
      teams: 16,
      format: 'single_elimination',
      tournament: { id: 'spring-cup' },
    })
    for (const { from } of (await made.readMatch(12)).sides) {
      await made.tell(from.number, { outcome: 'score', scores: [2, 0] })
    }
    const [one, other] = (await made.readMatch(12)).sides.map(({ team }: BracketBody) => team.name)
    const here = (lines: string) => lines.replaceAll('http://127.0.0.1:3001', api.url)

    const board = run('scoreboard.ts', { SOCKET: String(api.app.socketAddress) }, topic)
    const lines = spawnHere('bash', ['-euc', `exec ${here(curl)}`])
    // A browser has this class under the same name.
    const browsing = spawnHere(process.execPath, [
      ...['--experimental-eventsource', '--no-warnings', '--input-type=module', '--eval'],
      `${here(script)}
      for (const type of ['snapshot', 'event'])
        events.addEventListener(type, () => console.log(match.status, match.sides.map(({ score }) => score ?? 0).join(':')))`,
    ])
    await board.line(new RegExp(`^${one} 0 : 0 ${other} \\(ready\\)$`))
    expect(JSON.parse((await lines.line(/^.+$/))[0])).toMatchObject({
      type: 'snapshot',
      topic: expect.stringContaining('12'),
    })
    await browsing.line(/^ready 0:0$/)

    const game = (number: number) =>
      api.put(`${made.match(12)}/games/${number}`, made.organiser, { sides: [{ score: 900 }, { score: 800 }] })
    for (const [act, fact, score, status] of [
      [() => api.post(`${made.match(12)}/start`, made.organiser), 'match.started', '0:0', 'running'],
      [() => game(1), 'match.game_reported', '1:0', 'running'],
      [() => game(2), 'match.completed', '2:0', 'completed'],
    ] as const) {
      const { status: answered, text } = await act()
      expect([answered, text]).toEqual([200, expect.anything()])
      const at = '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z'
      await board.line(new RegExp(`^${at} ${fact}$`))
      await board.line(new RegExp(`^${one} ${score.replace(':', ' : ')} ${other} \\(${status}\\)$`))
      await browsing.line(new RegExp(`^${status} ${score}$`))
      const packet = JSON.parse((await lines.line(/^.*"type":"event".*$/))[0])
      expect(packet.facts.map(({ type }: { type: string }) => type)).toContain(fact)
    }
    expect(await board.end).toEqual({ code: 0, said: '' })
    for (const each of [lines, browsing]) each.stop()
    await Promise.all([lines.end, browsing.end])
  })

  test('has a score board that says what it cannot follow', async () => {
    const { end } = run('scoreboard.ts', { SOCKET: String(api.app.socketAddress) }, '/tournaments/none/matches/1')
    const { code, said } = await end
    expect([code, said]).toEqual([1, expect.stringContaining('topic.unknown')])
  })
})
