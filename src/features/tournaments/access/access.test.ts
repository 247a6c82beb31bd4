import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { grantRole, type MadeTournament, makeTeam, makeTournament } from '../../../../test/make.ts'

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

const problem = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]
const path = (tournament: string, user: string, verb: 'grant' | 'revoke') =>
  `/tournaments/${tournament}/permissions/${user}/${verb}`
const grant = (as: Caller | null, tournament: string, user: string, body: unknown) =>
  api.post(path(tournament, user, 'grant'), as, body)
const revoke = (as: Caller | null, tournament: string, user: string, body: unknown) =>
  api.delete(path(tournament, user, 'revoke'), as, body)

async function holder(tournament: MadeTournament, ...roles: readonly string[]): Promise<Caller> {
  const user = await api.user()
  for (const role of roles) await grantRole(api, tournament, user, role)
  return user
}

describe('GET /userRoles', () => {
  test('names every role and permission by where it holds', async () => {
    const reply = await api.get('/userRoles', organiser)
    expect([reply.status, Object.keys(reply.body)]).toEqual([200, ['global', 'tournament']])
    const names = (list: { role: string; description: string }[]) => list.map(({ role }) => role)
    expect(names(reply.body.global)).toEqual([
      'role:owner',
      'role:dev',
      'global:tournaments:manage',
      'global:users:read',
      'global:badges:manage',
      'global:notices:manage',
    ])
    expect(names(reply.body.tournament)).toEqual(allRoles)
    for (const { description } of [...reply.body.global, ...reply.body.tournament])
      expect(description).toMatch(/^[A-Z].+\.$/)
  })

  test('needs a token that may read', async () => {
    expect(problem(await api.get('/userRoles'))).toEqual([401, 'token.missing'])
    const narrow = await api.token(organiser, ['rest:user:write'])
    expect(problem(await api.call('GET', '/userRoles', { token: narrow }))).toEqual([401, 'scope.missing'])
    const reading = await api.token(organiser, ['rest:read'])
    expect((await api.call('GET', '/userRoles', { token: reading })).status).toBe(200)
  })
})

