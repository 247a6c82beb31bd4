import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { connect, type Topic } from '../client/connect.ts'
import type { WebSocketLike } from '../client/platform.ts'
import { bodyOf, type Client } from './client.ts'
import type { Scene, Tournament } from './tournament.ts'

/** Follows the tournament over the socket while the demo plays it over HTTP. */

export interface Following extends Disposable {
  /**
   * Follows more topics of the tournament.
   * @param paths the paths within the tournament, by a name for the story
   */
  add(paths: Readonly<Record<string, string>>): Promise<void>
  /** Follows an ephemeral topic, which no GET returns. @param path within the tournament */
  live(path: string): LiveValues
  /**
   * Tells what has come, and expects that all copies equal the responses of the service.
   * @throws Error when one differs
   */
  compare(): Promise<void>
}

export interface LiveValues {
  /** The number of received values, by key. */
  readonly counts: ReadonlyMap<string, number>
}

const Description = Type.Object({
  servers: Type.Object({
    socket: Type.Object({ host: Type.String(), protocol: Type.String(), pathname: Type.Optional(Type.String()) }),
  }),
})

const defaultPatienceMs = 5_000
const pauseMs = 50

/**
 * @param patienceMs the time limit for the socket, a topic, or the last packet of a topic
 * @throws Error when the socket is unreachable, or does not serve the tournament
 */
export async function follow(
  { client, story }: Scene,
  { id }: Pick<Tournament, 'id'>,
  patienceMs = defaultPatienceMs,
): Promise<Following> {
  const url = await socketOf(client)
  let packets = 0
  const facts = new Set<string>()
  const socket = connect(
    { url },
    {
      open(address, protocol) {
        const opened = new WebSocket(address, protocol)
        opened.addEventListener('message', () => {
          packets += 1
        })
        return opened as WebSocketLike
      },
    },
  )
  const topics = new Map<string, Topic<unknown>>()

  async function add(paths: Readonly<Record<string, string>>): Promise<void> {
    const added = Object.entries(paths).map(([what, path]) => {
      const topic = socket.topic<string>(`/tournaments/${id}${path}`, { facts: true })
      // A topic is followed while it has a listener; several topics may report the same event.
      topic.subscribe((change) => {
        for (const fact of change.facts) facts.add(fact.id)
      })
      topics.set(what, topic)
      return topic
    })
    const isThere = await comesTrue(() => added.every(({ status }) => status !== 'connecting'), patienceMs)
    for (const { name, error } of added)
      if (error !== undefined) throw new Error(`${name} over ${url}: ${error.message}`)
    if (!isThere) {
      const fault = socket.status.state === 'live' ? 'does not tell of the tournament' : 'cannot be reached'
      throw new Error(`the socket of the service, ${url}, ${fault}`)
    }
  }

  function live(path: string): LiveValues {
    const counts = new Map<string, number>()
    let before: Readonly<Record<string, unknown>> = {}
    socket.live(`/tournaments/${id}${path}`).subscribe(({ value = {} }) => {
      for (const [key, told] of Object.entries(value)) {
        if (told !== before[key]) counts.set(key, (counts.get(key) ?? 0) + 1)
      }
      before = value
    })
    return { counts }
  }

  async function compare(): Promise<void> {
    for (const topic of topics.values()) await expectEqual(client, topic, patienceMs)
    story.chapter('Meanwhile, over the socket')
    story.tell(`anybody who followed the tournament got ${packets} packets, which told of ${facts.size} events;`)
    story.tell(`every copy equals what a GET answers now: ${[...topics.keys()].join(', ')}`)
  }

  try {
    await add({ tournament: '', teams: '/teams', divisions: '/divisions', matches: '/matches' })
  } catch (error) {
    socket.close()
    throw error
  }
  return { add, live, compare, [Symbol.dispose]: () => socket.close() }
}

/** The address of the socket in the description of the service. */
async function socketOf(client: Client): Promise<string> {
  const answer = await client.call('GET', '/asyncapi.json')
  const { host, protocol, pathname = '' } = bodyOf(answer, 200, Description).servers.socket
  return `${protocol}://${host}${pathname}`
}

/** Waits for a last packet that may still be under way. */
async function expectEqual(client: Client, topic: Topic<unknown>, patienceMs: number): Promise<void> {
  const read = async () => bodyOf(await client.call('GET', topic.name), 200, Type.Unknown())
  if (await comesTrue(async () => isDeepStrictEqual(topic.value, await read()), patienceMs)) return
  throw new Error(`the copy of ${topic.name} that came over the socket is not what a GET of it answers`)
}

export async function comesTrue(isTrue: () => boolean | Promise<boolean>, patienceMs: number): Promise<boolean> {
  const until = Date.now() + patienceMs
  while (!(await isTrue())) {
    if (Date.now() > until) return false
    await sleep(pauseMs)
  }
  return true
}
