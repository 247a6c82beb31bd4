import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PatchOperation } from '../../src/core/patch.ts'
import { Positions } from '../../src/infra/realtime/durable/topic-positions.ts'
import { makeBracket } from '../bracket-play.ts'
import { type Caller, type Harness, startHarness } from '../harness.ts'
import { patched } from '../patched.ts'
import { breakOften, compare, playUntil, socketClient, streamClient, topicsOf, withFacts } from './breaks.ts'
import { comeBack, doors, followFacts, makeChanging, pass, type Told } from './coming-back.ts'
import { openSocket } from './sockets.ts'

/** A client that reconnects gets the missed facts or the current state, and is told when facts are missing. (RT11) */

let api: Harness
let sibling: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  sibling = await api.sibling()
  organiser = await api.user()
})
afterAll(async () => {
  await sibling[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const ids = (facts: readonly { readonly id: string }[] = []) => facts.map(({ id }) => id)

const makeCup = () => makeChanging(api, organiser)
const follow = (cup: Told) => followFacts(cup, api)

describe.each(doors)('over a %s', (door) => {
  test('a position that is still known is gone on from, by the packets behind it', async () => {
    const cup = await makeCup()
    await using witness = await follow(cup)
    const stood = await pass(cup, witness)
    const now = await pass(cup, witness, 3)
    const sent = witness.copies.packets.slice(-3)
    const [resumed, ...packets] = await comeBack(door, api, cup.topic, { since: stood.position, facts: true })
    expect(resumed).toEqual({ type: 'resumed', topic: cup.named, position: stood.position, etag: stood.etag })
    expect(packets).toEqual(sent)
    let body = stood.body
    for (const { patch } of packets) body = patched(body, patch as PatchOperation[])
    expect(body).toEqual(now.body)
    expect(await comeBack(door, api, cup.topic, { since: now.position, facts: true })).toEqual([
      { type: 'resumed', topic: cup.named, position: now.position, etag: now.etag },
    ])
  })

  test('one that is not gets the present state, with the facts since', async () => {
    const cup = await makeCup()
    const first = await follow(cup)
    const stood = await pass(cup, first)
    await first.close()
    await cup.change(3)
    await using witness = await follow(cup)
    await pass(cup, witness)
    const reply = await api.get(cup.topic)
    for (const process of [api, sibling]) {
      const packets = await comeBack(door, process, cup.topic, { since: stood.position, facts: true })
      expect(packets).toEqual([
        {
          type: 'snapshot',
          topic: cup.named,
          position: witness.copies.of(cup.named).position,
          etag: reply.headers.get('etag'),
          body: reply.body,
          facts: expect.any(Array),
        },
      ])
      expect(packets[0].facts).toMatchObject(
        Array(4).fill({ type: 'tournament.updated', subject: { kind: 'tournament', guid: cup.guid } }),
      )
      expect(ids(packets[0].facts).at(-1)).toBe(witness.copies.of(cup.named).facts.at(-1)?.id)
    }
    // A client without the option `facts` gets neither facts nor a reason for missing ones.
    const [plain] = await comeBack(door, api, cup.topic, { since: stood.position })
    expect(Object.keys(plain).toSorted()).toEqual(['body', 'etag', 'position', 'topic', 'type'])
  })

  test('an unchanged topic stands where it stood, on every process and after a restart', async () => {
    const cup = await makeCup()
    await cup.change()
    const asked = (of: Harness, facts: boolean) => comeBack(door, of, cup.topic, { facts })
    for (const facts of [true, false]) {
      const [first] = await asked(api, facts)
      await using restarted = await api.sibling()
      for (const process of [api, sibling, restarted]) {
        expect((await asked(process, facts))[0].position).toBe(first.position)
        const { position, etag, topic } = first
        expect(await comeBack(door, process, cup.topic, { since: position, facts })).toEqual([
          { type: 'resumed', topic, position, etag },
        ])
      }
    }
  })

  test('a position that is none of this topic’s, nor of this installation’s, is unknown', async () => {
    const [cup, other] = [await makeCup(), await makeCup()]
    const socket = await follow(cup)
    const own = await pass(cup, socket)
    await socket.close()
    const elsewhere = await follow(other)
    const foreign = await pass(other, elsewhere)
    await elsewhere.close()
    const [plain] = await comeBack(door, api, cup.topic, {})
    await cup.change()
    const [{ seq, at } = { seq: 0, at: new Date() }] = await api.sql<{ seq: number; at: Date }>(
      'select seq::int, at from event_log where tournament = $1 order by seq limit 1',
      [cup.guid],
    )
    const stolen = new Positions((text) => `another installation: ${text}`)
    for (const since of [
      ...['x', '', '.'.repeat(22), 'A'.repeat(22), 'A'.repeat(23), own.position.slice(1), `${own.position}A`],
      own.position.toUpperCase(),
      foreign.position,
      // A position does not contain what its holder has received.
      plain.position,
      stolen.of(cup.topic, 'public', own.etag, { seq, at: at.getTime() }),
    ]) {
      const reply = await api.get(cup.topic)
      const answer = await comeBack(door, api, cup.topic, { since, facts: true })
      expect(answer, since).toMatchObject([
        { type: 'snapshot', body: reply.body, etag: reply.headers.get('etag'), resync: { reason: 'unknown' } },
      ])
      expect(answer[0], since).not.toHaveProperty('facts')
      const [silent] = await comeBack(door, api, cup.topic, { since })
      if (since !== plain.position) expect([silent.type, silent.resync], since).toEqual(['snapshot', undefined])
    }
    const [known] = await comeBack(door, api, cup.topic, { since: own.position, facts: true })
    expect(known).toMatchObject({ facts: [{ type: 'tournament.updated' }] })
    expect(known).not.toHaveProperty('resync')
  })
})

describe('an ETag', () => {
  test('that is the present one is enough for whoever wants no facts', async () => {
    const cup = await makeCup()
    const [{ etag, position }] = await comeBack('socket', api, cup.topic, {})
    const topic = cup.topic
    expect(await comeBack('socket', api, topic, { etag })).toEqual([{ type: 'resumed', topic, position, etag }])
    const since = 'another-restored-place'
    const [resumed, anchor, ...more] = await comeBack('socket', api, topic, { etag, since })
    expect(resumed).toEqual({ type: 'resumed', topic, position: since, etag })
    // The next packet follows a position that is known here.
    expect([anchor, more]).toEqual([
      { type: 'event', topic, after: since, position, etag, at: expect.any(String), patch: [] },
      [],
    ])
    const withFacts = await comeBack('socket', api, topic, { etag, since, facts: true })
    expect(withFacts).toMatchObject([{ type: 'snapshot', resync: { reason: 'unknown' } }])
    await cup.change()
    expect(await comeBack('socket', api, topic, { etag })).toMatchObject([{ type: 'snapshot' }])
  })
})

describe('facts', () => {
  /** Moves all events of a tournament into the past. */
  const age = (cup: Told, days: number) =>
    api.sql('update event_log set at = at - make_interval(days => $2) where tournament = $1', [cup.guid, days])

  test('of more than a week ago are not told again, and whoever missed them is told so', async () => {
    const cup = await makeCup()
    await cup.change()
    await age(cup, 1)
    const [stood] = await comeBack('stream', sibling, cup.topic, { facts: true })
    await cup.change()
    await api.sql(
      `update event_log set at = at - interval '8 days'
       where seq = (select max(seq) from event_log where tournament = $1)`,
      [cup.guid],
    )
    await cup.change()
    for (const door of doors) {
      const [answer] = await comeBack(door, sibling, cup.topic, { since: stood.position, facts: true })
      expect(answer).toMatchObject({ type: 'snapshot', resync: { reason: 'expired' } })
      expect(answer).not.toHaveProperty('facts')
    }
  })

  test('are told after a quiet month as after a quiet minute', async () => {
    const cup = await makeCup()
    await cup.change()
    await age(cup, 30)
    const [stood] = await comeBack('stream', sibling, cup.topic, { facts: true })
    await cup.change()
    const [answer] = await comeBack('socket', api, cup.topic, { since: stood.position, facts: true })
    expect(answer).toMatchObject({ facts: [{ type: 'tournament.updated' }] })
    // Also no facts from before the first subscription.
    const quiet = await makeCup()
    await quiet.change()
    await age(quiet, 8)
    const [begun] = await comeBack('stream', sibling, quiet.topic, { facts: true })
    await quiet.change()
    const [told] = await comeBack('stream', sibling, quiet.topic, { since: begun.position, facts: true })
    expect([told.facts?.length, told.resync]).toEqual([1, undefined])
  })

  test('whose position the log has forgotten are expired', async () => {
    const cup = await makeCup()
    await cup.change()
    const [stood] = await comeBack('stream', api, cup.topic, { facts: true })
    await cup.change()
    await api.sql('delete from event_log where tournament = $1', [cup.guid])
    await makeCup()
    await using later = await api.sibling()
    const [answer] = await comeBack('stream', later, cup.topic, { since: stood.position, facts: true })
    expect(answer).toMatchObject({ type: 'snapshot', resync: { reason: 'expired' } })
  })

  test('are told up to 5,000, however much else has happened', async () => {
    const cup = await makeCup()
    await cup.change()
    const [stood] = await comeBack('stream', sibling, cup.topic, { facts: true })
    const again = (count: number) =>
      api.sql(
        `select emit_event(type, subject, tournament, actor, before, after, touches)
         from (select * from event_log where tournament = $1 and type = 'tournament.updated' order by seq limit 1) e,
           generate_series(1, $2)`,
        [cup.guid, count],
      )
    // Events that outsiders do not get.
    await api.sql(
      `select emit_event('test.arranged', ($1::text)::uuid, ($1::text)::uuid, null, null, null, array[$1::text]) from generate_series(1, 21000)`,
      [cup.guid],
    )
    await again(5_000)
    const ask = () => comeBack('stream', sibling, cup.topic, { since: stood.position, facts: true })
    const [all] = await ask()
    expect([all.facts?.length, new Set(ids(all.facts)).size, all.resync]).toEqual([5_000, 5_000, undefined])
    await again(1)
    const [tooMany] = await ask()
    expect([tooMany.type, tooMany.facts, tooMany.resync]).toEqual(['snapshot', undefined, { reason: 'too_many' }])
  })
})

test('whoever breaks off a hundred times has been told of everything, and of nothing twice', async () => {
  const made = await makeBracket(api, { teams: 8, format: 'double_elimination' })
  const topics = topicsOf(made)
  const services = [api, sibling]
  const clients = [socketClient(topics), streamClient(topics, 'ndjson')]
  await using witness = await openSocket(api)
  for (const topic of topics) await witness.ask({ type: 'subscribe', topic, facts: true })
  // All begin at the same state.
  for (const client of clients) while (client.copies.all.size < topics.length) await client.once(api, 50)
  const breaking = breakOften(clients, services, 100)
  await playUntil(services, made, () => clients.every(({ breaks }) => breaks >= 100))
  await breaking
  await compare(api, topics, witness.copies, clients)
  const told = topics.map((topic) => witness.copies.of(withFacts(topic)).facts.length)
  // Each match was started and completed.
  expect(told[0]).toBeGreaterThanOrEqual(28)
})
