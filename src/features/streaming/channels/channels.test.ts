import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MadeBracket, makeBracket } from '../../../../test/bracket-play.ts'
import { caughtUp } from '../../../../test/event-log.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { makeTournament, roleHolder } from '../../../../test/make.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'
import { nobody } from '../../../../test/world.ts'
import { queueFollower } from './followers.ts'

/** The channels of a tournament, their queues of matches, and that queues follow the matches. (S13) */

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

const codeOf = (reply: Reply) => outcome(reply).join(' ')
const main = { name: 'Main', url: 'https://streams.example.org/main', delaySeconds: 90 }
const side = { name: 'Side', url: 'https://streams.example.org/side', delaySeconds: 0 }

const readList = async (of: Pick<MadeBracket, 'path'>) => (await api.get(`${of.path}/channels`)).body

async function setChannels(of: MadeBracket, channels: readonly object[]): Promise<Reply['body']> {
  const { revision } = await readList(of)
  const reply = await api.put(`${of.path}/channels`, of.organiser, { channels, revision })
  expect(codeOf(reply), reply.text).toBe('200 ')
  return reply.body.channels
}

const queuePath = (of: MadeBracket, channel: { guid: string }) => `${of.path}/channels/${channel.guid}/queue`
const readQueue = async (of: MadeBracket, channel: { guid: string }) => (await api.get(queuePath(of, channel))).body

/** Matches by number, each with an optional status. */
type Line = readonly (readonly [number, string?])[]

async function sendQueue(of: MadeBracket, channel: { guid: string }, line: Line, as = of.organiser): Promise<Reply> {
  const { revision } = await readQueue(of, channel)
  const entries = line.map(([number, status]) => ({ match: `${number}`, ...(status && { status }) }))
  return api.put(queuePath(of, channel), as, { entries, revision })
}

async function setQueue(of: MadeBracket, channel: { guid: string }, line: Line): Promise<Reply['body']> {
  const reply = await sendQueue(of, channel, line)
  expect(codeOf(reply), reply.text).toBe('200 ')
  return reply.body
}

/** Returns the queue after the follower has updated it. */
async function lineOf(of: MadeBracket, channel: { guid: string }): Promise<string> {
  await caughtUp(api, queueFollower)
  const { entries } = await readQueue(of, channel)
  return entries.map(({ match, status }: Reply['body']) => `${match.number} ${status}`).join(', ')
}

const makeCup = (teams = 8) => makeBracket(api, { teams, format: 'single_elimination' })

