import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeReceiver, isSigned, startFakeReceiver } from '../../../../test/fakes/receiver.ts'
import { type Harness, startHarness } from '../../../../test/harness.ts'
import { makeTournament } from '../../../../test/make.ts'
import { makeVisibility, type Visibility } from '../../../../test/visibility.ts'
import {
  allAre,
  arrived,
  deliveries,
  deliveriesWhen,
  followed,
  happen,
  happenings,
  hurry,
  put,
  type Subscriber,
  subscribe,
  waitsAfter,
  webhookConfig,
} from '../../../../test/webhooks.ts'

/** The contents and the order of deliveries. */

let receiver: FakeReceiver
let api: Harness
let visibility: Visibility
beforeAll(async () => {
  receiver = await startFakeReceiver()
  api = await startHarness(webhookConfig(receiver))
  visibility = await makeVisibility(api)
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await receiver.close()
})

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const summaryOf = ({ guid, contextId, name }: Subscriber) => ({ guid, contextId, name, imageUrl: '', isSystem: false })

/** A request is submitted, approved, blocked, rejected and withdrawn. */
async function decide(platform: Subscriber, name: string, reason: string) {
  const { organiser, choose, review } = visibility
  const tournament = await makeTournament(api, organiser, { name, startsAt: new Date('2030-05-01T18:00:00Z') })
  const asked = await choose(tournament, { scope: 'selected', platformGuids: [platform.guid] })
  const request = asked.body.platforms.find(
    (one: { platform: { guid: string } }) => one.platform.guid === platform.guid,
  ).request.guid as string
  for (const decision of ['approved', 'blocked', 'rejected']) {
    const body = { decision, ...(decision === 'approved' ? {} : { reason }) }
    const reply = await review({ id: platform.contextId }, request, platform.admin, body)
    expect(reply.status).toBe(200)
  }
  expect((await choose(tournament, { scope: 'selected', platformGuids: [] })).status).toBe(200)
  return { tournament, request }
}

describe('a custom webhook', () => {
  test('is told of members, signed by Standard Webhooks', async () => {
    const platform = await subscribe(api, receiver, { secret })
    const before = Date.now()
    const user = await happen(api, platform)
    const raise = { userIdentifier: user.guid, role: 'admin' }
    await api.post(`/tournament-platforms/${platform.contextId}/members`, platform.admin, raise)
    await api.delete(`/tournament-platforms/${platform.contextId}/members/${user.guid}`, platform.admin)
    const came = await arrived(receiver, platform.paths.custom, 3)
    const { body: card } = await api.get(`/users/${user.guid}/card`)
    const told = (type: string, event: string, role: string) => ({
      type,
      event,
      timestamp: instant,
      data: { platform: summaryOf(platform), member: { user: card, role } },
    })
    expect(came.map(({ json }) => json)).toEqual([
      told('member.added', 'member_added', 'reviewer'),
      told('member.added', 'member_added', 'admin'),
      told('member.removed', 'member_removed', 'admin'),
    ])
    for (const one of came) {
      expect(one.method).toBe('POST')
      expect(one.headers['content-type']).toBe('application/json')
      expect(one.headers['user-agent']).toMatch(/^Downbeat /)
      expect(Date.parse(one.json.timestamp)).toBeGreaterThanOrEqual(before - 1)
      expect(Math.abs(Number(one.timestamp) - Date.now() / 1_000)).toBeLessThan(30)
      expect([isSigned(one, secret), isSigned(one, 'another')]).toEqual([true, false])
    }
    const known = await deliveriesWhen(api, platform, allAre('delivered', 'delivered', 'delivered'))
    expect(came.map(({ id }) => id)).toEqual(known.map(({ guid }) => guid))
  })

  test('is told the truth about requests, in the order in which it came to be', async () => {
    const platform = await subscribe(api, receiver)
    const { tournament, request } = await decide(platform, 'Spring Cup', 'Not for us.')
    const came = await arrived(receiver, platform.paths.custom, 5)
    const data = (status: string, reason: string | null) => ({
      platform: summaryOf(platform),
      tournament: {
        guid: tournament.guid,
        id: tournament.id,
        name: 'Spring Cup',
        imageUrl: null,
        status: 'approved',
        startsAt: '2030-05-01T18:00:00.000Z',
        endsAt: null,
      },
      request: { guid: request, status, reason },
    })
    expect(came.map(({ json: { type, event, data } }) => [type, event, data])).toEqual([
      ['visibility.requested', 'visibility_requested', data('pending', null)],
      ['visibility.approved', 'visibility_approved', data('approved', null)],
      ['visibility.blocked', 'visibility_blocked', data('blocked', 'Not for us.')],
      ['visibility.rejected', 'visibility_rejected', data('rejected', 'Not for us.')],
      ['visibility.withdrawn', 'visibility_withdrawn', data('withdrawn', null)],
    ])
  })

  test.each([
    ['taken as bytes when it has no prefix', 'not base64 at all'],
    ['base64 behind its prefix', secret],
  ])('has a secret that is %s', async (_what, text) => {
    const platform = await subscribe(api, receiver, { secret: text })
    await happen(api, platform)
    const [received] = await arrived(receiver, platform.paths.custom, 1)
    expect(received && isSigned(received, text)).toBe(true)
  })

  test('without a secret is not signed', async () => {
    const platform = await subscribe(api, receiver)
    await happen(api, platform)
    const [received] = await arrived(receiver, platform.paths.custom, 1)
    expect([received?.signature, received?.id.length, received?.timestamp.length]).toEqual([null, 36, 10])
  })

  test('is asked again with the address and the secret that it has by then, under the same id', async () => {
    const platform = await subscribe(api, receiver, { secret })
    const behave = receiver.misbehave(new RegExp(platform.paths.custom), { status: 500 })
    await happen(api, platform)
    await deliveriesWhen(api, platform, waitsAfter(1))
    behave()
    const moved = `${platform.paths.custom}/moved`
    await put(api, platform, { customWebhookUrl: `${receiver.url}${moved}`, customWebhookSecret: 'another' })
    const [again] = await arrived(receiver, moved, 1)
    const [first] = receiver.at(platform.paths.custom)
    expect(receiver.at(platform.paths.custom)).toHaveLength(1)
    expect([again?.id, again?.body]).toEqual([first?.id, first?.body])
    expect(again && isSigned(again, 'another')).toBe(true)
  })
})

