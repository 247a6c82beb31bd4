import { setTimeout as wait } from 'node:timers/promises'
import { makeField, reportsOf, requests } from '../brackets.ts'
import { median, pace } from '../load.ts'
import { below, type Row, told } from '../report.ts'
import type { Service } from '../service.ts'
import { makePlayer } from '../world.ts'
import { loopback, openLight, openMany } from './sockets.ts'

const followers = 500
const reportsPerSecond = 10
const maxDelayMs = 50
const maxBytes = 2_000

/** A whole bracket of 256 teams with many followers, while the results of its first round are reported. */
export async function largeBracket(service: Service): Promise<Row[]> {
  const { runtime, url, socketPort: port } = service
  const field = await makeField({ url, runtime }, await makePlayer(runtime), 1)
  const [bracket = ''] = field.brackets
  const reports = await reportsOf({ url, runtime }, field, bracket)
  const packets: number[] = []
  let whole = 0
  // The first packet has the body; later packets have changes.
  let held = 0
  const sockets = await openMany(followers, async (index) => {
    const socket = await openLight({
      port,
      from: loopback(index),
      onMessage(text) {
        if (text.startsWith('{"type":"event"')) packets.push(Buffer.byteLength(text))
        else if (text.startsWith('{"type":"snapshot"')) {
          held++
          whole = Buffer.byteLength(text)
        }
      },
    })
    socket.send({ type: 'subscribe', topic: `/tournaments/${field.tournament}/brackets/${bracket}` })
    return socket
  })
  for (let left = 600; held < followers && left > 0; left--) await wait(100)
  if (held < followers) throw new Error(`${held} of ${followers} were sent the bracket`)
  await wait(1_000)
  await service.process.loopDelayMs()
  const next = requests(field, reports)
  await pace(
    url,
    reports.map(() => next() as NonNullable<ReturnType<typeof next>>),
    reportsPerSecond,
    8,
  )
  const delay = await service.process.loopDelayMs()
  await wait(2_000)
  for (const socket of sockets) socket.close()
  const work = `bracket of 256 teams, ${Math.round(whole / 1_000)} kB, ${followers} followers, ${reportsPerSecond} reports a second`
  const bytesOfEach = packets.reduce((sum, bytes) => sum + bytes, 0) / followers / reports.length
  const again = held - followers
  const figures = `${packets.length} packets of ${reports.length} reports${again > 0 ? `, ${again} times the whole` : ''}`
  return [
    below(`${work}: loop delay, 99 of 100`, '', delay, maxDelayMs, ' ms', figures),
    below(`${work}: packet, median`, '', median(packets), maxBytes, ' B', figures),
    told(`${work}: for each report`, '', `${Math.round(bytesOfEach)} B`, 'all packets of a follower ÷ reports'),
  ]
}