describe('the channels', () => {
  test('are replaced as a whole, in their order, with those that are named kept', async () => {
    const of = await makeCup(2)
    expect(await readList(of)).toEqual({ channels: [], revision: 0 })
    const [one, two] = await setChannels(of, [main, side])
    expect(one).toMatchObject({ ...main, order: 1 })
    const list = await readList(of)
    expect(list).toEqual({ channels: [one, two], revision: 1 })
    expect(await setChannels(of, [one, two])).toEqual([one, two])
    expect((await readList(of)).revision).toBe(1)

    const [moved, fresh, kept] = await setChannels(of, [two, { name: 'Third', url: side.url }, one])
    expect([moved, kept]).toMatchObject([
      { ...two, order: 1, updatedAt: expect.any(String) },
      { ...one, order: 3, updatedAt: expect.any(String) },
    ])
    expect(fresh).toMatchObject({ name: 'Third', delaySeconds: 0, order: 2 })
    const events = await api.sql(
      `select subject, before, after from event_log where type = 'channels.replaced' and tournament = $1 order by seq`,
      [of.cup.guid],
    )
    const logged = ({ guid, name, url, delaySeconds }: Reply['body']) => ({ guid, name, url, delaySeconds })
    expect(events).toEqual([
      {
        subject: of.cup.guid,
        before: { revision: 0, channels: [] },
        after: { revision: 1, channels: [one, two].map(logged) },
      },
      {
        subject: of.cup.guid,
        before: { revision: 1, channels: [one, two].map(logged) },
        after: { revision: 2, channels: [moved, fresh, kept].map(logged) },
      },
    ])
  })

  test('are the organiser’s and the head casters’, queues casters’ too', async () => {
    const of = await makeCup(2)
    const roles = ['role:hcaster', 'role:caster', 'role:coordinator', 'role:staff'] as const
    const callers = await Promise.all(roles.map((role) => roleHolder(api, of.cup, role)))
    const lists: string[] = []
    for (const caller of [of.organiser, ...callers, await api.user()]) {
      const { revision } = await readList(of)
      const { channels } = await readList(of)
      lists.push(codeOf(await api.put(`${of.path}/channels`, caller, { channels: [...channels, side], revision })))
    }
    const no = '403 role.missing'
    expect(lists).toEqual(['200 ', '200 ', no, no, no, no])
    const [channel] = (await readList(of)).channels
    const queues: string[] = []
    for (const caller of [of.organiser, ...callers, await api.user()]) {
      queues.push(codeOf(await sendQueue(of, channel, [], caller)))
    }
    expect(queues).toEqual(['200 ', '200 ', '200 ', no, no, no])
    expect(codeOf(await api.put(`${of.path}/channels`, null, {}))).toBe('401 token.missing')
  })

  test('are eight at most, with an address over https; what is stale is refused with the list as it is', async () => {
    const of = await makeCup(2)
    const put = (channels: readonly object[], revision = 0) =>
      api.put(`${of.path}/channels`, of.organiser, { channels, revision })
    const refused = async (...channels: object[]) => codeOf(await put(channels))
    expect(await refused(...Array.from({ length: 9 }, () => side))).toBe('400 request.invalid')
    expect(await refused({ ...side, name: '' })).toBe('400 request.invalid')
    expect(await refused({ ...side, name: 'x'.repeat(41) })).toBe('400 request.invalid')
    expect(await refused({ ...side, delaySeconds: 1_801 })).toBe('400 request.invalid')
    expect(await refused({ ...side, url: 'http://streams.example.org' })).toBe('400 channel.invalid')
    expect(await refused({ ...side, guid: nobody })).toBe('400 channel.unknown')
    expect(await refused({ ...side, guid: 'none' })).toBe('400 request.invalid')
    expect(await readList(of)).toEqual({ channels: [], revision: 0 })

    const [foreign] = await setChannels(await makeCup(2), [main])
    expect(await refused({ ...side, guid: foreign.guid })).toBe('400 channel.unknown')
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? api : second).put(`${of.path}/channels`, of.organiser, {
          channels: [{ ...side, name: `Channel ${index}` }],
          revision: 0,
        }),
      ),
    )
    const codes = replies.map(codeOf).sort()
    expect(codes).toEqual(['200 ', ...Array.from({ length: 9 }, () => '409 channel.stale')])
    const present = replies.find(({ status }) => status === 200)?.body
    expect(replies.find(({ status }) => status === 409)?.body.present).toEqual(present)
    expect(await refused(present.channels[0], present.channels[0])).toBe('409 channel.stale')
    expect(codeOf(await put([present.channels[0], present.channels[0]], 1))).toBe('400 channel.twice')
  })

  test('a draft hides them; nothing of a cancelled tournament changes', async () => {
    const of = await makeCup(2)
    const [channel] = await setChannels(of, [main])
    const elsewhere = await makeTournament(api, of.organiser, {})
    expect(codeOf(await api.get(`/tournaments/${elsewhere.id}/channels/${channel.guid}/queue`))).toBe(
      '404 channel.unknown',
    )
    expect(codeOf(await api.get(`${of.path}/channels/main/queue`))).toBe('404 channel.unknown')
    await api.sql(`update tournaments set status = 'cancelled' where guid = $1`, [of.cup.guid])
    expect(codeOf(await api.put(`${of.path}/channels`, of.organiser, { channels: [], revision: 1 }))).toBe(
      '409 tournament.cancelled',
    )
    expect(codeOf(await api.put(queuePath(of, channel), of.organiser, { entries: [], revision: 0 }))).toBe(
      '409 tournament.cancelled',
    )
    const draft = await makeTournament(api, of.organiser, { status: 'draft' })
    expect(codeOf(await api.get(`/tournaments/${draft.id}/channels`))).toBe('404 tournament.unknown')
  })
})

