import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import type { MadeBracket } from '../bracket-play.ts'
import { resultOf } from '../bracket-play.ts'
import type { Harness } from '../harness.ts'
import { Copies } from './copies.ts'
import { openSocket } from './sockets.ts'
import { openStream } from './streams.ts'

/** Clients whose connections break repeatedly while a bracket is played. */

/** The public topics of a bracket that is played. */
export function topicsOf({ cup, bracket }: MadeBracket): readonly string[] {
  const path = `/tournaments/${cup.guid}`
  return [`${path}/matches`, `${path}/matches/1`, `${path}/brackets/${bracket.guid}`, path]
}

export const withFacts = (topic: string) => `${topic}?facts=1`

const pick = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)] as T

/** Plays the bracket, and keeps changing it, until the clients have received enough. */
export async function playUntil(
  services: readonly Harness[],
  made: MadeBracket,
  isEnough: () => boolean,
): Promise<void> {
  const { organiser } = made
  let ready: readonly { readonly number: number; readonly status: string }[] = []
  for (let turn = 0; !isEnough(); turn++) {
    const api = pick(services)
    if (ready.length === 0)
      ready = (await made.read()).matches.filter(({ status }: { status: string }) => status === 'ready')
    const [match, ...rest] = ready
    ready = rest
    const replies = await Promise.all(
      match === undefined
        ? [
            api.patch(made.match(1), organiser, { streamUrl: `https://live.example.org/${turn}` }),
            api.patch(made.path, organiser, { summary: `Turn ${turn}.` }),
          ]
        : [
            api.post(`${made.match(match.number)}/start`, organiser).then(async (started) => {
              const told = await api.put(`${made.match(match.number)}/result`, organiser, resultOf(match))
              return told.status === 200 ? started : told
            }),
          ],
    )
    for (const reply of replies) expect(reply.status, reply.text).toBe(200)
    await wait(40 + Math.random() * 60)
  }
}

/** The parts of a service that a client needs. */
export type Place = Pick<Harness, 'app' | 'url'>

export interface Client {
  readonly copies: Copies
  /** Continues from its position at a process for some time, and then disconnects. */
  readonly once: (place: Place, ms: number) => Promise<void>
  breaks: number
}

/** Disconnects each client repeatedly, at any moment. */
export async function breakOften(
  clients: readonly Client[],
  services: readonly Harness[],
  times: number,
): Promise<void> {
  await Promise.all(
    clients.map(async (client) => {
      while (client.breaks < times) {
        await client.once(pick(services), Math.random() * 50)
        client.breaks++
      }
    }),
  )
}

export function socketClient(topics: readonly string[]): Client {
  const copies = new Copies()
  return {
    copies,
    breaks: 0,
    async once(api, ms) {
      const socket = await openSocket(api, { copies })
      for (const topic of topics) {
        const held = copies.all.get(withFacts(topic))
        const { position: since, etag } = held ?? {}
        socket.send({ type: 'subscribe', topic, facts: true, ...(since === undefined ? {} : { since, etag }) })
      }
      await Promise.race([socket.closed, wait(ms, undefined, { ref: false })])
      socket.socket.terminate()
      await socket.closed
    },
  }
}

/** A client of a stream that stays open, or with `poll` of one that is requested repeatedly. */
export function streamClient(topics: readonly string[], form: 'ndjson' | 'sse', poll?: number): Client {
  const copies = new Copies()
  return {
    copies,
    breaks: 0,
    async once(api, ms) {
      const { since } = copies
      // Browsers send their position in a header.
      const inHeader = form === 'sse' && since !== undefined
      const stream = await openStream(api, topics, {
        form,
        copies,
        headers: inHeader ? { 'last-event-id': since } : {},
        query: {
          facts: 'true',
          ...(since === undefined || inHeader ? {} : { since }),
          ...(poll === undefined ? {} : { wait: String(poll) }),
        },
      }).catch(askAgain)
      if (stream === null) return
      await Promise.race([stream.ended, wait(ms, undefined, { ref: false })])
      await stream.close()
    },
  }
}

/**
 * Ignores a 408. A request that is cancelled while it connects leaves a connection without a request for the next one.
 * The service may close it, after ten seconds, just when that next request is sent; it then answers that the request
 * came too late and should be sent again.
 */
function askAgain(error: Error): null {
  if (!error.message.startsWith('no stream: 408')) throw error
  return null
}

/** Expects that the client that never disconnected and all others have the same values, and got the same facts once. */
export async function compare(
  api: Harness,
  topics: readonly string[],
  witness: Copies,
  clients: readonly Client[],
): Promise<void> {
  const replies = await Promise.all(topics.map((topic) => api.get(topic)))
  const isThere = (held: Copies) =>
    topics.every((topic, index) => {
      const copy = held.all.get(withFacts(topic))
      return copy !== undefined && copy.etag === replies[index]?.headers.get('etag')
    })
  await witness.until(isThere, 'the end')
  const factsOf = (held: Copies, topic: string) => held.of(withFacts(topic)).facts.map(({ id }) => id)
  for (const client of clients) {
    while (!isThere(client.copies)) await client.once(api, 100)
    for (const [index, topic] of topics.entries()) {
      expect(client.copies.of(withFacts(topic)).body, topic).toEqual(replies[index]?.body)
      expect(factsOf(client.copies, topic), topic).toEqual(factsOf(witness, topic))
    }
  }
}
