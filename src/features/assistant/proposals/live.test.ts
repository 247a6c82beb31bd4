import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MadeBracket, makeBracket } from '../../../../test/bracket-play.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'
import { songOfMatch } from '../../../../test/proposals.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'

/** Live values that viewers follow, and values that staff set by hand. (AS29) */

let api: Harness
let made: MadeBracket
let referee: Caller
let match: { readonly guid: string }
beforeAll(async () => {
  api = await startHarness()
  made = await makeBracket(api, { teams: 8, format: 'single_elimination' })
  referee = await roleHolder(api, made.cup, 'role:referee')
  match = await made.readMatch(1)
})
afterAll(() => api[Symbol.asyncDispose]())

test('a live score by hand: who follows the match sees it with its source, and nothing is written down', async () => {
  const { players } = await songOfMatch(api, made, 1)
  const topic = `/tournaments/${made.cup.guid}/matches/${match.guid}/live`
  await using viewer = await openSocket(api)
  expect((await viewer.ask({ type: 'subscribe', topic })).states).toEqual({})
  const before = await api.sql('select count(*)::int as count, coalesce(max(seq), 0) as seq from event_log')
  const address = `${made.match(1)}/live/${players[0]}`
  expect((await api.put(address, referee, { score: 123_456, accuracy: 0.97, state: 'playing' })).status).toBe(204)
  await viewer.copies.until(
    ({ packets }) => packets.some(({ states }) => states?.[`player:${players[0]}`] !== undefined),
    'the value',
  )
  const told = viewer.copies.packets.findLast(({ states }) => states?.[`player:${players[0]}`])
  expect(told?.states[`player:${players[0]}`]).toMatchObject({
    score: 123_456,
    accuracy: 0.97,
    state: 'playing',
    source: 'manual',
    combo: null,
    misses: null,
  })
  expect(await api.sql('select count(*)::int as count, coalesce(max(seq), 0) as seq from event_log')).toEqual(before)
  await using socket = await openSocket(api, { as: referee })
  const params = { tournament: made.cup.id, match: match.guid, user: players[1] }
  expect(await socket.ask({ type: 'command', name: 'live.set', params, body: { score: 7 } })).toMatchObject({
    status: 204,
  })
})

test('of those who play, by operators, in the documented form', async () => {
  const address = (user: string) => `${made.match(1)}/live/${user}`
  const { players } = await songOfMatch(api, made, 1)
  const caster = await roleHolder(api, made.cup, 'role:caster')
  expect(outcome(await api.put(address(referee.guid), referee, { score: 1 }))).toEqual([400, 'live.player_unknown'])
  expect(outcome(await api.put(address(players[0]), caster, { score: 1 }))).toEqual([403, 'role.missing'])
  expect(outcome(await api.put(address(players[0]), null, { score: 1 }))[0]).toBe(401)
  expect((await api.put(address(players[0]), referee, { accuracy: 2.1 })).status).toBe(400)
})

test('the list is followed by staff, and decided over the socket', async () => {
  const song = await songOfMatch(api, made, 2)
  const topic = `/tournaments/${made.cup.guid}/matches/${song.play.matchGuid}/proposals`
  await using socket = await openSocket(api, { as: referee })
  await using stranger = await openSocket(api, { as: await api.user() })
  expect(await stranger.ask({ type: 'subscribe', topic })).toMatchObject({ type: 'error' })
  expect(await socket.ask({ type: 'subscribe', topic, facts: true })).toMatchObject({ body: { proposals: [] } })
  for (const user of song.players) await song.finish(user, 1_000)
  const { guid } = await song.propose()
  const held = () => socket.copies.packets.filter(({ type }) => type === 'event' || type === 'snapshot')
  await socket.copies.until(() => JSON.stringify(held()).includes(guid), 'the proposal')
  const params = { tournament: made.cup.id, match: '2', gameProposal: guid }
  const reply = await socket.ask({ type: 'command', name: 'proposals.accept', params, key: 'accept-1' })
  expect(reply).toMatchObject({
    status: 200,
    body: { proposal: { status: 'accepted' }, match: { games: [{ number: 1 }] } },
  })
  const again = await socket.ask({ type: 'command', name: 'proposals.accept', params, key: 'accept-1' })
  expect(again).toMatchObject({ status: 200, replayed: true })
  const facts = held().flatMap(({ facts: told }) => told ?? [])
  expect(facts.map(({ type }: { type: string }) => type)).toEqual(
    expect.arrayContaining(['assistant.song_finished', 'assistant.proposal_made', 'assistant.proposal_accepted']),
  )
})
