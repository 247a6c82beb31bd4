import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mediaServerKinds } from '../../src/infra/clients/media-servers/kinds.ts'
import { type Caller, type Harness, startHarness } from '../harness.ts'
import { type MadeTournament, makeTournament } from '../make.ts'
import { makeAssignment, makeStreamKey } from '../streaming.ts'
import { broughtKinds, configuration, type RunningServer, readBrought, settingOf, startBrought } from './brought.ts'
import { type Encoder, startEncoder } from './encoder.ts'
import { streamingProvisionMs } from './provide.ts'

/** The service with the media servers that `STREAM_SERVERS` names. (media-and-streaming: How streaming is tested, 3) */

test('which servers are brought is read from a list of kinds and programs', () => {
  expect(readBrought(undefined)).toEqual([])
  expect(readBrought(' ')).toEqual([])
  expect(readBrought('mediamtx=/opt/mediamtx, srs=/opt/a=b/srs')).toEqual([
    { kind: 'mediamtx', program: '/opt/mediamtx' },
    { kind: 'srs', program: '/opt/a=b/srs' },
  ])
  for (const wrong of ['mediamtx', 'mediamtx=', 'mediamtx=here', 'nginx=/usr/sbin/nginx', 'srs=/a,,'])
    expect(() => readBrought(wrong), wrong).toThrow('STREAM_SERVERS')
})

test.each(broughtKinds)('the configuration that is published for %s can be filled in', async (kind) => {
  const filled = { baseUrl: 'http://127.0.0.1:1', server: 'a-guid', secret: 'a-secret' }
  const text = await configuration(kind, settingOf(kind), '/tmp', filled)
  expect(text).toContain('http://127.0.0.1:1/api/streaming/hooks/a-guid')
  expect(text).toContain('a-secret')
  expect(text.replace('^live/[0-9a-f-]{36}$', '')).not.toMatch(/(?<!\$)\{[a-z_]+\}/)
})

const patient = { timeout: 60_000, interval: 100 }

describe.each(readBrought(process.env.STREAM_SERVERS))('$kind', ({ kind, program }) => {
  let api: Harness
  let cup: MadeTournament
  let running: RunningServer
  const encoders: Encoder[] = []
  beforeAll(async () => {
    api = await startHarness()
    const owner = await api.user({ globalRoles: ['role:owner'] })
    cup = await makeTournament(api, await api.user(), { status: 'ongoing' })
    const ingest = [{ protocol: 'rtmp', url: 'rtmp://127.0.0.1/live' }]
    const made = await api.post('/admin/streamServers', owner, { name: kind, kind, ingest, play: {} })
    const { guid } = made.body.server ?? made.body
    running = await startBrought({ kind, program }, { baseUrl: api.url, server: guid, secret: made.body.secret })
    const control = Object.fromEntries(Object.entries(running.control).filter(([, value]) => value !== null))
    await api.patch(`/admin/streamServers/${guid}`, owner, { control })
    const tried = await api.post(`/admin/streamServers/${guid}/test`, owner)
    expect(tried.body).toMatchObject({ ok: true, streams: 0, error: null })
  }, streamingProvisionMs)
  afterAll(async () => {
    await Promise.all(encoders.map((encoder) => encoder.kill()))
    await running?.[Symbol.asyncDispose]()
    await api[Symbol.asyncDispose]()
  })

  /** Publishes with the settings that a user pastes into an encoder. */
  async function publish(user: Caller, key: string): Promise<Encoder> {
    const { encoderFields } = mediaServerKinds[kind]
    const { serverField, keyField } = encoderFields({ protocol: 'rtmp', url: running.rtmpUrl }, user.guid, key)
    const encoder = await startEncoder(`${serverField}/${keyField}`)
    encoders.push(encoder)
    return encoder
  }

  async function player() {
    const user = await api.user()
    const [{ guid, key }] = await Promise.all([makeStreamKey(api, user), makeAssignment(api, cup, user)])
    return { user, key, keyGuid: guid, publish: () => publish(user, key) }
  }

  const isLive = ({ guid }: Caller, live: boolean) =>
    expect.poll(async () => (await api.get(`/users/${guid}/stream`)).body.live, patient).toBe(live)
  const reasonsOf = async ({ guid }: Caller) =>
    (
      await api.sql<{ end_reason: string | null }>(
        'select end_reason from stream_sessions where user_guid = $1 order by started_at, guid',
        [guid],
      )
    ).map(({ end_reason }) => end_reason)
  const refused = async (encoder: Encoder) => expect((await encoder.ended).code).not.toBe(0)

  test('has a stream from its begin to its end, and health of it', async () => {
    const { user, publish: begin } = await player()
    const encoder = await begin()
    await isLive(user, true)
    const health = () =>
      api.sql(
        'select width, height from stream_health h join stream_sessions s on s.guid = h.session_guid where s.user_guid = $1',
        [user.guid],
      )
    await expect.poll(health, patient).toEqual([{ width: 320, height: 180 }])
    await encoder.stop()
    await isLive(user, false)
    expect(['done', 'lost']).toContain((await reasonsOf(user))[0])
  })

  test('refuses a wrong key, and cuts one that is revoked within five seconds, for good', async () => {
    const one = await player()
    await refused(await publish(one.user, 'sk-wrong'))
    const encoder = await one.publish()
    await isLive(one.user, true)
    await api.delete(`/users/@me/streamKeys/${one.keyGuid}`, one.user)
    const from = performance.now()
    await refused(encoder)
    expect(performance.now() - from).toBeLessThan(5_000)
    await expect.poll(() => reasonsOf(one.user), patient).toEqual(['key_revoked'])
    await refused(await one.publish())
  })

  test('has a newer stream in the place of the older', async () => {
    const one = await player()
    const first = await one.publish()
    await isLive(one.user, true)
    const second = await one.publish()
    await refused(first)
    await expect.poll(() => reasonsOf(one.user), patient).toEqual(['replaced', null])
    expect(second.isRunning).toBe(true)
  })
})
