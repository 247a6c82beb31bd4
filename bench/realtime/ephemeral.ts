import { setTimeout as wait } from 'node:timers/promises'
import { makeField, reportsOf } from '../brackets.ts'
import { median, percentile } from '../load.ts'
import { below, type Row } from '../report.ts'
import type { Service } from '../service.ts'
import { makePlayer } from '../world.ts'
import { type LightSocket, loopback, openLight, openMany } from './sockets.ts'

const followers = 1_000
const keys = 8
const updatesPerSecond = 10
/** One of so many sockets reads nothing. */
const mute = 20
/** One of so many sockets measures the delay of values. */
const asked = 10
/** How long a socket that reads nothing stays before another replaces it; the service closes it meanwhile. */
const muteMs = 30_000
const defaultSeconds = 60
const settlingSeconds = 20

const maxGrowthMb = 20
const maxMs = 150

/**
 * Live scores of a match at the maximum rate, next to some sockets that read nothing. `EPHEMERAL_SECONDS=600` runs ten
 * minutes.
 */
export async function liveScores(service: Service): Promise<Row[]> {
  const seconds = Number(process.env.EPHEMERAL_SECONDS ?? defaultSeconds)
  const { runtime, url, socketPort: port } = service
  const organiser = await makePlayer(runtime)
  const field = await makeField({ url, runtime }, organiser, 1)
  const [report] = await reportsOf({ url, runtime }, field, field.brackets[0] ?? '')
  const topic = `/tournaments/${field.tournament}/matches/${report?.match.guid}/live`
  const delays: number[] = []
  let isCounting = false
  const onMessage = (text: string) => {
    if (!isCounting || !text.startsWith('{"type":"state"')) return
    const now = performance.now()
    // The score is the time of writing, in tenths of a millisecond.
    for (const [, score] of text.matchAll(/"score":(\d+)/g)) delays.push(now - Number(score) / 10)
  }
  const follow = async (index: number) => {
    const reads = index % asked === 1 ? { onMessage } : { onBytes: () => {} }
    const socket = await openLight({ port, from: loopback(index), ...reads })
    socket.send({ type: 'subscribe', topic, rate: updatesPerSecond })
    return socket
  }
  const sockets = await openMany(followers, follow)
  const writers = await openMany(keys, () => openLight({ port, token: organiser.token, onMessage: () => {} }))
  const players = await Promise.all(Array.from({ length: keys }, () => makePlayer(runtime)))
  const writing = write(
    writers,
    topic,
    players.map(({ guid }) => guid),
  )
  await wait(settlingSeconds * 1_000)
  const resident = async () => {
    const samples: number[] = []
    for (let sample = 0; sample < 10; sample++) {
      samples.push((await service.process.residentBytes()) / 1e6)
      await wait(200)
    }
    return median(samples)
  }
  const before = await resident()
  isCounting = true
  const stopMuting = muting(sockets, follow)
  const staying = stay(sockets)
  await wait(seconds * 1_000)
  const growth = (await resident()) - before
  clearInterval(writing)
  clearInterval(staying)
  stopMuting()
  for (const socket of [...sockets, ...writers]) socket.close()
  const figures = `${seconds} s, from ${before.toFixed(0)} MB; ${delays.length} values at every tenth socket, half of them within ${percentile(delays, 0.5).toFixed(0)} ms`
  const work = `live scores, ${updatesPerSecond} updates a second of ${keys} keys, ${followers} sockets`
  return [
    below(
      `${work}, ${followers / mute} of which read nothing: memory`,
      'all of them reading',
      growth,
      maxGrowthMb,
      ' MB',
      figures,
    ),
    below(`${work}: write to packet, 99 of 100`, '', percentile(delays, 0.99), maxMs, ' ms', figures),
  ]
}

/** Each writer writes its key, and no two write at the same moment. */
function write(writers: readonly LightSocket[], topic: string, players: readonly string[]): NodeJS.Timeout {
  let turn = 0
  const everyMs = 1_000 / updatesPerSecond / keys
  const startedAt = performance.now()
  return setInterval(() => {
    for (; startedAt + turn * everyMs <= performance.now(); turn++) {
      const value = { ...score, score: Math.round(performance.now() * 10) }
      const seq = Math.floor(turn / keys) + 1
      writers[turn % keys]?.send({ type: 'publish', topic, key: `player:${players[turn % keys]}`, value, seq })
    }
  }, 5)
}

const hand = { hits: 412, misses: 3, badCuts: 1, cut: [69.3, 11.2, 28.9] }
const score = {
  modifiedScore: 812_345,
  maxScore: 913_000,
  accuracy: 0.9312,
  combo: 211,
  maxCombo: 318,
  misses: 4,
  badCuts: 1,
  bombHits: 0,
  wallHits: 0,
  health: 0.97,
  songTime: 73.21,
  fullCombo: false,
  state: 'playing',
  left: hand,
  right: hand,
}

/** Every reading socket sends a ping each 20 s, some at a time. */
function stay(sockets: readonly LightSocket[]): NodeJS.Timeout {
  let turn = 0
  return setInterval(() => {
    turn++
    sockets.forEach((socket, index) => {
      if (index % mute !== 0 && (index + turn) % 20 === 0) socket.send({ type: 'ping' })
    })
  }, 1_000)
}

/** Stops reading on some sockets; new ones replace them regularly, as a client would reconnect. */
function muting(sockets: LightSocket[], follow: (index: number) => Promise<LightSocket>): () => void {
  const places = sockets.map((_, index) => index).filter((index) => index % mute === 0)
  const hush = () => places.forEach((index) => void sockets[index]?.socket.pause())
  hush()
  const timer = setInterval(async () => {
    for (const index of places) {
      sockets[index]?.close()
      sockets[index] = await follow(index)
    }
    hush()
  }, muteMs)
  return () => clearInterval(timer)
}
