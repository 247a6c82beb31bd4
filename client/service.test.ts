import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MadeBracket, makeBracket } from '../test/bracket-play.ts'
import { type Caller, type Harness, startHarness } from '../test/harness.ts'
import { type Client, connect, type Status } from './connect.ts'
import { until } from './test/setup.ts'

/** The client with the real service, by socket and by streams. */

let api: Harness
let made: MadeBracket
beforeAll(async () => {
  api = await startHarness()
  made = await makeBracket(api, { teams: 8, format: 'single_elimination' })
})
afterAll(() => api[Symbol.asyncDispose]())

function open(
  caller: Caller | null,
  isBlocked: boolean,
  viewToken?: string,
): Client & Disposable & { readonly statuses: Status[] } {
  const statuses: Status[] = []
  const blocked = {
    // Three handshakes fail immediately.
    random: () => 0,
    open: () => {
      throw new Error('blocked')
    },
  }
  const client = connect(
    {
      url: String(api.app.socketAddress),
      apiUrl: `${api.url}/api`,
      ...(caller === null ? {} : { token: async () => String(caller.token) }),
      ...(viewToken === undefined ? {} : { viewToken }),
      onStatus: (status) => statuses.push(status),
    },
    isBlocked ? blocked : {},
  )
  return Object.defineProperties(client, {
    [Symbol.dispose]: { value: () => client.close() },
    statuses: { value: statuses },
  }) as Client & Disposable & { readonly statuses: Status[] }
}

test.each([
  ['socket', 1, false],
  ['stream', 2, true],
])('what a client holds by the %s is what a GET answers', async (door, number, isBlocked) => {
  const name = `/tournaments/${made.cup.guid}/matches/${number}` as const
  using watching = open(null, isBlocked)
  using staff = open(made.organiser, false)
  const topic = watching.topic(name, { facts: true })
  const list = watching.topic(`/tournaments/${made.cup.guid}/matches`)
  topic.subscribe(() => {})
  list.subscribe(() => {})
  await until(() => topic.status === 'live' && list.status === 'live')
  expect(watching.status).toMatchObject({ state: 'live', door })
  expect(topic.value).toEqual((await api.get(name)).body)
  const others = list.value?.matches.filter((match) => match.number !== number)
  const params = { tournament: made.cup.guid, match: number }
  const result = await staff.command('matches.start', { params }, { key: `start-${number}` })
  expect(result).toMatchObject({ status: 200, body: { status: 'running' }, replayed: false })
  const again = await staff.command('matches.start', { params }, { key: `start-${number}` })
  expect(again).toEqual({ ...result, replayed: true })
  await expect(staff.command('matches.start', { params })).rejects.toMatchObject({ status: 409, code: 'match.running' })
  await until(() => topic.value?.status === 'running' && list.value?.matches[number - 1]?.status === 'running')
  expect(topic.value).toEqual((await api.get(name)).body)
  expect(list.value).toEqual((await api.get(`/tournaments/${made.cup.guid}/matches`)).body)
  expect(topic.facts.map(({ type }) => type)).toEqual(['match.started'])
  for (const match of others ?? []) expect(list.value?.matches).toContain(match)
  // A missing topic ends alone; the other topic continues.
  const none = watching.topic('/tournaments/none/matches')
  none.subscribe(() => {})
  await until(() => none.status === 'ended')
  expect(none.error?.code).toBe('topic.unknown')
  expect(topic.status).toBe('live')
})

test.each([
  ['socket', false],
  ['stream', true],
])('by the %s a page follows what its view token shows, until that is revoked', async (door, isBlocked) => {
  const overlays = `/tournaments/${made.cup.guid}/overlays`
  const { body: overlay } = await api.post(overlays, made.organiser, { name: `By the ${door}` })
  const name = `${overlays}/${overlay.guid}`
  const { body: token } = await api.post(`${name}/tokens`, made.organiser, { label: 'Page' })
  using page = open(null, isBlocked, token.token)
  const topic = page.topic(name)
  topic.subscribe(() => {})
  await until(() => topic.status === 'live')
  const { text } = await api.get(name, null, { authorization: `Bearer ${token.token}` })
  expect([page.status.door, topic.value]).toEqual([door, JSON.parse(text)])
  await api.patch(name, made.organiser, { name: `Through the ${door}` })
  await until(() => JSON.stringify(topic.value).includes(`Through the ${door}`))
  await api.delete(`${name}/tokens/${token.guid}`, made.organiser)
  await until(() => page.statuses.some(({ code }) => code === 4103) && topic.status === 'ended')
  expect(topic.error?.code).toBe('topic.unknown')
})

test.each([
  ['socket', 3, false],
  ['stream', 4, true],
])(
  'by the %s it holds what viewers of a late stream see, apart from what there is',
  async (_door, number, isBlocked) => {
    const name = `/tournaments/${made.cup.guid}/matches/${number}` as const
    const shown = await api.patch(made.path, made.organiser, { streamDelaySeconds: 600 })
    expect(shown.status, shown.text).toBe(200)
    using watching = open(null, isBlocked)
    const [now, late] = [watching.topic(name), watching.topic(name, { delayed: true, facts: true })]
    const live = watching.live(`${name}/live`, { delayed: true })
    for (const topic of [now, late, live]) topic.subscribe(() => {})
    await until(() => [now, late, live].every(({ status }) => status === 'live'))
    expect([now.delayedBy, late.delayedBy]).toEqual([undefined, 600])
    await api.post(`${made.match(number)}/start`, made.organiser)
    await until(() => now.value?.status === 'running')
    expect([late.value?.status, late.facts]).toEqual(['ready', []])
    expect(late.value).toEqual((await api.get(`${name}?delayed=true`)).body)
    // When the delay is removed, the topic catches up with the present.
    await api.patch(made.path, made.organiser, { streamDelaySeconds: 0 })
    await until(() => late.value?.status === 'running')
    expect(late.value).toEqual(now.value)
    expect(late.facts.map(({ type }) => type)).toEqual(['match.started'])
  },
)
