import os from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { makeStage, Operator, type Stage } from './assistant/arrange.ts'
import { sharedMs } from './assistant/clock.ts'
import { type Games, startGames } from './assistant/server.ts'
import { Followers, Proposals, rowsWritten } from './assistant/watching.ts'
import { percentile } from './load.ts'
import { below, type Row, told } from './report.ts'
import type { Service } from './service.ts'

const matches = 50
const startsPerSecond = 8
/** Players of a match do not end at the same moment. */
const apartSeconds = 0.3
/** Until the database has told of all that was written before. */
const settlingSeconds = 11
const countingSeconds = 16
const songSeconds = matches / startsPerSecond + settlingSeconds + countingSeconds + 2
/** Of songs that end together, once they are all begun. */
const togetherSeconds = 3

const [mostLiveMs, mostProposalMs, mostLoopMs] = [150, 200, 50]
/** What tells other processes that this one lives, and how far it has come. */
const ofProcess = /^(leases|realtime_connections|.*_positions|.*_heartbeats)$/

/**
 * As many sessions as a tournament may have, held by one process, in each of which eight play at once and tell ten values a second.
 */
export async function assistantSessions(service: Service): Promise<Row[]> {
  const since = Math.floor(sharedMs())
  const stage = await makeStage(service, matches)
  const games = await startGames(`${service.url}/.well-known/jwks.json`, since)
  const [followers, proposals] = [new Followers(since), new Proposals(service, stage)]
  try {
    const operator = new Operator(service.url, stage.organiser)
    await games.ask({
      ask: 'players',
      matches: stage.matches.map(({ players }) => players.map(({ platformId }) => platformId)),
    })
    await operator.link(stage.tournament, games.server)
    await inBatches(stage, 10, (match) => operator.prepare(match))
    await followers.open(service.socketPort, stage)
    await proposals.open()

    await games.ask({ ask: 'songs', seconds: songSeconds, apart: apartSeconds })
    const startAll = (perSecond: number) => atPace(stage, perSecond, (match) => operator.play(match))
    await startAll(startsPerSecond)
    const live = await whileTheyPlay(service, games, followers)
    const apart = await untilProposed(service, stage, games, proposals)
    return [...live, ...apart]
  } finally {
    followers.close()
    await proposals.close()
    await games.close()
  }
}

/** Nothing but live values for a while. */
async function whileTheyPlay(service: Service, games: Games, followers: Followers): Promise<Row[]> {
  await wait(settlingSeconds * 1_000)
  const [before, shares] = [await rowsWritten(service), await processors(service, games)]
  await games.report()
  await service.process.loopDelayMs()
  followers.isCounting = true
  await wait(countingSeconds * 1_000)
  followers.isCounting = false
  const loopMs = await service.process.loopDelayMs()
  const { told: values } = await games.report()
  const used = await shares()
  const written = await rowsWritten(service)
  const grown = [...written]
    .map(([name, count]) => ({ name, count: count - (before.get(name) ?? 0) }))
    .filter(({ count }) => count > 0)
  const byLive = grown.filter(({ name }) => !ofProcess.test(name))
  const { delays } = followers
  const perSecond = Math.round(values / countingSeconds)
  const work = `${matches} sessions of 8 players, ${perSecond} live values a second`
  const figures = `${delays.length} of ${values} values were shown, half of them within ${percentile(delays, 0.5).toFixed(0)} ms`
  return [
    below(`${work}: packet to socket, 95 of 100`, '', percentile(delays, 0.95), mostLiveMs, ' ms', figures),
    below('the same: loop delay of the process, 99 of 100', '', loopMs, mostLoopMs, ' ms', used),
    below('the same: rows written', '', sum(byLive), 0, '', words(grown)),
  ]
}

const sum = (counts: readonly { readonly count: number }[]) => counts.reduce((all, { count }) => all + count, 0)

function words(counts: readonly { readonly name: string; readonly count: number }[]): string {
  return `${counts.map(({ name, count }) => `${name} ${count}`).join(', ')}`
}

async function untilProposed(service: Service, stage: Stage, games: Games, proposals: Proposals): Promise<Row[]> {
  await service.process.loopDelayMs()
  while (proposals.count < matches) await wait(100)
  const loopMs = await service.process.loopDelayMs()
  const { finishes } = await games.report()
  const delays = proposals.delaysOf(stage, finishes)
  const figures = `${delays.length} results, half of them within ${percentile(delays, 0.5).toFixed(0)} ms`
  const work = `ends of their songs, ${startsPerSecond} matches a second`
  return [
    below(`${work}: to the proposal on disk, 95 of 100`, '', percentile(delays, 0.95), mostProposalMs, ' ms', figures),
    below('the same: loop delay of the process, 99 of 100', '', loopMs, mostLoopMs, ' ms'),
  ]
}

async function inBatches(stage: Stage, size: number, work: (match: Stage['matches'][number]) => Promise<void>) {
  for (let from = 0; from < stage.matches.length; from += size) {
    await Promise.all(stage.matches.slice(from, from + size).map(work))
  }
}

async function atPace(stage: Stage, perSecond: number, work: (match: Stage['matches'][number]) => Promise<void>) {
  const startedAt = performance.now()
  await Promise.all(
    stage.matches.map(async (match, index) => {
      await wait(Math.max(0, startedAt + (index * 1_000) / perSecond - performance.now()))
      await work(match)
    }),
  )
}

/** Who had the machine's processors since, as shares of one core. */
async function processors(service: Service, games: Games): Promise<() => Promise<string>> {
  const look = async () => ({
    at: performance.now(),
    service: await service.process.processorMs(),
    games: (await games.report()).processorMs,
    bench: process.cpuUsage().user / 1_000 + process.cpuUsage().system / 1_000,
    all: os.cpus().reduce((all, { times }) => all + times.user + times.nice + times.sys + times.irq, 0),
  })
  const before = await look()
  return async () => {
    const now = await look()
    const share = (name: keyof typeof now) => Math.round((100 * (now[name] - before[name])) / (now.at - before.at))
    const [ours, fakes, bench] = [share('service'), share('games'), share('bench')]
    const others = share('all') - ours - fakes - bench
    return `of a core the service has ${ours} %, the fake ${fakes} %, the followers ${bench} %, the database and others ${others} %`
  }
}
