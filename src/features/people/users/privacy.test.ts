import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { grantRole, makeTournament } from '../../../../test/make.ts'
import { addressOf, makeWorld } from '../../../../test/world.ts'
import { operations } from '../../../app.ts'
import { isForPrograms } from '../../../core/operation.ts'

let api: Harness
let admin: Caller
beforeAll(async () => {
  api = await startHarness()
  admin = await api.user({ name: 'admin', globalRoles: ['role:owner'] })
})
afterAll(() => api[Symbol.asyncDispose]())

async function change(user: Caller, patch: object): Promise<void> {
  const reply = await api.patch(`/admin/users/${user.guid}`, admin, patch)
  expect([reply.status, reply.text]).toEqual([200, reply.text])
}

const privateNames = [
  'preferredName',
  'pronouns',
  'pronunciation',
  'headset',
  'grip',
  'controllers',
  'country',
  'rankingIdA',
  'rankingIdB',
  'streamingName',
  'email',
  'emailVerified',
  'isBot',
  'joinedAt',
  'streamKeys',
  'notifications',
  'teamInvites',
]

describe('what is private', () => {
  test('is in no answer that others can get', async () => {
    const world = await makeWorld(api)
    const { member } = world
    const secrets = [
      'hidden-mail@example.org',
      'SECRET-TITLE',
      'SECRET-BODY',
      'SECRET-MESSAGE',
      'SECRET-REASON',
      'SECRET-DRAFT',
      'SECRET-PROOF',
      '99887766554433',
      'SECRET-AGENT',
    ]
    await change(member, { email: 'hidden-mail@example.org', emailVerified: true, preferredName: 'Findable' })
    await api.sql('update users set ban_reason = $2 where guid = $1', [member.guid, 'SECRET-REASON'])
    await api.sql(`insert into notifications (user_guid, type, title, body) values ($1, 'test.left', $2, $3)`, [
      member.guid,
      'SECRET-TITLE',
      'SECRET-BODY',
    ])
    await api.sql(
      `insert into identities (user_guid, platform, external_id, proof_code) values ($1, 'ranking-a', $2, $3)`,
      [member.guid, '99887766554433', 'SECRET-PROOF'],
    )
    await api.sql(
      `insert into sessions (user_guid, user_agent, expires_at) values ($1, $2, now() + interval '1 day')`,
      [member.guid, 'SECRET-AGENT'],
    )
    const draft = await makeTournament(api, member, { status: 'draft', name: 'SECRET-DRAFT' })
    await grantRole(api, draft, member, 'role:admin')
    const other = await makeWorld(api)
    const invitation = await api.post(
      `/tournaments/${other.tournament.guid}/teams/${other.team}/invitations`,
      other.captain,
      { userIdentifier: member.guid, message: 'SECRET-MESSAGE' },
    )
    expect(invitation.status).toBe(201)

    const own = (await api.get('/users/@me', member)).text
    const inOwn = secrets.filter((secret) => own.includes(secret))
    expect(inOwn).toEqual(['hidden-mail@example.org', 'SECRET-TITLE', 'SECRET-BODY', 'SECRET-MESSAGE', 'SECRET-DRAFT'])

    const reads = operations.filter(({ method, scope }) => method === 'GET' && isForPrograms(scope))
    const addresses = [
      ...reads.filter(({ path }) => !path.includes('@me')).map((operation) => addressOf(operation, world)),
      `/users/${member.chatPlatformId}`,
      '/users?q=findable',
      '/users?limit=100',
      '/users?q=99887766554433',
      '/getUserByPlatform/99887766554433',
    ]
    expect(addresses).toEqual(expect.arrayContaining([`/users/${member.guid}`, `/users/${member.guid}/card`, '/users']))
    const stranger = await api.user()
    let answered = 0
    for (const address of addresses) {
      for (const as of [null, stranger, world.captain]) {
        const reply = await api.get(address, as)
        if (reply.status === 200) answered++
        const found = secrets.filter((secret) => reply.text.includes(secret))
        expect(found, `${address} as ${as?.username ?? 'anonymous'}`).toEqual([])
      }
    }
    expect(answered).toBeGreaterThan(20)
    expect((await api.get('/users?q=findable')).body.users).toHaveLength(1)
  })

  test('is on no profile but one’s own', async () => {
    const user = await api.user()
    const mine = Object.keys((await api.get('/users/@me', user)).body)
    expect(mine).toEqual(expect.arrayContaining(privateNames))
    const theirs = Object.keys((await api.get(`/users/${user.guid}`, await api.user())).body)
    expect(theirs.filter((name) => privateNames.includes(name))).toEqual([])
    const card = Object.keys((await api.get(`/users/${user.guid}/card`)).body)
    expect(card.filter((name) => /^email$|notif|invit|key|ban|session/i.test(name))).toEqual([])
  })
})
