import { setTimeout as wait } from 'node:timers/promises'
import { makeStage, Operator, type PlayedMatch, type Stage } from './assistant/arrange.ts'
import { sharedMs } from './assistant/clock.ts'
import { type Games, startGames } from './assistant/server.ts'
import { Followers, Proposals, processorShares, rowsWritten } from './assistant/watching.ts'
import { percentile } from './load.ts'
import { below, type Row, told } from './report.ts'
import type { Service } from './service.ts'

const matches = 50
const startsPerSecond = 8
const endsPerSecond = 5
/** The time within which all players of a match end. */
const apartMs = 300
/** More time than all starts need. */
const startingSeconds = 12
/** The time after which the database statistics include all writes. */
const settlingSeconds = 11
const countingSeconds = 16
/** The time until songs end that all end at the same moment. */
const togetherSeconds = 10

const [maxLiveMs, maxProposalMs, maxLoopMs] = [150, 200, 50]
/** Tables that the processes of the service write regularly: their leases, and the bookkeeping of jobs. */
const ofProcesses = /^(leases|_private_.*)$/

interface Scene {
  readonly service: Service
  readonly stage: Stage
  readonly games: Games
  readonly operator: Operator
  readonly followers: Followers
  readonly proposals: Proposals
}

/**
 * Measures the maximum of sessions of a tournament in one process; in each session eight players play at the same time
 * and send ten values a second.
 */
export async function assistantSessions(service: Service): Promise<Row[]> {
  const since = Math.floor(sharedMs())
  const stage = await makeStage(service, matches)
  const games = await startGames(`${service.url}/.well-known/jwks.json`, since)
  const [followers, proposals] = [new Followers(since), new Proposals(service, stage)]
  const operator = new Operator(service.url, stage.organiser)
  const scene: Scene = { service, stage, games, operator, followers, proposals }
  try {
    await games.players(stage.matches.map(({ players }) => players.map(({ platformId }) => platformId)))
    await operator.link(stage.tournament, games.server)
    await Promise.all(stage.matches.map((match) => operator.prepare(match)))
    await followers.open(service.socketPort, stage)
    await proposals.open()
    return [...(await songsApart(scene)), ...(await songsTogether(scene))]
  } finally {
    followers.close()
    await proposals.close()
    await games.close()
  }
}

/** Measures live values alone for a while; then songs end, one match after the other. */
async function songsApart(scene: Scene): Promise<Row[]> {
  const { games } = scene
  const startedAt = sharedMs()
  const at = startedAt + 1_000 * (startingSeconds + settlingSeconds + countingSeconds + 2)
  await games.songs({ at, everyMs: 1_000 / endsPerSecond, apartMs })
  await startAll(scene)
  const settledAt = startedAt + 1_000 * (startingSeconds + settlingSeconds)
  if (sharedMs() > settledAt - 1_000 * settlingSeconds) throw new Error('the machine is too busy: songs began too late')
  await wait(settledAt - sharedMs())
  return [...(await liveValues(scene)), ...(await ends(scene, `ends of songs, ${endsPerSecond} matches a second`))]
}

async function songsTogether(scene: Scene): Promise<Row[]> {
  const at = sharedMs() + 1_000 * togetherSeconds
  await scene.games.songs({ at, everyMs: 0, apartMs: 0 })
  await startAll(scene)
  await wait(Math.max(0, at - 500 - sharedMs()))
  const rows = await ends(scene, `ends of ${matches} songs at one moment`)
  return rows.map(({ work, baseline, result, figures }) => told(work, baseline, result, figures))
}

async function startAll({ stage, operator, proposals }: Scene): Promise<void> {
  proposals.forget()
  await atPace(stage, startsPerSecond, (match) => operator.play(match))
}

async function liveValues({ service, games, followers }: Scene): Promise<Row[]> {
  const [before, shares] = [await rowsWritten(service), await processorShares(service, games)]
  await games.report()
  await service.process.loopDelayMs()
  followers.isCounting = true
  await wait(countingSeconds * 1_000)
  followers.isCounting = false
  const loopMs = await service.process.loopDelayMs()
  const { told: values } = await games.report()
  const used = await shares()
  const grown = [...(await rowsWritten(service))]
    .map(([name, count]) => ({ name, count: count - (before.get(name) ?? 0) }))
    .filter(({ count }) => count > 0)
  const byValues = grown.filter(({ name }) => !ofProcesses.test(name)).reduce((all, { count }) => all + count, 0)
  const { delays } = followers
  const work = `${matches} sessions of 8 players, ${Math.round(values / countingSeconds)} live values a second`
  const half = percentile(delays, 0.5).toFixed(0)
  const figures = `${delays.length} of ${values} values were shown, half of them within ${half} ms`
  const rows = grown.map(({ name, count }) => `${name} ${count}`).join(', ')
  return [
    below(`${work}: packet to socket, 95 of 100`, '', percentile(delays, 0.95), maxLiveMs, ' ms', figures),
    below(`${work}: loop delay, 99 of 100`, '', loopMs, maxLoopMs, ' ms', used),
    below(`${work}: rows written`, 'leases and jobs', byValues, 0, '', rows),
  ]
}

async function ends({ service, stage, games, proposals }: Scene, work: string): Promise<Row[]> {
  const shares = await processorShares(service, games)
  await service.process.loopDelayMs()
  while (proposals.count < matches) await wait(100)
  const loopMs = await service.process.loopDelayMs()
  const delays = proposals.delaysOf(stage, (await games.report()).finishes)
  const used = await shares()
  const [half, most] = [percentile(delays, 0.5), Math.max(...delays)].map((ms) => ms.toFixed(0))
  const figures = `${delays.length} results, half of them within ${half} ms, all within ${most} ms`
  return [
    below(`${work}: to the proposal on disk, 95 of 100`, '', percentile(delays, 0.95), maxProposalMs, ' ms', figures),
    below(`${work}: loop delay, 99 of 100`, '', loopMs, maxLoopMs, ' ms', used),
  ]
}

async function atPace({ matches }: Stage, perSecond: number, work: (match: PlayedMatch) => Promise<void>) {
  const startedAt = performance.now()
  await Promise.all(
    matches.map(async (match, index) => {
      await wait(Math.max(0, startedAt + (index * 1_000) / perSecond - performance.now()))
      await work(match)
    }),
  )
}
