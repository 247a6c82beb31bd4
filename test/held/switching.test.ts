import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeBracket } from '../bracket-play.ts'
import { type Harness, outcome, startHarness } from '../harness.ts'
import { openSocket } from '../realtime/sockets.ts'

/** Switching, delays, reveals and results at the same time, on two processes. (V3) */

let api: Harness
let second: Harness
beforeAll(async () => {
  api = await startHarness()
  second = await api.sibling()
})
afterAll(async () => {
  await second[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

test('whatever happens at once, no view goes back, and at the end everybody sees all', async () => {
  const made = await makeBracket(api, { teams: 16, format: 'single_elimination' })
  const { path, organiser } = made
  const bracket = `/tournaments/${made.cup.guid}/brackets/${made.bracket.guid}`
  const services = [api, second]
  const of = (index: number) => services[index % 2] as Harness
  await using socket = await openSocket(api, { as: null })
  await socket.ask({ type: 'subscribe', topic: bracket, facts: true })
  await using staff = await openSocket(second, { as: organiser })
  await staff.ask({ type: 'subscribe', topic: bracket, facts: true })

  const completedIn = (text: string) => text.split('"status":"completed"').length - 1
  let isOver = false
  const seen = services.map(async (service) => {
    let most = 0
    while (!isOver) {
      const { status, text } = await service.get(bracket)
      expect(status).toBe(200)
      // No result is taken back, so fewer of them are an older state.
      expect(completedIn(text)).toBeGreaterThanOrEqual(most)
      most = completedIn(text)
    }
  })
  const results = async () => {
    for (let number = 1; number <= 8; number++) {
      const told = { outcome: 'score', scores: [2, 0] }
      expect(outcome(await of(number).put(`${made.match(number)}/result`, organiser, told))).toEqual([200, null])
    }
  }
  const switches = async () => {
    for (let time = 0; time < 8; time++) {
      const settings = { spoilerMode: time % 2 === 0 ? 'held' : 'open' }
      expect(outcome(await of(time).patch(path, organiser, settings))).toEqual([200, null])
    }
  }
  const delays = async () => {
    for (let time = 0; time < 8; time++) {
      const settings = { streamDelaySeconds: time % 2 === 0 ? 600 : 1 }
      expect(outcome(await of(time + 1).patch(path, organiser, settings))).toEqual([200, null])
    }
  }
  const reveals = async () => {
    for (let time = 0; time < 8; time++) {
      const revealed = outcome(await of(time).post(`${path}/reveal`, organiser, { all: true }))
      expect([200, 409]).toContain(revealed[0])
    }
  }
  await Promise.all([results(), switches(), delays(), reveals()])
  isOver = true
  await Promise.all(seen)

  const present = await made.read()
  expect(completedIn(JSON.stringify(present))).toBe(8)
  expect((await api.get(path)).body.spoilerMode).toBe('open')
  for (const service of services) expect((await service.get(bracket)).body).toEqual(present)
  const named = `${bracket}?facts=1`
  await socket.copies.until((all) => completedIn(JSON.stringify(all.of(named).body)) === 8, 'the end')
  expect(socket.copies.of(named).body).toEqual(present)
  // Each fact once.
  const ids = socket.copies.of(named).facts.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(await api.sql('select from shown.matches')).toEqual([])
  expect(await api.sql('select from held_changes')).toEqual([])
  expect(await api.sql('select from held_events where shown_by is null or shown_by = 0')).toEqual([])
})
