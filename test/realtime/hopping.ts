import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { connect } from '../../client/connect.ts'
import type { WebSocketLike } from '../../client/platform.ts'
import type { Json } from '../../src/core/patch.ts'
import type { Caller } from '../harness.ts'
import { withFacts } from './breaks.ts'
import { Copies, type Fact, type Packet } from './copies.ts'

/** Clients that move from one gateway to another, by choice and when a gateway is gone. */

export interface HopperOptions {
  /** Addresses of the gateways' sockets. */
  readonly addresses: readonly string[]
  readonly caller: Caller | null
  /** The topics, followed with facts. */
  readonly topics: readonly string[]
  /** An ephemeral topic. */
  readonly values: string
  /** The number of changes that a body contains. */
  readonly versionOf: (body: Json) => number
}

export interface Held {
  readonly body: Json
  /** Null when the client does not expose it. */
  readonly etag: string | null
  readonly facts: readonly Fact[]
}

/** The values of a client, and the facts that it got. */
export interface Hopper extends Pick<HopperOptions, 'caller' | 'topics' | 'values'> {
  /** Whether all topics have come once. */
  readonly hasBegun: boolean
  /** Undefined: nothing has come yet, or the value is known to be outdated. */
  heldOf(topic: string): Held | undefined
  /** The values of the ephemeral topic. */
  valuesHeld(): Readonly<Record<string, unknown>>
  /** Close codes of its connections, 1006 for broken ones. */
  readonly codes: readonly number[]
  /** How often it got the missed facts, and how often nothing was missing. */
  readonly comebacks: { told: number; resumed: number }
  /** Packets that it should not have received. */
  readonly faults: readonly string[]
  /** Stops moving by itself. */
  stay(): void
  end(): Promise<void>
}

const minStayMs = 500
const maxStayMs = 3_500
const maxPauseMs = 300
const stayMs = () => minStayMs + Math.random() * (maxStayMs - minStayMs)
const pick = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)] as T

/** A client that speaks the protocol itself. */
export function rawHopper({ addresses, caller, topics, values, versionOf }: HopperOptions): Hopper {
  const copies = new Copies()
  const codes: number[] = []
  const faults: string[] = []
  const comebacks = { told: 0, resumed: 0 }
  const versions = new Map<string, number>()
  let states: Record<string, unknown> = {}
  let isStaying = false
  let isOver = false
  let socket: WebSocket | undefined

  function take(packet: Packet): void {
    copies.take(packet)
    if (packet.type === 'resumed') comebacks.resumed++
    if (packet.type === 'snapshot' && packet.facts !== undefined) comebacks.told++
    // The service may be unable to answer now, and the client tries again.
    if (packet.type === 'error' && packet.status >= 500) socket?.terminate()
    else if (packet.type === 'error' || packet.type === 'ended' || packet.resync) faults.push(JSON.stringify(packet))
    else if (packet.type === 'state') {
      states = { ...(packet.full ? {} : states), ...packet.states }
      for (const key of packet.gone) delete states[key]
    } else if (packet.topic !== undefined) look(packet.topic)
  }

  /** A client that got a change never gets an older value, whatever process it connects to. (RT7) */
  function look(topic: string): void {
    const version = versionOf(copies.of(topic).body as Json)
    const before = versions.get(topic) ?? 0
    if (version < before) faults.push(`${topic} went back from ${before} to ${version}`)
    versions.set(topic, version)
  }

  async function visit(opened: WebSocket): Promise<void> {
    socket = opened
    opened.on('error', () => {})
    opened.on('open', () => {
      for (const topic of topics) {
        const { position: since, etag } = copies.all.get(withFacts(topic)) ?? {}
        opened.send(JSON.stringify({ type: 'subscribe', topic, facts: true, since, etag }))
      }
      opened.send(JSON.stringify({ type: 'subscribe', topic: values, rate: 2 }))
    })
    opened.on('message', (data) => {
      try {
        take(JSON.parse(String(data)))
      } catch (error) {
        faults.push(String(error))
        opened.terminate()
      }
    })
    const leaving = setTimeout(() => isStaying || opened.terminate(), stayMs())
    codes.push(await new Promise<number>((resolve) => opened.on('close', resolve)))
    clearTimeout(leaving)
  }

  async function run(): Promise<void> {
    const headers = caller === null ? {} : { authorization: `Bearer ${caller.token}` }
    while (!isOver) {
      await visit(new WebSocket(pick(addresses), ['downbeat.v1'], { headers, handshakeTimeout: 5_000 }))
      await wait(Math.random() * maxPauseMs)
    }
  }
  const running = run()

  return {
    caller,
    topics,
    values,
    codes,
    comebacks,
    faults,
    get hasBegun() {
      return topics.every((topic) => copies.all.has(withFacts(topic)))
    },
    heldOf(topic) {
      const copy = copies.all.get(withFacts(topic))
      return copy === undefined ? undefined : { ...copy, body: copy.body as Json }
    },
    valuesHeld: () => states,
    stay() {
      isStaying = true
    },
    async end() {
      isOver = true
      socket?.terminate()
      await running
    },
  }
}

/** A client that uses the published client library. */
export function userHopper({ addresses, caller, topics, values, versionOf }: HopperOptions): Hopper {
  const codes: number[] = []
  const faults: string[] = []
  const told = new Map<string, Fact[]>()
  let leaving: NodeJS.Timeout | undefined
  let isStaying = false
  const client = connect(
    {
      url: addresses[0] as string,
      ...(caller === null ? {} : { token: async () => caller.token }),
      onStatus: ({ state, code }) => {
        if (state === 'waiting') codes.push(code ?? 0)
        if (state === 'closed' && code !== undefined) faults.push(`closed for good: ${code}`)
      },
      onError: (error) => faults.push(String(error)),
    },
    {
      // It waits less than usual, and connects to another gateway.
      random: () => Math.random() / 10,
      open(_url, protocol) {
        const socket = new globalThis.WebSocket(pick(addresses), protocol)
        leaving = setTimeout(() => isStaying || socket.close(), stayMs())
        return socket as WebSocketLike
      },
    },
  )
  const followed = new Map(topics.map((name) => [name, client.topic(name, { facts: true })]))
  for (const [name, topic] of followed) {
    const facts: Fact[] = []
    told.set(name, facts)
    let before = 0
    topic.subscribe((change) => {
      facts.push(...change.facts)
      const isRefused = change.error !== undefined && !change.error.isTransient
      if (change.resync !== undefined || isRefused) faults.push(`${name}: ${JSON.stringify(change)}`)
      const version = change.value === undefined ? 0 : versionOf(change.value as Json)
      if (version < before) faults.push(`${name} went back from ${before} to ${version}`)
      before = version
    })
  }
  const live = client.live(values, { rate: 2 })
  live.subscribe(() => {})
  return {
    caller,
    topics,
    values,
    codes,
    comebacks: { told: 0, resumed: 0 },
    faults,
    get hasBegun() {
      return [...followed.values()].every(({ value }) => value !== undefined)
    },
    heldOf(name) {
      const topic = followed.get(name)
      if (topic?.value === undefined || topic.status !== 'live') return undefined
      return { body: topic.value as Json, etag: null, facts: told.get(name) ?? [] }
    },
    valuesHeld: () => live.value ?? {},
    stay() {
      isStaying = true
    },
    async end() {
      clearTimeout(leaving)
      client.close()
    },
  }
}
