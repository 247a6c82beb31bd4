import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import {
  type MadeTeam,
  type MadeTournament,
  makeTeam,
  makeTournament,
  roleHolder,
  type TeamOptions,
  type TournamentOptions,
} from '../../../../test/make.ts'

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'maestro' })
})
afterAll(() => api[Symbol.asyncDispose]())

const unknownGuid = '7d0e8a52-0b3e-4a0e-9c65-3d5b0f3f8a11'
const past = new Date(Date.now() - 60_000)

interface Scene {
  readonly cup: MadeTournament
  readonly team: MadeTeam
  readonly captain: Caller
  readonly guest: Caller
}

async function arrange(options: TournamentOptions = {}, team: TeamOptions = {}): Promise<Scene> {
  const cup = await makeTournament(api, organiser, options)
  const [captain, guest] = [await api.user(), await api.user()]
  return { cup, captain, guest, team: await makeTeam(api, cup, captain, team) }
}

function invite({ cup, team }: Scene, as: Caller | null, user: Caller): Promise<Reply> {
  return api.post(`/tournaments/${cup.id}/teams/${team.id}/invitations`, as, { userIdentifier: user.guid })
}

/** Sends an invitation that is expected to succeed, and returns its GUID. */
async function invited(scene: Scene, as = scene.captain, user = scene.guest): Promise<string> {
  const reply = await invite(scene, as, user)
  expect(outcome(reply)).toEqual([201, null])
  return reply.body.guid
}

const answer = (guid: string, as: Caller | null, verb: 'accept' | 'decline') =>
  api.post(`/invitations/${guid}/${verb}`, as)
const revoke = (guid: string, as: Caller | null) => api.delete(`/invitations/${guid}`, as)
const pendingOf = (user: Caller) => api.get('/users/@me/invitations', user)
const membersOf = async ({ cup, team }: Scene): Promise<string[]> => {
  const { body } = await api.get(`/tournaments/${cup.id}/teams/${team.guid}`)
  return body.members.map((member: { user: Caller }) => member.user.guid)
}
const setStatus = ({ cup }: Scene, status: string) =>
  api.sql('update tournaments set status = $2 where guid = $1', [cup.guid, status])

