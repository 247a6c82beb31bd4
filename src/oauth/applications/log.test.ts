import { spawn } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { freePort, startHarness } from '../../../test/harness.ts'

const sources = path.join(import.meta.dirname, '../..')

/** The service as a process of its own, whose log can be read. */
const program = `
import { createApp } from ${JSON.stringify(path.join(sources, 'app.ts'))}
import { readConfig } from ${JSON.stringify(path.join(sources, 'config.ts'))}
const app = await createApp(readConfig())
await app.listen()
process.once('SIGTERM', () => app.close())
process.send('listening')
`

test('no client secret is logged or measured, however much is logged', async () => {
  await using database = await startHarness()
  const { token } = await database.user()
  const { databaseUrl, dataDir, publicUrl } = database.app.config
  const port = await freePort()
  const service = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: path.join(os.tmpdir(), 'node-compile-cache'),
      DATABASE_URL: databaseUrl ?? '',
      DATA_DIR: dataDir,
      PUBLIC_URL: publicUrl,
      PORT: String(port),
      SOCKET_PORT: '0',
      LOG_LEVEL: 'trace',
      RATE_LIMITS: 'off',
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [service.stdout, service.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk))
  const ended = once(service, 'exit')
  await Promise.race([once(service, 'message'), ended])
  expect(service.exitCode, output).toBeNull()

  const call = async (method: string, address: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/oauth/applications${address}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text }
  }
  const registration = {
    name: 'Editor',
    scopes: ['ws:read'],
    redirectUris: ['http://localhost/'],
    type: 'confidential',
  }
  const made = await call('POST', '', registration)
  const rotated = await call('POST', `/${made.body.clientId}/secret`)
  // Whoever sends it by mistake, in a body that is refused or an address that is unknown, does not have it logged either.
  const refused = await call('PATCH', `/${made.body.clientId}`, { clientSecret: rotated.body.clientSecret })
  const unknown = await call('GET', `/${rotated.body.clientSecret}?clientSecret=${rotated.body.clientSecret}`)
  expect([made, rotated, refused, unknown].map(({ status }) => status)).toEqual([201, 200, 400, 404])
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()

  service.kill('SIGTERM')
  await ended
  for (const operation of ['create', 'rotateSecret', 'update', 'read']) {
    expect(output).toContain(`"op":"applications.${operation}"`)
  }
  expect(metrics).toContain('applications.rotateSecret')
  for (const { clientSecret } of [made.body, rotated.body]) {
    expect(clientSecret).toMatch(/^[\w-]{43}$/)
    expect(output).not.toContain(clientSecret)
    expect(metrics).not.toContain(clientSecret)
  }
})
