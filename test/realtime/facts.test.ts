import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, type Harness, startHarness } from '../harness.ts'
import { makeTeam, makeTournament, roleHolder } from '../make.ts'
import { makeVisibility } from '../visibility.ts'
import { openSocket, type Socket } from './sockets.ts'

/** Facts outside of tournaments: each is sent only to the users that it concerns. (RT10) */

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

const factsOf = ({ copies }: Socket, topic: string) => copies.of(`${topic}?facts=1`).facts.map(({ type }) => type)

/** Resolves when a step that began after all events so far has been sent. */
async function settled(socket: Socket): Promise<void> {
  const topic = '/tournaments'
  await socket.ask({ type: 'subscribe', topic, replace: true })
  const organiser = await api.user()
  const cup = await makeTournament(api, organiser, {})
  await socket.copies.until((held) => JSON.stringify(held.of(topic).body).includes(cup.guid), 'a tournament')
}

test('of notices those are told who are shown them, also of their end', async () => {
  const manager = await api.user({ globalRoles: ['global:notices:manage'] })
  const cup = await makeTournament(api, manager, { status: 'ongoing' })
  const sockets = {
    stranger: await openSocket(api),
    user: await openSocket(api, { as: await api.user() }),
    staff: await openSocket(api, { as: await roleHolder(api, cup, 'role:referee') }),
  }
  for (const socket of Object.values(sockets)) {
    expect(await socket.ask({ type: 'subscribe', topic: '/notices', facts: true })).toMatchObject({ type: 'snapshot' })
  }
  const start = sockets.stranger.copies.of('/notices?facts=1').position
  const publish = async (more: object) => {
    const reply = await api.post('/notices', manager, { title: 'Mind', content: 'Words.', ...more })
    expect(reply.status, reply.text).toBe(201)
    return reply.body.guid as string
  }
  const open = await publish({})
  await publish({ audience: 'staff' })
  await publish({ startsAt: new Date(Date.now() + 3_600_000).toISOString() })
  expect((await api.delete(`/notices/${open}`, manager)).status).toBe(204)
  for (const [who, expected] of [
    ['stranger', ['notice.created', 'notice.deleted']],
    ['user', ['notice.created', 'notice.deleted']],
    ['staff', ['notice.created', 'notice.created', 'notice.deleted']],
  ] as const) {
    const socket = sockets[who]
    await socket.copies.until(
      (held) => held.of('/notices?facts=1').facts.length >= expected.length,
      `all that ${who} is told`,
    )
    await settled(socket)
    expect(factsOf(socket, '/notices'), who).toEqual(expected)
    const [fact] = socket.copies.of('/notices?facts=1').facts
    expect(fact).toMatchObject({ subject: { kind: 'notice', guid: open }, changed: expect.arrayContaining(['title']) })
    expect(fact).not.toHaveProperty('by')
  }
  // A client that reconnects gets the same facts, whatever the current state is.
  await using sibling = await api.sibling()
  const { position, facts } = sockets.stranger.copies.of('/notices?facts=1')
  for (const process of [api, sibling]) {
    await using elsewhere = await openSocket(process)
    const back = await elsewhere.ask({ type: 'subscribe', topic: '/notices', facts: true, since: position })
    expect(back).toMatchObject({ type: 'resumed', position })
    const fromStart = { type: 'subscribe', topic: '/notices', facts: true, since: start, replace: true }
    await elsewhere.ask(fromStart)
    await elsewhere.copies.until((held) => held.of('/notices?facts=1').facts.length === facts.length, 'the facts')
    expect(elsewhere.copies.of('/notices?facts=1').facts).toEqual(facts)
    const plain = await elsewhere.ask({ type: 'subscribe', topic: '/notices' })
    const again = { type: 'subscribe', topic: '/notices', since: plain.position, replace: true }
    expect(await elsewhere.ask(again)).toMatchObject({ type: 'resumed' })
  }
  for (const socket of Object.values(sockets)) await socket.close()
})

test('of invitations and messages those are told whom they are for', async () => {
  const [captain, guest, other] = await Promise.all([api.user(), api.user(), api.user()])
  const cup = await makeTournament(api, captain, { status: 'approved' })
  const team = await makeTeam(api, cup, captain)
  const topics = ['/users/@me/invitations', '/users/@me/notifications']
  const follow = async (as: Caller) => {
    const socket = await openSocket(api, { as })
    for (const topic of topics) await socket.ask({ type: 'subscribe', topic, facts: true })
    return socket
  }
  const [of, ofOther] = [await follow(guest), await follow(other)]
  const invite = (user: Caller) =>
    api.post(`/tournaments/${cup.guid}/teams/${team.guid}/invitations`, captain, { userIdentifier: user.guid })
  expect((await invite(guest)).status).toBe(201)
  for (const topic of topics) await of.copies.until((held) => held.of(`${topic}?facts=1`).facts.length > 0, topic)
  expect(topics.map((topic) => factsOf(of, topic))).toEqual([['invitation.created'], ['notification.created']])
  expect((await api.post('/users/@me/notifications/read', guest, { all: true })).status).toBe(200)
  await of.copies.until((held) => held.of(`${topics[1]}?facts=1`).facts.length === 2, 'that it was read')
  expect(factsOf(of, topics[1] as string)).toEqual(['notification.created', 'notification.read'])
  expect((await invite(other)).status).toBe(201)
  await ofOther.copies.until((held) => held.of(`${topics[0]}?facts=1`).facts.length > 0, 'the invitation')
  await settled(of)
  expect(factsOf(of, topics[0] as string)).toEqual(['invitation.created'])
  expect(factsOf(ofOther, topics[1] as string)).not.toContain('notification.read')
  await Promise.all([of.close(), ofOther.close()])
})

test('of requests the reviewers of that platform are told, and of no other', async () => {
  const kit = await makeVisibility(api)
  const organiser = await api.user()
  const cup = await makeTournament(api, organiser, { status: 'approved' })
  const platforms = [await kit.community(), await kit.community()] as const
  const topics = platforms.map(({ id }) => `/tournament-platforms/${id}/requests`)
  const reviewers = [await kit.member('reviewer', platforms[0].guid), await kit.member('reviewer', platforms[1].guid)]
  const requests = [
    await kit.place(cup, platforms[0].guid, 'pending'),
    await kit.place(cup, platforms[1].guid, 'pending'),
  ]
  const sockets = await Promise.all(reviewers.map((as) => openSocket(api, { as })))
  for (const [index, socket] of sockets.entries()) {
    const answer = await socket.ask({ type: 'subscribe', topic: topics[index], facts: true })
    expect(answer, JSON.stringify(answer)).toMatchObject({ type: 'snapshot' })
  }
  const reviewed = await kit.review(platforms[0], requests[0] as string, reviewers[0] as Caller, {
    decision: 'approved',
  })
  expect(reviewed.status, reviewed.text).toBe(200)
  const [first, second] = sockets as [Socket, Socket]
  await first.copies.until((held) => held.of(`${topics[0]}?facts=1`).facts.length > 0, 'the decision')
  await settled(second)
  expect([factsOf(first, topics[0] as string), factsOf(second, topics[1] as string)]).toEqual([
    ['visibility.approved'],
    [],
  ])
  await Promise.all(sockets.map((socket) => socket.close()))
})
