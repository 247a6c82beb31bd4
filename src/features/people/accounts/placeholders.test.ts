import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeTournament } from '../../../../test/make.ts'

let api: Harness
let organiser: Caller
let manager: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'organiser' })
  manager = await api.user({ globalRoles: ['global:tournaments:manage'] })
})
afterAll(() => api[Symbol.asyncDispose]())

const remove = (guid: string, caller: Caller | null = manager) => api.delete(`/users/${guid}`, caller)

interface Member {
  readonly user: { readonly guid: string; readonly preferredName: string; readonly chatPlatformId: string }
}

async function entered(rows: readonly object[]) {
  const cup = await makeTournament(api, organiser)
  const path = `/tournaments/${cup.guid}/teams`
  const send = () => api.post(`${path}/import`, organiser, { rows })
  await send()
  const teams = async () =>
    (await api.get(path)).body.teams as { name: string; captain: Member['user']; members: Member[] }[]
  return { cup, send, teams }
}

describe('the removal of a person who has not signed in', () => {
  test('leaves a number in the places that stay, and nothing of the name', async () => {
    const { cup, send, teams } = await entered([
      { teamName: 'Vanishing Breve', captain: 'Vanishing Breve', members: ['Longa'], register: true },
    ])
    const [team] = await teams()
    const guid = team?.captain.guid ?? ''
    const link = await api.post(`/users/${guid}/claimLinks`, organiser, { tournament: cup.guid })
    expect((await remove(guid)).status).toBe(204)
    const [after] = await teams()
    expect(after?.captain).toMatchObject({
      guid,
      preferredName: 'Player 001',
      username: 'player-001',
      isPlaceholder: true,
    })
    expect((await remove(after?.members[1]?.user.guid ?? '')).status).toBe(204)
    expect((await teams())[0]?.members.map(({ user }) => user.preferredName)).toEqual(['Player 001', 'Player 002'])
    for (const path of ['teams', 'audit?limit=100', 'teams.csv', 'matches']) {
      expect((await api.get(`/tournaments/${cup.guid}/${path}`, organiser)).text, path).not.toContain('Vanishing')
    }
    expect((await api.get(`/users/${guid}`)).status).toBe(404)
    const { token } = link.body
    const person = await api.user({ scopes: ['rest:user:write'] })
    expect(outcome(await api.post(`/claims/${token}`, person))).toEqual([404, 'claim.unknown'])
    expect((await send()).body.totals).toMatchObject({ same: 1, created: 0 })
    const leaks = await api.sql("select 1 from users u where u::text like '%Vanishing%' and u.guid = $1", [guid])
    expect(leaks).toEqual([])
  })

  test('frees the chat account, so that it signs in as somebody new', async () => {
    const { teams } = await entered([{ teamName: 'One', captain: '910987654321098765' }])
    const guid = (await teams())[0]?.captain.guid ?? ''
    await remove(guid)
    expect(await api.sql("select 1 from users where chat_platform_id = '910987654321098765'")).toEqual([])
  })

  test('is for global managers, and for placeholders alone', async () => {
    const { teams } = await entered([{ teamName: 'One', captain: 'A', register: true }])
    const guid = (await teams())[0]?.captain.guid ?? ''
    expect((await remove(guid, null)).status).toBe(401)
    expect(outcome(await remove(guid, organiser))).toEqual([403, 'role.missing'])
    const user = await api.user()
    expect(outcome(await remove(user.guid))).toEqual([409, 'user.has_account'])
    expect((await api.get(`/users/${user.guid}`)).status).toBe(200)
    const replies = await Promise.all([remove(guid), remove(guid), remove(guid)])
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 404, 404])
  })

  test('gives numbers that nobody else of the tournament has', async () => {
    const people = Array.from({ length: 12 }, (_, index) => `Person ${index}`)
    const { teams } = await entered(
      people.map((captain) => ({ teamName: `Team of ${captain}`, captain, register: true })),
    )
    const guids = (await teams()).map(({ captain }) => captain.guid)
    await Promise.all(guids.map((guid) => remove(guid)))
    const names = (await teams()).map(({ captain }) => captain.preferredName)
    expect(new Set(names).size).toBe(12)
    expect(names.every((name) => /^Player 0(0[1-9]|1[0-2])$/.test(name))).toBe(true)
  })
})
