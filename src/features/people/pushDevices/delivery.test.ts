import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FakePush, readVapid, startFakePush } from '../../../../test/fakes/push.ts'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { makeTeam, makeTournament } from '../../../../test/make.ts'
import { allPushed, makePushDevice, pushPath, waiting } from '../../../../test/push.ts'
import { until } from '../../../../test/waiting.ts'

/** How messages reach browsers, at the example of invitations. */

let api: Harness
let fake: FakePush
beforeAll(async () => {
  fake = await startFakePush()
  api = await startHarness({ webhookAllowPrivate: true, publicUrl: 'https://downbeat.example.org' }, { jobSlots: 4 })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await fake[Symbol.asyncDispose]()
})
beforeEach(() => fake.answer(() => ({ status: 201 })))

const ok = { status: 201 }

/** Invites a user to a new team. */
async function invite(user: Caller, message = 'Our secret plan') {
  const captain = await api.user()
  const cup = await makeTournament(api, captain, { name: 'Spring Cup' })
  const team = await makeTeam(api, cup, captain, { name: 'The Quavers' })
  const body = { userIdentifier: user.guid, message }
  const reply = await api.post(`/tournaments/${cup.id}/teams/${team.id}/invitations`, captain, body)
  expect(reply.status, reply.text).toBe(201)
  return { cup, team, captain, invitation: reply.body.guid as string }
}

/** Enqueues a message about a call, which is of use for ten minutes. */
async function enqueue(device: string, subject: object): Promise<void> {
  const until = new Date(Date.now() + 600_000).toISOString()
  const payload = JSON.stringify({ device, occasion: 'match.called', subject, until, attempts: 0 })
  await api.sql(`select graphile_worker.add_job('pushDevices.deliver', $1::json)`, [payload])
}

/** Makes messages that wait for a retry due now. */
const hurry = () =>
  api.sql(
    `update graphile_worker._private_jobs set run_at = now() where task_id =
       (select id from graphile_worker._private_tasks where identifier = 'pushDevices.deliver')`,
  )

describe('a message', () => {
  test('reaches the browser encrypted, from a sender that the push service can verify', async () => {
    const user = await api.user()
    const browser = await makePushDevice(api, fake, user)
    const { cup, team, invitation } = await invite(user)
    await allPushed(api)
    expect(browser.told()).toEqual([
      {
        kind: 'invitation',
        title: 'You are invited to a team',
        body: 'The Quavers, Spring Cup',
        tag: `invitation.created ${invitation}`,
        data: { tournamentGuid: cup.guid, teamGuid: team.guid, invitationGuid: invitation },
      },
    ])
    const [request] = browser.requests
    if (request === undefined) throw new Error('no request')
    expect(request.method).toBe('POST')
    expect(request.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      'content-length': String(request.body.length),
      ttl: expect.stringMatching(/^86\d{3}$/),
      urgency: 'normal',
      topic: expect.stringMatching(/^[\w-]{32}$/),
    })
    expect(request.body.length).toBeLessThanOrEqual(1_024)
    expect(request.body.toString('latin1')).not.toContain('Quavers')
    const { applicationServerKey } = (await api.get(pushPath, user)).body
    const { aud, sub, exp = 0 } = await readVapid(request, applicationServerKey)
    expect({ aud, sub }).toEqual({ aud: fake.origin, sub: 'https://downbeat.example.org' })
    expect(exp - Date.now() / 1_000).toBeGreaterThan(0)
    expect(exp - Date.now() / 1_000).toBeLessThanOrEqual(24 * 3_600)
  })

  test('has no text of users, and no name of a tournament that not everybody may see', async () => {
    const user = await api.user()
    const browser = await makePushDevice(api, fake, user)
    await invite(user, 'Only for you')
    await allPushed(api)
    const draft = await makeTournament(api, user, { name: 'Secret Cup', status: 'draft' })
    const team = await makeTeam(api, draft, user, { name: 'The Hidden' })
    await enqueue(browser.guid, { tournamentGuid: draft.guid, teamGuid: team.guid })
    await allPushed(api)
    expect(browser.told()).toMatchObject([{ body: 'The Quavers, Spring Cup' }, { kind: 'match_called', body: '' }])
    expect(JSON.stringify(browser.told())).not.toMatch(/Only for you|Hidden|Secret/)
  })

  test('goes to each device whose settings allow it', async () => {
    const user = await api.user()
    const [one, two] = [await makePushDevice(api, fake, user), await makePushDevice(api, fake, user)]
    const muted = await makePushDevice(api, fake, user, { kinds: { invitation: false } })
    await invite(user)
    await allPushed(api)
    expect([one, two, muted].map(({ requests }) => requests.length)).toEqual([1, 1, 0])
  })

  test('is not about what the user did, and not for users without a device', async () => {
    const user = await api.user()
    const { captain } = await invite(user)
    const browser = await makePushDevice(api, fake, captain)
    await allPushed(api)
    expect(await waiting(api)).toEqual([])
    expect(browser.requests).toEqual([])
  })
})

