import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { whileHeld } from '../../../../test/locks.ts'
import { grantRole, type MadeTournament, makeTournament } from '../../../../test/make.ts'

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'organiser' })
})
afterAll(() => api[Symbol.asyncDispose]())

const allRoles = [
  'role:admin',
  'role:staff',
  'role:coordinator',
  'role:hcoordinator',
  'role:pooler',
  'role:hpooler',
  'role:caster',
  'role:hcaster',
  'role:host',
  'role:referee',
] as const
type Role = (typeof allRoles)[number]

const problem = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]
const path = (tournament: string, user: string, verb: 'grant' | 'revoke') =>
  `/tournaments/${tournament}/permissions/${user}/${verb}`
const grant = (as: Caller | null, tournament: string, user: string, body: unknown) =>
  api.post(path(tournament, user, 'grant'), as, body)
const revoke = (as: Caller | null, tournament: string, user: string, body: unknown) =>
  api.delete(path(tournament, user, 'revoke'), as, body)

async function rolesHeld(tournament: MadeTournament, user: Caller): Promise<string[]> {
  const rows = await api.sql<{ role: string }>(
    'select role from tournament_role_holders where tournament_guid = $1 and user_guid = $2 order by role',
    [tournament.guid, user.guid],
  )
  return rows.map(({ role }) => role)
}

async function events(tournament: MadeTournament) {
  return api.sql(
    'select type, subject, tournament, actor, before, after from event_log where tournament = $1 order by seq',
    [tournament.guid],
  )
}

async function holder(tournament: MadeTournament, ...roles: readonly string[]): Promise<Caller> {
  const user = await api.user()
  for (const role of roles) await grantRole(api, tournament, user, role)
  return user
}

describe('who may grant and revoke what', () => {
  const coordination: readonly Role[] = ['role:coordinator', 'role:referee']
  const casting: readonly Role[] = ['role:caster', 'role:host']
  const table: readonly [string, (tournament: MadeTournament) => Promise<Caller>, readonly Role[]][] = [
    ['the organiser', async () => organiser, allRoles],
    ['a tournament manager', () => api.user({ globalRoles: ['global:tournaments:manage'] }), allRoles],
    ['a developer', () => api.user({ globalRoles: ['role:dev'] }), allRoles],
    ['an owner', () => api.user({ globalRoles: ['role:owner'] }), allRoles],
    ['role:admin', (t) => holder(t, 'role:admin'), allRoles.filter((role) => role !== 'role:admin')],
    ['role:hcoordinator', (t) => holder(t, 'role:hcoordinator'), coordination],
    ['role:hcaster', (t) => holder(t, 'role:hcaster'), casting],
    ['role:hpooler', (t) => holder(t, 'role:hpooler'), ['role:pooler']],
    ['two heads in one', (t) => holder(t, 'role:hcoordinator', 'role:hcaster'), [...coordination, ...casting]],
    ['role:staff', (t) => holder(t, 'role:staff'), []],
    ['role:coordinator', (t) => holder(t, 'role:coordinator'), []],
    ['role:pooler', (t) => holder(t, 'role:pooler'), []],
    ['role:caster', (t) => holder(t, 'role:caster'), []],
    ['role:host', (t) => holder(t, 'role:host'), []],
    ['role:referee', (t) => holder(t, 'role:referee'), []],
    ['a stranger', () => api.user(), []],
    [
      'holders of other global permissions',
      () => api.user({ globalRoles: ['global:users:read', 'global:badges:manage', 'global:notices:manage'] }),
      [],
    ],
    ['an admin of another tournament', async () => holder(await makeTournament(api, organiser), 'role:admin'), []],
    ['an organiser of another tournament', otherOrganiser, []],
  ]

  async function otherOrganiser(): Promise<Caller> {
    const user = await api.user()
    await makeTournament(api, user)
    return user
  }

  test.each(table)('%s', async (_name, makeGranter, granted) => {
    const tournament = await makeTournament(api, organiser)
    const granter = await makeGranter(tournament)
    const user = await api.user()
    for (const role of allRoles) {
      const given = await grant(granter, tournament.guid, user.guid, { role })
      const may = granted.includes(role)
      expect(problem(given), `grant ${role}`).toEqual(may ? [200, null] : [401, 'role.missing'])
      expect(await rolesHeld(tournament, user)).toEqual(may ? [role] : [])
      if (!may) await grantRole(api, tournament, user, role)
      const taken = await revoke(granter, tournament.guid, user.guid, { role })
      expect(problem(taken), `revoke ${role}`).toEqual(may ? [200, null] : [401, 'role.missing'])
      expect(await rolesHeld(tournament, user)).toEqual(may ? [] : [role])
      await api.sql('delete from tournament_role_holders where user_guid = $1', [user.guid])
    }
  })

  test('holding a role gives no right to give it up or away, but for those who may grant it', async () => {
    const tournament = await makeTournament(api, organiser)
    const head = await holder(tournament, 'role:hcoordinator', 'role:referee')
    expect(problem(await revoke(head, tournament.id, '@me', { role: 'role:hcoordinator' }))).toEqual([
      401,
      'role.missing',
    ])
    expect(problem(await revoke(head, tournament.id, '@me', { role: 'role:referee' }))).toEqual([200, null])
    const admin = await holder(tournament, 'role:admin')
    expect(problem(await grant(admin, tournament.id, '@me', { role: 'role:staff' }))).toEqual([200, null])
    expect(problem(await revoke(admin, tournament.id, '@me', { role: 'role:admin' }))).toEqual([401, 'role.missing'])
    expect(await rolesHeld(tournament, admin)).toEqual(['role:admin', 'role:staff'])
  })
})