describe('inviting', () => {
  test('by the captain reaches the invited user, with a notification', async () => {
    const scene = await arrange()
    const { cup, team, captain, guest } = scene
    const path = `/tournaments/${cup.id}/teams/${team.id}/invitations`
    const body = { userIdentifier: guest.chatPlatformId, message: ' Play <b>with</b> us? ' }
    const reply = await api.post(path, captain, body)
    expect(reply.status).toBe(201)
    expect(reply.body).toEqual({
      guid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      tournament: { guid: cup.guid, id: cup.id, name: expect.any(String) },
      team: { guid: team.guid, id: team.id, name: team.name, imageUrl: null },
      user: expect.objectContaining({ guid: guest.guid }),
      invitedBy: expect.objectContaining({ guid: captain.guid }),
      message: 'Play <b>with</b> us?',
      status: 'pending',
      createdAt: expect.stringMatching(/Z$/),
      decidedAt: null,
    })
    expect((await pendingOf(guest)).body).toEqual([reply.body])
    expect((await api.get(path, captain)).body).toEqual([reply.body])
    const notes = await api.sql('select type, data, read_at from notifications where user_guid = $1', [guest.guid])
    expect(notes).toEqual([
      {
        type: 'invitation.created',
        data: { invitationGuid: reply.body.guid, teamGuid: team.guid, tournamentGuid: cup.guid },
        read_at: null,
      },
    ])
    const [event] = await api.sql<{ after: object }>(
      "select after from event_log where type = 'invitation.created' and tournament = $1",
      [cup.guid],
    )
    expect(event).toEqual({ after: { teamGuid: team.guid, userGuid: guest.guid, status: 'pending' } })
    expect(await membersOf(scene)).toEqual([captain.guid])
  })

  test('is for the captain and the organiser’s side', async () => {
    const member = await api.user()
    const scene = await arrange({}, { members: [member] })
    expect(outcome(await invite(scene, null, scene.guest))).toEqual([401, 'token.missing'])
    for (const user of [member, scene.guest, await roleHolder(api, scene.cup, 'role:staff')]) {
      expect(outcome(await invite(scene, user, await api.user()))).toEqual([403, 'role.missing'])
    }
    const manager = await api.user({ globalRoles: ['global:tournaments:manage'] })
    for (const user of [organiser, await roleHolder(api, scene.cup, 'role:admin'), manager]) {
      await invited(scene, user, await api.user())
    }
  })

  test('needs a user who takes part in things', async () => {
    const scene = await arrange()
    const path = `/tournaments/${scene.cup.id}/teams/${scene.team.id}/invitations`
    const banned = await api.user()
    await api.sql('update users set banned_at = now() where guid = $1', [banned.guid])
    for (const userIdentifier of [unknownGuid, '31', 'somebody', banned.guid]) {
      expect(outcome(await api.post(path, scene.captain, { userIdentifier }))).toEqual([404, 'user.unknown'])
    }
    for (const body of [{}, { userIdentifier: '' }, { userIdentifier: scene.guest.guid, message: 'x'.repeat(501) }]) {
      expect(outcome(await api.post(path, scene.captain, body))).toEqual([400, 'request.invalid'])
    }
    const nowhere = path.replace(scene.team.id, 'no-team')
    expect(outcome(await api.post(nowhere, organiser, { userIdentifier: '31' }))).toEqual([404, 'team.unknown'])
  })

  test('is refused for oneself, for people in teams, and twice at a time', async () => {
    const scene = await arrange()
    expect(outcome(await invite(scene, scene.captain, scene.captain))).toEqual([409, 'invitation.self'])
    expect(outcome(await invite(scene, organiser, organiser))).toEqual([409, 'invitation.self'])
    const [otherCaptain, otherMember] = [await api.user(), await api.user()]
    await makeTeam(api, scene.cup, otherCaptain, { members: [otherMember] })
    for (const user of [otherCaptain, otherMember]) {
      expect(outcome(await invite(scene, scene.captain, user))).toEqual([409, 'user.has_team'])
    }
    expect(outcome(await invite(scene, organiser, scene.captain))).toEqual([409, 'user.has_team'])
    const guid = await invited(scene)
    expect(outcome(await invite(scene, organiser, scene.guest))).toEqual([409, 'invitation.exists'])
    expect((await answer(guid, scene.guest, 'decline')).status).toBe(200)
    await invited(scene)
  })

  test('is refused while the roster is locked, but not to the organiser', async () => {
    for (const scene of [await arrange({}, { status: 'registered' }), await arrange({ rosterLocksAt: past })]) {
      expect(outcome(await invite(scene, scene.captain, scene.guest))).toEqual([409, 'team.roster_locked'])
      const guid = await invited(scene, organiser)
      expect((await answer(guid, scene.guest, 'accept')).status).toBe(200)
      expect(await membersOf(scene)).toEqual([scene.captain.guid, scene.guest.guid])
    }
  })

  test('is refused to everybody where the team is full', async () => {
    const solo = await arrange({ teamSize: { min: 1, max: 1, active: 1 } })
    const pair = await arrange({ teamSize: { min: 1, max: 2, active: 2 } }, { members: [await api.user()] })
    for (const scene of [solo, pair]) {
      for (const user of [scene.captain, organiser]) {
        expect(outcome(await invite(scene, user, scene.guest))).toEqual([409, 'team.full'])
      }
    }
  })

  test.each(['draft', 'completed', 'cancelled'] as const)('is refused while the tournament is %s', async (status) => {
    const scene = await arrange({ status })
    expect(outcome(await invite(scene, organiser, scene.guest))).toEqual([409, 'tournament.not_open'])
  })

  test('goes on while the tournament runs', async () => {
    const scene = await arrange({ status: 'ongoing' })
    const guid = await invited(scene)
    expect((await answer(guid, scene.guest, 'accept')).body.status).toBe('accepted')
  })

  test('ends at two hundred pending ones of a team, and of a user', async () => {
    const scene = await arrange()
    const fill = (teams: string, users: string) =>
      api.sql(
        `insert into team_invitations (team_guid, tournament_guid, user_guid, invited_by_guid)
         select t.guid, t.tournament_guid, u.guid, t.captain_guid from (${teams}) t, (${users}) u`,
      )
    await api.sql(
      `insert into users (chat_platform_id, username, preferred_name, avatar_url)
       select 'many' || n, 'many', 'many', 'https://cdn.example.org/x.png' from generate_series(1, 200) n`,
    )
    const some = (limit: number) => `select guid from users where username = 'many' limit ${limit}`
    await fill(`select * from teams where guid = '${scene.team.guid}'`, some(199))
    await invited(scene)
    expect(outcome(await invite(scene, scene.captain, await api.user()))).toEqual([409, 'invitation.too_many'])

    const popular = await api.user()
    const other = await arrange()
    await api.sql(
      `insert into teams (tournament_guid, id, name, captain_guid)
       select $1, 'many' || row_number() over (), guid::text, guid from users where username = 'many'`,
      [other.cup.guid],
    )
    await fill(`select * from teams where id like 'many%'`, `select guid from users where guid = '${popular.guid}'`)
    expect(outcome(await invite(other, other.captain, popular))).toEqual([409, 'invitation.too_many'])
    // Invitations that can no longer be accepted do not count.
    await setStatus(other, 'completed')
    const third = await arrange()
    await invited(third, third.captain, popular)
    expect((await pendingOf(popular)).body.length).toBe(1)
  })

  test('and revoking ends after ten of a team to one user, and five hundred of a team', async () => {
    const scene = await arrange()
    for (let sent = 0; sent < 10; sent += 1) await revoke(await invited(scene), scene.captain)
    expect(outcome(await invite(scene, scene.captain, scene.guest))).toEqual([409, 'invitation.limit_reached'])
    expect(outcome(await invite(scene, organiser, scene.guest))).toEqual([409, 'invitation.limit_reached'])
    // Invitations of other teams are not shown.
    await invited({ ...(await arrange()), guest: scene.guest })
    await api.sql(
      `insert into team_invitations (team_guid, tournament_guid, user_guid, invited_by_guid, status)
       select team_guid, tournament_guid, invited_by_guid, invited_by_guid, 'declined'
       from (select * from team_invitations where team_guid = $1 limit 1) i, generate_series(1, 489)`,
      [scene.team.guid],
    )
    const [one, another] = [await api.user(), await api.user()]
    await revoke(await invited(scene, scene.captain, one), scene.captain)
    expect(outcome(await invite(scene, scene.captain, another))).toEqual([409, 'invitation.limit_reached'])
  })
})

