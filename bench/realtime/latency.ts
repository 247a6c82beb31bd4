import { setTimeout as wait } from 'node:timers/promises'
import { pace, percentile } from '../load.ts'
import { below, type Row } from '../report.ts'
import type { Service } from '../service.ts'
import { makePlayer, makeTournaments } from '../world.ts'
import { loopback, openLight, openMany } from './sockets.ts'

/** How soon a change is sent after it was made. */

const topics = 100
const followersOfEach = 10
const writesPerSecond = 200
/** A run that writes more slowly than this share of the rate proves nothing. */
const minRate = 0.9
const seconds = 10

/** The time from the response of a command to the packet with its change. */
export async function latency(service: Service): Promise<Row[]> {
  const { socketPort: port } = service
  const { loopDelayMs } = service.process
  const { delays, rate } = await delaysOf(service, {
    topics,
    writesPerSecond,
    writes: writesPerSecond * seconds,
    urls: [service.url],
    ports: Array.from({ length: followersOfEach }, () => port),
    onBegin: loopDelayMs,
  })
  const loop = await loopDelayMs()
  const figures = `${delays.length} packets, ${rate.toFixed(0)} writes/s to ${followersOfEach} sockets each; loop delay, 99 of 100: ${loop.toFixed(0)} ms`
  return [
    below('change to packet, median', '', percentile(delays, 0.5), 30, ' ms', figures),
    below('change to packet, 99 of 100', '', percentile(delays, 0.99), 150, ' ms', figures),
  ].map((row) => ({ ...row, holds: row.holds === true && rate > minRate * writesPerSecond }))
}

const sharedTopics = 20
const sharedWritesPerSecond = 30

/** Three complete processes on one database: writes go to each in turn, and followers connect to all. */
export async function threeProcesses(service: Service): Promise<Row[]> {
  const others = [await service.startBeside(), await service.startBeside()]
  const all = [service.process, ...others]
  const { delays, rate } = await delaysOf(service, {
    topics: sharedTopics,
    writesPerSecond: sharedWritesPerSecond,
    writes: sharedWritesPerSecond * seconds,
    urls: all.map(({ url }) => url),
    ports: all.flatMap(({ socketPort }) => [socketPort, socketPort]),
  })
  for (const other of others) await other.stop()
  const figures = `${delays.length} packets, ${rate.toFixed(0)} writes/s; half of them within ${percentile(delays, 0.5).toFixed(0)} ms`
  const work = 'a write at one of three processes, seen at all, 99 of 100'
  return [below(work, '', percentile(delays, 0.99), 200, ' ms', figures)]
}

interface Wanted {
  readonly topics: number
  readonly writes: number
  readonly writesPerSecond: number
  /** The addresses that writes go to, in turn. */
  readonly urls: readonly string[]
  /** The ports of the followers of each topic, one socket for each. */
  readonly ports: readonly number[]
  readonly onBegin?: () => Promise<unknown>
}

/**
 * Milliseconds from the response of each write to each of its packets, and the responses per second. A packet that
 * comes before the response counts as 0.
 */
async function delaysOf(
  { runtime }: Pick<Service, 'runtime'>,
  { topics, writes, writesPerSecond, urls, ports, onBegin }: Wanted,
): Promise<{ readonly delays: readonly number[]; readonly rate: number }> {
  const organiser = await makePlayer(runtime)
  const tournaments = await makeTournaments(runtime, organiser.guid, topics)
  const arrived: [number: number, at: number][] = []
  const sockets = await openMany(topics * ports.length, async (index) => {
    const socket = await openLight({
      port: ports[Math.floor(index / topics)] ?? 0,
      from: loopback(index),
      onMessage(text) {
        const at = performance.now()
        const mark = /"value":"mark (\d+)"/.exec(text)?.[1]
        if (mark !== undefined) arrived.push([Number(mark), at])
      },
    })
    socket.send({ type: 'subscribe', topic: `/tournaments/${tournaments[index % topics]}` })
    return socket
  })
  await wait(2_000)
  await onBegin?.()
  const requests = Array.from({ length: writes }, (_, number) => ({
    method: 'PATCH' as const,
    token: organiser.token,
    json: JSON.stringify({ summary: `mark ${number}` }),
    path: `/api/tournaments/${tournaments[number % topics]}`,
    number,
  }))
  const answeredAt: number[] = []
  const startedAt = performance.now()
  await Promise.all(
    urls.map(async (url, turn) => {
      const own = requests.filter(({ number }) => number % urls.length === turn)
      const answers = await pace(url, own, writesPerSecond / urls.length, 32)
      for (const [index, { number }] of own.entries()) answeredAt[number] = answers[index]?.answeredAt ?? Number.NaN
    }),
  )
  const rate = writes / ((Math.max(...answeredAt) - startedAt) / 1_000)
  if (rate < 0.9 * writesPerSecond)
    throw new Error(`of ${writesPerSecond} writes a second ${rate.toFixed(0)} were answered`)
  await wait(1_000)
  for (const socket of sockets) socket.close()
  const delays = arrived.map(([number, at]) => Math.max(0, at - (answeredAt[number] ?? at)))
  return { delays, rate }
}
