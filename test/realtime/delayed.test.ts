import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBracket, type MadeBracket, makeBracket } from '../bracket-play.ts'
import { type Harness, outcome as outcomeOf, type Reply, startHarness } from '../harness.ts'
import { makeTournament, roleHolder } from '../make.ts'
import { until } from '../waiting.ts'
import { openSocket, type Socket } from './sockets.ts'
import { openStream } from './streams.ts'

/** The view of delayed viewers: never newer than the delay allows, and never going back. (RT40 to RT42) */

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

/** Status and code. */
const outcome = (reply: Reply) =>
  outcomeOf(reply)
    .filter((part) => part !== null)
    .join(' ')

async function delayBy(made: MadeBracket, streamDelaySeconds: number): Promise<void> {
  const reply = await api.patch(made.path, made.organiser, { streamDelaySeconds })
  expect(outcome(reply)).toBe('200')
}

const late = (path: string) => `${path}${path.includes('?') ? '&' : '?'}delayed=true`

/** A public body and the time range in which it was valid, in milliseconds. */
interface Version {
  readonly etag: string | null
  readonly from: number
  to: number
}

/** The responses for anonymous callers, version by version. */
class History {
  readonly versions = new Map<string, Version[]>()

  /** @param changedAt a time before the request that may have changed it */
  async note(topics: readonly string[], changedAt: number): Promise<void> {
    for (const topic of topics) {
      const { headers } = await api.get(topic)
      const versions = this.versions.get(topic) ?? []
      this.versions.set(topic, versions)
      const last = versions.at(-1)
      if (last?.etag === headers.get('etag')) continue
      if (last !== undefined) last.to = Date.now()
      versions.push({ etag: headers.get('etag'), from: changedAt, to: Number.POSITIVE_INFINITY })
    }
  }

  /** The fault of a version that was shown between two times; null without a fault. */
  faultOf(topic: string, etag: string, [askedAt, shownAt]: readonly [number, number], delayMs: number): string | null {
    const versions = this.versions.get(topic) ?? []
    const index = versions.findIndex((version) => version.etag === etag)
    const version = versions[index]
    if (version === undefined) return `${topic} never was ${etag}`
    if (version.from > shownAt - delayMs) return `${topic} ${index} came ${version.from - shownAt + delayMs} ms early`
    // One second because it moves in whole seconds, and one because it is behind the last commits.
    return version.to < askedAt - delayMs - 2_000 ? `${topic} ${index} stayed too long` : null
  }
}

