import { channel } from 'node:diagnostics_channel'
import type { Socket as NetSocket } from 'node:net'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Caller, Harness } from '../harness.ts'
import { makeTournament, touch } from '../make.ts'

/** Measurements and topics for tests of slow readers. */

export const megabyte = 1024 * 1024

/** Finds the service's end of a connection by the client's end; call it once in a file. */
export function noteEnds(): (client: NetSocket | null | undefined) => NetSocket {
  const ends = new Map<number | undefined, NetSocket>()
  const note = (message: unknown) => {
    const { socket } = message as { readonly socket: NetSocket }
    ends.set(socket.remotePort, socket)
  }
  beforeAll(() => channel('net.server.socket').subscribe(note))
  afterAll(() => {
    channel('net.server.socket').unsubscribe(note)
  })
  return (client) => ends.get(client?.localPort) as NetSocket
}

/** The bytes that wait in all connections, from the metric. */
export async function waitingBytes(api: Harness): Promise<number> {
  const { text } = await api.call('GET', '//metrics')
  return Number(/^realtime_waiting_bytes (\S+)/m.exec(text)?.[1])
}

/**
 * A tournament with updates, all of which are rewritten together.
 * @param length characters of each update
 */
export async function makeUpdates(api: Harness, organiser: Caller, length: number, count = 20) {
  const { guid } = await makeTournament(api, organiser, { status: 'ongoing' })
  const topic = `/tournaments/${guid}`
  await api.sql(
    `insert into updates (guid, tournament_guid, author_guid, title, content, changes, published_hash)
     select gen_random_uuid(), $1, $2, 'News ' || n, '', '[]', '' from generate_series(1, $3::int) as n`,
    [guid, organiser.guid, count],
  )
  let version = 0
  const made = {
    topic,
    updates: `${topic}/updates`,
    /** Changes every update completely. */
    async rewrite() {
      const letter = String.fromCharCode(97 + (version++ % 26))
      await api.sql('update updates set content = repeat($2, $3) where tournament_guid = $1', [guid, letter, length])
      await touch(api, guid)
    },
    async change(summary: string) {
      expect((await api.patch(topic, organiser, { summary })).status).toBe(200)
    },
  }
  await made.rewrite()
  return made
}
