import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publicChat } from '../../../../test/chat-sign-in.ts'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { type MadePlatform, makePlatform, platformMember } from '../../../../test/make.ts'
import { webhookEvents } from './types.ts'

const chatApi = 'https://discord.com/api/v10'
const chatWebhookUrl = 'https://discord.com/api/webhooks/1/chat-token'
const customWebhookUrl = 'https://hooks.example.org/in?key=custom-key'
const customWebhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const secrets = ['chat-token', 'custom-key', customWebhookSecret]

let api: Harness
let owner: Caller
let developer: Caller
beforeAll(async () => {
  api = await startHarness({ chat: publicChat })
  owner = await api.user({ globalRoles: ['role:owner'] })
  developer = await api.user({ globalRoles: ['role:dev'] })
})
afterAll(() => api[Symbol.asyncDispose]())

const problem = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]
const at = ({ contextId }: MadePlatform) => `/tournament-platforms/${contextId}/settings`
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

async function withAdmin(): Promise<[MadePlatform, Caller]> {
  const platform = await makePlatform(api)
  return [platform, await platformMember(api, platform, 'admin')]
}

async function stored(platform: MadePlatform) {
  const [row] = await api.sql(
    `select chat_webhook_url as chat, custom_webhook_url as custom, custom_webhook_secret as secret,
       webhook_events as events from platform_settings where platform_guid = $1`,
    [platform.guid],
  )
  return row
}

const logged = (platform: MadePlatform) =>
  api.sql(
    `select type, tournament, actor, before, after from event_log
     where subject = $1 and type not like 'test.%' order by seq`,
    [platform.guid],
  )

describe('GET /tournament-platforms/{contextId}/settings', () => {
  test('of a platform that has set nothing', async () => {
    const [platform, admin] = await withAdmin()
    const reply = await api.get(at(platform), admin)
    const card = (await api.get(`/users/${admin.guid}/card`)).body
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        chatWebhookUrl: null,
        customWebhookUrl: null,
        customWebhookSecret: null,
        webhookEvents: [],
        members: [{ user: card, role: 'admin', addedAt: instant }],
      },
    ])
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
  })

  test('shows addresses, events and the team in the order of being added, but of the secret only that there is one', async () => {
    const [platform, admin] = await withAdmin()
    const reviewer = await platformMember(api, platform, 'reviewer')
    await api.put(at(platform), admin, { chatWebhookUrl, customWebhookUrl, customWebhookSecret, webhookEvents })
    const reply = await api.get(at(platform), admin)
    expect(reply.body).toMatchObject({
      chatWebhookUrl,
      customWebhookUrl,
      customWebhookSecret: 'configured',
      webhookEvents,
    })
    expect(
      reply.body.members.map(({ user, role }: { user: { guid: string }; role: string }) => [user.guid, role]),
    ).toEqual([
      [admin.guid, 'admin'],
      [reviewer.guid, 'reviewer'],
    ])
    expect(reply.text).not.toContain(customWebhookSecret)
  })

  test('an account that was given up is no longer of the team', async () => {
    const [platform, admin] = await withAdmin()
    const leaver = await platformMember(api, platform, 'reviewer')
    expect((await api.delete('/users/@me', leaver)).status).toBe(204)
    const { members } = (await api.get(at(platform), admin)).body
    expect(members.map(({ user }: { user: { guid: string } }) => user.guid)).toEqual([admin.guid])
  })
})