describe('quiet hours', () => {
  const clock = (hours: number) => {
    const at = new Date(Date.now() + hours * 3_600_000)
    return at.toISOString().slice(11, 16)
  }

  test('hold a message until their end', async () => {
    const user = await api.user()
    const quietHours = { from: clock(-1), to: clock(2), timezone: 'UTC' }
    const browser = await makePushDevice(api, fake, user, { quietHours })
    await invite(user)
    await allPushed(api)
    const [held] = (await waiting(api)).filter(({ device }) => device === browser.guid)
    expect(held?.runAt.toISOString().slice(11, 16)).toBe(quietHours.to)
    expect(browser.requests).toEqual([])
    // The settings of the moment at which it is due count.
    await api.post(pushPath, user, { ...browser.subscription, quietHours: null })
    await hurry()
    await until(() => browser.told().length === 1)
    await allPushed(api)
    expect((await waiting(api)).filter(({ device }) => device === browser.guid)).toEqual([])
  })

  test('drop a message that is of no use at their end, and do not concern other hours', async () => {
    const [user, other] = [await api.user(), await api.user()]
    const quietHours = { from: clock(-1), to: clock(2), timezone: 'UTC' }
    const browser = await makePushDevice(api, fake, user, { quietHours })
    const awake = await makePushDevice(api, fake, other, {
      quietHours: { from: clock(2), to: clock(4), timezone: 'UTC' },
    })
    const subject = { tournamentGuid: '3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42' }
    for (const { guid } of [browser, awake]) await enqueue(guid, subject)
    await allPushed(api)
    expect((await waiting(api)).filter(({ device }) => device === browser.guid)).toEqual([])
    expect([browser.requests.length, awake.told()[0]?.kind]).toEqual([0, 'match_called'])
  })
})

describe('the answer of the push service', () => {
  test.each([404, 410])('%i removes the device', async (status) => {
    const user = await api.user()
    const browser = await makePushDevice(api, fake, user)
    const other = await makePushDevice(api, fake, user)
    await api.get(pushPath, user)
    fake.answer(() => ({ status }))
    await api.sql('update push_devices set muted_kinds = $2 where guid = $1', [other.guid, ['invitation']])
    await invite(user)
    await allPushed(api)
    await until(async () => (await api.get(pushPath, user)).body.devices.length === 1)
    expect(browser.requests).toHaveLength(1)
    expect(
      await api.sql(`select actor, before from event_log where subject = $1 and type = 'push_device.removed'`, [
        browser.guid,
      ]),
    ).toEqual([{ actor: null, before: { user: user.guid } }])
  })

  test.each([
    [429, { 'retry-after': '120' }, 120],
    [500, {}, 5],
    [503, {}, 5],
  ])('%i with %j is tried again after %i s, and the device stays', async (status, headers, seconds) => {
    const user = await api.user()
    const browser = await makePushDevice(api, fake, user)
    fake.answer((before) => (before === 0 ? { status, headers } : ok))
    await invite(user)
    const own = async () => (await waiting(api)).filter(({ device }) => device === browser.guid)
    await until(async () => (await own())[0]?.attempts === 1)
    const [retry] = await own()
    const waits = ((retry?.runAt.getTime() ?? 0) - Date.now()) / 1_000
    expect(waits).toBeGreaterThan(seconds - 5)
    expect(waits).toBeLessThanOrEqual(seconds)
    await hurry()
    await until(() => browser.told().length === 1)
    await allPushed(api)
    expect([browser.requests.length, await own()]).toEqual([2, []])
    expect((await api.get(pushPath, user)).body.devices).toHaveLength(1)
  })

  test.each([400, 403, 413, 302])('%i drops the message, and the device stays', async (status) => {
    const user = await api.user()
    const browser = await makePushDevice(api, fake, user)
    fake.answer(() => ({ status, headers: { location: 'https://localhost/elsewhere' } }))
    await invite(user)
    await until(() => browser.requests.length === 1)
    await allPushed(api)
    expect((await waiting(api)).filter(({ device }) => device === browser.guid)).toEqual([])
    expect((await api.get(pushPath, user)).body.devices).toHaveLength(1)
  })
})

test('a banned user gets none', async () => {
  const user = await api.user()
  const browser = await makePushDevice(api, fake, user)
  await api.sql('update users set banned_at = now() where guid = $1', [user.guid])
  await enqueue(browser.guid, { tournamentGuid: '3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42' })
  await allPushed(api)
  expect([browser.requests, await waiting(api)]).toEqual([[], []])
})

test('a message to a device that was removed or a kind that was switched off meanwhile is dropped', async () => {
  const user = await api.user()
  const [gone, muted] = [await makePushDevice(api, fake, user), await makePushDevice(api, fake, user)]
  fake.answer((before) => (before === 0 ? { status: 500 } : ok))
  await invite(user)
  await until(async () => (await waiting(api)).filter(({ attempts }) => attempts === 1).length >= 2)
  await api.delete(`${pushPath}/${gone.guid}`, user)
  await api.post(pushPath, user, { ...muted.subscription, kinds: { invitation: false } })
  await hurry()
  await allPushed(api)
  expect(await waiting(api)).toEqual([])
  expect([gone.requests.length, muted.requests.length]).toEqual([1, 1])
})

test('an address that leads into a private network is refused when the message is sent', async () => {
  await using strict = await startHarness()
  const user = await strict.user()
  const { subscription } = fake.browser()
  // As if the name had led elsewhere when the device was saved.
  const endpoint = 'https://push.example.org/a'
  const saved = await strict.post(pushPath, user, { ...subscription, endpoint })
  expect(saved.status).toBe(201)
  const { p256dh, auth } = subscription.keys
  const message = { text: '{}', ttlSeconds: 60, urgency: 'normal', topic: 'x' } as const
  for (const target of [subscription.endpoint, 'https://127.0.0.1/a', 'https://[::1]/a', 'https://10.1.2.3/a']) {
    const answer = await strict.app.clients.push.send({ endpoint: target, p256dh, auth }, message)
    expect(answer).toMatchObject({
      status: null,
      error: expect.stringContaining('there is no address that may be connected to'),
    })
  }
  const plain = { endpoint: fake.origin.replace('https', 'http'), p256dh, auth }
  expect(await api.app.clients.push.send(plain, message)).toMatchObject({ status: null })
})