describe('granting and revoking', () => {
  test('answers in words, and is in the log with who, whom and what', async () => {
    const tournament = await makeTournament(api, organiser)
    const user = await api.user({ name: 'breve' })
    const given = await grant(organiser, tournament.id, user.guid, { role: 'role:caster' })
    expect([given.status, Object.keys(given.body)]).toEqual([200, ['success']])
    expect(given.body.success).toEqual(expect.stringContaining('breve'))
    const taken = await revoke(organiser, tournament.id, user.guid, { role: 'role:caster' })
    expect([taken.status, Object.keys(taken.body)]).toEqual([200, ['success']])
    const common = { subject: user.guid, tournament: tournament.guid, actor: organiser.guid }
    expect(await events(tournament)).toEqual([
      { type: 'access.granted', ...common, before: null, after: { role: 'role:caster' } },
      { type: 'access.revoked', ...common, before: { role: 'role:caster' }, after: null },
    ])
  })

  test('takes every identifier of user and tournament', async () => {
    const tournament = await makeTournament(api, organiser)
    const user = await api.user()
    await api.sql(
      `insert into identities (user_guid, platform, external_id, verified_at)
       values ($1, 'ranking-a', '70001', now()), ($1, 'ranking-b', '70002', now())`,
      [user.guid],
    )
    const names = [user.guid, user.guid.toUpperCase(), user.chatPlatformId, '70001', '70002']
    for (const [index, name] of names.entries()) {
      const role = allRoles[index]
      expect((await grant(organiser, tournament.guid.toUpperCase(), name, { role })).status).toBe(200)
      expect((await revoke(organiser, tournament.id.toUpperCase(), name, { role })).status).toBe(200)
    }
  })

  test('a role is held once, and only what is held can be taken', async () => {
    const tournament = await makeTournament(api, organiser)
    const user = await holder(tournament, 'role:host')
    expect(problem(await grant(organiser, tournament.id, user.guid, { role: 'role:host' }))).toEqual([
      400,
      'role.already_held',
    ])
    expect(problem(await revoke(organiser, tournament.id, user.guid, { role: 'role:caster' }))).toEqual([
      400,
      'role.not_held',
    ])
    expect(await rolesHeld(tournament, user)).toEqual(['role:host'])
    expect(await events(tournament)).toEqual([])
  })

  test('a role in one tournament is none in another', async () => {
    const [here, there] = [await makeTournament(api, organiser), await makeTournament(api, organiser)]
    const user = await holder(there, 'role:host')
    expect(problem(await revoke(organiser, here.id, user.guid, { role: 'role:host' }))).toEqual([400, 'role.not_held'])
    expect(await rolesHeld(there, user)).toEqual(['role:host'])
  })

  const malformed: readonly [string, unknown][] = [
    ['no role', {}],
    ['null', { role: null }],
    ['an unknown role', { role: 'role:emperor' }],
    ['another case', { role: 'Role:Admin' }],
    ['a global role', { role: 'role:owner' }],
    ['a global permission', { role: 'global:tournaments:manage' }],
    ['organiser', { role: 'organiser' }],
    ['an array', { role: ['role:host'] }],
    ['a number', { role: 7 }],
    ['a list for a body', ['role:host']],
    ['a word for a body', 'role:host'],
  ]

  test.each(malformed)('%s is not a role', async (_name, body) => {
    const tournament = await makeTournament(api, organiser)
    const user = await api.user()
    const head = await holder(tournament, 'role:hpooler')
    for (const granter of [organiser, head]) {
      expect(problem(await grant(granter, tournament.id, user.guid, body))).toEqual([400, 'request.invalid'])
      expect(problem(await revoke(granter, tournament.id, user.guid, body))).toEqual([400, 'request.invalid'])
    }
    expect(await rolesHeld(tournament, user)).toEqual([])
  })

  test('whoever may grant nothing learns nothing about the body', async () => {
    const tournament = await makeTournament(api, organiser)
    const user = await api.user()
    const referee = await holder(tournament, 'role:referee')
    const outcomes = await Promise.all(
      [{ role: 'role:host' }, { role: 'role:emperor' }, {}].flatMap((body) => [
        grant(referee, tournament.id, user.guid, body),
        revoke(referee, tournament.id, user.guid, body),
      ]),
    )
    for (const reply of outcomes) {
      expect([...problem(reply), reply.text]).toEqual([401, 'role.missing', outcomes[0]?.text])
      expect(reply.headers.get('www-authenticate')).toBeNull()
    }
  })

  test('unknown users and tournaments are 400, hidden drafts among them', async () => {
    const tournament = await makeTournament(api, organiser)
    const draft = await makeTournament(api, organiser, { status: 'draft' })
    const user = await api.user()
    const role = { role: 'role:host' }
    const nobody = '00000000-0000-4000-8000-000000000000'
    const gone = await api.user()
    await api.sql('update users set anonymised_at = now() where guid = $1', [gone.guid])
    for (const act of [grant, revoke]) {
      for (const name of [nobody, '123', 'no-such-user', '@you', gone.guid]) {
        expect(problem(await act(organiser, tournament.id, name, role))).toEqual([400, 'user.unknown'])
      }
      for (const name of [nobody, 'no-such-cup', '@me']) {
        expect(problem(await act(organiser, name, user.guid, role))).toEqual([400, 'tournament.unknown'])
      }
      const hidden = await act(user, draft.guid, user.guid, role)
      const unknown = await act(user, nobody, user.guid, role)
      expect([problem(hidden), hidden.text]).toEqual([[400, 'tournament.unknown'], unknown.text])
    }
  })

  test('a token with the scope is needed before anything else', async () => {
    const tournament = await makeTournament(api, organiser)
    const reading = await api.token(organiser, ['rest:read', 'ws:write'])
    for (const [method, verb] of [['POST', 'grant'] as const, ['DELETE', 'revoke'] as const]) {
      const address = path(tournament.id, '@me', verb)
      expect(problem(await api.call(method, address))).toEqual([401, 'token.missing'])
      expect(problem(await api.call(method, address, { token: 'x.y.z' }))).toEqual([401, 'token.invalid'])
      expect(problem(await api.call(method, address, { token: reading }))).toEqual([401, 'scope.missing'])
    }
  })

  test('the organiser may hold a role beside, and stays the organiser', async () => {
    const tournament = await makeTournament(api, organiser)
    expect((await grant(organiser, tournament.id, '@me', { role: 'role:caster' })).status).toBe(200)
    expect((await api.get(`/tournaments/${tournament.id}/access`, organiser)).body.roles).toEqual([
      'organiser',
      'role:caster',
    ])
  })

  test('a tournament has at most five hundred granted roles', async () => {
    const tournament = await makeTournament(api, organiser)
    await api.sql(
      `with made as (
         insert into users (chat_platform_id, username, preferred_name, avatar_url)
         select 800000 + n, 'crowd', 'crowd', 'https://cdn.example.org/x.png' from generate_series(1, 499) n returning guid)
       insert into tournament_role_holders (tournament_guid, user_guid, role) select $1, guid, 'role:host' from made`,
      [tournament.guid],
    )
    const [last, beyond] = [await api.user(), await api.user()]
    expect((await grant(organiser, tournament.id, last.guid, { role: 'role:host' })).status).toBe(200)
    expect(problem(await grant(organiser, tournament.id, beyond.guid, { role: 'role:host' }))).toEqual([
      400,
      'role.limit_reached',
    ])
    expect((await revoke(organiser, tournament.id, last.guid, { role: 'role:host' })).status).toBe(200)
    expect((await grant(organiser, tournament.id, beyond.guid, { role: 'role:host' })).status).toBe(200)
  })
})

