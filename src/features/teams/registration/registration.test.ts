import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import {
  grantRole,
  type MadeTeam,
  type MadeTournament,
  makeTeam,
  makeTournament,
  remembered,
} from '../../../../test/make.ts'

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'maestro' })
})
afterAll(() => api[Symbol.asyncDispose]())

const nobody = '7d0e8a52-0b3e-4a0e-9c65-3d5b0f3f8a11'
const hour = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * hour)

const act = (verb: string, cup: MadeTournament, team: { guid: string }, as: Caller | null, body?: unknown) =>
  api.post(`/tournaments/${cup.guid}/${verb}/${team.guid}`, as, body)
const register = (cup: MadeTournament, team: { guid: string }, as: Caller | null, body?: unknown) =>
  act('register', cup, team, as, body)
const codes = (reply: Reply) => reply.body.eligibility.team.failures.map(({ code }: { code: string }) => code)

async function countsOf(cup: MadeTournament) {
  const [counts] = await api.sql(
    'select teams, registered, qualified, players from tournament_counts where tournament_guid = $1',
    [cup.guid],
  )
  return counts
}

async function withRole(cup: MadeTournament, role: string): Promise<Caller> {
  const user = await api.user()
  await grantRole(api, cup, user, role)
  return user
}

/** A team of two members in a tournament of its own. */
async function arrange(
  options: Parameters<typeof makeTournament>[2] = {},
  teamOptions: Parameters<typeof makeTeam>[3] = {},
): Promise<{ cup: MadeTournament; team: MadeTeam; captain: Caller; member: Caller }> {
  const [captain, member] = await Promise.all([api.user({ name: 'Quaver' }), api.user({ name: 'Minim' })])
  const cup = await makeTournament(api, organiser, options)
  const team = await makeTeam(api, cup, captain, { members: [member], ...teamOptions })
  return { cup, team, captain, member }
}

