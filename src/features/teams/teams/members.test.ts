import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import {
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

const past = new Date(Date.now() - 60_000)
const unknownGuid = '7d0e8a52-0b3e-4a0e-9c65-3d5b0f3f8a11'

async function arrange(options: TournamentOptions = {}, team: TeamOptions = {}) {
  const cup = await makeTournament(api, organiser, { teamSize: { min: 2, max: 4, active: 2 }, ...options })
  const [captain, first, second] = [await api.user(), await api.user(), await api.user()]
  const made = await makeTeam(api, cup, captain, { members: [first, second], ...team })
  await api.sql('update team_members set is_active = false where user_guid = $1', [second.guid])
  const path = (user: { guid: string } | string) =>
    `/tournaments/${cup.id}/teams/${made.id}/members/${typeof user === 'string' ? user : user.guid}`
  const staff = await roleHolder(api, cup, 'role:staff')
  return {
    cup,
    team: made,
    captain,
    first,
    second,
    staff,
    setActive: (as: Caller | null, user: { guid: string } | string, isActive: unknown) =>
      api.patch(path(user), as, { isActive }),
    remove: (as: Caller | null, user: { guid: string } | string) => api.delete(path(user), as),
    members: async () => {
      const { body } = await api.get(`/tournaments/${cup.id}/teams/${made.guid}`, organiser)
      return body.members.map((each: { user: Caller; isActive: boolean }) => [each.user.guid, each.isActive])
    },
    players: async () => {
      const [row] = await api.sql<{ players: number }>(
        'select players from tournament_counts where tournament_guid = $1',
        [cup.guid],
      )
      return row?.players
    },
  }
}

describe('putting members on the field', () => {
  test('is for the captain and the organiser’s side, within the active places', async () => {
    const { cup, captain, first, second, setActive, members } = await arrange()
    expect(outcome(await setActive(captain, second, true))).toEqual([409, 'team.active_full'])
    expect(outcome(await setActive(organiser, second, true))).toEqual([409, 'team.active_full'])
    expect((await setActive(captain, first.chatPlatformId, false)).status).toBe(200)
    const reply = await setActive(captain, second, true)
    expect([reply.status, reply.body.members.length]).toEqual([200, 3])
    expect(await members()).toEqual([
      [captain.guid, true],
      [first.guid, false],
      [second.guid, true],
    ])
    // Any member may be a substitute, even the captain. Repeating the request changes nothing.
    expect((await setActive(organiser, captain, false)).status).toBe(200)
    expect((await setActive(organiser, captain, false)).status).toBe(200)
    const events = await api.sql(
      "select before, after from event_log where type = 'team.member_updated' and tournament = $1 order by seq",
      [cup.guid],
    )
    expect(events).toEqual([
      { before: { userGuid: first.guid, isActive: true }, after: { userGuid: first.guid, isActive: false } },
      { before: { userGuid: second.guid, isActive: false }, after: { userGuid: second.guid, isActive: true } },
      { before: { userGuid: captain.guid, isActive: true }, after: { userGuid: captain.guid, isActive: false } },
    ])
  })

  test('is refused to everybody else', async () => {
    const { first, second, staff, setActive } = await arrange()
    expect(outcome(await setActive(null, first, false))).toEqual([401, 'token.missing'])
    for (const user of [first, second, staff, await api.user()]) {
      expect(outcome(await setActive(user, first, false))).toEqual([403, 'role.missing'])
    }
  })

  test('needs a member and a yes or no', async () => {
    const { captain, first, setActive } = await arrange()
    expect(outcome(await setActive(captain, await api.user(), true))).toEqual([404, 'member.unknown'])
    expect(outcome(await setActive(captain, unknownGuid, true))).toEqual([404, 'user.unknown'])
    for (const value of [undefined, null, 'true', 1]) {
      expect(outcome(await setActive(captain, first, value))).toEqual([400, 'request.invalid'])
    }
  })

  test('is the organiser’s alone while the roster is locked', async () => {
    for (const scene of [await arrange({}, { status: 'qualified' }), await arrange({ rosterLocksAt: past })]) {
      expect(outcome(await scene.setActive(scene.captain, scene.first, false))).toEqual([403, 'team.roster_locked'])
      expect((await scene.setActive(organiser, scene.first, false)).status).toBe(200)
    }
  })

  test('is the organiser’s alone once the tournament is over', async () => {
    const scene = await arrange({ status: 'completed' })
    expect(outcome(await scene.setActive(scene.captain, scene.first, false))).toEqual([409, 'tournament.over'])
    expect((await scene.setActive(organiser, scene.first, false)).status).toBe(200)
  })
})

describe('leaving a team', () => {
  test('is for members themselves, by any of their names', async () => {
    const { cup, team, captain, first, second, remove, members, players } = await arrange()
    const reply = await remove(first, '@me')
    expect([reply.status, reply.text]).toEqual([204, ''])
    expect((await remove(second, second.chatPlatformId)).status).toBe(204)
    expect(await members()).toEqual([[captain.guid, true]])
    expect(await players()).toBe(1)
    expect(outcome(await remove(first, '@me'))).toEqual([404, 'member.unknown'])
    const events = await api.sql(
      "select type, actor, before from event_log where subject = $1 and type like 'team.member%' order by seq",
      [team.guid],
    )
    expect(events).toEqual([
      { type: 'team.member_left', actor: first.guid, before: { userGuid: first.guid, isActive: true } },
      { type: 'team.member_left', actor: second.guid, before: { userGuid: second.guid, isActive: false } },
    ])
    expect((await api.post(`/tournaments/${cup.id}/teams`, first, { captainId: first.guid })).status).toBe(200)
  })

  test('is what captain and organiser can make a member do', async () => {
    const { captain, first, second, staff, remove, members, players } = await arrange()
    expect(outcome(await remove(null, first))).toEqual([401, 'token.missing'])
    for (const user of [second, staff, await api.user()]) {
      expect(outcome(await remove(user, first))).toEqual([403, 'role.missing'])
    }
    expect((await remove(captain, first)).status).toBe(204)
    expect((await remove(organiser, second)).status).toBe(204)
    expect(await members()).toEqual([[captain.guid, true]])
    expect(await players()).toBe(1)
    expect(outcome(await remove(captain, await api.user()))).toEqual([404, 'member.unknown'])
    expect(outcome(await remove(captain, unknownGuid))).toEqual([404, 'user.unknown'])
  })

  test('is not for the captain', async () => {
    const { captain, remove, players } = await arrange()
    for (const user of [captain, organiser]) {
      expect(outcome(await remove(user, captain))).toEqual([409, 'member.is_captain'])
    }
    expect(await players()).toBe(3)
  })

  test('is the organiser’s alone while the roster is locked, even below the least size', async () => {
    for (const scene of [await arrange({}, { status: 'registered' }), await arrange({ rosterLocksAt: past })]) {
      expect(outcome(await scene.remove(scene.first, '@me'))).toEqual([403, 'team.roster_locked'])
      expect(outcome(await scene.remove(scene.captain, scene.first))).toEqual([403, 'team.roster_locked'])
      expect((await scene.remove(organiser, scene.first)).status).toBe(204)
      expect((await scene.remove(organiser, scene.second)).status).toBe(204)
      expect(await scene.members()).toEqual([[scene.captain.guid, true]])
    }
  })

  test('is the organiser’s alone once the tournament is over', async () => {
    const scene = await arrange({ status: 'cancelled' })
    expect(outcome(await scene.remove(scene.first, '@me'))).toEqual([409, 'tournament.over'])
    expect((await scene.remove(organiser, scene.first)).status).toBe(204)
  })
})
