import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { during, load, median, type Request } from './load.ts'
import { below, type Row, ratio } from './report.ts'
import type { Service } from './service.ts'
import { type LightSocket, openLight } from './sockets.ts'
import { makePlayer, makeTournaments } from './world.ts'

/** Sockets: what they hold, how fast a change reaches them, and how many one message reaches. */

const fanOutClients = 2_000
const fanOutRate = 600
const fanOutSeconds = 3
const messageBytes = 1_028

/** Messages of a kilobyte to many sockets, as many as the two cores, which the clients share, can deliver. */
export async function fanOut(): Promise<Row[]> {
  const figures: Record<string, number[]> = { ours: [], least: [] }
  for (let turn = 0; turn < 3; turn++) {
    for (const variant of ['ours', 'least']) figures[variant]?.push(await deliveriesOf(variant))
  }
  const measured = { ours: median(figures.ours ?? []), baseline: median(figures.least ?? []) }
  const work = `1 kB to ${fanOutClients} sockets, deliveries`
  return [ratio(work, 'one frame written to each socket, gathered for 15 ms', measured, 0.8)]
}

async function deliveriesOf(variant: string): Promise<number> {
  const child = spawn(
    process.execPath,
    ['--import', hook, path.join(import.meta.dirname, 'fanout-server.ts'), variant],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const port = Number((await lines.next()).value)
  let bytes = 0
  const sockets = await openMany(fanOutClients, (index) =>
    openLight({ port, from: loopback(index), onBytes: (more) => (bytes += more) }),
  )
  await wait(500)
  bytes = 0
  const startedAt = performance.now()
  child.stdin.write(`${fanOutRate} ${fanOutSeconds}\n`)
  await lines.next()
  // What is still on its way is waited for, and counts.
  for (let before = -1; before !== bytes; ) {
    before = bytes
    await wait(100)
  }
  const seconds = (performance.now() - startedAt - 100) / 1_000
  for (const socket of sockets) socket.close()
  child.kill('SIGKILL')
  await once(child, 'exit')
  return bytes / messageBytes / seconds
}

const idleSockets = 10_000
const mostPerSocket = 25
const mostIdlePercent = 3

/** Sockets that follow a topic each and are told nothing. */
export async function idle(service: Service): Promise<Row[]> {
  const organiser = await makePlayer(service.runtime)
  const [tournament = ''] = await makeTournaments(service.runtime, organiser.guid, 1)
  const before = await service.residentBytes()
  const sockets = await openMany(idleSockets, async (index) => {
    const socket = await openLight({ port: service.socketPort, from: loopback(index) })
    socket.send({ type: 'subscribe', topic: `/tournaments/${tournament}` })
    return socket
  })
  await wait(3_000)
  const bytes = (await service.residentBytes()) - before
  const from = await service.processorMs()
  await wait(10_000)
  const percent = ((await service.processorMs()) - from) / 100
  for (const socket of sockets) socket.close()
  await wait(2_000)
  return [
    below(`${idleSockets} sockets that follow a topic, each`, '', bytes / idleSockets / 1024, mostPerSocket, ' kB'),
    below(`${idleSockets} sockets that are told nothing`, 'one core', percent, mostIdlePercent, ' %'),
  ]
}

const topics = 100
const followersOfEach = 10
const writesPerSecond = 200
const latencySeconds = 10

/** From the answer of a command to the packet of what it changed. */
export async function latency(service: Service): Promise<Row[]> {
  const organiser = await makePlayer(service.runtime)
  const tournaments = await makeTournaments(service.runtime, organiser.guid, topics)
  const answeredAt = new Map<string, number>()
  const arrivedAt: [mark: string, at: number][] = []
  const sockets = await openMany(topics * followersOfEach, async (index) => {
    const socket = await openLight({
      port: service.socketPort,
      from: loopback(index),
      onMessage(text) {
        const at = performance.now()
        const mark = /"summary"[^}]*"value":"(mark \d+)"/.exec(text)?.[1] ?? /"value":"(mark \d+)"/.exec(text)?.[1]
        if (mark !== undefined) arrivedAt.push([mark, at])
      },
    })
    socket.send({ type: 'subscribe', topic: `/tournaments/${tournaments[index % topics]}` })
    return socket
  })
  await wait(2_000)
  const writes: Promise<void>[] = []
  const startedAt = performance.now()
  for (let number = 0; number < writesPerSecond * latencySeconds; number++) {
    const due = startedAt + (number * 1_000) / writesPerSecond
    if (due > performance.now()) await wait(due - performance.now())
    const mark = `mark ${number}`
    const tournament = tournaments[number % topics]
    writes.push(
      fetch(`${service.url}/api/tournaments/${tournament}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${organiser.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ summary: mark }),
      }).then(async (reply) => {
        await reply.text()
        if (reply.status !== 200) throw new Error(`a write was answered ${reply.status}`)
        answeredAt.set(mark, performance.now())
      }),
    )
  }
  await Promise.all(writes)
  await wait(1_000)
  for (const socket of sockets) socket.close()
  const delays = arrivedAt.map(([mark, at]) => Math.max(0, at - (answeredAt.get(mark) ?? at))).sort((a, b) => a - b)
  const figures = `${delays.length} packets of ${writes.length} writes to ${followersOfEach} sockets each`
  const at = (part: number) => delays[Math.floor(delays.length * part)] ?? Number.NaN
  return [
    below('change to packet, median', '', at(0.5), 30, ' ms', figures),
    below('change to packet, 99 of 100', '', at(0.99), 150, ' ms', figures),
  ]
}

const senders = 100
const commandSeconds = 4

/** The same command over sockets and over HTTP: notifications are marked as read, of which there are none. */
export async function commands(service: Service): Promise<Row[]> {
  const players = await Promise.all(Array.from({ length: senders }, () => makePlayer(service.runtime)))
  const request = (index: number): Request => ({
    ...{ method: 'POST', path: '/api/users/@me/notifications/read', json: '{"all":true}' },
    token: players[index % senders]?.token ?? '',
  })
  const figures: Record<'sockets' | 'http', number[]> = { sockets: [], http: [] }
  for (let turn = 0; turn < 3; turn++) {
    figures.sockets.push(
      await overSockets(
        service.socketPort,
        players.map(({ token }) => token),
      ),
    )
    figures.http.push(await load(service.url, during(commandSeconds, request), senders))
  }
  const measured = { ours: median(figures.sockets), baseline: median(figures.http) }
  return [ratio('command over a socket', 'the same over HTTP', measured, 0.8)]
}

/** Each sends as many as it may, one after another's answer. */
async function overSockets(port: number, tokens: readonly string[]): Promise<number> {
  let answered = 0
  const end = performance.now() + commandSeconds * 1_000
  const command = { type: 'command', name: 'notifications.read', body: { all: true } }
  const sockets: LightSocket[] = []
  for (const token of tokens) {
    const opened: LightSocket = await openLight({
      ...{ port, token },
      onMessage(text) {
        if (!text.startsWith('{"type":"result"')) return
        answered++
        if (performance.now() < end) opened.send(command)
      },
    })
    sockets.push(opened)
  }
  const startedAt = performance.now()
  for (const socket of sockets) socket.send(command)
  await wait(end - performance.now())
  const rate = answered / ((performance.now() - startedAt) / 1_000)
  for (const socket of sockets) socket.close()
  return rate
}

const hook = new URL('../bin/resolve.js', import.meta.url).href

function loopback(index: number): string {
  return `127.0.1.${1 + (index % 200)}`
}

/** Some at a time, so that none waits for too long. */
async function openMany(count: number, open: (index: number) => Promise<LightSocket>): Promise<LightSocket[]> {
  const opened: LightSocket[] = []
  for (let from = 0; from < count; from += 200) {
    const some = Array.from({ length: Math.min(200, count - from) }, (_, offset) => open(from + offset))
    opened.push(...(await Promise.all(some)))
  }
  return opened
}
