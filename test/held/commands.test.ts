import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBracket, makeBracket } from '../bracket-play.ts'
import { type Caller, type Harness, outcome, startHarness } from '../harness.ts'
import { makeTeam, touch } from '../make.ts'
import { openSocket } from '../realtime/sockets.ts'

/** Commands of outsiders of a held tournament: their refusals tell what is shown, and nothing of the present. (V3) */

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

const withdrawal = { reason: 'Ill.', policy: 'walkover' }

test('a command that the present alone refuses is refused without a reason; others as what is shown refuses them', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const { organiser, cup, teams, captains } = made
  const base = `/tournaments/${cup.guid}`
  const teamPath = (number: number) => `${base}/teams/${teams[number - 1]?.guid}`
  const captainOf = (number: number) => captains[number - 1] as Caller
  const good = async (call: ReturnType<Harness['post']>) => expect(outcome(await call)).toEqual([200, null])
  const [painter, returning, stranger] = [await api.user(), await api.user(), await api.user()]
  const returned = `${base}/teams/${(await makeTeam(api, cup, returning, { status: 'registered' })).guid}`
  const painted = `${base}/teams/${(await makeTeam(api, cup, painter, { status: 'unregistered' })).guid}`
  const paint = (as: Caller, color = '#ff8800') => api.patch(painted, as, { color })
  const seen = async (address: string, as: Caller | null = null) => (await api.get(address, as)).text

  await good(api.post(`${returned}/withdraw`, organiser, withdrawal))
  await good(api.patch(base, organiser, { spoilerMode: 'held', streamDelaySeconds: 600 }))
  await good(paint(painter, '#0088ff'))
  expect(outcome(await api.patch(painted, painter, { name: 'Team 1' }))).toEqual([409, 'team.name_taken'])

  // Behind the horizon one team comes back, another leaves, matches are made, and the tournament ends.
  await good(api.delete(`${returned}/withdrawal`, organiser))
  await good(api.post(`${teamPath(4)}/withdraw`, organiser, withdrawal))
  const shownTeams = await seen(`${base}/teams`)
  const withdraw = async (team: string, captain: Caller) =>
    outcome(await api.post(`${team}/withdraw`, captain, withdrawal))
  expect(await withdraw(teamPath(4), captainOf(4))).toEqual([409, 'spoiler.held'])
  expect(await withdraw(returned, returning)).toEqual([409, 'team.withdrawn'])
  const register = await api.post(`${base}/register/${teams[3]?.guid}`, captainOf(4), {})
  expect(outcome(register)).toEqual([400, 'registration.refused'])
  expect(register.text).not.toContain('withdrawn')
  await api.post(`${base}/divisions`, organiser, { name: 'Late', id: 'late' })
  const late = await addBracket(api, { ...made, teams: teams.slice(0, 2) }, { format: 'round_robin', division: 'late' })
  const call = `${base}/matches/${late.matches[0].guid}/call`
  for (const caller of [stranger, captainOf(4)]) {
    expect(outcome(await api.post(call, caller, {}))).toEqual([404, 'match.unknown'])
    await using socket = await openSocket(api, { as: caller })
    const told = await socket.ask({
      type: 'command',
      name: 'matches.call',
      params: { tournament: cup.guid, match: late.matches[0].guid },
      body: {},
    })
    expect(JSON.stringify(told)).toContain('match.unknown')
  }
  await api.sql(`update tournaments set status = 'completed', completed_at = now() where guid = $1`, [cup.guid])
  await touch(api, cup.guid)

  expect(outcome(await paint(painter))).toEqual([409, 'spoiler.held'])
  expect(outcome(await paint(painter, 'orange'))).toEqual([400, 'team.invalid'])
  expect(outcome(await paint(stranger))).toEqual([403, 'role.missing'])
  expect(await seen(`${base}/teams`)).toBe(shownTeams)
  // The organiser is refused, or not, by what is so.
  expect(outcome(await api.post(`${teamPath(4)}/withdraw`, organiser, withdrawal))).toEqual([409, 'tournament.over'])

  await good(api.post(`${base}/reveal`, organiser, { all: true }))
  expect(outcome(await paint(painter))).toEqual([409, 'tournament.over'])
  expect(outcome(await api.post(call, stranger, {}))).toEqual([403, 'role.missing'])
})