describe('the lists of invitations', () => {
  test('of a team is for its captain and the staff, newest first, pending ones alone', async () => {
    const scene = await arrange()
    const path = `/tournaments/${scene.cup.id}/teams/${scene.team.id}/invitations`
    const [first, second, third] = [
      await invited(scene),
      await invited(scene, scene.captain, await api.user()),
      await invited(scene, organiser, await api.user()),
    ]
    expect((await answer(first, scene.guest, 'decline')).status).toBe(200)
    for (const user of [scene.captain, organiser, await roleHolder(api, scene.cup, 'role:referee')]) {
      const reply = await api.get(path, user)
      expect([reply.status, reply.body.map((each: { guid: string }) => each.guid)]).toEqual([200, [third, second]])
    }
    expect(outcome(await api.get(path))).toEqual([401, 'token.missing'])
    for (const user of [scene.guest, await api.user()]) {
      expect(outcome(await api.get(path, user))).toEqual([403, 'role.missing'])
    }
  })

  test('of a user are their own, in tournaments that are neither hidden nor over', async () => {
    const guest = await api.user()
    const scenes = [await arrange(), await arrange(), await arrange(), await arrange()]
    const guids: string[] = []
    for (const scene of scenes) guids.push(await invited(scene, scene.captain, guest))
    for (const [at, status] of ['ongoing', 'draft', 'completed', 'cancelled'].entries()) {
      await setStatus(scenes[at] as Scene, status)
    }
    expect((await pendingOf(guest)).body.map((each: { guid: string }) => each.guid)).toEqual([guids[0]])
    expect((await pendingOf(await api.user())).body).toEqual([])
    expect(outcome(await api.get('/users/@me/invitations'))).toEqual([401, 'token.missing'])
    const token = await api.token(guest, ['rest:user:read'])
    expect((await api.call('GET', '/users/@me/invitations', { token })).body.length).toBe(1)
  })
})

