import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeSheet } from '../availability.ts'
import { type MadeBracket, makeBracket } from '../bracket-play.ts'
import { type Caller, type Harness, startHarness } from '../harness.ts'
import { makeTeam, makeTournament, roleHolder } from '../make.ts'
import { makeVisibility } from '../visibility.ts'
import { followFacts, makeChanging } from './coming-back.ts'
import { openSocket, type Socket } from './sockets.ts'
import { openStream } from './streams.ts'

let api: Harness
let made: MadeBracket
beforeAll(async () => {
  api = await startHarness()
  made = await makeBracket(api, { teams: 8, format: 'single_elimination' })
})
afterAll(() => api[Symbol.asyncDispose]())

test('what a follower holds is what a GET answers, packet by packet', async () => {
  const list = `/tournaments/${made.cup.guid}/matches`
  const first = `/tournaments/${made.cup.guid}/matches/1`
  await using stream = await openStream(api, [list, first], { query: { facts: 'true' } })
  const { copies } = stream
  const started = await api.post(`${made.match(1)}/start`, made.organiser)
  expect(started.status).toBe(200)
  await made.win(1, 'team-1')
  await copies.until((held) => {
    const copy = held.all.get(`${first}?facts=1`)
    return (copy?.body as { status: string } | undefined)?.status === 'completed'
  }, 'the result')
  for (const topic of [list, first]) {
    const copy = copies.of(`${topic}?facts=1`)
    const reply = await api.get(topic)
    expect(copy.body).toEqual(reply.body)
    expect(copy.etag).toBe(reply.headers.get('etag'))
    expect(copy.facts.map(({ type }) => type)).toEqual(['match.started', 'match.completed'])
  }
})

test('commands over the socket, and what they change', async () => {
  const path = `/tournaments/${made.cup.guid}/matches/2`
  await using staff = await openSocket(api, { as: made.organiser })
  await using visitor = await openSocket(api)
  expect(staff.copies.packets[0]).toMatchObject({ type: 'hello', protocol: 'downbeat.v1' })
  const seen = await visitor.ask({ type: 'subscribe', topic: path, facts: true })
  expect(seen).toMatchObject({ type: 'snapshot', topic: `${path}?facts=1` })
  expect((await staff.ask({ type: 'subscribe', topic: path })).type).toBe('snapshot')
  const command = {
    type: 'command',
    name: 'matches.start',
    params: { tournament: made.cup.guid, match: '2' },
    key: 'a',
  }
  const result = await staff.ask(command)
  expect(result).toMatchObject({ type: 'result', status: 200, replayed: false })
  // After the packet of the change that it caused.
  expect(staff.copies.packets.map(({ type }) => type)).toEqual(['hello', 'snapshot', 'event', 'result'])
  expect(await staff.ask(command)).toMatchObject({ type: 'result', status: 200, replayed: true, body: result.body })
  await visitor.copies.until((held) => held.of(`${path}?facts=1`).facts.length === 1, 'the fact')
  expect(visitor.copies.of(`${path}?facts=1`).body).toEqual((await api.get(path)).body)
  expect(staff.copies.of(path).body).toEqual((await api.get(path, made.organiser)).body)
  expect(await visitor.ask(command)).toMatchObject({ type: 'error', status: 401, code: 'token.missing' })
  expect(await staff.ask({ type: 'command', name: 'tournaments.delete' })).toMatchObject({
    status: 404,
    code: 'command.unknown',
  })
  expect(await visitor.ask({ type: 'unsubscribe', topic: path })).toMatchObject({ code: 'topic.not_subscribed' })
  expect(await visitor.ask({ type: 'unsubscribe', topic: `${path}?facts=1` })).toMatchObject({ reason: 'unsubscribed' })
})

test('what is asked for as @me is nobody else’s, though the read shows everybody the same', async () => {
  const topic = '/tournaments?organiser=@me'
  await using mine = await openSocket(api, { as: made.organiser })
  await using others = await openSocket(api, { as: await api.user() })
  await using stranger = await openSocket(api)
  const own = await mine.ask({ type: 'subscribe', topic })
  expect(own.body).toEqual((await api.get(topic, made.organiser)).body)
  expect((await others.ask({ type: 'subscribe', topic })).body.tournaments).toEqual([])
  expect(await stranger.ask({ type: 'subscribe', topic })).toMatchObject({ status: 401, code: 'token.missing' })
  expect(await mine.ask({ type: 'subscribe', topic: '/notices', delayed: true })).toMatchObject({
    code: 'topic.not_delayed',
  })
})

test('cards of others in what somebody follows are those of now', async () => {
  const [captain, guest] = await Promise.all([api.user(), api.user()])
  const cup = await makeTournament(api, captain, { status: 'approved' })
  const team = await makeTeam(api, cup, captain)
  const path = `/tournaments/${cup.guid}`
  const invited = await api.post(`${path}/teams/${team.guid}/invitations`, captain, { userIdentifier: guest.guid })
  expect(invited.status, invited.text).toBe(201)
  const staff = await roleHolder(api, cup, 'role:staff')
  const sheet = await makeSheet(api, cup, captain)
  const kit = await makeVisibility(api)
  const platform = await kit.community()
  const reviewer = await kit.member('reviewer', platform.guid)
  await kit.place(cup, platform.guid, 'pending')
  const followed: readonly (readonly [Caller, string])[] = [
    [guest, '/users/@me/invitations'],
    [staff, `${path}/availability`],
    [staff, `${path}/availability/sheets/${sheet.guid}`],
    [reviewer, `/tournament-platforms/${platform.id}/requests`],
  ]
  const sockets = await Promise.all(followed.map(([as]) => openSocket(api, { as })))
  for (const [index, [, topic]] of followed.entries()) {
    expect(await sockets[index]?.ask({ type: 'subscribe', topic }), topic).toMatchObject({ type: 'snapshot' })
  }
  const changed = await api.post('/updateUserSettings', captain, { pronouns: 'they/them' })
  expect(changed.status, changed.text).toBeLessThan(300)
  for (const [index, [as, topic]] of followed.entries()) {
    const { copies } = sockets[index] as Socket
    await copies.until((held) => JSON.stringify(held.of(topic).body).includes('they/them'), topic)
    expect(copies.of(topic).body).toEqual((await api.get(topic, as)).body)
    await sockets[index]?.close()
  }
})

test('what happens while the first of several topics is read is told to who follows it', async () => {
  await using fresh = await api.sibling()
  const by = await api.user()
  const [slow, quick] = [await makeChanging(api, by), await makeChanging(api, by)]
  const { copies, close } = await followFacts(slow, api)
  await close()
  const { position: since } = copies.of(slow.named)
  const { database } = fresh.app
  const { snapshot } = database
  const read = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  // The first read takes longer than later reads.
  vi.spyOn(database, 'snapshot').mockImplementationOnce((work) =>
    snapshot(async (db) => {
      const result = await work(db)
      read.resolve()
      await release.promise
      return result
    }),
  )
  await using socket = await openSocket(fresh, { copies })
  await using other = await openSocket(fresh)
  const answer = socket.ask({ type: 'subscribe', topic: slow.topic, facts: true, since })
  await read.promise
  await slow.change()
  await other.ask({ type: 'subscribe', topic: quick.topic, facts: true })
  release.resolve()
  await answer
  await slow.change()
  const { headers } = await api.get(slow.topic)
  await copies.until((held) => held.of(slow.named).etag === headers.get('etag'), 'the last change')
  expect(copies.of(slow.named).facts).toHaveLength(2)
})