describe('a chat webhook', () => {
  test('is told in the chat platform’s own form', async () => {
    const platform = await subscribe(api, receiver, { channels: ['chat'], name: 'Night League' })
    const user = await api.user({ name: 'quaver' })
    await happen(api, platform, user)
    await api.delete(`/tournament-platforms/${platform.contextId}/members/${user.guid}`, platform.admin)
    await decide(platform, 'Spring Cup', 'Not for us.')
    const came = await arrived(receiver, platform.paths.chat, 7)
    expect(came.map(({ json }) => json.content)).toEqual([
      '**quaver** is now a reviewer of **Night League**.',
      '**quaver** is no longer a member of **Night League**.',
      '**Spring Cup** asks to be listed on **Night League**.',
      '**Spring Cup** was approved for **Night League**.',
      '**Spring Cup** was blocked on **Night League**.',
      '**Spring Cup** was rejected for **Night League**.',
      '**Spring Cup** no longer asks to be listed on **Night League**.',
    ])
    for (const { json } of came) expect(json.allowed_mentions).toEqual({ parse: [] })
    const reason = [{ title: 'Reason', description: 'Not for us.', timestamp: instant }]
    expect(came.map(({ json }) => json.embeds)).toEqual([[], [], [], [], reason, reason, []])
    expect(came.map(({ signature, id }) => [signature, id])).toEqual(Array(7).fill([null, '']))
  })

  test('pings nobody, whatever users write, and keeps to the platform’s limits', async () => {
    const platform = await subscribe(api, receiver, { channels: ['chat'], name: '@here <@&1>'.padEnd(100, '@') })
    await decide(platform, '@everyone <@123> **x** [a](http://b) `c`', '@everyone\n<@123>\n# big'.padEnd(2_000, '@'))
    for (const { json } of await arrived(receiver, platform.paths.chat, 5)) {
      const text = `${json.content} ${json.embeds[0]?.description ?? ''}`
      expect(text).not.toMatch(/@(everyone|here)|<[@#&!]*\d|\]\(/)
      expect(json.content.length).toBeLessThanOrEqual(2_000)
      expect(json.embeds[0]?.description.length ?? 0).toBeLessThanOrEqual(4_096)
      expect(json.allowed_mentions).toEqual({ parse: [] })
    }
    const [asked] = receiver.at(platform.paths.chat)
    // Without the escapes the text is the original.
    expect(asked?.json.content.replace(/\\(?=[^\w\s])/g, '').replaceAll('\u200B', '')).toContain(
      '**@everyone <@123> **x** [a](http://b) `c`**',
    )
  })

  test('beside a custom one is told of the same, each on its own', async () => {
    const platform = await subscribe(api, receiver, { channels: ['chat', 'custom'] })
    const behave = receiver.misbehave(new RegExp(`POST ${platform.paths.chat}`), { status: 500 })
    await happen(api, platform)
    await arrived(receiver, platform.paths.custom, 1)
    const known = await deliveriesWhen(
      api,
      platform,
      (found) => found.some(({ status }) => status === 'delivered') && found.some(({ attempts }) => attempts[0]?.error),
    )
    expect(Object.fromEntries(known.map(({ channel, status }) => [channel, status]))).toEqual({
      chat: 'pending',
      custom: 'delivered',
    })
    behave()
    await hurry(api, platform)
    await deliveriesWhen(api, platform, allAre('delivered', 'delivered'))
  })

  test('is never looked for elsewhere than on the chat platform', async () => {
    const platform = await subscribe(api, receiver, { channels: ['chat'] })
    await using elsewhere = await startFakeReceiver()
    await api.sql('update platform_settings set chat_webhook_url = $2 where platform_guid = $1', [
      platform.guid,
      `${elsewhere.url}${platform.paths.chat}`,
    ])
    await happen(api, platform)
    const [delivery] = await deliveriesWhen(api, platform, waitsAfter(1))
    expect(delivery?.attempts[0]).toMatchObject({ status: null, error: expect.stringMatching(/must be an address at/) })
    expect(elsewhere.requests).toEqual([])
  })
})

describe('a receiver is told', () => {
  test('of what it has subscribed to, and of nothing else', async () => {
    const platform = await subscribe(api, receiver, { events: ['member_removed', 'visibility_blocked'] })
    const user = await happen(api, platform)
    await decide(platform, 'Spring Cup', 'No.')
    await api.delete(`/tournament-platforms/${platform.contextId}/members/${user.guid}`, platform.admin)
    const came = await arrived(receiver, platform.paths.custom, 2)
    expect(came.map(({ json }) => json.event)).toEqual(['visibility_blocked', 'member_removed'])
    expect(await deliveries(api, platform)).toHaveLength(2)
  })

  test('of its own platform alone', async () => {
    const [one, other] = [await subscribe(api, receiver), await subscribe(api, receiver)]
    await happen(api, one)
    await happen(api, other)
    await arrived(receiver, other.paths.custom, 1)
    const [told] = await arrived(receiver, one.paths.custom, 1)
    expect(told?.json.data.platform.guid).toBe(one.guid)
    expect([await deliveries(api, one), await deliveries(api, other)].map(({ length }) => length)).toEqual([1, 1])
  })

  test('of a tournament that is gone by then without the tournament', async () => {
    const platform = await subscribe(api, receiver)
    await api.sql(
      `select emit_event('platform.visibility_withdrawn', $2, null, null, null,
         jsonb_build_object('platformGuid', $1::uuid, 'tournamentGuid', $2::uuid, 'status', 'withdrawn', 'reason', null), '{}')`,
      [platform.guid, '11111111-1111-4111-8111-111111111111'],
    )
    await api.sql('notify events')
    const [received] = await arrived(receiver, platform.paths.custom, 1)
    expect(received?.json.data).toMatchObject({ tournament: null, request: { status: 'withdrawn', reason: null } })
  })

  test('everything in the order in which it happened, also when one of them fails for a while', async () => {
    const platform = await subscribe(api, receiver)
    const gate = Promise.withResolvers<void>()
    let count = 0
    const behave = receiver.misbehave(new RegExp(platform.paths.custom), async (_request, proper) => {
      if (++count === 3) return { status: 503 }
      await gate.promise
      return proper()
    })
    const first = await happenings(api, platform, 30)
    await arrived(receiver, platform.paths.custom, 1)
    const second = await happenings(api, platform, 30)
    gate.resolve()
    await deliveriesWhen(api, platform, (found) => found[2]?.attempts[0]?.status === 503)
    // The third delivery waits for its next attempt, and all later ones wait for it.
    expect(receiver.at(platform.paths.custom)).toHaveLength(3)
    behave()
    await hurry(api, platform)
    const came = await arrived(receiver, platform.paths.custom, 61)
    const told = came.map(({ json }) => json.data.member.user.guid)
    expect(told.toSpliced(2, 1)).toEqual([...first, ...second])
    expect(came[2]?.id).toBe(came[3]?.id)
    expect(new Set(came.map(({ id }) => id)).size).toBe(60)
  })
})

test('platforms without settings, and events that are no subscription’s, make no deliveries', async () => {
  const platform = await subscribe(api, receiver, { channels: [] })
  await happen(api, platform)
  await followed(api)
  await put(api, platform, { customWebhookUrl: `${receiver.url}${platform.paths.custom}` })
  await api.put(`/tournament-platforms/${platform.contextId}`, platform.admin, { name: 'Another name' })
  await happen(api, platform)
  const [received, ...more] = await arrived(receiver, platform.paths.custom, 1)
  expect([received?.json.event, received?.json.data.platform.name, more]).toEqual(['member_added', 'Another name', []])
  expect(await deliveries(api, platform)).toHaveLength(1)
})