describe('accepting', () => {
  test('makes the invited user a member, active while there is room on the field', async () => {
    const scene = await arrange({ teamSize: { min: 1, max: 3, active: 2 } })
    const second = await api.user()
    const guids = [await invited(scene), await invited(scene, scene.captain, second)]
    const reply = await answer(guids[0] as string, scene.guest, 'accept')
    expect([reply.status, reply.body.status]).toEqual([200, 'accepted'])
    expect(reply.body.decidedAt >= reply.body.createdAt).toBe(true)
    expect((await answer(guids[1] as string, second, 'accept')).status).toBe(200)
    const { body } = await api.get(`/tournaments/${scene.cup.id}/teams/${scene.team.guid}`)
    expect(body.members.map((each: { user: Caller; isActive: boolean }) => [each.user.guid, each.isActive])).toEqual([
      [scene.captain.guid, true],
      [scene.guest.guid, true],
      [second.guid, false],
    ])
    expect(await api.sql('select players from tournament_counts where tournament_guid = $1', [scene.cup.guid])).toEqual(
      [{ players: 3 }],
    )
    expect((await pendingOf(scene.guest)).body).toEqual([])
    const events = await api.sql(
      "select subject, actor, after from event_log where type = 'team.member_joined' and tournament = $1 order by seq",
      [scene.cup.guid],
    )
    expect(events[1]).toEqual({
      subject: scene.team.guid,
      actor: second.guid,
      after: { userGuid: second.guid, isActive: false },
    })
  })

  test('and declining are for the invited user; for others the invitation does not exist', async () => {
    const scene = await arrange()
    const guid = await invited(scene)
    for (const verb of ['accept', 'decline'] as const) {
      expect(outcome(await answer(guid, null, verb))).toEqual([401, 'token.missing'])
      const unknown = await answer(unknownGuid, scene.guest, verb)
      expect(outcome(unknown)).toEqual([404, 'invitation.unknown'])
      for (const user of [
        await api.user(),
        scene.captain,
        organiser,
        await api.user({ globalRoles: ['role:owner'] }),
      ]) {
        const reply = await answer(guid, user, verb)
        expect([...outcome(reply), reply.text]).toEqual([404, 'invitation.unknown', unknown.text])
      }
      for (const name of ['x', '%00', `${guid}0`]) {
        expect(outcome(await answer(name, scene.guest, verb))).toEqual([404, 'invitation.unknown'])
      }
    }
    expect((await answer(guid.toUpperCase(), scene.guest, 'accept')).status).toBe(200)
  })

  test('is refused once the invitation is decided', async () => {
    const scene = await arrange()
    const accepted = await invited(scene)
    expect((await answer(accepted, scene.guest, 'accept')).status).toBe(200)
    const [one, two] = [await api.user(), await api.user()]
    const declined = await invited(scene, scene.captain, one)
    expect((await answer(declined, one, 'decline')).body.status).toBe('declined')
    const revoked = await invited(scene, scene.captain, two)
    expect((await revoke(revoked, scene.captain)).status).toBe(204)
    const decided = [
      [accepted, scene.guest],
      [declined, one],
      [revoked, two],
    ] as const
    for (const [guid, user] of decided) {
      expect(outcome(await answer(guid, user, 'accept'))).toEqual([409, 'invitation.closed'])
      expect(outcome(await answer(guid, user, 'decline'))).toEqual([409, 'invitation.closed'])
      expect(outcome(await revoke(guid, scene.captain))).toEqual([409, 'invitation.closed'])
    }
    expect(await membersOf(scene)).toEqual([scene.captain.guid, scene.guest.guid])
  })

  test('is refused where the roster was locked since, unless the organiser invited', async () => {
    const scene = await arrange()
    const guid = await invited(scene)
    await api.sql('update teams set roster_locked = true where guid = $1', [scene.team.guid])
    expect(outcome(await answer(guid, scene.guest, 'accept'))).toEqual([409, 'team.roster_locked'])
    await api.sql('update teams set roster_locked = false where guid = $1', [scene.team.guid])
    await api.sql('update tournaments set roster_locks_at = $2 where guid = $1', [scene.cup.guid, past])
    expect(outcome(await answer(guid, scene.guest, 'accept'))).toEqual([409, 'team.roster_locked'])
    const substitute = await api.user()
    const late = await invited(scene, organiser, substitute)
    expect((await answer(late, substitute, 'accept')).status).toBe(200)
    expect((await answer(guid, scene.guest, 'decline')).status).toBe(200)
  })

  test('is refused where the team is full by now', async () => {
    const scene = await arrange({ teamSize: { min: 1, max: 2, active: 2 } })
    const second = await api.user()
    const [one, two] = [await invited(scene), await invited(scene, organiser, second)]
    expect((await answer(one, scene.guest, 'accept')).status).toBe(200)
    expect(outcome(await answer(two, second, 'accept'))).toEqual([409, 'team.full'])
  })

  test('is refused where the user is in another team by now; the invitation stays', async () => {
    const scene = await arrange()
    const guid = await invited(scene)
    const own = await api.post(`/tournaments/${scene.cup.id}/teams`, scene.guest, { captainId: scene.guest.guid })
    expect(own.status).toBe(200)
    expect(outcome(await answer(guid, scene.guest, 'accept'))).toEqual([409, 'user.has_team'])
    expect((await pendingOf(scene.guest)).body.length).toBe(1)
    expect(
      (await api.delete(`/tournaments/${scene.cup.id}/teams`, scene.guest, { teamGuid: own.body.newTeam.guid })).status,
    ).toBe(200)
    expect((await answer(guid, scene.guest, 'accept')).status).toBe(200)
  })

  test.each(['completed', 'cancelled'])('is refused once the tournament is %s, declining is not', async (status) => {
    const scene = await arrange()
    const guid = await invited(scene)
    await setStatus(scene, status)
    expect(outcome(await answer(guid, scene.guest, 'accept'))).toEqual([409, 'tournament.not_open'])
    expect((await answer(guid, scene.guest, 'decline')).status).toBe(200)
  })

  test('is not possible while the tournament is hidden, nor to be seen', async () => {
    const scene = await arrange()
    const guid = await invited(scene)
    await setStatus(scene, 'draft')
    for (const verb of ['accept', 'decline'] as const) {
      expect(outcome(await answer(guid, scene.guest, verb))).toEqual([404, 'invitation.unknown'])
    }
    expect(outcome(await revoke(guid, scene.captain))).toEqual([404, 'invitation.unknown'])
    expect((await revoke(guid, organiser)).status).toBe(204)
  })
})