describe('registering', () => {
  test('gives the team a place, locks its roster and tells the new team', async () => {
    const { cup, team, captain, member } = await arrange()
    const reply = await register(cup, team, captain)
    expect(reply.status).toBe(200)
    expect(reply.body.message).toBe(`“${team.name}” is registered.`)
    expect(reply.body.newTeam).toMatchObject({
      guid: team.guid,
      status: 'registered',
      seed: null,
      rosterLocked: true,
      registeredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      members: [{ user: { guid: captain.guid } }, { user: { guid: member.guid } }],
    })
    expect(await countsOf(cup)).toEqual({ teams: 1, registered: 1, qualified: 0, players: 2 })
    expect((await api.get(`/tournaments/${cup.id}/teams/${team.id}`)).body.status).toBe('registered')
  })

  test('works with short ids and with upper-case GUIDs', async () => {
    const one = await arrange()
    expect((await api.post(`/tournaments/${one.cup.id}/register/${one.team.id}`, one.captain)).status).toBe(200)
    const two = await arrange()
    const address = `/tournaments/${two.cup.guid.toUpperCase()}/register/${two.team.guid.toUpperCase()}`
    expect((await api.post(address, two.captain, {})).status).toBe(200)
  })

  test('counts all its members among those who played, and their cards show it at once', async () => {
    const { cup, team, captain, member } = await arrange()
    const played = async (user: Caller) => (await api.get(`/users/${user.guid}/card`)).body.tournamentsPlayed
    expect([await played(captain), await played(member)]).toEqual([0, 0])
    await register(cup, team, captain)
    expect([await played(captain), await played(member)]).toEqual([1, 1])
    await act('unregister', cup, team, captain)
    await register(cup, team, captain)
    expect([await played(captain), await played(member)]).toEqual([1, 1])
  })

  test('leaves what is remembered of others as it is, on every process, and tells the cards of its members anew', async () => {
    const twin = await api.sibling()
    try {
      const { cup, team, captain, member } = await arrange()
      const [bystander, elsewhere] = [await api.user(), await arrange()]
      const ofOthers = [`/users/${bystander.guid}/card`, `/tournaments/${elsewhere.cup.guid}/teams`]
      const read = async (paths: readonly string[]) =>
        Promise.all([api, twin].flatMap((service) => paths.map(async (path) => (await service.get(path)).text)))
      const ofMembers = [captain, member].map(({ guid }) => `/users/${guid}/card`)
      for (const service of [api, twin]) for (const path of [...ofOthers, ...ofMembers]) await remembered(service, path)
      const before = await read(ofOthers)
      // This update emits no event, so only an answer that is read from the database shows it.
      await api.sql(`update users set pronouns = 'any' where guid = any($1)`, [
        [bystander, elsewhere.captain, captain, member].map(({ guid }) => guid),
      ])
      expect((await register(cup, team, captain)).status).toBe(200)
      expect(await read(ofOthers)).toEqual(before)
      const cards = (await read(ofMembers)).map((text) => JSON.parse(text))
      expect(cards.map(({ tournamentsPlayed, pronouns }) => [tournamentsPlayed, pronouns])).toEqual(
        Array(4).fill([1, 'any']),
      )
    } finally {
      await twin[Symbol.asyncDispose]()
    }
  })

  test('puts members on the field in the order in which they joined, until it is full', async () => {
    const [captain, ...members] = await Promise.all([api.user(), api.user(), api.user(), api.user()])
    const cup = await makeTournament(api, organiser, { teamSize: { min: 1, max: 4, active: 2 } })
    const team = await makeTeam(api, cup, captain as Caller, { members })
    await api.sql('update team_members set is_active = (user_guid = $2) where team_guid = $1', [
      team.guid,
      members[2]?.guid,
    ])
    const reply = await register(cup, team, captain as Caller)
    expect(reply.body.newTeam.members.map(({ isActive }: { isActive: boolean }) => isActive)).toEqual([
      true,
      false,
      false,
      true,
    ])
  })

  test('leaves no more members on the field than there are to be by now', async () => {
    const [captain, ...members] = await Promise.all([api.user(), api.user(), api.user()])
    const cup = await makeTournament(api, organiser, { teamSize: { min: 1, max: 3, active: 3 } })
    const team = await makeTeam(api, cup, captain as Caller, { members })
    const changed = await api.patch(`/tournaments/${cup.id}`, organiser, { teamSize: { active: 2 } })
    expect(changed.body.teamSize).toEqual({ min: 1, max: 3, active: 2 })
    const reply = await register(cup, team, captain as Caller)
    const active = reply.body.newTeam.members.map(({ isActive }: { isActive: boolean }) => isActive)
    expect(active).toEqual([true, true, false])
    expect((await api.get(`/tournaments/${cup.id}/teams/${team.id}`)).body.members).toEqual(reply.body.newTeam.members)
  })

  test('leaves an event with the change alone, which touches team and members', async () => {
    const { cup, team, captain, member } = await arrange()
    await register(cup, team, captain)
    const events = await api.sql<{ touches: string[] }>(
      'select type, subject, actor, before, after, touches from event_log where tournament = $1',
      [cup.guid],
    )
    expect(events).toMatchObject([
      {
        type: 'team.registered',
        subject: team.guid,
        actor: captain.guid,
        before: { status: 'unregistered', seed: null },
        after: { status: 'registered', seed: null },
      },
    ])
    expect([...(events[0]?.touches ?? [])].sort()).toEqual([team.guid, cup.guid, captain.guid, member.guid].sort())
  })

  test('locks the roster for the captain, and not for the organiser', async () => {
    const { cup, team, captain, member } = await arrange({ teamSize: { min: 1, max: 4, active: 2 } })
    await register(cup, team, captain)
    const bench = (as: Caller) =>
      api.patch(`/tournaments/${cup.guid}/teams/${team.guid}/members/${member.guid}`, as, { isActive: false })
    expect((await bench(captain)).status).toBe(403)
    expect((await bench(organiser)).status).toBe(200)
  })

  test('is refused with the whole eligibility, as JSON whatever was asked for', async () => {
    const { cup, team, captain } = await arrange({
      registrationClosesAt: inHours(-1),
      teamSize: { min: 3, max: 4, active: 2 },
      requirements: { emailVerified: true },
      capacity: 8,
    })
    for (const accept of ['text/plain', 'application/problem+json', 'application/json', undefined]) {
      const reply = await api.call('POST', `/tournaments/${cup.guid}/register/${team.guid}`, {
        as: captain,
        ...(accept === undefined ? {} : { headers: { accept } }),
      })
      expect(outcome(reply)).toEqual([400, 'registration.refused'])
      expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(reply.headers.get('request-id')).toEqual(expect.any(String))
      expect(Object.keys(reply.body)).toEqual(['message', 'eligibility'])
      expect(reply.body.message).toEqual(expect.stringMatching(/^[“A-Z].*\.$/))
      expect(reply.body.eligibility).toMatchObject({
        eligible: false,
        registration: {
          state: 'closed',
          opensAt: null,
          closesAt: expect.stringMatching(/Z$/),
          capacity: 8,
          registered: 0,
        },
        requiredFields: [],
      })
      expect(codes(reply)).toEqual(['team.too_small', 'registration.closed'])
      for (const { failures } of reply.body.eligibility.players) {
        expect(failures).toEqual([{ code: 'email.not_verified', message: expect.stringMatching(/^(Quaver|Minim) /) }])
      }
      expect(reply.body.eligibility.players).toHaveLength(2)
    }
    expect(await countsOf(cup)).toMatchObject({ registered: 0 })
    expect(await api.sql('select from event_log where tournament = $1', [cup.guid])).toEqual([])
    expect(await api.sql('select from appearances where tournament_guid = $1', [cup.guid])).toEqual([])
  })

  test('again is refused, with the eligibility', async () => {
    const { cup, team, captain } = await arrange()
    await register(cup, team, captain)
    for (const caller of [captain, organiser, await api.user({ globalRoles: ['role:owner'] })]) {
      const again = await register(cup, team, caller)
      expect([...outcome(again), ...codes(again)]).toEqual([400, 'registration.refused', 'team.already_registered'])
    }
    expect(await countsOf(cup)).toMatchObject({ registered: 1 })
  })

  test('a team that withdrew stays out, whoever registers it, until that is taken back', async () => {
    const { cup, team, captain } = await arrange()
    await register(cup, team, captain)
    await api.post(`/tournaments/${cup.guid}/teams/${team.guid}/withdraw`, captain, {
      reason: 'ill',
      policy: 'walkover',
    })
    for (const caller of [captain, organiser, await api.user({ globalRoles: ['global:tournaments:manage'] })]) {
      const refused = await register(cup, team, caller)
      expect([...outcome(refused), ...codes(refused)]).toEqual([409, 'team.withdrawn', 'team.withdrawn'])
    }
    expect(await countsOf(cup)).toMatchObject({ registered: 0 })
    // The team is in no bracket, so taking its withdrawal back needs no bracket revision.
    const withdrawal = `/tournaments/${cup.guid}/teams/${team.guid}/withdrawal`
    const back = await api.call('DELETE', withdrawal, { as: organiser })
    expect(back.body).toMatchObject({ revisions: {}, team: { after: { status: 'registered' } }, affected: [] })
    expect((await api.get(`/tournaments/${cup.guid}/teams/${team.guid}`)).body).toMatchObject({
      status: 'registered',
      withdrawnAt: null,
      rosterLocked: true,
      registeredAt: expect.stringMatching(/Z$/),
    })
    expect(await countsOf(cup)).toMatchObject({ registered: 1 })
  })
})

