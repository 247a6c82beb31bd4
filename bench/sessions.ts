import { setTimeout as wait } from 'node:timers/promises'
import { isGuid } from '../src/core/ids.ts'
import type { PartInput } from '../src/engine/flows/flow.ts'
import type { Row as LogRow } from '../src/engine/flows/rows.ts'
import { emitRows } from '../src/features/flows/flowSessions/commands/session-events.ts'
import { insertRows, listRows } from '../src/features/flows/flowSessions/store/rows.ts'
import { isForEverybody, lockSession, updateSession } from '../src/features/flows/flowSessions/store/sessions.ts'
import type { SessionRecord } from '../src/features/flows/flowSessions/types.ts'
import { readClock } from '../src/infra/db/clock.ts'
import { inTurns, load, loop, median, over, percentile, type Request } from './load.ts'
import { makePool } from './pools.ts'
import { openLight } from './realtime/sockets.ts'
import { below, type Row, ratio } from './report.ts'
import type { Service } from './service.ts'
import { makePlayer, makeTournaments, type Player } from './world.ts'

/** A tournament for free sessions, with an organiser who may do everything. */
interface Stage {
  readonly service: Pick<Service, 'url' | 'socketPort' | 'runtime'>
  readonly organiser: Player
  readonly tournament: string
  readonly pool: string
  /** The maps of the pool, in order. */
  readonly maps: readonly string[]
}

const mapsOfPool = 40
const turns = 3
const sessionsPerTurn = 20
const sessionsOverSocket = 5
const bans = 30
const maxSocketMs = 50
const betweenActsMs = 100

/** The acts of seats, one after the other in one session. Compared with the SQL of the changed rows. */
export async function sessionActs(service: Service): Promise<Row[]> {
  const stage = await makeStage(service)
  const flow = await makeFlow(stage, 'Bans', [
    {
      repeat: bans / 2,
      steps: [
        { action: 'ban', actor: 'seat:1' },
        { action: 'ban', actor: 'seat:2' },
      ],
    },
  ])
  const begin = () => Promise.all(Array.from({ length: sessionsPerTurn }, () => beginSession(stage, flow)))
  const [first = ''] = await begin()
  await load(
    service.url,
    over(actsOf(stage, first), (act) => act),
    1,
  )
  const played = await listRows(service.runtime.database.db, first)
  const ours = async () => {
    const acts = (await begin()).flatMap((session) => actsOf(stage, session))
    return load(
      service.url,
      over(acts, (act) => act),
      1,
    )
  }
  const bare = (reads: boolean) => async () => {
    const works = (await begin()).flatMap((session) =>
      played.slice(1).map((row) => () => bareAct(stage, session, row, reads)),
    )
    return loop(
      over(works, (work) => work),
      1,
    )
  }
  const work = `an act in a session of ${bans + 1} rows, through HTTP`
  const [writes, all] = [await inTurns(ours, bare(false), turns), await inTurns(ours, bare(true), turns)]
  const waits = (await begin()).slice(0, sessionsOverSocket).map((session) => () => overSocket(stage, session))
  const waited = (await inOrder(waits)).flat()
  return [
    below('an act over a socket, the median', 'a target', median(waited), maxSocketMs, ' ms', `${waited.length} acts`),
    ratio(work, 'the bare SQL of the rows that change, under the lock of the session', writes, 0.4),
    ratio(work, 'the same, and what is read under the lock', all, null),
  ]
}

function actsOf({ organiser: { token }, tournament, maps }: Stage, session: string): Request[] {
  return maps.slice(0, bans).map((map, index) => ({
    method: 'POST',
    path: `/api/tournaments/${tournament}/flow-sessions/${session}/act`,
    token,
    json: JSON.stringify({ expect: index + 1, action: 'ban', map, seat: 1 + (index % 2) }),
  }))
}

/** Milliseconds from each act to its answer, one after the other, over a socket that also follows the session. */
async function overSocket({ service, organiser, tournament, maps }: Stage, session: string): Promise<number[]> {
  const waits: number[] = []
  const path = { tournament, flowSession: session }
  let told: (text: string) => void = () => {}
  const socket = await openLight({ port: service.socketPort, token: organiser.token, onMessage: (text) => told(text) })
  const exchange = (packet: object, type: string) =>
    new Promise<string>((resolve) => {
      told = (text) => void (text.startsWith(`{"type":"${type}"`) && resolve(text))
      socket.send(packet)
    })
  await exchange({ type: 'subscribe', topic: `/tournaments/${tournament}/flow-sessions/${session}` }, 'snapshot')
  for (const [index, map] of maps.slice(0, bans).entries()) {
    const body = { expect: index + 1, action: 'ban', map, seat: 1 + (index % 2) }
    // The pace at which a topic may change. (RT9)
    await wait(betweenActsMs)
    const from = performance.now()
    const answer = await exchange({ type: 'command', name: 'flowSessions.act', params: path, body }, 'result')
    waits.push(performance.now() - from)
    if (!answer.includes('"status":200')) throw new Error(answer.slice(0, 300))
  }
  socket.close()
  return waits
}

async function inOrder<T>(works: readonly (() => Promise<T>)[]): Promise<T[]> {
  const done: T[] = []
  for (const work of works) done.push(await work())
  return done
}

/**
 * Saves one act with the SQL statements alone: the log is not interpreted, nothing is decided, and no state is
 * returned.
 */