test('it is what everybody could see so long ago: bodies, ETags, facts, lists of a part, on every process', async () => {
  const made = await makeBracket(api, { teams: 8, format: 'single_elimination' })
  const delayMs = 3_000
  await delayBy(made, delayMs / 1_000)
  const base = `/tournaments/${made.cup.guid}`
  const bracket = `${base}/brackets/${made.bracket.guid}`
  const list = `${base}/matches`
  const completed = `${list}?status=completed`
  const first = `${list}/1`
  const topics = [list, completed, first, bracket, `${bracket}/standings`]
  const history = new History()
  await history.note(topics, Date.now() - 60_000)

  const faults: (string | null)[] = []
  const arrivals: { readonly topic: string; readonly etag: string; readonly at: number; readonly facts: object[] }[] =
    []
  await using socket = await openSocket(api)
  await using staff = await openSocket(second, { as: made.organiser })
  socket.socket.on('message', (data) => {
    const { topic, etag, facts = [], type } = JSON.parse(String(data))
    if (type !== 'snapshot' && type !== 'event') return
    arrivals.push({ topic: topic.replace(/[?&](facts=1&)?delayed=1$/, ''), etag, facts, at: Date.now() })
  })
  for (const topic of topics) {
    const answer = await socket.ask({ type: 'subscribe', topic, delayed: true, facts: true })
    expect(answer, topic).toMatchObject({ type: 'snapshot', delayedBy: 3 })
    expect(answer.topic).toBe(`${topic}${topic.includes('?') ? '&' : '?'}facts=1&delayed=1`)
    expect((await staff.ask({ type: 'subscribe', topic, delayed: true })).body).toEqual(answer.body)
  }
  await using stream = await openStream(second, topics, { query: { delayed: 'true' } })

  let isOver = false
  const sampling = (async () => {
    for (let number = 0; !isOver; number++) {
      for (const topic of topics) {
        const askedAt = Date.now()
        const reply = await (number % 2 === 0 ? api : second).get(late(topic), number % 3 === 0 ? made.organiser : null)
        expect([reply.status, reply.headers.get('delayed')]).toEqual([200, '3'])
        const etag = reply.headers.get('etag') ?? ''
        faults.push(history.faultOf(topic, etag, [askedAt, Date.now()], delayMs))
      }
      await wait(50)
    }
  })()

  const startedAt = Date.now()
  const isThereLate = async () => {
    const replies = await Promise.all(topics.map((topic) => api.get(late(topic))))
    return replies.every(({ headers }, index) => {
      const now = history.versions.get(topics[index] as string)?.at(-1)?.etag
      return headers.get('etag') === now
    })
  }
  const correct = async () => {
    const result = { outcome: 'score', scores: [1, 2] }
    const { revision } = (await made.tell(1, result, '?dryRun=true')).body
    expect(outcome(await made.tell(1, { ...result, revision }))).toBe('200')
  }
  const steps: (() => Promise<unknown>)[] = [
    () => api.post(`${made.match(1)}/start`, made.organiser),
    () => made.win(1, 'team-1'),
    () => second.patch(made.match(2), made.organiser, { notes: 'for the staff' }),
    () => made.win(2, 'team-4'),
    () => made.win(3, 'team-2'),
    correct,
    () => made.win(4, 'team-3'),
  ]
  try {
    for (const step of steps) {
      const before = Date.now()
      await step()
      await history.note(topics, before)
      await wait(250)
    }
    await until(isThereLate)
  } finally {
    isOver = true
    await sampling
  }
  expect(Date.now() - startedAt).toBeGreaterThan(delayMs)
  expect(faults.filter((fault) => fault !== null)).toEqual([])
  expect(faults.length).toBeGreaterThan(40)

  for (const topic of topics) {
    const newest = history.versions.get(topic)?.at(-1)?.etag
    const name = (options: string) => `${topic}${topic.includes('?') ? '&' : '?'}${options}`
    for (const [copies, held] of [
      [socket.copies, name('facts=1&delayed=1')],
      [staff.copies, name('delayed=1')],
      [stream.copies, name('delayed=1')],
    ] as const) {
      await copies.until((all) => all.of(held).etag === newest, `the end of ${held}`)
      expect(copies.of(held).body).toEqual((await api.get(topic)).body)
    }
  }
  for (const { topic, etag, at, facts } of arrivals) {
    expect(history.faultOf(topic, etag, [0, at], delayMs)).toBeNull()
    for (const fact of facts as { readonly at: string }[]) expect(Date.parse(fact.at)).toBeLessThanOrEqual(at - delayMs)
  }
  // Each fact once, and no fact for staff only.
  const audit = await api.sql<{ type: string }>(
    `select type from event_log where tournament = $1 and type like 'match.%' and type <> 'match.updated' order by seq`,
    [made.cup.guid],
  )
  // An event is logged a moment after its rows: if a second ends between them, the event comes a second later.
  await socket.copies.until((all) => all.of(`${list}?facts=1&delayed=1`).facts.length >= audit.length, 'all facts')
  const told = socket.copies.of(`${list}?facts=1&delayed=1`).facts
  expect(new Set(told.map(({ id }) => id)).size).toBe(told.length)
  expect(told.map(({ type }) => type)).toEqual(audit.map(({ type }) => type))

  // A client that reconnects gets the missed facts with the same delay.
  const since = socket.copies.packets.find(({ type }) => type === 'snapshot')?.position
  const back = await socket.ask({ type: 'subscribe', topic: list, delayed: true, facts: true, since, replace: true })
  expect(back.facts ?? [], JSON.stringify(back).slice(0, 300)).toHaveLength(back.type === 'resumed' ? 0 : told.length)
})