describe('who registers and unregisters', () => {
  const rows: [string, (cup: MadeTournament, captain: Caller, member: Caller) => Promise<Caller> | Caller, number][] = [
    ['the captain', (_cup, captain) => captain, 200],
    ['the organiser', () => organiser, 200],
    ['an admin of the tournament', (cup) => withRole(cup, 'role:admin'), 200],
    ['a global manager', () => api.user({ globalRoles: ['global:tournaments:manage'] }), 200],
    ['an owner', () => api.user({ globalRoles: ['role:owner'] }), 200],
    ['a developer', () => api.user({ globalRoles: ['role:dev'] }), 200],
    ['another member of the team', (_cup, _captain, member) => member, 401],
    ['staff', (cup) => withRole(cup, 'role:staff'), 401],
    ['a head coordinator', (cup) => withRole(cup, 'role:hcoordinator'), 401],
    ['a referee', (cup) => withRole(cup, 'role:referee'), 401],
    ['a holder of another global permission', () => api.user({ globalRoles: ['global:users:read'] }), 401],
    ['anybody else', () => api.user(), 401],
  ]
  test.each(rows)('%s', async (_who, find, status) => {
    const { cup, team, captain, member } = await arrange()
    const caller = await find(cup, captain, member)
    const code = status === 401 ? 'role.missing' : null
    expect(outcome(await register(cup, team, caller))).toEqual([status, code])
    if (status === 401) await register(cup, team, captain)
    expect(outcome(await act('unregister', cup, team, caller))).toEqual([status, code])
    expect(await countsOf(cup)).toMatchObject({ registered: status === 401 ? 1 : 0 })
  })

  test('an admin of another tournament, and the captain of another team, are nobody here', async () => {
    const { cup, team } = await arrange()
    const other = await arrange()
    expect(outcome(await register(cup, team, await withRole(other.cup, 'role:admin')))).toEqual([401, 'role.missing'])
    expect(outcome(await register(cup, team, other.captain))).toEqual([401, 'role.missing'])
  })

  test('who may not register learns nothing about the body', async () => {
    const { cup, team } = await arrange()
    const reply = await register(cup, team, await api.user(), { additionalFields: 'x' })
    expect(outcome(reply)).toEqual([401, 'role.missing'])
  })

  test('what is unknown is 400: tournaments, drafts, teams, teams of other tournaments, and @me', async () => {
    const { cup, team, captain } = await arrange()
    const draft = await arrange({ status: 'draft' })
    const other = await arrange()
    for (const verb of ['register', 'unregister', 'qualify', 'disqualify']) {
      const at = async (address: string, as: Caller) => outcome(await api.post(`/tournaments/${address}`, as))
      expect(await at(`${nobody}/${verb}/${team.guid}`, captain)).toEqual([400, 'tournament.unknown'])
      expect(await at(`${draft.cup.guid}/${verb}/${draft.team.guid}`, draft.captain)).toEqual([
        400,
        'tournament.unknown',
      ])
      expect(await at(`${cup.guid}/${verb}/${nobody}`, captain)).toEqual([400, 'team.unknown'])
      expect(await at(`${cup.guid}/${verb}/${other.team.guid}`, organiser)).toEqual([400, 'team.unknown'])
      expect(await at(`${cup.guid}/${verb}/@me`, captain)).toEqual([400, 'team.unknown'])
    }
  })

  test('a token that may only read is refused', async () => {
    const { cup, team, captain } = await arrange()
    const token = await api.token(captain, ['rest:read'])
    const reply = await api.call('POST', `/tournaments/${cup.guid}/register/${team.guid}`, { token })
    expect(outcome(reply)).toEqual([401, 'scope.missing'])
    expect(outcome(await register(cup, team, null))).toEqual([401, 'token.missing'])
  })
})

