import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MadeBracket, makeBracket } from '../bracket-play.ts'
import { drawsOf } from '../draws.ts'
import type { Caller, Harness } from '../harness.ts'
import { startHarness } from '../harness.ts'
import { roleHolder } from '../make.ts'
import type { Copies } from './copies.ts'
import { openSocket } from './sockets.ts'
import { openStream } from './streams.ts'

/**
 * After any changes by any caller over any kind of connection, the copy of each follower equals the response of a GET
 * for them, with its ETag. (RT2, RT16)
 */

let services: readonly [Harness, Harness]
let made: MadeBracket
beforeAll(async () => {
  const api = await startHarness()
  services = [api, await api.sibling()]
  made = await makeBracket(api, { teams: 8, format: 'double_elimination' })
})
afterAll(async () => {
  for (const api of services.toReversed()) await api[Symbol.asyncDispose]()
})

interface Client {
  readonly caller: Caller | null
  readonly service: Harness
  readonly copies: Copies
  readonly topics: readonly string[]
  readonly suffix: string
}

test('twelve clients of all audiences, through all doors', async () => {
  const [api] = services
  const { organiser, cup, captains } = made
  const [captain, other] = captains as [Caller, Caller]
  const [referee, staff, coordinator, visitor] = await Promise.all([
    roleHolder(api, cup, 'role:referee'),
    roleHolder(api, cup, 'role:staff'),
    roleHolder(api, cup, 'role:coordinator'),
    api.user(),
  ])
  await api.put(`${made.path}/qualifier`, organiser, {
    method: 'average_accuracy',
    maps: [{ hash: 'a'.repeat(40), difficulty: 'ExpertPlus', characteristic: 'Standard' }],
  })
  const path = `/tournaments/${cup.guid}`
  const open = [
    ...['', '/staff', '/timelineEvents', '/updates', '/divisions', '/access', '/teams', '/matches', '/matches/1'],
    ...[`/brackets/${made.bracket.guid}`, `/brackets/${made.bracket.guid}/standings`, '/matches?status=ready'],
    ...[`/teams/${made.teams[0]?.guid}`, '/matches/2'],
  ].map((rest) => path + rest)
  const own = ['/users/@me/notifications', '/users/@me/invitations']
  const ofStaff = [`${path}/audit`, `${path}/corrections`, `${path}/availability`]
  const plans: readonly [Caller | null, readonly string[]][] = [
    [null, open],
    [visitor, [...open, ...own]],
    [captain, [...open, ...own]],
    [other, [...open, ...own]],
    [referee, [...open, ...ofStaff]],
    [staff, [...open, ...ofStaff, ...own]],
    [coordinator, [...open, ...ofStaff]],
    [organiser, [...open, ...ofStaff, ...own]],
    [null, [...open, '/tournaments', '/notices', '/matches']],
    [null, open.slice(0, 6)],
    [organiser, [...open, ...ofStaff]],
    [captain, open],
  ]
  await using opened = new AsyncDisposableStack()
  const clients: Client[] = []
  for (const [index, [caller, topics]] of plans.entries()) {
    const service = services[index % 2] as Harness
    const facts = index % 3 !== 0
    const suffix = (topic: string) => (facts ? `${topic}${topic.includes('?') ? '&' : '?'}facts=1` : topic)
    const base = { caller, service, topics, suffix: facts ? 'facts' : '' }
    if (index % 4 === 1 || index % 4 === 3) {
      const form = index % 4 === 1 ? ('ndjson' as const) : ('sse' as const)
      const query = facts ? { facts: 'true' } : {}
      const stream = opened.use(await openStream(service, topics, { as: caller, form, query }))
      clients.push({ ...base, copies: stream.copies })
    } else {
      const socket = opened.use(await openSocket(service, { as: caller }))
      for (const topic of topics) {
        const answer = await socket.ask({ type: 'subscribe', topic, facts })
        expect(answer, topic).toMatchObject({ type: 'snapshot', topic: suffix(topic) })
      }
      clients.push({ ...base, copies: socket.copies })
    }
  }

  const random = drawsOf(7)
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const anyMatch = () => `${made.path}/matches/${1 + Math.floor(random() * 14)}`
  const commands: readonly ((by: Harness) => Promise<unknown>)[] = [
    (by) => by.post(`${anyMatch()}/start`, pick([organiser, coordinator, visitor])),
    (by) =>
      by.put(`${anyMatch()}/result`, pick([organiser, coordinator, referee]), {
        outcome: 'score',
        scores: [2, pick([0, 1])],
      }),
    (by) =>
      by.put(`${anyMatch()}/result?force=true`, organiser, { outcome: 'score', scores: [1, 2], reason: 'seen again' }),
    (by) => by.post(`${anyMatch()}/reopen`, organiser, { reason: 'wrong map' }),
    (by) => by.patch(anyMatch(), pick([organiser, coordinator]), { notes: `note ${random()}` }),
    (by) => by.patch(anyMatch(), organiser, { streamUrl: `https://live.example.org/${Math.floor(random() * 9)}` }),
    (by) => by.patch(made.path, pick([organiser, staff]), { summary: `Round ${random()}` }),
    (by) =>
      by.put(`${made.path}/timelineEvents`, organiser, {
        timelineEvents: [
          { title: `Day ${Math.floor(random() * 9)}`, icon: 'flag', startTime: '2027-05-01T18:00:00Z', endTime: null },
        ],
      }),
    (by) =>
      by.patch(`${made.path}/teams/${made.teams[0]?.guid}`, captain, {
        color: pick(['#ff0000', '#00ff00', '#0000ff']),
      }),
    (by) => by.post(`${made.path}/updates`, organiser, { title: `News ${random()}`, content: 'Of today.' }),
    (by) => by.post(`${made.path}/permissions/${visitor.guid}/grant`, organiser, { role: 'role:caster' }),
    (by) => by.post(`/updateUserSettings`, captain, { pronouns: pick(['she', 'they', 'he']) }),
    (by) => by.delete(`${made.path}/permissions/${visitor.guid}/revoke`, organiser, { role: 'role:caster' }),
    (by) => by.post(`${made.path}/permissions/${other.guid}/grant`, organiser, { role: 'role:pooler' }),
  ]
  let done = 0
  for (let round = 0; round < 40; round++) {
    const together = 1 + Math.floor(random() * 3)
    const replies = await Promise.all(Array.from({ length: together }, () => pick(commands)(pick(services))))
    done += replies.filter((reply) => (reply as { status?: number } | undefined)?.status === 200).length
    if (round % 8 === 7) await Promise.all(clients.map((client) => compare(client)))
  }
  expect(done).toBeGreaterThan(15)
  await Promise.all(clients.map((client) => compare(client)))
  const events = clients.flatMap(({ copies }) => copies.packets.filter(({ type }) => type === 'event'))
  expect(events.length).toBeGreaterThan(200)
  // No client got a fact twice.
  for (const { copies } of clients) {
    for (const { facts } of copies.all.values()) expect(new Set(facts.map(({ id }) => id)).size).toBe(facts.length)
  }
})

/** Waits until every copy equals the response of a GET for its client. */
async function compare({ caller, service, copies, topics, suffix }: Client): Promise<void> {
  for (const topic of topics) {
    const name = suffix === '' ? topic : `${topic}${topic.includes('?') ? '&' : '?'}facts=1`
    for (let tries = 0; ; tries++) {
      const reply = await service.get(topic, caller)
      const copy = copies.of(name)
      if (reply.status === 200 && copy.etag === reply.headers.get('etag')) {
        expect(copy.body, topic).toEqual(reply.body)
        break
      }
      if (tries === 60) {
        expect({ status: reply.status, body: copy.body }, `${topic} as ${caller?.username}`).toEqual({
          status: 200,
          body: reply.body,
        })
        throw new Error(`${topic} as ${caller?.username}: the ETag is another one`)
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
