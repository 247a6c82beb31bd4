import { spawn } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Browser } from '../../../../test/browser.ts'
import { freePort, startHarness } from '../../../../test/harness.ts'

const sources = path.join(import.meta.dirname, '../../..')

/** Runs the service as a separate process whose log can be read. */
const program = `
import { createApp } from ${JSON.stringify(path.join(sources, 'app.ts'))}
import { readConfig } from ${JSON.stringify(path.join(sources, 'config.ts'))}
const app = await createApp(readConfig())
await app.listen()
process.once('SIGTERM', () => app.close())
process.send('listening')
`

test('nothing that lets somebody in is logged, nor where they are, however much is logged', async () => {
  await using database = await startHarness()
  const { databaseUrl, dataDir } = database.app.config
  const port = await freePort()
  const service = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: path.join(os.tmpdir(), 'node-compile-cache'),
      DATABASE_URL: databaseUrl ?? '',
      DATA_DIR: dataDir,
      PORT: String(port),
      SOCKET_PORT: '0',
      LOG_LEVEL: 'trace',
      RATE_LIMITS: 'off',
      TRUSTED_PROXIES: '127.0.0.1',
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [service.stdout, service.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk))
  const ended = once(service, 'exit')
  await Promise.race([once(service, 'message'), ended])
  expect(service.exitCode, output).toBeNull()

  const browser = new Browser({ url: `http://127.0.0.1:${port}` })
  const begun = await browser.visit('/api/auth/chat')
  const asked = new URL(begun.headers.get('location') ?? '').searchParams
  const attempt = browser.cookie('downbeat_sign_in') ?? ''
  const decided = await browser.visit('/api/auth/stand-in/oauth2/authorize', {
    method: 'POST',
    body: new URLSearchParams([...asked, ['name', 'Quaver']]).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  const callback = new URL(decided.headers.get('location') ?? '')
  expect((await browser.visit(`${callback.pathname}?code=made-up-code&state=${asked.get('state')}`)).status).toBe(400)
  const address = '198.51.100.201'
  expect((await browser.visit(callback, { headers: { 'x-forwarded-for': address } })).status).toBe(302)
  const session = browser.cookie('downbeat_session') ?? ''
  const { token } = (await browser.post('/api/auth/token')).body
  const withToken = (text: string) =>
    browser.visit('/api/users/@me/sessions', { headers: { authorization: `Bearer ${text}` } })
  expect((await withToken(token)).status).toBe(200)
  expect((await withToken(`${token}x`)).status).toBe(401)
  expect((await browser.post('/api/auth/sign-out')).status).toBe(204)

  service.kill('SIGTERM')
  await ended
  const operations = [...output.matchAll(/"op":"([^"]+)"/g)].map(([, name]) => name)
  expect(operations).toEqual(
    expect.arrayContaining([
      'sessions.signIn',
      'sessions.callback',
      'standIn.exchange',
      'sessions.token',
      'sessions.list',
    ]),
  )
  const verifier = JSON.parse(Buffer.from(attempt.split('.')[0] ?? '', 'base64url').toString()).value.verifier
  const secrets = [
    session,
    attempt,
    verifier,
    asked.get('state') ?? '',
    callback.searchParams.get('code') ?? '',
    'made-up-code',
    token,
    token.split('.')[2],
    address,
  ]
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(10)
    expect(output).not.toContain(secret)
  }
})
