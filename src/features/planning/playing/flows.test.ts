import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MadeFlowPlay, makeFlowPlay } from '../../../../test/flow-play.ts'
import { type Harness, startHarness } from '../../../../test/harness.ts'

/** Simulated teams choose maps, play them and claim replays in sessions of flows. (R4) */

let api: Harness
let made: MadeFlowPlay
beforeAll(async () => {
  api = await startHarness()
  made = await makeFlowPlay(api, { teams: 4, bestOf: 3, maps: 7 })
  const plan = { revision: 0, default: 'accsaber-bo3' }
  for (const reply of [
    await api.put(`${made.path}/flow-plan`, made.organiser, plan),
    await api.put(`${made.path}/pool-plan`, made.organiser, { revision: 0, default: made.pool.guid }),
  ]) {
    expect(reply.status, reply.text).toBe(200)
  }
})
afterAll(() => api[Symbol.asyncDispose]())

async function rehearse(): Promise<string> {
  const body = { name: 'Dry run', seed: 'flows', startsAt: '2099-05-01T18:00:00Z' }
  const reply = await api.post(`${made.path}/rehearsals`, made.organiser, body)
  expect(reply.status, reply.text).toBe(201)
  return reply.body.guid
}

async function play(guid: string, body: object) {
  const reply = await api.post(`${made.path}/rehearsals/${guid}/play`, made.organiser, { claimRate: 0.7, ...body })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

/** The logs of all sessions with their matches, GUIDs numbered as they appear. */
async function logsOf(guid: string) {
  const { matches } = (await api.get(`/tournaments/${guid}/matches?limit=100`, made.organiser)).body
  const logs = []
  for (const { number } of matches) {
    const { body } = await api.get(`/tournaments/${guid}/matches/${number}/flow`, made.organiser)
    const { rows } = (await api.get(`/tournaments/${guid}/flow-sessions/${body.session}/log`, made.organiser)).body
    logs.push({ state: body, rows })
  }
  const guids = new Map<string, string>()
  const named = (found: string) => guids.get(found) ?? (guids.set(found, `#${guids.size}`).get(found) as string)
  // Placeholders are made in real time.
  const text = JSON.stringify({ matches, logs }, (name, value: unknown) => (name === 'joinedAt' ? null : value))
  return JSON.parse(text.replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, named))
}

test('sessions are played from the first choice to the result, and equally in every copy', async () => {
  const [one, other] = [await rehearse(), await rehearse()]
  const whole = await play(one, { until: 'end' })
  expect(whole).toMatchObject({ done: true })
  const evening = await logsOf(one)
  expect(whole.played).toHaveLength(evening.matches.length)
  const kinds = new Set(evening.logs.flatMap(({ rows }: { rows: { kind: string }[] }) => rows.map(({ kind }) => kind)))
  for (const kind of ['start', 'roll', 'choose', 'ban', 'pick', 'scores', 'accept', 'claim', 'finish'])
    expect(kinds).toContain(kind)
  for (const { state } of evening.logs) expect(state).toMatchObject({ status: 'over', phase: 'over' })
  expect(evening.matches.every(({ outcome }: { outcome: string }) => outcome === 'score')).toBe(true)
  const parts = []
  for (let part = await play(other, { count: 1 }); part.played.length > 0; part = await play(other, { count: 1 })) {
    parts.push(...part.played)
  }
  expect(parts).toEqual(whole.played)
  expect(await logsOf(other)).toEqual(evening)
})
