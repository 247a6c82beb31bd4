import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTeam, makeTournament, roleHolder } from '../../../../test/make.ts'

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'maestro' })
})
afterAll(() => api[Symbol.asyncDispose]())

const unknownGuid = '7d0e8a52-0b3e-4a0e-9c65-3d5b0f3f8a11'

async function countsOf(tournament: MadeTournament) {
  const [counts] = await api.sql(
    'select teams, registered, qualified, players from tournament_counts where tournament_guid = $1',
    [tournament.guid],
  )
  return counts
}

async function eventsOf(tournament: MadeTournament, type: string) {
  return api.sql<{ subject: string; actor: string; before: unknown; after: unknown }>(
    'select subject, actor, before, after from event_log where tournament = $1 and type = $2 order by seq',
    [tournament.guid, type],
  )
}

describe('changing a team', () => {
  async function arrange(
    options: Parameters<typeof makeTournament>[2] = {},
    team: Parameters<typeof makeTeam>[3] = {},
  ) {
    const cup = await makeTournament(api, organiser, options)
    const [captain, member] = [await api.user(), await api.user()]
    const made = await makeTeam(api, cup, captain, { members: [member], ...team })
    const patch = (as: Caller | null, body: object) => api.patch(`/tournaments/${cup.id}/teams/${made.id}`, as, body)
    return { cup, captain, member, team: made, patch }
  }

  test('sets what is given, and logs what changed', async () => {
    const { cup, captain, team, patch } = await arrange()
    const body = { name: 'Brass', imageUrl: 'https://cdn.example.org/brass.png', color: '#FF8800', id: 'Brass' }
    const reply = await patch(captain, { ...body, seed: 1, status: 'qualified', unknown: true })
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({ ...body, color: '#ff8800', id: 'brass', seed: null, status: 'unregistered' })
    expect(reply.body.updatedAt > reply.body.createdAt).toBe(true)
    expect(await eventsOf(cup, 'team.updated')).toEqual([
      {
        subject: team.guid,
        actor: captain.guid,
        before: { name: team.name, imageUrl: null, color: null, id: team.id },
        after: { ...body, color: '#ff8800', id: 'brass' },
      },
    ])
    const unset = await api.patch(`/tournaments/${cup.id}/teams/brass`, captain, { imageUrl: null, color: '' })
    expect(unset.body).toMatchObject({ name: 'Brass', imageUrl: null, color: null })
  })

  test('sets how the name is spoken, on one line, and logs nothing of it', async () => {
    const { cup, captain, patch } = await arrange()
    expect((await patch(captain, { pronunciation: ' the\n KWAY-verz ' })).body.pronunciation).toBe('the KWAY-verz')
    expect((await patch(captain, { pronunciation: '♪'.repeat(80) })).body.pronunciation).toBe('♪'.repeat(80))
    expect((await patch(organiser, { pronunciation: null })).body.pronunciation).toBeNull()
    expect((await patch(organiser, { pronunciation: ' ' })).body.pronunciation).toBeNull()
    const events = await eventsOf(cup, 'team.updated')
    expect(events.map(({ before, after }) => [before, after])).toEqual([
      [{}, {}],
      [{}, {}],
      [{}, {}],
    ])
  })

  test('leaves no trace where everything holds already', async () => {
    const { cup, captain, team, patch } = await arrange()
    expect((await patch(captain, { name: team.name, color: null })).status).toBe(200)
    expect(await eventsOf(cup, 'team.updated')).toEqual([])
  })

  test('is for the captain and the organiser’s side', async () => {
    const { cup, captain, member, patch } = await arrange()
    expect(outcome(await patch(null, { name: 'A' }))).toEqual([401, 'token.missing'])
    for (const user of [member, await api.user(), await roleHolder(api, cup, 'role:staff')]) {
      expect(outcome(await patch(user, { name: 'A' }))).toEqual([403, 'role.missing'])
      expect(outcome(await patch(user, { name: 4 }))).toEqual([403, 'role.missing'])
    }
    const manager = await api.user({ globalRoles: ['global:tournaments:manage'] })
    for (const [at, user] of [captain, organiser, await roleHolder(api, cup, 'role:admin'), manager].entries()) {
      expect((await patch(user, { name: `Name ${at}` })).body.name).toBe(`Name ${at}`)
    }
  })

  test.each([
    [{}, 'team.nothing_to_change'],
    [{ seed: 4 }, 'team.nothing_to_change'],
    [{ name: '' }, 'request.invalid'],
    [{ name: null }, 'request.invalid'],
    [{ name: 'x'.repeat(65) }, 'request.invalid'],
    [{ id: 'a b' }, 'team.invalid'],
    [{ id: 'mine' }, 'team.invalid'],
    [{ imageUrl: 'javascript:alert(1)' }, 'team.invalid'],
    [{ imageUrl: '/local.png' }, 'team.invalid'],
    [{ imageUrl: 'https://user:secret@example.org/x.png' }, 'team.invalid'],
    [{ imageUrl: 3 }, 'request.invalid'],
    [{ pronunciation: 3 }, 'request.invalid'],
    [{ pronunciation: 'x'.repeat(81) }, 'request.invalid'],
    [{ pronunciation: 'abc\u202edef' }, 'request.invalid'],
    [{ color: 'red' }, 'team.invalid'],
    [{ color: '#12345' }, 'team.invalid'],
    [{ color: '#12345g' }, 'team.invalid'],
    [{ captain: '' }, 'request.invalid'],
  ])('refuses %j', async (body, code) => {
    const { captain, patch } = await arrange()
    expect(outcome(await patch(captain, body))).toEqual([400, code])
  })

  test('refuses a name or id that another team has, but not its own in another case', async () => {
    const { cup, captain, team, patch } = await arrange()
    const other = await makeTeam(api, cup, await api.user(), { name: 'Strings' })
    expect(outcome(await patch(captain, { name: 'STRINGS' }))).toEqual([409, 'team.name_taken'])
    expect(outcome(await patch(captain, { id: other.id.toUpperCase() }))).toEqual([409, 'team.id_taken'])
    expect((await patch(captain, { name: team.name.toUpperCase() })).body.name).toBe(team.name.toUpperCase())
  })

  test('hands the captaincy to a member, and with it the right to change', async () => {
    const { cup, captain, member, patch } = await arrange()
    expect(outcome(await patch(captain, { captain: unknownGuid }))).toEqual([404, 'user.unknown'])
    const stranger = await api.user()
    expect(outcome(await patch(captain, { captain: stranger.guid }))).toEqual([400, 'team.captain_not_member'])
    const reply = await patch(captain, { captain: member.chatPlatformId })
    expect([reply.status, reply.body.captain.guid, reply.body.members.length]).toEqual([200, member.guid, 2])
    expect(outcome(await patch(captain, { name: 'Mine' }))).toEqual([403, 'role.missing'])
    expect((await patch(member, { name: 'Mine' })).status).toBe(200)
    expect(await countsOf(cup)).toMatchObject({ teams: 1, players: 2 })
  })

  test('is the organiser’s alone while the roster is locked', async () => {
    const past = new Date(Date.now() - 60_000)
    const future = new Date(Date.now() + 3_600_000)
    const byState = await arrange({ rosterLocksAt: future }, { status: 'registered' })
    const byDate = await arrange({ rosterLocksAt: past })
    for (const { captain, member, patch } of [byState, byDate]) {
      expect(outcome(await patch(captain, { name: 'Late' }))).toEqual([403, 'team.roster_locked'])
      expect(outcome(await patch(captain, { captain: member.guid }))).toEqual([403, 'team.roster_locked'])
      expect((await patch(organiser, { name: 'Late' })).body).toMatchObject({ name: 'Late', rosterLocked: true })
    }
    const open = await arrange({ rosterLocksAt: future })
    expect((await open.patch(open.captain, { name: 'Early' })).body).toMatchObject({ rosterLocked: false })
  })

  test.each(['completed', 'cancelled'] as const)('is the organiser’s alone once %s', async (status) => {
    const { captain, patch } = await arrange({ status })
    expect(outcome(await patch(captain, { name: 'Late' }))).toEqual([409, 'tournament.over'])
    expect((await patch(organiser, { name: 'Late' })).status).toBe(200)
  })

  test('needs a team of the tournament', async () => {
    const { cup } = await arrange()
    const elsewhere = await arrange()
    for (const team of [unknownGuid, elsewhere.team.guid, elsewhere.team.id, 'no-team', '%00', '-']) {
      const reply = await api.patch(`/tournaments/${cup.id}/teams/${team}`, organiser, { name: 'A' })
      expect(outcome(reply), team).toEqual([404, 'team.unknown'])
    }
  })
})