describe('the staff', () => {
  const staff = async (tournament: MadeTournament, as: Caller | null = null) => {
    const reply = await api.get(`/tournaments/${tournament.id}/staff`, as)
    expect(reply.status).toBe(200)
    return (reply.body as { role: string; users: { guid: string }[] }[]).map(({ role, users }) => [
      role,
      users.map(({ guid }) => guid),
    ])
  }

  test('is public: the organiser first, then the roles that somebody holds, in order', async () => {
    const tournament = await makeTournament(api, organiser)
    expect(await staff(tournament)).toEqual([['organiser', [organiser.guid]]])
    const referees = await Promise.all(Array.from({ length: 6 }, () => api.user()))
    const [first] = referees as [Caller]
    const grants = [...referees.map((user) => [user, 'role:referee']), [first, 'role:admin'], [organiser, 'role:host']]
    for (const [user, role] of grants as [Caller, string][]) {
      expect((await grant(organiser, tournament.id, user.guid, { role })).status).toBe(200)
    }
    const expected = [
      ['organiser', [organiser.guid]],
      ['role:admin', [first.guid]],
      ['role:host', [organiser.guid]],
      ['role:referee', referees.map(({ guid }) => guid)],
    ]
    expect(await staff(tournament)).toEqual(expected)
    expect(await staff(tournament, first)).toEqual(expected)
  })

  test('shows whole cards and nothing private', async () => {
    const tournament = await makeTournament(api, organiser)
    await api.sql(`update users set email = 'o@example.org' where guid = $1`, [organiser.guid])
    const reply = await api.get(`/tournaments/${tournament.id}/staff`)
    const card = await api.get(`/users/${organiser.guid}/card`)
    expect(reply.body).toEqual([{ role: 'organiser', users: [card.body] }])
    expect(reply.text).not.toContain('o@example.org')
  })

  test('is remembered for anonymous callers, and never older than what they were told', async () => {
    const tournament = await makeTournament(api, organiser)
    const user = await api.user()
    const address = `/tournaments/${tournament.id}/staff`
    const before = await api.get(address)
    expect(before.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    const again = await api.get(address, null, { 'if-none-match': before.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
    expect((await grant(organiser, tournament.id, user.guid, { role: 'role:host' })).status).toBe(200)
    expect((await staff(tournament)).length).toBe(2)
    expect((await api.post('/updateUserSettings', user, { preferredName: 'Fermata' })).status).toBe(200)
    expect((await api.get(address)).body[1].users[0].preferredName).toBe('Fermata')
    expect((await revoke(organiser, tournament.id, user.guid, { role: 'role:host' })).status).toBe(200)
    expect((await staff(tournament)).length).toBe(1)
  })

  test('is a part of the tournament’s record for those who ask for it', async () => {
    const tournament = await makeTournament(api, organiser)
    await holder(tournament, 'role:host')
    const record = await api.get(`/tournaments/${tournament.id}?include=staff`)
    expect(record.body.staff).toEqual((await api.get(`/tournaments/${tournament.id}/staff`)).body)
    expect(record.body.staff.length).toBe(2)
  })

  test('tells the heads of the pools which poolers play, and nobody else', async () => {
    const tournament = await makeTournament(api, organiser)
    const [pooler, playing, referee] = [
      await holder(tournament, 'role:pooler'),
      await holder(tournament, 'role:pooler'),
      await holder(tournament, 'role:referee'),
    ]
    await makeTeam(api, tournament, playing, { members: [referee], status: 'registered' })
    await makeTeam(api, tournament, pooler, { status: 'unregistered' })
    const marked = async (as: Caller | null) => {
      const groups = (await api.get(`/tournaments/${tournament.id}/staff`, as)).body
      return groups.flatMap(({ users }: { users: { guid: string; plays?: boolean }[] }) =>
        users.filter(({ plays }) => plays !== undefined).map(({ guid, plays }) => [guid, plays]),
      )
    }
    for (const as of [organiser, await holder(tournament, 'role:hpooler')]) {
      expect(await marked(as)).toEqual([[playing.guid, true]])
    }
    for (const as of [null, pooler, referee]) expect(await marked(as)).toEqual([])
  })

  test('leaves out accounts that were given up', async () => {
    const tournament = await makeTournament(api, organiser)
    const gone = await holder(tournament, 'role:host')
    await api.sql('update users set anonymised_at = now() where guid = $1', [gone.guid])
    expect(await staff(tournament)).toEqual([['organiser', [organiser.guid]]])
  })

  test('of a draft is not there for strangers', async () => {
    const draft = await makeTournament(api, organiser, { status: 'draft' })
    const referee = await holder(draft, 'role:referee')
    for (const stranger of [null, await api.user()]) {
      for (const part of ['staff', 'access']) {
        expect(problem(await api.get(`/tournaments/${draft.id}/${part}`, stranger))).toEqual([
          404,
          'tournament.unknown',
        ])
      }
    }
    expect(await staff(draft, referee)).toEqual([
      ['organiser', [organiser.guid]],
      ['role:referee', [referee.guid]],
    ])
    // The draft stays hidden after a permitted user has read it, so no cached answer leaks.
    expect(problem(await api.get(`/tournaments/${draft.id}/staff`))).toEqual([404, 'tournament.unknown'])
  })
})

describe('what the caller may do', () => {
  const access = async (tournament: MadeTournament, as: Caller | null) => {
    const reply = await api.get(`/tournaments/${tournament.id}/access`, as)
    expect(reply.status).toBe(200)
    return reply.body as { roles: string[]; operations: string[] }
  }
  const reads = ['access.staff', 'access.read', 'timeline.list']
  const roleBound = [
    'access.grant',
    'access.revoke',
    'timeline.replace',
    'visibility.request',
    'visibility.approve',
    'visibility.reject',
  ]
  const granting = ['access.grant', 'access.revoke']

  const table: readonly [string, (t: MadeTournament) => Promise<Caller | null>, string[], string[]][] = [
    ['anonymous', async () => null, [], []],
    ['a stranger', () => api.user(), [], []],
    ['the organiser', async () => organiser, ['organiser'], [...granting, 'timeline.replace', 'visibility.request']],
    [
      'role:admin',
      (t) => holder(t, 'role:admin'),
      ['role:admin'],
      [...granting, 'timeline.replace', 'visibility.request'],
    ],
    ['role:staff', (t) => holder(t, 'role:staff'), ['role:staff'], ['timeline.replace']],
    ['a head', (t) => holder(t, 'role:hcaster', 'role:caster'), ['role:caster', 'role:hcaster'], granting],
    ['role:referee', (t) => holder(t, 'role:referee'), ['role:referee'], []],
    [
      'a manager',
      () => api.user({ globalRoles: ['global:tournaments:manage'] }),
      ['global:tournaments:manage'],
      roleBound,
    ],
    [
      'an owner',
      () => api.user({ globalRoles: ['role:owner'] }),
      ['role:owner', 'role:dev', 'global:tournaments:manage'],
      roleBound,
    ],
    ['a reviewer of the main listing', () => systemMember('reviewer'), [], ['visibility.approve', 'visibility.reject']],
    [
      'an administrator of the main listing',
      () => systemMember('admin'),
      [],
      ['visibility.approve', 'visibility.reject'],
    ],
    ['holders of other permissions', () => api.user({ globalRoles: ['global:users:read'] }), [], []],
  ]

  async function systemMember(role: string): Promise<Caller> {
    const user = await api.user()
    await api.sql(
      'insert into platform_members (platform_guid, user_guid, role) select guid, $1, $2 from platforms where is_system',
      [user.guid, role],
    )
    return user
  }

  test.each(table)('%s', async (_name, makeCaller, roles, allowed) => {
    const tournament = await makeTournament(api, organiser)
    const caller = await makeCaller(tournament)
    const answer = await access(tournament, caller)
    expect(answer.roles).toEqual(roles)
    expect(answer.operations).toEqual(expect.arrayContaining(reads))
    expect(answer.operations.filter((name) => roleBound.includes(name)).sort()).toEqual([...allowed].sort())
    expect(answer.operations).not.toContain('users.card')
    // The operations that the access answer lists are the operations that the caller can use.
    const calls: [string, Promise<Reply>][] = [
      ['access.grant', grant(caller, tournament.id, organiser.guid, {})],
      ['access.revoke', revoke(caller, tournament.id, organiser.guid, {})],
      ['timeline.replace', api.put(`/tournaments/${tournament.id}/timelineEvents`, caller, {})],
      ['visibility.reject', api.post(`/tournaments/${tournament.id}/visibility/reject`, caller, {})],
    ]
    for (const [name, call] of calls) {
      const code = (await call).headers.get('problem-code')
      const refused = code === 'role.missing' || code === 'token.missing'
      expect([name, refused]).toEqual([name, !allowed.includes(name)])
    }
  })

  test('roles in other tournaments do not count', async () => {
    const [here, there] = [await makeTournament(api, organiser), await makeTournament(api, organiser)]
    const admin = await holder(there, 'role:admin')
    expect((await access(here, admin)).roles).toEqual([])
  })

  test('operations that the token is not good for are left out', async () => {
    const tournament = await makeTournament(api, organiser)
    const address = `/tournaments/${tournament.id}/access`
    const token = await api.token(organiser, ['rest:read'])
    const reading = (await api.call('GET', address, { token })).body
    expect(reading.roles).toEqual(['organiser'])
    expect(reading.operations).toEqual(expect.arrayContaining(reads))
    expect(reading.operations.filter((name: string) => roleBound.includes(name))).toEqual([])
    const invalid = await api.call('GET', address, { token: 'x.y.z' })
    expect([invalid.status, invalid.body.roles]).toEqual([200, []])
  })

  test('is one caller’s own: never kept for others', async () => {
    const tournament = await makeTournament(api, organiser)
    const address = `/tournaments/${tournament.id}/access`
    expect((await api.get(address, organiser)).headers.get('cache-control')).toBe('private, no-store')
    expect((await api.get(address)).body.roles).toEqual([])
    const user = await api.user()
    expect((await access(tournament, user)).roles).toEqual([])
    await grant(organiser, tournament.id, user.guid, { role: 'role:staff' })
    expect((await access(tournament, user)).roles).toEqual(['role:staff'])
    await revoke(organiser, tournament.id, user.guid, { role: 'role:staff' })
    expect((await access(tournament, user)).roles).toEqual([])
  })
})