describe('revoking', () => {
  test('is for the captain and the organiser’s side', async () => {
    const member = await api.user()
    const scene = await arrange({}, { members: [member] })
    const guid = await invited(scene)
    expect(outcome(await revoke(guid, null))).toEqual([401, 'token.missing'])
    for (const user of [await api.user(), member]) {
      expect(outcome(await revoke(guid, user))).toEqual([404, 'invitation.unknown'])
    }
    for (const user of [scene.guest, await roleHolder(api, scene.cup, 'role:staff')]) {
      expect(outcome(await revoke(guid, user))).toEqual([403, 'role.missing'])
    }
    expect((await pendingOf(scene.guest)).body.length).toBe(1)
    const revoked = await revoke(guid, scene.captain)
    expect([revoked.status, revoked.text]).toEqual([204, ''])
    expect((await pendingOf(scene.guest)).body).toEqual([])
    const again = await invited(scene)
    expect((await revoke(again, await roleHolder(api, scene.cup, 'role:admin'))).status).toBe(204)
    expect(outcome(await revoke(unknownGuid, organiser))).toEqual([404, 'invitation.unknown'])
  })

  test('is no longer for a captain who has handed the team over', async () => {
    const member = await api.user()
    const scene = await arrange({}, { members: [member] })
    const guid = await invited(scene)
    const path = `/tournaments/${scene.cup.id}/teams/${scene.team.id}`
    expect((await api.patch(path, scene.captain, { captain: member.guid })).status).toBe(200)
    expect(outcome(await revoke(guid, scene.captain))).toEqual([404, 'invitation.unknown'])
    expect((await revoke(guid, member)).status).toBe(204)
  })
})