describe('what binds whom', () => {
  const rows: [string, Parameters<typeof makeTournament>[2], boolean, boolean, boolean][] = [
    ['registration that is not open yet', { registrationOpensAt: inHours(1) }, false, true, true],
    ['a deadline that has passed', { registrationClosesAt: inHours(-1) }, false, true, true],
    ['registration that is not public', { publicRegistration: false }, false, true, true],
    ['a tournament that runs', { status: 'ongoing' }, false, true, true],
    ['the size of the team', { teamSize: { min: 3, max: 4, active: 1 } }, false, false, true],
    ['requirements of players', { requirements: { emailVerified: true } }, false, false, true],
    ['a completed tournament', { status: 'completed' }, false, false, true],
    ['a cancelled tournament', { status: 'cancelled' }, false, false, false],
    ['an open registration', { registrationOpensAt: inHours(-1), registrationClosesAt: inHours(1) }, true, true, true],
  ]
  test.each(rows)('%s', async (_what, options, byCaptain, byManager, byGlobal) => {
    const global = await api.user({ globalRoles: ['global:tournaments:manage'] })
    const outcomes = await Promise.all(
      ['captain', 'organiser', 'global'].map(async (who) => {
        const { cup, team, captain } = await arrange(options)
        return outcome(
          await register(cup, team, who === 'captain' ? captain : who === 'organiser' ? organiser : global),
        )
      }),
    )
    const expected = (passes: boolean) => (passes ? [200, null] : [400, 'registration.refused'])
    expect(outcomes).toEqual([byCaptain, byManager, byGlobal].map(expected))
  })

  test('capacity binds everybody but global managers, and counts registered and qualified teams', async () => {
    const cup = await makeTournament(api, organiser, { capacity: 2 })
    await makeTeam(api, cup, await api.user(), { status: 'registered' })
    await makeTeam(api, cup, await api.user(), { status: 'qualified' })
    const captain = await api.user()
    const team = await makeTeam(api, cup, captain)
    for (const caller of [captain, organiser]) {
      const reply = await register(cup, team, caller)
      expect([...outcome(reply), ...codes(reply)]).toEqual([400, 'registration.refused', 'registration.full'])
      expect(reply.body.eligibility.registration).toMatchObject({ state: 'full', capacity: 2, registered: 2 })
    }
    expect((await register(cup, team, await api.user({ globalRoles: ['role:dev'] }))).status).toBe(200)
    expect(await countsOf(cup)).toMatchObject({ registered: 3 })
  })

  test('a global manager who is the captain is not bound as a captain', async () => {
    const captain = await api.user({ globalRoles: ['global:tournaments:manage'] })
    const cup = await makeTournament(api, organiser, {
      publicRegistration: false,
      requirements: { emailVerified: true },
    })
    expect((await register(cup, await makeTeam(api, cup, captain), captain)).status).toBe(200)
  })

  test('an organiser who is the captain may register late', async () => {
    const cup = await makeTournament(api, organiser, { registrationClosesAt: inHours(-1) })
    expect((await register(cup, await makeTeam(api, cup, organiser), organiser)).status).toBe(200)
  })

  test('organisers register in a draft no team, global managers any', async () => {
    const { cup, team } = await arrange({ status: 'draft' })
    expect(codes(await register(cup, team, organiser))).toEqual(['registration.wrong_status'])
    expect((await register(cup, team, await api.user({ globalRoles: ['role:owner'] }))).status).toBe(200)
  })
})