function bareAct({ service: { runtime } }: Stage, guid: string, row: LogRow, reads: boolean): Promise<void> {
  return runtime.database.transaction(async (tx) => {
    const [locked] = await Promise.all([lockSession(tx, guid), ...(reads ? [listRows(tx, guid), readClock(tx)] : [])])
    if (locked === undefined) throw new Error('the session is gone')
    const { record } = locked
    const changed: SessionRecord = { ...record, position: row.position, shownPosition: row.position }
    const [isOpen] = await Promise.all([
      isForEverybody(tx, changed),
      insertRows(tx, record, [row]),
      updateSession(tx, changed),
    ])
    emitRows(tx, { record: changed, isOpen }, [row])
  })
}

const clocks = 200
const begunPerSecond = 20
const clockSeconds = 10
const watchedMs = 30_000
const maxLateMs = 250
const idleMs = 10_000
const maxIdlePercent = 2

/** Many clocks in one process: how late they expire, and how much processor time they need while nothing happens. */
export async function sessionClocks(service: Service): Promise<Row[]> {
  const stage = await makeStage(service)
  const idlePercent = async () => {
    const from = await service.process.processorMs()
    await wait(idleMs)
    return ((await service.process.processorMs()) - from) / (idleMs / 100)
  }
  await wait(idleMs)
  const without = await idlePercent()
  const waiting = await beginEvenly(stage, await makeFlow(stage, 'Slow', clocked(3_600)))
  await wait(idleMs)
  const percents: number[] = []
  for (let round = 0; round < turns; round++) percents.push(await idlePercent())
  await finishAll(stage, waiting)

  const running = await beginEvenly(stage, await makeFlow(stage, 'Quick', clocked(clockSeconds)))
  await wait(watchedMs)
  const late = await latenessOf(stage, running)
  await finishAll(stage, running)
  return [
    below(
      `${clocks} clocks that run in sessions, ${clocks / clockSeconds} lapses a second, the latest`,
      'the time that clock and grace say',
      Math.max(...late),
      maxLateMs,
      ' ms',
      `${late.length} lapses, the median ${median(late).toFixed(0)} ms, p99 ${percentile(late, 0.99).toFixed(0)} ms`,
    ),
    below(
      `${clocks} clocks that run, and none that lapses`,
      'one core',
      Math.max(0, median(percents) - without),
      maxIdlePercent,
      ' %',
      `${median(percents).toFixed(1)} %, without them ${without.toFixed(1)} %`,
    ),
  ]
}

/** Turns that end one after the other by their time limit. */
function clocked(seconds: number): PartInput[] {
  return [{ repeat: 15, steps: [{ action: 'ban', actor: 'seat:1', seconds, onTimeout: 'skip' }] }]
}

async function beginEvenly(stage: Stage, flow: string): Promise<string[]> {
  const started = performance.now()
  const begun: Promise<string>[] = []
  for (let index = 0; index < clocks; index++) {
    await wait(Math.max(0, started + (index * 1_000) / begunPerSecond - performance.now()))
    begun.push(beginSession(stage, flow))
  }
  return Promise.all(begun)
}

async function finishAll(stage: Stage, sessions: readonly string[]): Promise<void> {
  for (const session of sessions) {
    await post(stage, `/tournaments/${stage.tournament}/flow-sessions/${session}/finish`, { reason: 'Measured.' })
  }
}

/** The lateness in milliseconds, from the logs. */
async function latenessOf({ service: { runtime } }: Stage, sessions: readonly string[]): Promise<number[]> {
  const { rows } = await runtime.database.pool.query<{ late: number }>(
    `select (extract(epoch from l.at - (l.data ->> 'dueAt')::timestamptz) * 1000
        - (s.data -> 'flow' -> 'rules' ->> 'graceSeconds')::float8 * 1000)::float8 as late
     from flow_rows l join flow_rows s on s.session_guid = l.session_guid and s.position = 1
     where l.kind = 'lapse' and l.session_guid = any($1::uuid[])`,
    [sessions],
  )
  if (rows.length < sessions.length) throw new Error(`only ${rows.length} clocks have lapsed`)
  return rows.map(({ late }) => late)
}

async function makeStage(service: Service): Promise<Stage> {
  const { runtime } = service
  const organiser = await makePlayer(runtime)
  const [tournament = ''] = await makeTournaments(runtime, organiser.guid, 1)
  const pool = await makePool(service, tournament, mapsOfPool)
  const { rows } = await runtime.database.pool.query<{ guid: string }>(
    // The tiebreaker is not banned.
    `select guid from pool_maps where pool_guid = $1 and not is_tiebreaker order by "order"`,
    [pool],
  )
  return { service, organiser, tournament, pool, maps: rows.map(({ guid }) => guid) }
}

async function makeFlow(stage: Stage, name: string, steps: readonly PartInput[]): Promise<string> {
  const made = await post(stage, `/tournaments/${stage.tournament}/flows`, {
    name,
    seats: 2,
    bestOf: 1,
    pairs: [],
    steps: [...steps, { repeat: 'until_decided', steps: [{ action: 'random', actor: 'system' }, { action: 'play' }] }],
  })
  return guidOf(made, 'guid')
}

async function beginSession(stage: Stage, flow: string): Promise<string> {
  const { pool, tournament } = stage
  const seats = [{ name: 'Left' }, { name: 'Right' }]
  return guidOf(
    await post(stage, `/tournaments/${tournament}/flow-sessions`, { flow, pool, seats, public: true }),
    'session',
  )
}

function guidOf(answer: Readonly<Record<string, unknown>>, name: string): string {
  const guid = answer[name]
  if (typeof guid !== 'string' || !isGuid(guid)) throw new Error(`the answer has no ${name}`)
  return guid
}

async function post(
  { service: { url }, organiser: { token } }: Stage,
  path: string,
  body: object,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`${url}/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Readonly<Record<string, unknown>>
}
