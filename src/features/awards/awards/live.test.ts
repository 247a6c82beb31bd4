import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAwards, makeNominees, step } from '../../../../test/awards.ts'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { openSocket, type Socket } from '../../../../test/realtime/sockets.ts'
import { quiet } from '../../../../test/waiting.ts'

/** Followers of an edition receive its phases, and no packet or byte about votes. (A4, RT6) */

let api: Harness
let manager: Caller
beforeAll(async () => {
  api = await startHarness()
  manager = await api.user({ globalRoles: ['global:badges:manage'] })
})
afterAll(() => api[Symbol.asyncDispose]())

test('an edition is followed by everybody through its phases', async () => {
  const star = await api.user()
  const edition = await makeAwards(api, manager, { types: ['user'] })
  const { path, categories } = edition
  const category = `${path}/categories/${categories[0]}`
  const declining = (await api.post(`${category}/nominees`, manager, { label: 'Star', target: star.guid })).body.guid
  const nominees = [declining, ...(await makeNominees(api, manager, edition, ['One', 'Two']))]
  const voters = await Promise.all(Array.from({ length: 6 }, () => api.user()))
  const sockets = {
    stranger: await openSocket(api, { as: null }),
    voter: await openSocket(api, { as: voters[0] as Caller }),
    manager: await openSocket(api, { as: manager }),
  }
  const held = (socket: Socket) => socket.copies.of(`${path}?facts=1`)
  for (const socket of Object.values(sockets)) {
    expect(await socket.ask({ type: 'subscribe', topic: path, facts: true })).toMatchObject({ type: 'snapshot' })
  }
  const statuses = async (status: string) => {
    for (const socket of Object.values(sockets)) {
      await socket.copies.until(() => (held(socket).body as { status: string }).status === status, status)
    }
  }
  await step(api, manager, path, 'shortlisting')
  await step(api, manager, path, 'voting')
  await statuses('voting')
  const shown = (socket: Socket) =>
    (held(socket).body as { categories: { nominees: { guid: string }[] }[] }).categories[0]?.nominees
  for (const socket of Object.values(sockets))
    expect(
      shown(socket)
        ?.map(({ guid }) => guid)
        .toSorted(),
    ).toEqual(nominees.toSorted())

  // Waits until the packets of the new phase have arrived.
  const came = () => Object.values(sockets).map(({ bytes }) => bytes())
  await quiet(came, 1_500)
  const before = came()
  for (const [index, voter] of voters.entries()) {
    for (const nomineeGuid of [nominees[index % 3], nominees[1]]) {
      expect((await api.put(`${category}/vote`, voter, { nomineeGuid })).status).toBe(200)
    }
  }
  expect((await api.delete(`${category}/vote`, voters[5] as Caller)).status).toBe(204)
  await wait(2_500)
  expect(came()).toEqual(before)
  expect((await api.get(path, voters[0])).body.voted).toEqual(categories)

  expect((await api.post(`/awards/nominees/${declining}/decline`, star, undefined)).status).toBe(200)
  const declined = (socket: Socket) => JSON.stringify(held(socket).body).includes('"declined":true')
  for (const socket of Object.values(sockets)) await socket.copies.until(() => declined(socket), 'who declines')
  await step(api, manager, path, 'counting')
  await step(api, manager, path, 'published')
  await statuses('published')
  for (const socket of [sockets.stranger, sockets.voter]) {
    const { facts } = held(socket)
    expect(facts.map(({ type }) => type)).toEqual([
      ...Array.from({ length: 3 }, () => 'award.phase_changed'),
      ...['award.published', 'award.phase_changed'],
    ])
    expect(facts[0]).toMatchObject({ subject: { kind: 'award', guid: edition.guid }, changed: ['status'] })
    for (const fact of facts) expect(fact).not.toHaveProperty('by')
  }
  for (const [socket, as] of [
    [sockets.stranger, null],
    [sockets.voter, voters[0]],
    [sockets.manager, manager],
  ] as const) {
    expect(held(socket).body).toEqual((await api.get(path, as)).body)
    await socket.close()
  }
})

test('a draft cannot be followed, and who follows what is cancelled sees it go', async () => {
  const draft = await makeAwards(api, manager, { isDraft: true })
  const open = await makeAwards(api, manager)
  await using socket = await openSocket(api, { as: null })
  expect(await socket.ask({ type: 'subscribe', topic: draft.path })).toMatchObject({ type: 'error' })
  expect(await socket.ask({ type: 'subscribe', topic: open.path })).toMatchObject({ type: 'snapshot' })
  await step(api, manager, open.path, 'cancelled', 'No.')
  await socket.copies.until((held) => held.of(open.path).ended !== null, 'the end')
})
