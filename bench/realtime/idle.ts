import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { median, pace, percentile } from '../load.ts'
import { endWithUs } from '../process.ts'
import { below, type Row } from '../report.ts'
import type { Service } from '../service.ts'
import { makePlayer, makeTournaments } from '../world.ts'

const sockets = 10_000
const maxPerSocket = 25
const maxIdlePercent = 3

const reads = 3_000
const readsPerSecond = 300
const rounds = 3
const maxSlower = 1.2

/** Sockets that each follow a topic without changes; and the time of requests while they are open. */
export async function idle(service: Service): Promise<Row[]> {
  const organiser = await makePlayer(service.runtime)
  const [tournament = ''] = await makeTournaments(service.runtime, organiser.guid, 1)
  const ask = async () => {
    const requests = Array.from({ length: reads }, () => ({ path: `/api/tournaments/${tournament}` }))
    const answered = await pace(service.url, requests, readsPerSecond, 16)
    return percentile(
      answered.map(({ dueAt, answeredAt }) => answeredAt - dueAt),
      0.99,
    )
  }
  const hold = () => openSockets(service.socketPort, `/tournaments/${tournament}`)
  const [bytes, percents]: [number[], number[]] = [[], []]
  const [alone, beside]: [number[], number[]] = [[], []]
  await ask()
  const idlePercent = async () => {
    const from = await service.process.processorMs()
    await wait(10_000)
    return ((await service.process.processorMs()) - from) / 100
  }
  const without = await idlePercent()
  for (let round = 0; round < rounds; round++) {
    alone.push(await ask())
    const before = await service.process.residentBytes()
    const release = await hold()
    await wait(3_000)
    // Used memory is kept for reuse: later rounds need less than the first.
    bytes.push(((await service.process.residentBytes()) - before) / sockets)
    // Waits until the garbage of opening the sockets has been collected.
    await wait(7_000)
    percents.push(await idlePercent())
    beside.push(await ask())
    await release()
    await wait(3_000)
  }
  const slower = median(beside) / median(alone)
  const besides = `${median(beside).toFixed(1)} ms, without them ${median(alone).toFixed(1)} ms`
  return [
    below(`${sockets} sockets that follow a topic, each`, '', Math.max(...bytes) / 1024, maxPerSocket, ' kB'),
    below(
      `${sockets} sockets that are told nothing`,
      'one core',
      median(percents),
      maxIdlePercent,
      ' %',
      `without them ${without.toFixed(1)} %`,
    ),
    below(`anonymous read beside ${sockets} idle sockets, 99 of 100`, 'without them', slower, maxSlower, '', besides),
  ]
}

async function openSockets(port: number, topic: string): Promise<() => Promise<void>> {
  const program = [path.join(import.meta.dirname, 'holder.ts'), String(port), String(sockets), topic]
  const child = spawn(process.execPath, program, { stdio: ['pipe', 'pipe', 'inherit'] })
  endWithUs(child)
  const ended = once(child, 'exit')
  await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => Promise.reject(new Error('the sockets could not be opened'))),
  ])
  return async () => {
    child.stdin.end()
    await ended
  }
}
