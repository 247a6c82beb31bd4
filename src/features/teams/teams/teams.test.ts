import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
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

describe('creating a team', () => {
  test('makes it of the captain’s name and chat ID, with the captain in it, unregistered', async () => {
    const cup = await makeTournament(api, organiser)
    const quaver = await api.user({ name: 'Quaver' })
    const reply = await api.post(`/tournaments/${cup.id}/teams`, quaver, { captainId: quaver.chatPlatformId })
    expect(reply.status).toBe(200)
    expect(reply.body.success).toEqual(expect.any(String))
    expect(reply.body.newTeam).toMatchObject({
      id: quaver.chatPlatformId,
      name: "Quaver's team",
      pronunciation: null,
      imageUrl: null,
      color: null,
      captain: { guid: quaver.guid, username: 'Quaver' },
      isSolo: false,
      status: 'unregistered',
      seed: null,
      members: [{ user: { guid: quaver.guid }, isActive: true }],
      rosterLocked: false,
      registeredAt: null,
      withdrawnAt: null,
      additionalFields: [],
    })
    expect(await countsOf(cup)).toEqual({ teams: 1, registered: 0, qualified: 0, players: 1 })
    const { guid } = reply.body.newTeam
    expect((await api.get(`/tournaments/${cup.guid}/teams/${guid}`)).body).toEqual(reply.body.newTeam)
    // The log outlives accounts, so it does not contain what was derived from the captain's name and chat ID.
    expect(await eventsOf(cup, 'team.created')).toEqual([
      { subject: guid, actor: quaver.guid, before: null, after: { captainGuid: quaver.guid } },
    ])
  })

  test('takes a given name and id, the id in lower case', async () => {
    const cup = await makeTournament(api, organiser, { teamSize: { min: 1, max: 1, active: 1 } })
    const user = await api.user()
    const body = {
      captainId: user.guid.toUpperCase(),
      teamName: '  The \t Quavers ',
      teamId: 'The-Quavers',
      pronunciation: ' the\nKWAY-verz',
    }
    const { newTeam } = (await api.post(`/tournaments/${cup.guid}/teams`, user, body)).body
    expect(newTeam).toMatchObject({
      name: 'The Quavers',
      id: 'the-quavers',
      pronunciation: 'the KWAY-verz',
      isSolo: true,
    })
    expect((await api.get(`/tournaments/${cup.id}/teams/THE-QUAVERS`)).body.guid).toBe(newTeam.guid)
    expect((await api.get(`/tournaments/${cup.id}/teams/${newTeam.guid.toUpperCase()}`)).body.guid).toBe(newTeam.guid)
    const [created] = await eventsOf(cup, 'team.created')
    expect(created?.after).toEqual({ id: 'the-quavers', name: 'The Quavers', captainGuid: user.guid })
  })

  test('numbers a default name and id that others have', async () => {
    const cup = await makeTournament(api, organiser)
    const [squatter, first, second, third] = [
      await api.user(),
      await api.user({ name: 'Minim' }),
      await api.user({ name: 'Minim' }),
      await api.user({ name: 'minim' }),
    ]
    await makeTeam(api, cup, squatter, { id: second.chatPlatformId, name: "MINIM'S TEAM 3" })
    const made: Reply[] = []
    for (const user of [first, second, third]) {
      made.push(await api.post(`/tournaments/${cup.id}/teams`, user, { captainId: user.guid }))
    }
    expect(made.map(({ body }) => [body.newTeam?.name, body.newTeam?.id])).toEqual([
      ["Minim's team", first.chatPlatformId],
      ["Minim's team 2", `${second.chatPlatformId}-2`],
      ["minim's team 4", third.chatPlatformId],
    ])
  })

  test('is for oneself, unless one organises the tournament', async () => {
    const cup = await makeTournament(api, organiser)
    const others = [await api.user()]
    for (const role of ['role:staff', 'role:hcoordinator', 'role:coordinator', 'role:referee', 'role:host']) {
      others.push(await roleHolder(api, cup, role))
    }
    for (const other of others) {
      const reply = await api.post(`/tournaments/${cup.id}/teams`, other, { captainId: (await api.user()).guid })
      expect(outcome(reply)).toEqual([401, 'team.not_for_others'])
      expect(reply.headers.get('www-authenticate')).toBeNull()
    }
    const entitled = [
      organiser,
      await roleHolder(api, cup, 'role:admin'),
      await api.user({ globalRoles: ['global:tournaments:manage'] }),
      await api.user({ globalRoles: ['role:dev'] }),
      await api.user({ globalRoles: ['role:owner'] }),
    ]
    for (const user of entitled) {
      const captain = await api.user()
      const reply = await api.post(`/tournaments/${cup.id}/teams`, user, { captainId: captain.guid })
      expect([reply.status, reply.body.newTeam?.captain.guid]).toEqual([200, captain.guid])
    }
    const elsewhere = await makeTournament(api, await api.user())
    const reply = await api.post(`/tournaments/${elsewhere.id}/teams`, organiser, {
      captainId: (await api.user()).guid,
    })
    expect(outcome(reply)).toEqual([401, 'team.not_for_others'])
  })

  test('needs a token, a tournament and a captain who exist', async () => {
    const cup = await makeTournament(api, organiser)
    const user = await api.user()
    const [banned, gone] = [await api.user(), await api.user()]
    await api.sql('update users set banned_at = now() where guid = $1', [banned.guid])
    await api.sql('update users set anonymised_at = now() where guid = $1', [gone.guid])
    const path = `/tournaments/${cup.id}/teams`
    expect(outcome(await api.post(path, null, { captainId: user.guid }))).toEqual([401, 'token.missing'])
    const unknownCup = await api.post('/tournaments/no-such-cup/teams', user, { captainId: user.guid })
    expect(outcome(unknownCup)).toEqual([400, 'tournament.unknown'])
    for (const body of [{}, { captainId: null }, { captainId: '' }, { captainId: 42 }, { captainId: ['@me'] }]) {
      expect(outcome(await api.post(path, organiser, body)), JSON.stringify(body)).toEqual([400, 'request.invalid'])
    }
    for (const captainId of [unknownGuid, '999', 'nobody', "' or 1=1 --", banned.guid, gone.chatPlatformId]) {
      expect(outcome(await api.post(path, organiser, { captainId })), captainId).toEqual([400, 'user.unknown'])
    }
    expect((await api.post(path, user, { captainId: '@me' })).body.newTeam.captain.guid).toBe(user.guid)
  })

  test.each([
    [{ teamName: '' }, 'request.invalid'],
    [{ teamName: ' \n ' }, 'request.invalid'],
    [{ teamName: 'x'.repeat(65) }, 'request.invalid'],
    [{ teamName: 'abc\u0000' }, 'request.invalid'],
    [{ teamName: 'abc\u202Etxt' }, 'request.invalid'],
    [{ teamName: 7 }, 'request.invalid'],
    [{ teamName: '\u3164' }, 'team.invalid'],
    [{ teamName: '\u2800 \u115F' }, 'team.invalid'],
    [{ teamName: '\u{E0041}' }, 'team.invalid'],
    [{ teamId: '' }, 'request.invalid'],
    [{ teamId: 'x'.repeat(33) }, 'request.invalid'],
    [{ teamId: '-team' }, 'team.invalid'],
    [{ teamId: 'my team' }, 'team.invalid'],
    [{ teamId: 'teäm' }, 'team.invalid'],
    [{ teamId: '../x' }, 'team.invalid'],
    [{ teamId: 'new' }, 'team.invalid'],
    [{ teamId: 'ADMIN' }, 'team.invalid'],
  ])('refuses %j', async (body, code) => {
    const cup = await makeTournament(api, organiser)
    const user = await api.user()
    const reply = await api.post(`/tournaments/${cup.id}/teams`, user, { captainId: user.guid, ...body })
    expect(outcome(reply)).toEqual([400, code])
    expect(await countsOf(cup)).toMatchObject({ teams: 0, players: 0 })
  })

  test('refuses a name or id that another team of the tournament has, in any case', async () => {
    const cup = await makeTournament(api, organiser)
    const other = await makeTournament(api, organiser)
    await makeTeam(api, cup, await api.user(), { id: 'choir', name: 'Chœur d’Été' })
    const user = await api.user()
    const create = (at: MadeTournament, body: object) =>
      api.post(`/tournaments/${at.id}/teams`, user, { captainId: user.guid, ...body })
    expect(outcome(await create(cup, { teamName: 'CHŒUR D’ÉTÉ' }))).toEqual([400, 'team.name_taken'])
    expect(outcome(await create(cup, { teamId: 'Choir' }))).toEqual([400, 'team.id_taken'])
    expect((await create(other, { teamName: 'Chœur d’Été', teamId: 'choir' })).status).toBe(200)
  })

  test('takes names that differ in a letter of the same script', async () => {
    const cup = await makeTournament(api, organiser)
    const names = [
      ...Array.from({ length: 26 }, (_, index) => `Team ${String.fromCharCode(65 + index)}`),
      ...['Group 1', 'Group L', 'Modern', 'Modem', 'Corner', 'Comer', 'Squad IV', 'Squad LV', 'ҮЛЭ', 'УЛЭ'],
    ]
    const captains = await Promise.all(names.map(() => api.user()))
    for (const [at, teamName] of names.entries()) {
      const captain = captains[at] as Caller
      const made = await api.post(`/tournaments/${cup.id}/teams`, captain, { captainId: captain.guid, teamName })
      expect([made.status, made.body.newTeam?.name]).toEqual([200, teamName])
    }
  })

  test('says which name a name looks like', async () => {
    const cup = await makeTournament(api, organiser)
    const [one, other] = [await api.user(), await api.user()]
    const create = (user: Caller, teamName: string) =>
      api.post(`/tournaments/${cup.id}/teams`, user, { captainId: user.guid, teamName })
    await create(one, 'same')
    expect((await create(other, 'sаme')).text).toBe(
      'The name looks like “same”, which is another team of the tournament; choose another one.',
    )
    expect((await create(other, 'SAME')).text).toMatch(/^Another team of the tournament has this name/)
  })

  test.each([
    ['with Cyrillic letters', 'Saber Squad', 'Ѕаbеr Ѕquаd'],
    ['with Cyrillic capitals', 'Team', 'ТЕАМ'],
    ['with a Cyrillic capital I', 'Rail League', 'RaiІ league'],
    ['in compatibility letters', 'Saber Squad', 'Ｓａｂｅｒ 𝕊𝕢𝕦𝕒𝕕'],
    ['with a filler at the end', 'Saber Squad', 'Saber Squad\u3164'],
    ['with direction marks', 'Saber Squad', 'Saber\u200E Squad\u200F'],
  ])('refuses a name that looks like that of another team %s', async (_how, name, lookalike) => {
    const cup = await makeTournament(api, organiser)
    const [one, other] = [await api.user(), await api.user()]
    const create = (user: Caller, teamName: string) =>
      api.post(`/tournaments/${cup.id}/teams`, user, { captainId: user.guid, teamName })
    expect((await create(one, name)).body.newTeam.name).toBe(name)
    expect(outcome(await create(other, lookalike))).toEqual([400, 'team.name_taken'])
    const made = (await create(other, 'Others')).body.newTeam
    const patch = (team: string, user: Caller, changed: string) =>
      api.patch(`/tournaments/${cup.id}/teams/${team}`, user, { name: changed })
    expect(outcome(await patch(made.id, other, lookalike))).toEqual([409, 'team.name_taken'])
    expect((await patch(one.chatPlatformId, one, lookalike)).body.name).toBe(lookalike)
    expect(outcome(await patch(made.id, other, name))).toEqual([409, 'team.name_taken'])
  })

  test('numbers a default name that looks taken', async () => {
    const cup = await makeTournament(api, organiser)
    await makeTeam(api, cup, await api.user(), { name: "Міnim's team" })
    const minim = await api.user({ name: 'Minim' })
    const { newTeam } = (await api.post(`/tournaments/${cup.id}/teams`, minim, { captainId: minim.guid })).body
    expect(newTeam.name).toBe("Minim's team 2")
  })

  test('is refused to a user who has a team or is on one in this tournament', async () => {
    const cup = await makeTournament(api, organiser)
    const [captain, member] = [await api.user(), await api.user()]
    await makeTeam(api, cup, captain, { members: [member] })
    for (const user of [captain, member]) {
      for (const actor of [user, organiser]) {
        const reply = await api.post(`/tournaments/${cup.id}/teams`, actor, { captainId: user.guid })
        expect(outcome(reply)).toEqual([403, 'user.has_team'])
      }
    }
    const other = await makeTournament(api, organiser)
    expect((await api.post(`/tournaments/${other.id}/teams`, member, { captainId: member.guid })).status).toBe(200)
  })

  test.each([
    ['draft', [400, 'tournament.unknown'], [403, 'team.entries_closed'], [200, null]],
    ['approved', [200, null], [200, null], [200, null]],
    ['ongoing', [403, 'team.entries_closed'], [403, 'team.entries_closed'], [200, null]],
    ['completed', [403, 'team.entries_closed'], [403, 'team.entries_closed'], [403, 'team.entries_closed']],
    ['cancelled', [403, 'team.entries_closed'], [403, 'team.entries_closed'], [403, 'team.entries_closed']],
  ] as const)('in a tournament that is %s', async (status, forUser, forStaff, forOrganiser) => {
    const cup = await makeTournament(api, organiser, { status })
    const [user, staff] = [await api.user(), await roleHolder(api, cup, 'role:staff')]
    const create = (caller: Caller) => api.post(`/tournaments/${cup.id}/teams`, caller, { captainId: caller.guid })
    expect(outcome(await create(user))).toEqual(forUser)
    expect(outcome(await create(staff))).toEqual(forStaff)
    expect(outcome(await create(organiser))).toEqual(forOrganiser)
  })
})