test('where the delay begins or grows it stands still, where it shrinks it runs on; it never goes back', async () => {
  const made = await makeBracket(api, { teams: 8, format: 'single_elimination' })
  const path = `/tournaments/${made.cup.guid}/matches`
  const shown = async () => {
    const reply = await api.get(late(path))
    expect(reply.status, reply.text).toBe(200)
    const matches = reply.body.matches as { status: string }[]
    return `${reply.headers.get('delayed')}: ${matches.filter(({ status }) => status === 'completed').length}`
  }
  expect(await shown()).toBe('0: 0')
  await made.win(1, 'team-1')
  expect(await shown()).toBe('0: 1')
  const etags = await Promise.all([path, late(path)].map(async (each) => (await api.get(each)).headers.get('etag')))
  expect(etags[0]).toBe(etags[1])

  await using socket = await openSocket(api)
  expect((await socket.ask({ type: 'subscribe', topic: path, delayed: true })).delayedBy).toBe(0)
  await delayBy(made, 1_000)
  await made.win(2, 'team-4')
  expect(await shown()).toBe('1000: 1')
  await delayBy(made, 1_800)
  await made.win(3, 'team-2')
  expect(await shown()).toBe('1800: 1')
  const again = await socket.ask({ type: 'subscribe', topic: path, delayed: true, replace: true })
  expect([again.delayedBy, again.etag]).toEqual([1_800, etags[0]])

  // Another process, which started later.
  await using third = await api.sibling()
  expect((await third.get(late(path))).headers.get('etag')).toBe(etags[0])

  // Waits a second, so that its end is after all commits.
  await delayBy(made, 1)
  await until(async () => (await shown()) === '1: 3')
  await delayBy(made, 600)
  await made.win(4, 'team-3')
  expect(await shown()).toBe('600: 3')
  await delayBy(made, 0)
  expect(await shown()).toBe('0: 4')
  await socket.copies.until(
    (held) => JSON.stringify(held.of(`${path}?delayed=1`).body).match(/"completed"/g)?.length === 4,
    'all four',
  )
  const kept = await api.sql('select from earlier_rows where tournament_guid = $1', [made.cup.guid])
  expect(kept.length).toBeGreaterThan(0)
  expect((await api.get(late(path), made.organiser)).text).toBe((await api.get(path)).text)
})

test('rights are never late: what is hidden or deleted now is unknown now, and staff are shown what viewers are', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  expect(outcome(await api.patch(made.match(1), made.organiser, { notes: 'for the staff' }))).toBe('200')
  await delayBy(made, 1_800)
  const base = `/tournaments/${made.cup.guid}`
  // The bracket did not exist at the time of the stream.
  const extra = await addBracket(api, made, { format: 'round_robin', division: 'main' })
  const address = `${base}/brackets/${extra.guid}`
  expect(outcome(await api.get(address))).toBe('200')
  expect(outcome(await api.get(late(address), made.organiser))).toBe('404 bracket.unknown')
  const gone = `${base}/brackets/${made.bracket.guid}`
  await using socket = await openSocket(api, { as: made.organiser })
  expect(await socket.ask({ type: 'subscribe', topic: address, delayed: true })).toMatchObject({
    code: 'topic.unknown',
  })
  const list = await socket.ask({ type: 'subscribe', topic: `${base}/matches`, delayed: true })
  expect(list.body.matches).toHaveLength(3)
  expect(list.body.matches.map(({ notes }: { notes: unknown }) => notes)).toEqual([null, null, null])
  expect(await socket.ask({ type: 'subscribe', topic: gone, delayed: true })).toMatchObject({ type: 'snapshot' })

  expect(outcome(await api.delete(gone, made.organiser))).toBe('204')
  await socket.copies.until((held) => held.of(`${gone}?delayed=1`).ended === 'gone', 'the end of the bracket')
  expect(outcome(await api.get(late(gone)))).toBe('404 bracket.unknown')
  // In a list the bracket appears as it was, also after its teams were deleted.
  await api.delete(address, made.organiser)
  for (const { guid } of made.teams) await api.delete(`${made.path}/teams/${guid}`, made.organiser)
  const reply = await api.get(late(`${base}/matches`))
  expect([reply.status, reply.body.matches.length]).toEqual([200, 3])

  const draft = await makeTournament(api, made.organiser, { status: 'draft' })
  const hidden = `/tournaments/${draft.guid}/matches`
  expect(outcome(await api.get(hidden, made.organiser))).toBe('200')
  expect(outcome(await api.get(late(hidden), made.organiser))).toBe('404 tournament.unknown')
  expect(await socket.ask({ type: 'subscribe', topic: hidden, delayed: true })).toMatchObject({ code: 'topic.unknown' })
})

