import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { operations } from '../../src/app.ts'
import { isLive } from '../../src/infra/realtime/durable/topics.ts'
import { makeAwards, makeNominees, step } from '../awards.ts'
import { type FakeReceiver, startFakeReceiver } from '../fakes/receiver.ts'
import { type Caller, type Harness, type Reply, startHarness } from '../harness.ts'
import { makeTeam, makeTournament } from '../make.ts'
import { makeVisibility, type Visibility } from '../visibility.ts'
import { happen, subscribe, webhookConfig } from '../webhooks.ts'
import { comeBack, type Door, doors } from './coming-back.ts'
import { openSocket, type Socket } from './sockets.ts'

/**
 * A client that follows a topic outside of tournaments gets the missed facts from the log when it reconnects. (RT11)
 */

let receiver: FakeReceiver
let api: Harness
let sibling: Harness
let kit: Visibility
beforeAll(async () => {
  receiver = await startFakeReceiver()
  api = await startHarness(webhookConfig(receiver))
  sibling = await api.sibling()
  kit = await makeVisibility(api)
})
afterAll(async () => {
  await sibling[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
  await receiver.close()
})

interface Followed {
  readonly topic: string
  /** Null for an anonymous caller. */
  readonly as: Caller | null
  /** Causes one fact, and returns its type. */
  readonly happen: () => Promise<string>
}

const done = (reply: Reply, status = 200) => expect(reply.status, reply.text).toBe(status)

async function invited() {
  const guest = await api.user()
  const organiser = await api.user()
  const cup = await makeTournament(api, organiser, { status: 'approved' })
  return {
    guest,
    async invite() {
      const captain = await api.user()
      const team = await makeTeam(api, cup, captain)
      const path = `/tournaments/${cup.guid}/teams/${team.guid}/invitations`
      done(await api.post(path, captain, { userIdentifier: guest.guid }), 201)
    },
  }
}

const kinds: Readonly<Record<string, () => Promise<Followed>>> = {
  notices: async () => {
    const manager = await api.user({ globalRoles: ['global:notices:manage'] })
    const happen = async () => {
      done(await api.post('/notices', manager, { title: 'Mind', content: 'Words.' }), 201)
      return 'notice.created'
    }
    return { topic: '/notices', as: null, happen }
  },
  notifications: async () => {
    const { guest, invite } = await invited()
    const happen = async () => {
      await invite()
      return 'notification.created'
    }
    return { topic: '/users/@me/notifications', as: guest, happen }
  },
  invitations: async () => {
    const { guest, invite } = await invited()
    const happen = async () => {
      await invite()
      return 'invitation.created'
    }
    return { topic: '/users/@me/invitations', as: guest, happen }
  },
  requests: async () => {
    const platform = await kit.community()
    const reviewer = await kit.member('reviewer', platform.guid)
    const cup = await makeTournament(api, await api.user(), { status: 'approved' })
    const request = await kit.place(cup, platform.guid, 'pending')
    let turn = 0
    const happen = async () => {
      const decision = turn++ % 2 === 0 ? 'approved' : 'rejected'
      done(await kit.review(platform, request, reviewer, { decision, reason: 'Why.' }))
      return `visibility.${decision}`
    }
    return { topic: `/tournament-platforms/${platform.id}/requests`, as: reviewer, happen }
  },
  deliveries: async () => {
    const platform = await subscribe(api, receiver)
    const topic = `/tournament-platforms/${platform.contextId}/deliveries`
    let heal: (() => void) | null = null
    const read = async () => (await api.get(topic, platform.admin)).body.deliveries[0]
    return {
      topic,
      as: platform.admin,
      // A failed attempt and a successful one, in turns.
      async happen() {
        const isDown = heal === null
        if (heal === null) {
          heal = receiver.misbehave(new RegExp(`POST ${platform.paths.custom}$`), { status: 500 })
          await happen(api, platform)
        } else {
          heal()
          heal = null
          done(await api.post(`${topic}/${(await read()).guid}/replay`, platform.admin), 202)
        }
        const isOver = async () => {
          const { status, attempts } = (await read()) ?? { attempts: [] }
          return isDown ? attempts[0]?.status === 500 : status === 'delivered'
        }
        await expect.poll(isOver).toBe(true)
        return isDown ? 'platform.delivery_failed' : 'platform.delivery_recovered'
      },
    }
  },
  awards: async () => {
    const manager = await api.user({ globalRoles: ['global:badges:manage'] })
    const edition = await makeAwards(api, manager, { types: ['user'] })
    const { path } = edition
    await makeNominees(api, manager, edition, ['One', 'Two'])
    const phases = ['shortlisting', 'voting', 'counting', 'voting', 'counting', 'voting', 'counting']
    const happen = async () => {
      done(await step(api, manager, path, phases.shift() as string))
      return 'award.phase_changed'
    }
    return { topic: path, as: null, happen }
  },
}

const named = (topic: string) => `${topic}?facts=1`

async function follow({ topic, as }: Followed, of = api): Promise<Socket> {
  const socket = await openSocket(of, { as })
  expect(await socket.ask({ type: 'subscribe', topic, facts: true })).toMatchObject({ type: 'snapshot' })
  return socket
}

/** Causes a fact, and waits until a follower has received it. */
async function pass(followed: Followed, { copies }: Socket): Promise<string> {
  const count = copies.of(named(followed.topic)).facts.length
  const type = await followed.happen()
  await copies.until((held) => held.of(named(followed.topic)).facts.length > count, type)
  return type
}

describe.each(Object.keys(kinds))('%s', (kind) => {
  let followed: Followed
  beforeEach(async () => {
    followed = await (kinds[kind] as () => Promise<Followed>)()
  })
  const back = (door: Door, of: Harness, since: string) =>
    comeBack(door, of, followed.topic, { since, facts: true, as: followed.as })

  test.each(doors)('over a %s, all that was missed is told, in order, on every process', async (door) => {
    const first = await follow(followed)
    const begun = first.copies.of(named(followed.topic)).position
    await pass(followed, first)
    const stood = first.copies.of(named(followed.topic)).position
    await first.close()
    const alone = await followed.happen()
    await using witness = await follow(followed)
    const types = [alone, await pass(followed, witness)]
    const { position, facts } = witness.copies.of(named(followed.topic))

    // In a process that still has the packets, and in one that never had them.
    for (const [of, isKept] of [
      [api, true],
      [sibling, false],
    ] as const) {
      const [snapshot, ...more] = await back(door, of, stood)
      expect([snapshot.type, snapshot.resync, more]).toEqual(['snapshot', undefined, []])
      expect(snapshot.facts.map(({ type }: { type: string }) => type)).toEqual(types)
      expect(snapshot.facts.at(-1)).toEqual(facts.at(-1))
      const fromBegin = await back(door, of, begun)
      expect(fromBegin[0].facts.length).toBe(3)
      expect(fromBegin[0].facts.slice(1)).toEqual(snapshot.facts)
      if (!isKept) expect(await back(door, of, position)).toMatchObject([{ type: 'resumed', position }])
    }
    const packet = witness.copies.packets.findLast(({ facts: told }) => told !== undefined)
    const [resumed, ...packets] = await back(door, api, packet.after)
    expect(resumed).toMatchObject({ type: 'resumed', position: packet.after })
    expect(packets.flatMap(({ facts: told = [] }) => told)).toEqual(packet.facts)
  })

  test('where it is not told, that is said', async () => {
    const socket = await follow(followed)
    await pass(followed, socket)
    const { position } = socket.copies.of(named(followed.topic))
    await socket.close()
    const answers = async (since = position) => {
      const all = await Promise.all(doors.map(async (door) => (await back(door, sibling, since))[0]))
      return all.map(({ type, facts, resync }) => ({ type, facts: facts?.length, resync }))
    }
    const both = (facts: number | undefined, reason?: string) =>
      doors.map(() => ({ type: 'snapshot', facts, resync: reason === undefined ? undefined : { reason } }))
    expect(await answers('A'.repeat(22))).toEqual(both(undefined, 'unknown'))
    const [stood] = await api.sql<{ seq: number }>('select max(seq)::int as seq from event_log')
    const type = await followed.happen()
    const last = '(select max(seq) from event_log where type = $1)'
    const again = (times: number) =>
      api.sql(
        `select emit_event(type, subject, tournament, actor, before, after, touches)
         from (select * from event_log where seq = ${last}) e, generate_series(1, ${times})`,
        [type],
      )
    await again(4_999)
    expect(await answers()).toEqual(both(5_000))
    await again(1)
    expect(await answers()).toEqual(both(undefined, 'too_many'))
    await api.sql(`delete from event_log where type = $1 and seq > $2 and seq < ${last}`, [type, stood?.seq])
    expect(await answers()).toEqual(both(1))
    // As if it had happened more than a week ago.
    await api.sql(
      `update event_log set at = at - interval '8 days',
         after = case when after ? 'startsAt' then after || '{"startsAt": "2020-01-01T00:00:00.000Z"}' else after end
       where seq = ${last}`,
      [type],
    )
    expect(await answers()).toEqual(both(undefined, 'expired'))
  })
})

test('of what they were not shown nobody is told later', async () => {
  const manager = await api.user({ globalRoles: ['global:notices:manage'] })
  const users = { stranger: null, user: await api.user(), manager }
  const begun = new Map<string, string>()
  for (const [who, as] of Object.entries(users)) {
    const [answer] = await comeBack('socket', api, '/notices', { facts: true, as })
    begun.set(who, answer.position)
  }
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  for (const more of [{ audience: 'staff' }, { audience: 'signed-in' }, { startsAt: soon }, { audience: 'everyone' }]) {
    const reply = await api.post('/notices', manager, { title: 'Mind', content: 'Words.', ...more })
    done(reply, 201)
    done(await api.delete(`/notices/${reply.body.guid}`, manager), 204)
  }
  for (const [who, as] of Object.entries(users)) {
    const since = begun.get(who) as string
    for (const place of [api, sibling]) {
      const [answer] = await comeBack('stream', place, '/notices', { since, facts: true, as })
      const subjects = new Set(answer.facts.map(({ subject }: { subject: { guid: string } }) => subject.guid))
      expect(answer.facts.length, who).toBe(2 * subjects.size)
      expect(subjects.size, who).toBe({ stranger: 1, user: 2, manager: 3 }[who])
    }
  }
})

test('of a narrowed queue the reviewers are told what came into it or left it', async () => {
  const platform = await kit.community()
  const reviewer = await kit.member('reviewer', platform.guid)
  const cup = await makeTournament(api, await api.user(), { status: 'approved' })
  const request = await kit.place(cup, platform.guid, 'pending')
  const topics = ['pending', 'approved', 'withdrawn'].map(
    (status) => `/tournament-platforms/${platform.id}/requests?status=${status}`,
  )
  await using witness = await openSocket(api, { as: reviewer })
  const positions: string[] = []
  for (const topic of topics) {
    positions.push((await witness.ask({ type: 'subscribe', topic, facts: true })).position)
  }
  for (const decision of ['approved', 'rejected'] as const) {
    done(await kit.review(platform, request, reviewer, { decision, reason: 'Why.' }))
  }
  const told = [['visibility.approved'], ['visibility.approved', 'visibility.rejected'], undefined]
  const nameOf = (topic: string) => `${topic}&facts=1`
  await witness.copies.until((held) => held.of(nameOf(topics[1] as string)).facts.length === 2, 'both')
  for (const [index, topic] of topics.entries()) {
    const types = witness.copies.of(nameOf(topic)).facts.map(({ type }) => type)
    expect(types, topic).toEqual(told[index] ?? [])
    const since = positions[index] as string
    const [answer] = await comeBack('stream', sibling, topic, { since, facts: true, as: reviewer })
    expect(
      answer.facts?.map(({ type }: { type: string }) => type),
      topic,
    ).toEqual(told[index])
  }
})

test('an index has all events that are told outside of tournaments', async () => {
  const indexes = await api.sql<{ indexdef: string }>(
    `select indexdef from pg_indexes where indexname in ('event_log_told', 'event_log_told_of_platform')`,
  )
  const elsewhere = operations.filter(isLive).filter(({ path }) => !path.startsWith('/tournaments/'))
  const told = elsewhere.filter(({ live }) => live.sends !== undefined)
  expect(told.length).toBe(Object.keys(kinds).length)
  for (const { live, name } of told) {
    expect(live.concerns, name).toBeDefined()
    const has = ({ indexdef }: { indexdef: string }) => live.sends?.every((type) => indexdef.includes(`'${type}'`))
    expect(indexes.some(has), name).toBe(true)
  }
})