describe('withdrawing a team', () => {
  const reason = 'Two of us are ill'
  async function arrange(
    status: 'unregistered' | 'registered' | 'qualified',
    at: 'approved' | 'ongoing' | 'completed' | 'cancelled' = 'ongoing',
  ) {
    const cup = await makeTournament(api, organiser, { status: at })
    const [captain, member] = [await api.user(), await api.user()]
    const team = await makeTeam(api, cup, captain, { members: [member], status })
    await api.sql('update teams set seed = 3 where guid = $1', [team.guid])
    const withdraw = (as: Caller | null, body: object = { reason, policy: 'walkover' }) =>
      api.post(`/tournaments/${cup.id}/teams/${team.id}/withdraw`, as, body)
    return { cup, captain, member, team, withdraw }
  }

  test.each(['unregistered', 'registered', 'qualified'] as const)(
    'takes one that is %s out of everything',
    async (status) => {
      const { cup, captain, team, withdraw } = await arrange(status)
      const reply = await withdraw(captain)
      expect(reply.status).toBe(200)
      expect(reply.body).toMatchObject({ guid: team.guid, status: 'unregistered', seed: null, registeredAt: null })
      expect(reply.body.members.map((member: { isActive: boolean }) => member.isActive)).toEqual([false, false])
      expect(reply.body).toMatchObject({ rosterLocked: false, withdrawnAt: expect.stringMatching(/Z$/) })
      expect(await countsOf(cup)).toEqual({ teams: 1, registered: 0, qualified: 0, players: 2 })
      expect(await api.sql('select withdrawn_reason from teams where guid = $1', [team.guid])).toEqual([
        { withdrawn_reason: reason },
      ])
      expect(await eventsOf(cup, 'team.withdrawn')).toEqual([
        {
          subject: team.guid,
          actor: captain.guid,
          before: { status, seed: 3 },
          after: { status: 'unregistered', seed: null, reason, policy: 'walkover' },
        },
      ])
      expect(outcome(await withdraw(captain))).toEqual([409, 'team.withdrawn'])
      expect(outcome(await withdraw(organiser, { reason, policy: 'void' }))).toEqual([409, 'team.withdrawn'])
      expect(await countsOf(cup)).toMatchObject({ registered: 0, qualified: 0 })
    },
  )

  test('is for the captain and the organiser’s side', async () => {
    const { cup, member, withdraw } = await arrange('registered', 'approved')
    expect(outcome(await withdraw(null))).toEqual([401, 'token.missing'])
    for (const user of [member, await api.user(), await roleHolder(api, cup, 'role:staff')]) {
      expect(outcome(await withdraw(user))).toEqual([403, 'role.missing'])
    }
    expect((await withdraw(await roleHolder(api, cup, 'role:admin'), { reason, policy: 'void' })).status).toBe(200)
  })

  test.each([
    [{ policy: 'walkover' }],
    [{ reason }],
    [{ reason: ' ', policy: 'walkover' }],
    [{ reason, policy: 'forfeit' }],
    [{ reason: 'x'.repeat(501), policy: 'void' }],
  ])('refuses %j', async (body) => {
    const { captain, withdraw } = await arrange('registered')
    expect(outcome(await withdraw(captain, body))).toEqual([400, 'request.invalid'])
  })

  test.each(['completed', 'cancelled'] as const)('comes too late once the tournament is %s', async (at) => {
    const { captain, withdraw } = await arrange('registered', at)
    for (const user of [captain, organiser]) expect(outcome(await withdraw(user))).toEqual([409, 'tournament.over'])
  })
})
