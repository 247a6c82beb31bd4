import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listDeliveredTournaments } from '../../src/features/listing/webhooks/store/telling.ts'
import { makeBracket } from '../bracket-play.ts'
import { type Caller, type Harness, outcome, startHarness } from '../harness.ts'
import { allTold } from '../notifications.ts'
import { openSocket } from '../realtime/sockets.ts'

/** What players of a held tournament see of their own matches, and of those of others. (V1) */

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

const agenda = '/users/@me/agenda'

async function calendarOf(user: Caller): Promise<string> {
  const { address } = (await api.post('/users/@me/calendarToken', user)).body
  return address.slice(`${api.app.config.publicUrl}/api`.length)
}

test('agenda and calendar: own matches at once, nothing of others before it is shown', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const { path: at, organiser, captains, cup } = made
  const [first, , other] = captains as unknown as readonly [Caller, Caller, Caller]
  const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
  for (const number of [1, 2, 3]) {
    expect(outcome(await api.patch(made.match(number), organiser, { scheduledAt }))).toEqual([200, null])
  }
  const put = await api.patch(at, organiser, { spoilerMode: 'held', streamDelaySeconds: 600 })
  expect(outcome(put)).toEqual([200, null])
  await api.sql('insert into match_officials (match_guid, user_guid, role) values ($1, $2, $3)', [
    (await made.readMatch(3)).guid,
    organiser.guid,
    'role:referee',
  ])
  const [ofFirst, ofOrganiser] = [await calendarOf(first), await calendarOf(organiser)]
  const numbers = async (user: Caller) =>
    ((await api.get(agenda, user)).body.matches as { match: { number: number; status: string } }[]).map(
      ({ match }) => `${match.number} ${match.status}`,
    )
  await using socket = await openSocket(api, { as: first })
  await socket.ask({ type: 'subscribe', topic: agenda })
  const before = await api.get(ofFirst)
  const others = await api.get(agenda, other)

  await made.win(1, 'team-1')
  const ended = await numbers(first)
  expect(ended.some((match) => match.endsWith('completed'))).toBe(true)
  // The winner knows the final that it is in; the other semi-final is not over for anybody but the staff.
  expect(ended.some((match) => match.startsWith('3 '))).toBe(true)
  await socket.copies.until((all) => JSON.stringify(all.of(agenda).body).includes('completed'), 'the own match')
  expect((await api.get(agenda, other)).text).toBe(others.text)
  expect((await api.get(ofFirst)).text).not.toBe(before.text)

  await made.win(2, 'team-2')
  const final = ((await api.get(agenda, first)).body.matches as { match: { number: number } }[]).find(
    ({ match }) => match.number === 3,
  )
  expect(JSON.stringify(final)).toContain('team-2')
  const eliminated = await api.get(agenda, other)
  await made.win(3, 'team-1')
  const over = await api.post(`${at}/status`, organiser, { status: 'completed' })
  expect(outcome(over)).toEqual([200, null])
  // What follows from other matches, and that the tournament is over, is late.
  expect((await api.get(`/tournaments/${cup.guid}`, other)).body.status).toBe('ongoing')
  expect((await api.get(agenda, other)).text).toBe(eliminated.text)
  expect(await numbers(first)).toContain('3 completed')
  // The address of a calendar shows to those who work there what they see elsewhere.
  expect((await api.get(ofOrganiser)).text).toContain('Team 1')
  expect(outcome(await api.post(`${at}/reveal`, organiser, { all: true }))).toEqual([200, null])
  expect((await api.get(agenda, other)).body.matches).toEqual([])
})

test('members hear that their team is out when everybody sees it, once, and platforms that it is over', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const { path: at, organiser, captains, cup } = made
  const captain = captains[0] as Caller
  const heard = async () =>
    ((await api.get('/users/@me/notifications', captain)).body.notifications as { type: string }[]).filter(
      ({ type }) => type === 'team.withdrawn',
    ).length
  const put = await api.patch(at, organiser, { spoilerMode: 'held', streamDelaySeconds: 600 })
  expect(outcome(put)).toEqual([200, null])
  const { guid } = (await api.get(`${at}/teams/team-1`, organiser)).body
  const reason = 'They do not answer.'
  const out = await api.post(`${at}/teams/${guid}/withdraw`, organiser, { reason, policy: 'walkover' })
  expect(outcome(out)).toEqual([200, null])
  await allTold(api)
  expect([await heard(), (await api.get(`${at}/teams/${guid}`, captain)).body.withdrawnAt ?? null]).toEqual([0, null])
  // What waits is in the database, for whichever process is there when it is shown.
  await using _second = await api.sibling()
  expect(outcome(await api.post(`${at}/reveal`, organiser, { all: true }))).toEqual([200, null])
  await expect.poll(heard, { timeout: 10_000, interval: 50 }).toBe(1)

  const over = await api.post(`${at}/status`, organiser, { status: 'completed' })
  expect(outcome(over)).toEqual([200, null])
  const told = async () => (await listDeliveredTournaments(api.app.database.db, [cup.guid])).get(cup.guid)?.status
  expect(await told()).toBe('ongoing')
  expect(outcome(await api.post(`${at}/reveal`, organiser, { all: true }))).toEqual([200, null])
  expect([await told(), await heard()]).toEqual(['completed', 1])
})

test('two reads see the present of own matches; no other asks for it', () => {
  const folder = path.join(import.meta.dirname, '../../src/features')
  const asking = globSync('**/routes{.ts,/*.ts}', { cwd: folder }).filter((file) =>
    /\brun: async \(\{[^)]*\bpresent\b/.test(readFileSync(path.join(folder, file), 'utf8')),
  )
  expect(asking.toSorted()).toEqual(['planning/agenda/routes.ts', 'planning/calendar/routes.ts'])
})