test('what tells of no results cannot be asked for late', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  await using socket = await openSocket(api)
  for (const topic of [made.path, `${made.path}/teams`, '/notices']) {
    expect(await socket.ask({ type: 'subscribe', topic, delayed: true })).toMatchObject({
      status: 400,
      code: 'topic.not_delayed',
    })
    const events = await api.get(`/events?delayed=true&topic=${encodeURIComponent(topic)}`)
    expect(outcome(events)).toBe('400 topic.not_delayed')
  }
  expect(outcome(await api.get(`/events?delayed=perhaps&topic=/notices`))).toBe('400 topic.invalid')
  const path = `${made.path}/matches`
  expect(outcome(await api.get(`${path}?delayed=perhaps`))).toBe('400 request.invalid')
  expect((await api.get(`${path}?delayed=false`)).headers.get('delayed')).toBeNull()
  await socket.ask({ type: 'subscribe', topic: path, delayed: true })
  expect(await socket.ask({ type: 'subscribe', topic: `${path}?delayed=1` })).toMatchObject({
    code: 'topic.subscribed',
  })
  const ended = await socket.ask({ type: 'unsubscribe', topic: `${path}?delayed=1` })
  expect(ended).toMatchObject({ type: 'ended', reason: 'unsubscribed', topic: `${path}?delayed=1` })
  // A ticket for the topic is also valid for its delayed version.
  const ticket = await api.post('/realtime/tickets', made.organiser, { topics: [path] })
  await using bound = await openSocket(api, { query: `?ticket=${ticket.body.ticket}` })
  expect(await bound.ask({ type: 'subscribe', topic: path, delayed: true })).toMatchObject({ type: 'snapshot' })
  expect(await bound.ask({ type: 'subscribe', topic: `${path}/1`, delayed: true })).toMatchObject({
    code: 'topic.unknown',
  })
})

test('organiser and head casters say how far the stream is behind, from 0 to 1800 seconds', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const [head, caster, staff] = await Promise.all(
    ['role:hcaster', 'role:caster', 'role:staff'].map((role) => roleHolder(api, made.cup, role)),
  )
  const set = async (as: typeof head, body: object) => outcome(await api.patch(made.path, as as never, body))
  expect(await set(head, { streamDelaySeconds: 90 })).toBe('200')
  expect((await api.get(made.path)).body).toMatchObject({ streamDelaySeconds: 90, liveScores: 'public' })
  expect(await set(head, { name: 'Mine' })).toBe('403 tournament.setting_forbidden')
  expect(await set(head, { liveScores: 'staff' })).toBe('403 tournament.setting_forbidden')
  expect(await set(staff, { streamDelaySeconds: 1 })).toBe('403 tournament.setting_forbidden')
  expect(await set(caster, { streamDelaySeconds: 1 })).toBe('403 role.missing')
  for (const streamDelaySeconds of [-1, 1_801, 1.5, null, '90']) {
    expect(await set(made.organiser, { streamDelaySeconds })).toBe('400 request.invalid')
  }
})