describe('a queue', () => {
  test('has matches of the tournament, each in one queue alone, and what is next whole', async () => {
    const of = await makeCup()
    const [one, two] = await setChannels(of, [main, side])
    const plannedAt = '2027-05-01T18:00:00.000Z'
    const first = await of.readMatch(1)
    const entries = [
      { match: '2', division: 'main', status: 'next', plannedAt },
      { match: first.guid, status: 'queued' },
    ]
    const reply = await api.put(queuePath(of, one), of.organiser, { entries, revision: 0 })
    expect(codeOf(reply), reply.text).toBe('200 ')
    const next = (await api.get(of.match(2))).body
    expect(next).toMatchObject({ streamUrl: main.url, notes: null })
    expect(reply.body).toEqual({
      channel: one.guid,
      entries: [
        { match: { guid: next.guid, number: 2 }, status: 'next', plannedAt },
        { match: { guid: first.guid, number: 1 }, status: 'queued', plannedAt: null },
      ],
      next: { match: next, flow: null },
      revision: 1,
    })
    expect(await readQueue(of, one)).toEqual(reply.body)
    // Sending the same queue again changes nothing.
    expect((await api.put(queuePath(of, one), of.organiser, { entries, revision: 1 })).body).toEqual(reply.body)

    const refused = async (channel: Reply['body'], more: object[], revision = 0) =>
      codeOf(await api.put(queuePath(of, channel), of.organiser, { entries: more, revision }))
    expect(await refused(two, [{ match: '1' }])).toBe('409 queue.match_elsewhere')
    expect(await refused(two, [{ match: nobody }])).toBe('404 match.unknown')
    expect(await refused(two, [{ match: '99' }])).toBe('404 match.unknown')
    expect(await refused(two, [{ match: '3' }, { match: '3' }])).toBe('400 queue.invalid')
    expect(
      await refused(two, [
        { match: '3', status: 'live' },
        { match: '4', status: 'live' },
      ]),
    ).toBe('400 queue.invalid')
    expect(await refused(two, [{ match: '3', plannedAt: '1999-01-01T00:00:00Z' }])).toBe('400 request.invalid')
    expect(await refused(two, [{ match: '3', status: 'soon' }])).toBe('400 request.invalid')
    const foreign = await (await makeCup(2)).readMatch(1)
    expect(await refused(two, [{ match: foreign.guid }])).toBe('404 match.unknown')
    const stale = await api.put(queuePath(of, one), of.organiser, { entries: [], revision: 0 })
    expect([codeOf(stale), stale.body.present]).toEqual(['409 queue.stale', reply.body])

    // The next match changes with its record, and is the same for every viewer.
    const flowPlan = { revision: 0, default: 'accsaber-bo3' }
    expect((await api.put(`${of.path}/flow-plan`, of.organiser, flowPlan)).status).toBe(200)
    await api.patch(of.match(2), of.organiser, { notes: 'Secret.', vodUrl: 'https://vods.example.org/2' })
    const later = await readQueue(of, one)
    expect(later.next).toMatchObject({
      match: { vodUrl: 'https://vods.example.org/2', notes: null },
      flow: { guid: null, name: expect.any(String), seats: 2 },
    })
    expect((await api.get(queuePath(of, one), of.organiser)).body).toEqual(later)
    // Two matches swap the statuses of which there may be only one each.
    expect(
      await setQueue(of, one, [
        [1, 'next'],
        [2, 'live'],
      ]),
    ).toMatchObject({ next: { match: { number: 1 } } })
    expect(
      await setQueue(of, one, [
        [1, 'live'],
        [2, 'next'],
      ]),
    ).toMatchObject({ next: { match: { number: 2 } } })
    // A deleted channel deletes its queue, so its matches can be added to another channel.
    await setChannels(of, [two])
    expect(codeOf(await api.get(queuePath(of, one)))).toBe('404 channel.unknown')
    expect(await setQueue(of, two, [[1], [2]])).toMatchObject({ revision: 1 })
    expect((await of.readMatch(1)).streamUrl).toBe(side.url)
  })

  test('a pool that is still a draft is not told of', async () => {
    const of = await makeCup(2)
    const [channel] = await setChannels(of, [main])
    await setQueue(of, channel, [[1, 'next']])
    const pool = await api.post(`${of.path}/pools`, of.organiser, { name: 'Secret finals' })
    expect(pool.status, pool.text).toBe(201)
    const planned = await api.put(`${of.path}/pool-plan`, of.organiser, { revision: 0, default: pool.body.guid })
    expect(planned.status, planned.text).toBe(200)
    expect((await of.readMatch(1)).pool).toMatchObject({ guid: pool.body.guid })
    for (const caller of [null, of.organiser]) {
      const reply = await api.get(queuePath(of, channel), caller)
      expect(reply.body.next.match.pool).toBeNull()
      expect(reply.text).not.toContain('Secret')
    }
  })

  test('addresses of channels become those of matches, but for matches that are over', async () => {
    const of = await makeCup()
    const [channel] = await setChannels(of, [main])
    await of.win(1, 'team-1')
    await api.patch(of.match(1), of.organiser, { streamUrl: 'https://streams.example.org/elsewhere' })
    await api.patch(of.match(3), of.organiser, { streamUrl: 'https://streams.example.org/own' })
    const { revision } = await of.readMatch(2)
    await setQueue(of, channel, [[1], [2], [3]])
    const urls = async () => Promise.all([1, 2, 3, 4].map(async (number) => (await of.readMatch(number)).streamUrl))
    const elsewhere = 'https://streams.example.org/elsewhere'
    expect(await urls()).toEqual([elsewhere, main.url, main.url, null])
    expect((await of.readMatch(2)).revision).toBe(revision + 1)
    // A match whose address was changed by hand keeps it when the queue changes.
    await api.patch(of.match(3), of.organiser, { streamUrl: 'https://streams.example.org/own' })
    await setQueue(of, channel, [[3], [2]])
    expect(await urls()).toEqual([elsewhere, main.url, 'https://streams.example.org/own', null])
    await setChannels(of, [{ ...channel, url: side.url }])
    expect(await urls()).toEqual([elsewhere, side.url, side.url, null])
    const events = await api.sql(
      `select after from event_log where type = 'match.updated' and tournament = $1 and actor = $2
       and after ->> 'streamUrl' = $3`,
      [of.cup.guid, of.organiser.guid, side.url],
    )
    expect(events.map(({ after }) => after)).toEqual(
      expect.arrayContaining([2, 3].map((number) => ({ number, streamUrl: side.url }))),
    )
  })

  test('follows what is played: begun, over, corrected, reopened, on whichever process', async () => {
    const of = await makeCup()
    const [channel] = await setChannels(of, [main])
    await setQueue(of, channel, [[1, 'next'], [2], [3], [5]])
    const startMatch = (number: number) => second.post(`${of.match(number)}/start`, of.organiser)
    await startMatch(1)
    expect(await lineOf(of, channel)).toBe('1 live, 2 queued, 3 queued, 5 queued')
    expect((await readQueue(of, channel)).next).toBeNull()
    // While one match runs, another one that begins stays queued.
    await api.put(`${of.match(2)}/games/1`, of.organiser, { sides: [{ score: 10 }, { score: 5 }] })
    expect(await lineOf(of, channel)).toBe('1 live, 2 queued, 3 queued, 5 queued')
    await of.win(1, 'team-1')
    expect(await lineOf(of, channel)).toBe('1 done, 2 live, 3 queued, 5 queued')
    await setQueue(of, channel, [[1], [2, 'done'], [3, 'live'], [5, 'next']])
    expect(await lineOf(of, channel)).toBe('1 done, 2 done, 3 live, 5 next')
    const reopen = (more: object) => api.post(`${of.match(1)}/reopen`, of.organiser, { reason: 'Protest.', ...more })
    await reopen({ revision: (await reopen({ dryRun: true })).body.revision })
    expect((await of.readMatch(1)).status).toBe('running')
    // The live match had not begun, so it gives way.
    expect(await lineOf(of, channel)).toBe('1 live, 2 done, 3 queued, 5 next')
    const { revision } = await readQueue(of, channel)
    await startMatch(3)
    await caughtUp(api, queueFollower)
    await of.win(3, (await of.readMatch(3)).sides[0].team.id)
    expect(await lineOf(of, channel)).toContain('3 done')
    const after = await readQueue(of, channel)
    expect(after.revision).toBeGreaterThan(revision)
    const [event] = await api.sql(
      `select actor, subject, after from event_log where type = 'channel.queue_changed' and tournament = $1
       order by seq desc limit 1`,
      [of.cup.guid],
    )
    expect(event).toMatchObject({ actor: null, subject: channel.guid, after: { revision: after.revision, entries: 4 } })
    // A bracket that is generated again has other matches.
    await api.sql('delete from matches where guid = $1', [(await of.readMatch(5)).guid])
    expect(await readQueue(of, channel)).toMatchObject({ entries: expect.not.arrayContaining([{ number: 5 }]) })
  })

  test('of ten casters at once, one is heard; two channels never show one match', async () => {
    const of = await makeCup()
    const [one, two] = await setChannels(of, [main, side])
    const casters = await Promise.all(Array.from({ length: 10 }, () => roleHolder(api, of.cup, 'role:caster')))
    const replies = await Promise.all(
      casters.map((caster, index) => {
        const entries = [{ match: `${1 + (index % 4)}`, status: 'live' }]
        return (index % 2 === 0 ? api : second).put(queuePath(of, one), caster, { entries, revision: 0 })
      }),
    )
    expect(replies.map(codeOf).sort()).toEqual(['200 ', ...Array.from({ length: 9 }, () => '409 queue.stale')])
    await setQueue(of, one, [])
    const both = await Promise.all([one, two].map((channel) => sendQueue(of, channel, [[1], [2]])))
    expect(both.map(codeOf).sort()).toEqual(['200 ', '409 queue.match_elsewhere'])
  })

  test('is followed, and filled over a socket once for each key', async () => {
    const of = await makeCup()
    const [channel] = await setChannels(of, [main])
    const base = `/tournaments/${of.cup.guid}/channels`
    const topic = `${base}/${channel.guid}/queue`
    await using stranger = await openSocket(second)
    for (const name of [base, topic]) await stranger.ask({ type: 'subscribe', topic: name, facts: true })
    const held = (name: string) => stranger.copies.of(`${name}?facts=1`)
    await using caster = await openSocket(api, { as: await roleHolder(api, of.cup, 'role:caster') })
    const send = (body: object, key: string) =>
      caster.ask({
        type: 'command',
        name: 'channels.replaceQueue',
        params: { tournament: of.cup.id, channel: channel.guid },
        body,
        key,
      })
    const key = randomUUID()
    const body = { entries: [{ match: '1', status: 'next' }, { match: '2' }], revision: 0 }
    const result = await send(body, key)
    expect(result).toMatchObject({ type: 'result', status: 200, body: { revision: 1 }, replayed: false })
    expect(await send(body, key)).toEqual({ ...result, id: expect.anything(), replayed: true })
    expect(await send(body, randomUUID())).toMatchObject({ type: 'error', status: 409, code: 'queue.stale' })
    await api.post(`${of.match(1)}/start`, of.organiser)
    await setChannels(of, [{ ...channel, name: 'Renamed' }])
    await stranger.copies.until(() => held(topic).facts.length === 2 && held(base).facts.length === 1, 'the facts')
    expect(held(topic).facts.map(({ type, changed }) => [type, [...changed].sort()])).toEqual([
      ['channel.queue_changed', ['entries', 'live', 'next']],
      ['channel.queue_changed', ['entries', 'live', 'next']],
    ])
    expect(held(base).facts.map(({ type, changed }) => [type, changed])).toEqual([['channels.replaced', ['channels']]])
    const queue = await readQueue(of, channel)
    await stranger.copies.until(() => JSON.stringify(held(topic).body) === JSON.stringify(queue), 'the queue')
    expect((held(base).body as Reply['body']).channels[0].name).toBe('Renamed')
    // A user who lost the caster role has no right over the socket either.
    const other: Caller = await api.user()
    await using outsider = await openSocket(api, { as: other })
    const refused = await outsider.ask({
      type: 'command',
      name: 'channels.replaceQueue',
      params: { tournament: of.cup.id, channel: channel.guid },
      body: { entries: [], revision: 2 },
    })
    expect(refused).toMatchObject({ type: 'error', status: 403 })
    await setChannels(of, [])
    await stranger.copies.until(() => stranger.copies.packets.some(({ type }) => type === 'ended'), 'the end')
  })
})