describe('PUT /tournament-platforms/{contextId}/settings', () => {
  test('sets what is given, keeps what is left out, and answers like GET', async () => {
    const [platform, admin] = await withAdmin()
    const put = async (body: object) => {
      const reply = await api.put(at(platform), admin, body)
      expect(reply.status).toBe(200)
      expect(reply.body).toEqual((await api.get(at(platform), admin)).body)
      return stored(platform)
    }
    const nothing = { chat: null, custom: null, secret: null, events: [] }
    expect(await put({ chatWebhookUrl })).toEqual({ ...nothing, chat: chatWebhookUrl })
    expect(await put({ customWebhookUrl, webhookEvents: ['member_added'] })).toEqual({
      ...nothing,
      chat: chatWebhookUrl,
      custom: customWebhookUrl,
      events: ['member_added'],
    })
    const all = { chat: chatWebhookUrl, custom: customWebhookUrl, secret: 'plain', events: ['member_added'] }
    expect(await put({ customWebhookSecret: 'plain' })).toEqual(all)
    expect(await put({})).toEqual(all)
    expect(await put({ webhookEvents: [] })).toEqual({ ...all, events: [] })
  })

  test('an empty text removes an address or the secret', async () => {
    const [platform, admin] = await withAdmin()
    const full = { chatWebhookUrl, customWebhookUrl, customWebhookSecret, webhookEvents: ['member_removed'] }
    const kept = {
      chat: chatWebhookUrl,
      custom: customWebhookUrl,
      secret: customWebhookSecret,
      events: ['member_removed'],
    }
    for (const [member, column] of [
      ['chatWebhookUrl', 'chat'],
      ['customWebhookUrl', 'custom'],
      ['customWebhookSecret', 'secret'],
    ] as const) {
      await api.put(at(platform), admin, full)
      const reply = await api.put(at(platform), admin, { [member]: '' })
      expect([reply.status, reply.body[member]]).toEqual([200, null])
      expect(await stored(platform)).toEqual({ ...kept, [column]: null })
    }
  })

  test('the log tells what changed without an address or the secret, and nothing where nothing did', async () => {
    const [platform, admin] = await withAdmin()
    const body = { chatWebhookUrl, customWebhookUrl, customWebhookSecret, webhookEvents: ['member_added'] }
    await api.put(at(platform), admin, body)
    await api.put(at(platform), admin, body)
    await api.put(at(platform), admin, { customWebhookSecret: 'another secret' })
    await api.put(at(platform), admin, { customWebhookUrl: '' })
    const events = await logged(platform)
    const emitted = { type: 'platform.settings_changed', tournament: null, actor: admin.guid }
    expect(events).toEqual([
      {
        ...emitted,
        before: { chatWebhookUrl: null, customWebhookUrl: null, customWebhookSecret: null, webhookEvents: [] },
        after: {
          chatWebhookUrl: 'configured',
          customWebhookUrl: 'configured',
          customWebhookSecret: 'configured',
          webhookEvents: ['member_added'],
        },
      },
      { ...emitted, before: { customWebhookSecret: 'configured' }, after: { customWebhookSecret: 'configured' } },
      { ...emitted, before: { customWebhookUrl: 'configured' }, after: { customWebhookUrl: null } },
    ])
    for (const secret of [...secrets, 'another secret']) expect(JSON.stringify(events)).not.toContain(secret)
  })

  test.each([
    // A chat webhook must be on the chat platform's host.
    [{ chatWebhookUrl: 'https://evil.example/api/webhooks/1/hidden' }, 'platform.webhook_invalid'],
    [{ chatWebhookUrl: 'https://discord.com.evil.example/api/webhooks/1/hidden' }, 'platform.webhook_invalid'],
    [{ chatWebhookUrl: 'https://discord.com@evil.example/api/webhooks/1/hidden' }, 'platform.webhook_invalid'],
    [{ chatWebhookUrl: 'http://discord.com/api/webhooks/1/hidden' }, 'platform.webhook_invalid'],
    [{ chatWebhookUrl: 'https://discord.com/api/users/@me?hidden' }, 'platform.webhook_invalid'],
    [{ chatWebhookUrl: 'hidden' }, 'platform.webhook_invalid'],
    // A custom webhook must not name a private network or contain credentials.
    [{ customWebhookUrl: 'https://user:hidden@hooks.example.org' }, 'platform.webhook_invalid'],
    [{ customWebhookUrl: 'https://127.0.0.1/hidden' }, 'platform.webhook_invalid'],
    [{ customWebhookUrl: 'https://localhost/hidden' }, 'platform.webhook_invalid'],
    [{ customWebhookUrl: 'https://[::1]/hidden' }, 'platform.webhook_invalid'],
    [{ customWebhookUrl: 'https://[::ffff:169.254.169.254]/hidden' }, 'platform.webhook_invalid'],
    [{ customWebhookUrl: 'https://169.254.169.254/hidden' }, 'platform.webhook_invalid'],
    [{ customWebhookUrl: 'https://2852039166/hidden' }, 'platform.webhook_invalid'],
    [{ customWebhookUrl: 'https://192.168.0.1/hidden' }, 'platform.webhook_invalid'],
    [{ customWebhookUrl: 'ftp://hooks.example.org/hidden' }, 'platform.webhook_invalid'],
    [{ customWebhookUrl: 'hidden' }, 'platform.webhook_invalid'],
    [{ customWebhookUrl: `https://hooks.example.org/hidden${'x'.repeat(2_000)}` }, 'request.invalid'],
    [{ customWebhookSecret: 'whsec_hidden!' }, 'platform.webhook_invalid'],
    [{ customWebhookSecret: 'configured' }, 'platform.webhook_invalid'],
    [{ customWebhookSecret: 'x'.repeat(501) }, 'request.invalid'],
    [{ chatWebhookUrl: null }, 'request.invalid'],
    [{ customWebhookSecret: 7 }, 'request.invalid'],
    [{ webhookEvents: ['visibility_requested', 'unknown_event'] }, 'request.invalid'],
    [{ webhookEvents: ['member_added', 'member_added'] }, 'request.invalid'],
    [{ webhookEvents: 'member_added' }, 'request.invalid'],
    [{ webhookEvents: null }, 'request.invalid'],
    // D43: unknown members are refused.
    [{ members: [] }, 'request.unknown_member'],
    [{ webhookUrl: 'https://hooks.example.org' }, 'request.unknown_member'],
    [{ webhookEvents: ['member_added'], more: 1 }, 'request.unknown_member'],
  ])('%o is refused, and nothing is changed or repeated', async (body, code) => {
    const [platform, admin] = await withAdmin()
    const reply = await api.put(at(platform), admin, body)
    expect(problem(reply)).toEqual([400, code])
    expect(reply.text).not.toContain('hidden')
    expect(await stored(platform)).toBeUndefined()
    expect(await logged(platform)).toEqual([])
  })

  test('one refused member refuses all', async () => {
    const [platform, admin] = await withAdmin()
    const reply = await api.put(at(platform), admin, { chatWebhookUrl, customWebhookUrl: 'https://10.0.0.1' })
    expect(problem(reply)).toEqual([400, 'platform.webhook_invalid'])
    expect(await stored(platform)).toBeUndefined()
  })

  test('concurrent changes of different settings all last', async () => {
    const [platform, admin] = await withAdmin()
    const changes = [
      { chatWebhookUrl },
      { customWebhookUrl },
      { customWebhookSecret },
      { webhookEvents: ['visibility_blocked'] },
    ]
    const replies = await Promise.all(changes.map((change) => api.put(at(platform), admin, change)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await stored(platform)).toEqual({
      chat: chatWebhookUrl,
      custom: customWebhookUrl,
      secret: customWebhookSecret,
      events: ['visibility_blocked'],
    })
  })
})

describe('who reads and changes settings', () => {
  test('administrators of the platform, owners and developers, and nobody else', async () => {
    const [platform, admin] = await withAdmin()
    const [, elsewhere] = await withAdmin()
    const manager = await api.user({ globalRoles: ['global:tournaments:manage'] })
    const reviewer = await platformMember(api, platform, 'reviewer')
    for (const caller of [await api.user(), manager, reviewer, elsewhere]) {
      expect(problem(await api.get(at(platform), caller))).toEqual([403, 'role.missing'])
      expect(problem(await api.put(at(platform), caller, {}))).toEqual([403, 'role.missing'])
    }
    expect(problem(await api.get(at(platform)))).toEqual([401, 'token.missing'])
    expect(problem(await api.put(at(platform), null, {}))).toEqual([401, 'token.missing'])
    for (const caller of [admin, developer, owner]) {
      expect((await api.get(at(platform), caller)).status).toBe(200)
      expect((await api.put(at(platform), caller, { customWebhookSecret: caller.guid })).status).toBe(200)
    }
  })

  test('a global tournament manager reviews for the system platform, but does not see its settings', async () => {
    const manager = await api.user({ globalRoles: ['global:tournaments:manage'] })
    expect(problem(await api.get('/tournament-platforms/main/settings', manager))).toEqual([403, 'role.missing'])
    expect((await api.get('/tournament-platforms/main/settings', owner)).status).toBe(200)
  })

  test('an unknown platform is told before the role', async () => {
    const outsider = await api.user()
    for (const reply of [
      await api.get('/tournament-platforms/nowhere/settings', outsider),
      await api.put('/tournament-platforms/nowhere/settings', outsider, { a: 1 }),
    ]) {
      expect(problem(reply)).toEqual([404, 'platform.unknown'])
    }
  })

  test('nothing of it is in what anybody else reads', async () => {
    const [platform, admin] = await withAdmin()
    await api.put(at(platform), admin, { chatWebhookUrl, customWebhookUrl, customWebhookSecret, webhookEvents })
    const reviewer = await platformMember(api, platform, 'reviewer')
    const record = `/tournament-platforms/${platform.contextId}`
    const readings: [string, Caller | null][] = [
      [record, null],
      [record, admin],
      [`${record}/tournaments`, null],
      ['/tournament-platforms', null],
      ['/tournament-platforms', owner],
      ['/tournament-platforms/mine', admin],
      ['/tournament-platforms/mine', reviewer],
      ['/tournament-platforms/mine', owner],
      ['/admin/tournament-platforms/overview', owner],
      ['/users/@me/export', admin],
    ]
    for (const [path, caller] of readings) {
      const reply = await api.get(path, caller)
      expect([path, reply.status]).toEqual([path, 200])
      for (const hidden of [...secrets, 'webhookEvents', 'WebhookUrl', 'customWebhookSecret']) {
        expect(reply.text, path).not.toContain(hidden)
      }
    }
  })
})

describe('outside of the local environment', () => {
  let production: Harness
  beforeAll(async () => {
    production = await startHarness({
      environment: 'production',
      chat: {
        credentials: { clientId: 'id', clientSecret: 'secret' },
        apiUrl: chatApi,
        authorizeUrl: 'https://discord.com/oauth2/authorize',
        cdnUrl: 'https://cdn.discordapp.com',
      },
    })
  })
  afterAll(() => production[Symbol.asyncDispose]())

  test('custom webhooks are https addresses; in it, http will do', async () => {
    for (const [harness, status] of [
      [production, 400],
      [api, 200],
    ] as const) {
      const admin = await harness.user({ globalRoles: ['role:owner'] })
      const put = (url: string) => harness.put('/tournament-platforms/main/settings', admin, { customWebhookUrl: url })
      expect((await put('http://hooks.example.org/in')).status).toBe(status)
      expect((await put('https://hooks.example.org/in')).status).toBe(200)
    }
  })
})

test('WEBHOOK_ALLOW_PRIVATE lets custom webhooks lead into private networks', async () => {
  await using lax = await startHarness({ webhookAllowPrivate: true })
  const admin = await lax.user({ globalRoles: ['role:owner'] })
  for (const url of ['http://127.0.0.1:8080/in', 'https://[::1]/in', 'http://receiver/in']) {
    const reply = await lax.put('/tournament-platforms/main/settings', admin, { customWebhookUrl: url })
    expect([reply.status, reply.body.customWebhookUrl]).toEqual([200, url])
  }
})