const liveOf = (made: MadeBracket) => `/tournaments/${made.cup.guid}/matches/1/live`

function scoresOf({ copies }: Pick<Socket, 'copies'>, topic: string): number[] {
  return copies.packets
    .filter((packet) => packet.type === 'state' && packet.topic === topic)
    .flatMap(({ states }) => Object.values(states).map((state) => (state as { score: number }).score))
}

test('live scores come as late as the stream, once a second, and at once without a delay', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const coordinator = await roleHolder(api, made.cup, 'role:coordinator')
  const topic = liveOf(made)
  const name = `${topic}?delayed=1`
  await using writer = await openSocket(second, { as: coordinator })
  await using viewer = await openSocket(api)
  let seq = 0
  const write = (score: number) =>
    writer.send({ type: 'publish', topic, key: `player:${made.organiser.guid}`, value: { score }, seq: ++seq })
  expect(await viewer.ask({ type: 'subscribe', topic, delayed: true })).toMatchObject({ full: true, topic: name })
  write(1)
  await until(() => scoresOf(viewer, name).includes(1))

  const delayMs = 2_000
  await delayBy(made, delayMs / 1_000)
  await viewer.ask({ type: 'subscribe', topic })
  await until(async () => {
    write(2)
    await wait(100)
    return scoresOf(viewer, topic).includes(2)
  })
  const writtenAt: number[] = []
  for (let score = 10; score < 20; score++) {
    writtenAt[score] = Date.now()
    write(score)
    await wait(150)
  }
  const arrived: number[] = []
  await until(() => {
    for (const score of scoresOf(viewer, name)) arrived[score] ??= Date.now()
    return arrived[19] !== undefined
  })
  const came = Object.keys(arrived)
    .map(Number)
    .filter((score) => score >= 10)
  for (const score of came) {
    expect((arrived[score] as number) - (writtenAt[score] as number), `${score}`).toBeGreaterThanOrEqual(delayMs)
  }
  // In a second and a half, only some of the packets have come.
  expect(came.length).toBeLessThan(5)
})

test('where a tournament shows live scores to its staff, all others lose them at once, late ones too', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const caster = await roleHolder(api, made.cup, 'role:caster')
  const topic = liveOf(made)
  await using viewer = await openSocket(second)
  await using player = await openSocket(api, { as: made.captains[0] ?? null })
  await using staff = await openSocket(api, { as: caster })
  for (const socket of [viewer, player, staff]) {
    expect(await socket.ask({ type: 'subscribe', topic })).toMatchObject({ full: true })
    expect(await socket.ask({ type: 'subscribe', topic, delayed: true })).toMatchObject({ full: true })
  }
  expect(outcome(await api.patch(made.path, made.organiser, { liveScores: 'staff' }))).toBe('200')
  for (const { copies } of [viewer, player]) {
    await copies.until(({ packets }) => packets.filter(({ type }) => type === 'ended').length === 2, 'both ends')
    const ended = copies.packets.filter(({ type }) => type === 'ended')
    expect(ended.map(({ reason }) => reason)).toEqual(['forbidden', 'forbidden'])
  }
  await staff.copies.until(({ packets }) => packets.some(({ type }) => type === 'ended'), 'the end of what is late')
  const ended = staff.copies.packets.filter(({ type }) => type === 'ended')
  expect(ended.map(({ topic: name }) => name)).toEqual([`${topic}?delayed=1`])
  const unknown = { status: 404, code: 'topic.unknown' }
  expect(await viewer.ask({ type: 'subscribe', topic })).toMatchObject(unknown)
  expect(await player.ask({ type: 'subscribe', topic })).toMatchObject(unknown)
  expect(await staff.ask({ type: 'subscribe', topic, replace: true })).toMatchObject({ full: true })
  expect(outcome(await api.patch(made.path, made.organiser, { liveScores: 'public' }))).toBe('200')
  expect(await viewer.ask({ type: 'subscribe', topic })).toMatchObject({ full: true })
})
