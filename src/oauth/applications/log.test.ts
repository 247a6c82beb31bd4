import { expect, test } from 'vitest'
import { startHarness } from '../../../test/harness.ts'
import { startService } from '../../../test/kernel/service.ts'

test('no client secret is logged or measured, however much is logged', async () => {
  await using database = await startHarness()
  const { token } = await database.user()
  const { databaseUrl, dataDir, publicUrl } = database.app.config
  await using service = await startService({
    DATABASE_URL: databaseUrl ?? '',
    DATA_DIR: dataDir,
    PUBLIC_URL: publicUrl,
    LOG_LEVEL: 'trace',
  })

  const call = async (method: string, address: string, body?: object) => {
    const response = await fetch(`${service.url}/api/oauth/applications${address}`, {
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
  // A secret sent by mistake, in a refused body or an unknown address, is not logged either.
  const refused = await call('PATCH', `/${made.body.clientId}`, { clientSecret: rotated.body.clientSecret })
  const unknown = await call('GET', `/${rotated.body.clientSecret}?clientSecret=${rotated.body.clientSecret}`)
  expect([made, rotated, refused, unknown].map(({ status }) => status)).toEqual([201, 200, 400, 404])
  const metrics = await (await fetch(`${service.url}/metrics`)).text()

  service.signal('SIGTERM')
  const { stdout, stderr } = await service.exit
  const output = stdout + stderr
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
