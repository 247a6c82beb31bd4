import { createECDH } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakePush, startFakePush } from '../../../../test/fakes/push.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeApplication } from '../../../../test/make.ts'
import { makePushDevice, pushPath } from '../../../../test/push.ts'

let api: Harness
let strict: Harness
let fake: FakePush
beforeAll(async () => {
  fake = await startFakePush()
  ;[api, strict] = await Promise.all([startHarness({ webhookAllowPrivate: true }), startHarness()])
})
afterAll(async () => {
  await Promise.all([api[Symbol.asyncDispose](), strict[Symbol.asyncDispose]()])
  await fake[Symbol.asyncDispose]()
})

const list = async (user: Caller, on = api) => {
  const reply = await on.get(pushPath, user)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const allKinds = {
  match_called: true,
  match_starting: true,
  opponent_ready: true,
  result_to_confirm: true,
  invitation: true,
  duty: true,
  sheet_closing: true,
  roster_problem: true,
}

describe('a device', () => {
  test('is saved with what its user chose, changed by the same endpoint, and removed', async () => {
    const user = await api.user()
    const { subscription } = fake.browser()
    const quietHours = { from: '22:00', to: '07:00', timezone: 'Europe/Berlin' }
    const settings = { name: ' My \n phone ', kinds: { duty: false, invitation: true }, quietHours }
    const saved = await api.post(pushPath, user, { ...subscription, ...settings })
    expect([saved.status, saved.body]).toEqual([
      201,
      {
        guid: expect.stringMatching(/^[\da-f-]{36}$/),
        name: 'My phone',
        service: 'localhost',
        endpointDigest: expect.stringMatching(/^[\w-]{43}$/),
        kinds: { ...allKinds, duty: false },
        quietHours,
        createdAt: instant,
        updatedAt: instant,
      },
    ])
    // What is left out stays.
    const changed = await api.post(pushPath, user, { ...subscription, kinds: { duty: true, match_called: false } })
    const kinds = { ...allKinds, match_called: false }
    expect([changed.status, changed.body]).toEqual([200, { ...saved.body, kinds, updatedAt: instant }])
    const cleared = await api.post(pushPath, user, { ...subscription, name: null, quietHours: null })
    expect([cleared.status, cleared.body]).toMatchObject([200, { name: null, quietHours: null, kinds }])
    const second = await makePushDevice(api, fake, user)
    expect((await list(user)).devices).toMatchObject([{ guid: saved.body.guid }, { guid: second.guid }])
    expect((await api.delete(`${pushPath}/${saved.body.guid}`, user)).status).toBe(204)
    expect((await list(user)).devices).toMatchObject([{ guid: second.guid }])
    expect(outcome(await api.delete(`${pushPath}/${saved.body.guid}`, user))).toEqual([404, 'push_device.unknown'])
    expect(await logged(saved.body.guid)).toEqual([
      ['push_device.saved', user.guid],
      ['push_device.saved', user.guid],
      ['push_device.saved', user.guid],
      ['push_device.removed', user.guid],
    ])
  })

  const logged = async (guid: string) =>
    (
      await api.sql<{ type: string; actor: string | null }>(
        'select type, actor from event_log where subject = $1 order by seq',
        [guid],
      )
    ).map(({ type, actor }) => [type, actor])

  test('keeps its secrets: no answer, event or export has them', async () => {
    const user = await api.user()
    const { subscription } = await makePushDevice(api, fake, user)
    const answers = [
      (await api.get(pushPath, user)).text,
      (await api.post(pushPath, user, subscription)).text,
      (await api.get('/users/@me/export', user)).text,
      JSON.stringify(await api.sql('select * from event_log where actor = $1', [user.guid])),
    ]
    for (const secret of [subscription.endpoint, ...Object.values(subscription.keys)]) {
      for (const answer of answers) expect(answer).not.toContain(secret)
    }
    expect(JSON.parse(answers[2] ?? '').held.pushDevices.records).toHaveLength(1)
  })

  test('is only its user’s', async () => {
    const [user, other] = [await api.user(), await api.user()]
    const { guid } = await makePushDevice(api, fake, user)
    expect((await list(other)).devices).toEqual([])
    expect(outcome(await api.delete(`${pushPath}/${guid}`, other))).toEqual([404, 'push_device.unknown'])
    expect(outcome(await api.delete(`${pushPath}/x`, other))).toEqual([404, 'push_device.unknown'])
    expect((await list(user)).devices).toHaveLength(1)
  })

  test('moves to another user who signs in with the same browser, and to nobody who only knows its endpoint', async () => {
    const [first, second] = [await api.user(), await api.user()]
    const browser = await makePushDevice(api, fake, first)
    await list(first)
    const foreign = { ...fake.browser().subscription, endpoint: browser.subscription.endpoint }
    expect(outcome(await api.post(pushPath, second, foreign))).toEqual([409, 'push_device.endpoint_taken'])
    const moved = await api.post(pushPath, second, browser.subscription)
    expect(moved.status).toBe(201)
    expect(moved.body.guid).not.toBe(browser.guid)
    expect((await list(first)).devices).toEqual([])
    expect((await list(second)).devices).toMatchObject([{ guid: moved.body.guid }])
  })

  test('is saved by the website alone', async () => {
    const user = await api.user()
    const token = await api.token(user, ['rest:user:write'], await makeApplication(api, user))
    const reply = await api.call('POST', pushPath, { token, body: fake.browser().subscription })
    expect(reply.status).toBe(403)
    expect((await api.get(pushPath)).status).toBe(401)
  })
})

test('there are ten at most, however many are saved at once', async () => {
  const user = await api.user()
  const replies = await Promise.all(
    Array.from({ length: 25 }, () => api.post(pushPath, user, fake.browser().subscription)),
  )
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(10)
  const refused = replies.filter(({ status }) => status !== 201).map(outcome)
  expect(refused).toEqual(Array.from({ length: 15 }, () => [409, 'push_device.limit_reached']))
  expect((await list(user)).devices).toHaveLength(10)
})

test('the same endpoint many times at once is one device, and two users do not both get it', async () => {
  const [user, other] = [await api.user(), await api.user()]
  const { subscription } = fake.browser()
  const replies = await Promise.all(Array.from({ length: 8 }, () => api.post(pushPath, user, subscription)))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 200, 200, 201])
  const both = [user, other, user, other, user, other]
  const raced = await Promise.all(both.map((one) => api.post(pushPath, one, subscription)))
  expect(raced.every(({ status }) => [200, 201, 409].includes(status))).toBe(true)
  const held = [...(await list(user)).devices, ...(await list(other)).devices]
  expect(held).toHaveLength(1)
})