describe('at once', () => {
  const codes = (replies: readonly Reply[]) =>
    replies.map((reply) => reply.headers.get('problem-code') ?? 'done').sort()

  test('of many equal grants and of many equal revocations, one counts', async () => {
    const tournament = await makeTournament(api, organiser)
    const admin = await holder(tournament, 'role:admin')
    const user = await api.user()
    const body = { role: 'role:referee' }
    const times = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? organiser : admin))
    const given = await Promise.all(times.map((as) => grant(as, tournament.id, user.guid, body)))
    expect(codes(given)).toEqual(['done', ...Array(11).fill('role.already_held')])
    expect(await rolesHeld(tournament, user)).toEqual(['role:referee'])
    const taken = await Promise.all(times.map((as) => revoke(as, tournament.id, user.guid, body)))
    expect(codes(taken)).toEqual(['done', ...Array(11).fill('role.not_held')])
    expect(await rolesHeld(tournament, user)).toEqual([])
    expect((await events(tournament)).map(({ type }) => type)).toEqual(['access.granted', 'access.revoked'])
  })

  test('the last place is given away once', async () => {
    const tournament = await makeTournament(api, organiser)
    await api.sql(
      `insert into tournament_role_holders (tournament_guid, user_guid, role)
       select $1, guid, 'role:pooler' from users where username = 'crowd' limit 499`,
      [tournament.guid],
    )
    const users = await Promise.all(Array.from({ length: 8 }, () => api.user()))
    const given = await Promise.all(
      users.map((user) => grant(organiser, tournament.id, user.guid, { role: 'role:host' })),
    )
    expect(codes(given)).toEqual(['done', ...Array(7).fill('role.limit_reached')])
  })

  test('a granter who loses the role while waiting grants nothing', async () => {
    const tournament = await makeTournament(api, organiser)
    const admin = await holder(tournament, 'role:admin')
    const user = await api.user()
    let granting: Promise<Reply> | undefined
    await whileHeld(api, ['select from tournaments where guid = $1 for update', tournament.guid], async (waiting) => {
      granting = grant(admin, tournament.id, user.guid, { role: 'role:host' })
      await waiting(1)
      expect(problem(await revoke(organiser, tournament.id, admin.guid, { role: 'role:admin' }))).toEqual([200, null])
    })
    expect(problem((await granting) as Reply)).toEqual([401, 'role.missing'])
    expect(await rolesHeld(tournament, user)).toEqual([])
  })
})
