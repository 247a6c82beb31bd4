import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { MadeAssistantPlay } from './assistant.ts'
import type { Harness } from './harness.ts'
import type { Packet } from './realtime/copies.ts'
import { openSocket, type Socket } from './realtime/sockets.ts'

/** The observers of a match at an assistant: an anonymous socket, a socket of the referee, and GET requests. */

const patient = { timeout: 60_000, interval: 25 }

export interface WatchedMatch {
  /** The path of the match, by its GUID. */
  readonly match: string
  /** The live values that the anonymous socket has. */
  readonly live: () => Readonly<Record<string, Packet>>
  /** Resolves once the values of each socket equal the response of a GET. */
  readonly agree: () => Promise<void>
  readonly close: () => Promise<void>
}

export async function watchMatch(
  api: Harness,
  { cup, readMatch, referee }: MadeAssistantPlay,
  hasFlow: boolean,
): Promise<WatchedMatch> {
  const match = `/tournaments/${cup.guid}/matches/${(await readMatch(1)).guid}`
  const [viewer, staff] = await Promise.all([openSocket(api, { as: null }), openSocket(api, { as: referee })])
  const followed = [
    ...[match, `${match}/assistant`, ...(hasFlow ? [`${match}/flow`] : [])].map((topic) => ({
      socket: viewer,
      as: null,
      topic,
    })),
    ...[`${match}/assistant`, `${match}/proposals`].map((topic) => ({ socket: staff, as: referee, topic })),
  ]
  for (const { socket, topic } of followed) {
    expect(await socket.ask({ type: 'subscribe', topic })).toMatchObject({ type: 'snapshot' })
  }
  const live = `${match}/live`
  expect(await viewer.ask({ type: 'subscribe', topic: live, rate: 10 })).toMatchObject({ type: 'state' })
  return {
    match,
    live: () => liveOf(viewer, live),
    async agree(): Promise<void> {
      for (const { socket, as, topic } of followed) {
        const differs = async () => {
          const { body } = await api.get(topic, as)
          const held = socket.copies.of(topic).body
          return isDeepStrictEqual(held, body) ? null : { topic, held, body }
        }
        await expect.poll(differs, patient).toBeNull()
      }
    },
    close: async () => void (await Promise.all([viewer.close(), staff.close()])),
  }
}

function liveOf({ copies }: Socket, topic: string): Readonly<Record<string, Packet>> {
  let held: Record<string, Packet> = {}
  for (const { type, topic: of, states, gone, full } of copies.packets) {
    if (type !== 'state' || of !== topic) continue
    held = { ...(full ? {} : held), ...states }
    for (const key of gone) delete held[key]
  }
  return held
}