describe('what is refused', () => {
  const point = () => {
    const pair = createECDH('prime256v1')
    pair.generateKeys()
    return pair
  }
  const valid = () => ({
    endpoint: `https://push.example.org/${Math.random()}`,
    keys: { p256dh: point().getPublicKey('base64url'), auth: Buffer.alloc(16, 7).toString('base64url') },
  })

  test.each([
    ['http', 'http://push.example.org/a'],
    ['no address', 'push'],
    ['another scheme', 'ftp://push.example.org/a'],
    ['a user name', 'https://me:secret@push.example.org/a'],
    ['a fragment', 'https://push.example.org/a#b'],
    ['loopback', 'https://127.0.0.1/a'],
    ['loopback in another form', 'https://0x7f.1/a'],
    ['loopback of IPv6', 'https://[::1]/a'],
    ['a private network', 'https://10.0.0.7/a'],
    ['the address of the metadata of clouds', 'https://169.254.169.254/latest'],
    ['a name of this machine', 'https://localhost/a'],
    ['a name of a private network', 'https://printer.local/a'],
  ])('the endpoint: %s', async (_, endpoint) => {
    const user = await strict.user()
    const reply = await strict.post(pushPath, user, { ...valid(), endpoint })
    expect(outcome(reply)).toEqual([400, 'push_device.invalid'])
    expect(reply.text).not.toContain('secret')
  })

  test('http is refused where private addresses are allowed, too', async () => {
    const reply = await api.post(pushPath, await api.user(), { ...valid(), endpoint: 'http://localhost:8080/a' })
    expect(outcome(reply)).toEqual([400, 'push_device.invalid'])
  })

  const compressed = point().getPublicKey('base64url', 'compressed')
  const offCurve = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]).toString('base64url')
  test.each([
    ['a key of another form', { p256dh: compressed }],
    ['a key that is no point', { p256dh: offCurve }],
    ['a key that is no base64url', { p256dh: '!'.repeat(87) }],
    ['a short secret', { auth: Buffer.alloc(15).toString('base64url') }],
    ['a long secret', { auth: Buffer.alloc(17).toString('base64url') }],
  ])('%s', async (_, keys) => {
    const body = valid()
    const reply = await strict.post(pushPath, await strict.user(), { ...body, keys: { ...body.keys, ...keys } })
    expect(outcome(reply)).toEqual([400, 'push_device.invalid'])
  })

  test.each([
    [
      'a zone that there is not',
      { quietHours: { from: '22:00', to: '07:00', timezone: 'Mars/Olympus' } },
      'push_device.invalid',
    ],
    ['hours without an end', { quietHours: { from: '07:00', to: '07:00', timezone: 'UTC' } }, 'push_device.invalid'],
    ['no time of day', { quietHours: { from: '24:00', to: '07:00', timezone: 'UTC' } }, 'request.invalid'],
    ['a name that nobody sees', { name: ' \u2800 ' }, 'push_device.invalid'],
    ['a long name', { name: 'x'.repeat(61) }, 'request.invalid'],
    ['no switch', { kinds: { duty: 'no' } }, 'request.invalid'],
  ])('settings: %s', async (_, settings, code) => {
    const reply = await strict.post(pushPath, await strict.user(), { ...valid(), ...settings })
    expect(outcome(reply)).toEqual([400, code])
  })
})

test('a deleted account keeps no devices', async () => {
  const user = await api.user()
  await makePushDevice(api, fake, user)
  expect((await api.delete('/users/@me', user, { confirm: user.username })).status).toBeLessThan(300)
  expect(await api.sql('select from push_devices where user_guid = $1', [user.guid])).toEqual([])
})

test('the key of the service is the same for everybody and on every process', async () => {
  const { applicationServerKey } = await list(await api.user())
  const point = Buffer.from(applicationServerKey, 'base64url')
  expect([point.length, point[0]]).toEqual([65, 4])
  expect((await list(await api.user())).applicationServerKey).toBe(applicationServerKey)
  await using second = await api.sibling()
  expect((await list(await api.user(), second)).applicationServerKey).toBe(applicationServerKey)
})
