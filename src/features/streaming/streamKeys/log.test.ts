import { expect, test } from 'vitest'
import { startHarness } from '../../../../test/harness.ts'
import { startService } from '../../../../test/kernel/service.ts'

test('no stream key, secret or password of a media server is logged, measured or told in an error, however much is logged', async () => {
  await using database = await startHarness()
  const { token } = await database.user({ globalRoles: ['role:owner'] })
  const { databaseUrl, dataDir, publicUrl } = database.app.config
  await using service = await startService({
    DATABASE_URL: databaseUrl ?? '',
    DATA_DIR: dataDir,
    PUBLIC_URL: publicUrl,
    LOG_LEVEL: 'trace',
  })

  const errors: string[] = []
  const call = async (method: string, address: string, status: number, body?: object) => {
    const response = await fetch(`${service.url}/api${address}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    expect(response.status, `${method} ${address}: ${text}`).toBe(status)
    if (status >= 400) errors.push(text)
    return text.startsWith('{') ? JSON.parse(text) : text
  }
  const mine = '/users/@me/streamKeys'
  const password = 'a-password-of-a-control-interface'
  const made = await call('POST', mine, 201, { label: 'Living room' })
  const rotated = await call('POST', `${mine}/${made.guid}/rotate`, 200, { graceSeconds: 60 })
  const control = { url: 'http://127.0.0.1:1', user: 'ada', password }
  const server = await call('POST', '/admin/streamServers', 201, {
    name: 'Stockholm',
    kind: 'mediamtx',
    ingest: [{ protocol: 'rtmp', url: 'rtmp://a.example/live' }],
    control,
  })
  const { secret } = await call('POST', `/admin/streamServers/${server.guid}/secret`, 200, { graceSeconds: 60 })
  await call('POST', `/admin/streamServers/${server.guid}/test`, 200)
  await call('GET', '/users/@me/streamSettings', 200)
  // A key that is sent by mistake, in a refused body or an unknown address, is not logged either.
  await call('POST', mine, 400, { label: rotated.key.repeat(2) })
  await call('DELETE', `${mine}/${rotated.key}`, 404)
  await call('GET', `/users/@me/streamSettings?streamKey=${rotated.key}`, 400)
  await call('PATCH', `/admin/streamServers/${server.guid}`, 400, {
    secret,
    control: { url: `http://ada:${secret}@a` },
  })
  await call('PATCH', `/admin/streamServers/${server.guid}`, 400, { control: { url: `http://ada:${password}@a` } })
  // Provokes an internal error while keys are part of the statements.
  await database.sql('alter table stream_keys rename to gone')
  await call('POST', mine, 500, { label: 'Studio' })
  await database.sql('alter table gone rename to stream_keys')
  await database.sql('alter table stream_servers rename column name to gone')
  await call('PATCH', `/admin/streamServers/${server.guid}`, 500, { control })
  await database.sql('alter table stream_servers rename column gone to name')
  const metrics = await (await fetch(`${service.url}/metrics`)).text()

  service.signal('SIGTERM')
  const { stdout, stderr } = await service.exit
  const output = stdout + stderr
  for (const operation of [
    'streamKeys.create',
    'streamKeys.rotate',
    'streamServers.rotateSecret',
    'streamServers.test',
  ]) {
    expect(output).toContain(`"op":"${operation}"`)
    expect(metrics).toContain(operation)
  }
  expect(output.match(/"msg":"failed"/g)).toHaveLength(2)
  const hidden = [made.key, rotated.key, server.secret, secret, password].flatMap((text) => [
    text.replace(/^sk-/, ''),
    Buffer.from(text).toString('base64'),
  ])
  for (const text of hidden) {
    expect(text.length).toBeGreaterThan(30)
    expect(output.includes(text), 'it is logged').toBe(false)
    expect(metrics.includes(text), 'it is measured').toBe(false)
    expect(errors.join('\n').includes(text), 'it is told in an error').toBe(false)
  }
})