describe('deleting a team', () => {
  const remove = (cup: MadeTournament, as: Caller | null, teamGuid: unknown) =>
    api.delete(`/tournaments/${cup.id}/teams`, as, { teamGuid })

  test('by its captain removes members, invitations and registration, and frees everybody', async () => {
    const cup = await makeTournament(api, organiser)
    const [captain, member, invited] = [await api.user(), await api.user(), await api.user()]
    const team = await makeTeam(api, cup, captain, { members: [member] })
    const path = `/tournaments/${cup.id}/teams/${team.id}/invitations`
    expect((await api.post(path, captain, { userIdentifier: invited.guid })).status).toBe(201)
    await makeTeam(api, cup, await api.user(), { status: 'qualified' })
    await api.sql("update teams set status = 'qualified' where guid = $1", [team.guid])
    await api.sql('update tournament_counts set registered = 2, qualified = 2 where tournament_guid = $1', [cup.guid])
    const reply = await remove(cup, captain, team.guid.toUpperCase())
    expect([reply.status, reply.body]).toEqual([200, { success: expect.any(String) }])
    expect(await countsOf(cup)).toEqual({ teams: 1, registered: 1, qualified: 1, players: 1 })
    expect(outcome(await api.get(`/tournaments/${cup.id}/teams/${team.guid}`))).toEqual([404, 'team.unknown'])
    expect(outcome(await remove(cup, captain, team.guid))).toEqual([400, 'team.unknown'])
    expect((await api.get('/users/@me/invitations', invited)).body).toEqual([])
    expect((await api.post(`/tournaments/${cup.id}/teams`, member, { captainId: member.guid })).status).toBe(200)
    expect(await eventsOf(cup, 'team.deleted')).toEqual([
      {
        subject: team.guid,
        actor: captain.guid,
        before: {
          id: team.id,
          name: team.name,
          status: 'qualified',
          captainGuid: captain.guid,
          memberGuids: [captain.guid, member.guid],
        },
        after: null,
      },
    ])
  })

  test('takes a registered team out of the registered ones alone', async () => {
    const cup = await makeTournament(api, organiser)
    const team = await makeTeam(api, cup, await api.user(), { status: 'registered' })
    expect((await remove(cup, organiser, team.guid)).status).toBe(200)
    expect(await countsOf(cup)).toEqual({ teams: 0, registered: 0, qualified: 0, players: 0 })
  })

  test('needs the GUID of a team of this tournament', async () => {
    const cup = await makeTournament(api, organiser)
    const elsewhere = await makeTeam(api, await makeTournament(api, organiser), await api.user())
    const team = await makeTeam(api, cup, await api.user())
    expect(outcome(await api.delete(`/tournaments/${cup.id}/teams`, organiser, {}))).toEqual([400, 'request.invalid'])
    expect(outcome(await remove(cup, organiser, null))).toEqual([400, 'request.invalid'])
    for (const guid of [unknownGuid, elsewhere.guid, team.id, '', '%']) {
      expect(outcome(await remove(cup, organiser, guid)), guid).toEqual([400, 'team.unknown'])
    }
    expect(outcome(await api.delete('/tournaments/no-such-cup/teams', organiser, { teamGuid: team.guid }))).toEqual([
      400,
      'tournament.unknown',
    ])
  })

  test('is for the captain and the organiser’s side', async () => {
    const cup = await makeTournament(api, organiser)
    const member = await api.user()
    const team = await makeTeam(api, cup, await api.user(), { members: [member] })
    expect(outcome(await remove(cup, null, team.guid))).toEqual([401, 'token.missing'])
    for (const user of [member, await api.user(), await roleHolder(api, cup, 'role:staff')]) {
      expect(outcome(await remove(cup, user, team.guid))).toEqual([401, 'role.missing'])
    }
    expect((await remove(cup, await roleHolder(api, cup, 'role:admin'), team.guid)).status).toBe(200)
  })

  test.each([
    ['approved', [200, null]],
    ['ongoing', [401, 'team.deletion_closed']],
    ['completed', [401, 'team.deletion_closed']],
    ['cancelled', [401, 'team.deletion_closed']],
  ] as const)('by the captain while the tournament is %s', async (status, expected) => {
    const cup = await makeTournament(api, organiser, { status })
    const captain = await api.user()
    const team = await makeTeam(api, cup, captain, { status: 'registered' })
    expect(outcome(await remove(cup, captain, team.guid))).toEqual(expected)
    if (expected[0] !== 200) expect((await remove(cup, organiser, team.guid)).status).toBe(200)
  })
})
