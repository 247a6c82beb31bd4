import pg from 'pg'
import { expect, test } from 'vitest'
import { freePort, startHarness } from '../../../../test/harness.ts'
import { startService } from '../../../../test/kernel/service.ts'
import { makeTournament } from '../../../../test/make.ts'
import { startEncoder } from '../../../../test/streaming/encoder.ts'
import { startNginx } from '../../../../test/streaming/nginx.ts'
import { streamingProvisionMs } from '../../../../test/streaming/provide.ts'
import { makeAssignment, makeStreamKey } from '../../../../test/streaming.ts'

/**
 * A real nginx continues while the service is down, and the service continues with it afterwards.
 * (S7; media-and-streaming: How streaming is tested, 2 and 4)
 */

test(
  'a service that is killed and started again finds the stream running, and its session the same; its log names no key',
  async () => {
    await using harness = await startHarness()
    const owner = await harness.user({ globalRoles: ['role:owner'] })
    const player = await harness.user()
    const cup = await makeTournament(harness, owner, { status: 'ongoing' })
    await makeAssignment(harness, cup, player)
    const { key, guid: keyGuid } = await makeStreamKey(harness, player)
    const { databaseUrl, dataDir, publicUrl } = harness.app.config
    const port = String(await freePort())
    const env = {
      DATABASE_URL: databaseUrl ?? '',
      DATA_DIR: dataDir,
      PUBLIC_URL: publicUrl,
      LOG_LEVEL: 'trace',
      PORT: port,
    }
    await harness.app.close()
    const client = new pg.Client({ connectionString: databaseUrl ?? '' })
    await client.connect()
    const sessions = async () =>
      (await client.query('select guid, started_at, end_reason, cut from stream_sessions')).rows
    const call = async (method: string, path: string, as: { token: string }, body?: object) => {
      const reply = await fetch(`http://127.0.0.1:${port}/api${path}`, {
        method,
        headers: { authorization: `Bearer ${as.token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: reply.status, text: await reply.text() }
    }
    const patient = { timeout: 60_000, interval: 100 }

    const first = await startService(env)
    const made = await call('POST', '/admin/streamServers', owner, {
      name: 'Main',
      kind: 'nginx-rtmp',
      networks: ['127.0.0.0/8'],
      ingest: [{ protocol: 'rtmp', url: 'rtmp://127.0.0.1/live' }],
    })
    const { guid: server, secret } = JSON.parse(made.text)
    await using nginx = await startNginx({ baseUrl: `http://127.0.0.1:${port}`, server, secret })
    await call('PATCH', `/admin/streamServers/${server}`, owner, { control: { url: nginx.controlUrl } })
    await using encoder = await startEncoder(`${nginx.rtmpUrl}/${key}`)
    const isServed = async () => (await (await fetch(`${nginx.controlUrl}/stat`)).text()).includes(player.guid)
    await expect.poll(sessions, patient).toHaveLength(1)
    await expect.poll(isServed, patient).toBe(true)
    const [before] = await sessions()
    await using refused = await startEncoder(`${nginx.rtmpUrl}/sk-wrong`)
    expect((await refused.ended).code).not.toBe(0)

    first.signal('SIGKILL')
    const killed = await first.exit
    // While the service is down, new publishers are refused and existing ones stay.
    await using late = await startEncoder(`${nginx.rtmpUrl}/${key}`)
    expect((await late.ended).code).not.toBe(0)
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    expect([encoder.isRunning, await isServed()]).toEqual([true, true])

    const second = await startService(env)
    // Waits until the dead process's lease has expired and the server was asked twice.
    await expect
      .poll(async () => (await client.query('select at from stream_health')).rows, patient)
      .toEqual([{ at: expect.any(Date) }])
    await new Promise((resolve) => setTimeout(resolve, 16_000))
    expect([encoder.isRunning, await isServed(), await sessions()]).toEqual([true, true, [before]])
    expect((await call('DELETE', `/users/@me/streamKeys/${keyGuid}`, player)).status).toBe(204)
    expect((await encoder.ended).code).not.toBe(0)
    await expect.poll(sessions, patient).toMatchObject([{ end_reason: 'key_revoked', cut: 'confirmed' }])
    second.signal('SIGTERM')
    const ended = await second.exit
    expect(ended.code).toBe(0)
    await client.end()
    for (const { stdout, stderr } of [killed, ended]) {
      expect(stdout).toContain('streamSessions.hook')
      for (const hidden of [key, secret, 'sk-wrong']) expect((stdout + stderr).includes(hidden)).toBe(false)
    }
  },
  streamingProvisionMs,
)
