import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { median } from './load.ts'
import { below, type Row } from './report.ts'
import type { Service } from './service.ts'
import { makePlayer, type Player } from './world.ts'

const seconds = 20
/** The warm-up before the measurement. */
const warmUpSeconds = 5
/** The rate of all writes; receivers are notified of one in `oneIn`. */
const writesPerSecond = 200
const oneIn = 20
const platforms = 10
const writers = 50
const slowMs = 5_000

/**
 * The time from a write to its arrival at a receiver, without and with a slow receiver that has many pending
 * deliveries.
 */
export async function webhookDelays({ url, runtime }: Service): Promise<Row[]> {
  const arrivals = new Map<string, (at: number) => void>()
  const receiver = await startReceiver(arrivals)
  const { port } = receiver.address() as AddressInfo
  const admin = await makePlayer(runtime)
  await runtime.database.pool.query(`update users set global_roles = '{role:owner}' where guid = $1`, [admin.guid])
  const told = await makePlatforms(runtime, `http://127.0.0.1:${port}`, platforms)
  const [burdened] = await makePlatforms(runtime, `http://127.0.0.1:${port}/slow`, 1)
  const players = await Promise.all(Array.from({ length: writers }, () => makePlayer(runtime)))
  const measure = (forSeconds = seconds) => delays(url, { admin, players, told, arrivals }, forSeconds)
  try {
    await measure(warmUpSeconds)
    const alone = row('webhook, from the write to the receiver', await measure())
    await burden(runtime, burdened as Platform, admin.guid, 1_000)
    return [alone, row('the same, with 1,000 deliveries in line for a slow receiver', await measure())]
  } finally {
    await runtime.database.pool.query(`delete from platforms where context_id like 'bench-hook-%'`)
    receiver.closeAllConnections()
    await new Promise((resolve) => receiver.close(resolve))
  }
}

function row(work: string, times: readonly number[]): Row {
  const sorted = [...times].sort((a, b) => a - b)
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN
  const figures = `${times.length} deliveries, p99 ${p99.toFixed(0)} ms`
  return below(work, `${writesPerSecond} writes/s, the median`, median(times), 250, ' ms', figures)
}

/** Answers 204, late at the slow address, and reports when the delivery about a user of a platform came. */
async function startReceiver(arrivals: ReadonlyMap<string, (at: number) => void>): Promise<Server> {
  const server = createServer((request, response) => {
    const at = performance.now()
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      if (request.url?.startsWith('/slow')) return setTimeout(() => response.writeHead(204).end(), slowMs)
      response.writeHead(204).end()
      const { data } = JSON.parse(body) as Told
      return arrivals.get(`${data.platform.contextId} ${data.member.user.guid} ${data.member.role}`)?.(at)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

interface Told {
  readonly data: {
    readonly platform: { readonly contextId: string }
    readonly member: { readonly user: { readonly guid: string }; readonly role: string }
  }
}

interface Platform {
  readonly guid: string
  readonly contextId: string
}

let made = 0

async function makePlatforms(runtime: Service['runtime'], address: string, count: number): Promise<Platform[]> {
  const first = made
  made += count
  const { rows } = await runtime.database.pool.query<Platform>(
    `with made as (
       insert into platforms (context_id, name) select 'bench-hook-' || n, 'Bench platform ' || n
       from generate_series($1::int + 1, $1::int + $2::int) as n returning guid, context_id
     ), set as (
       insert into platform_settings (platform_guid, custom_webhook_url, custom_webhook_secret, webhook_events)
       select guid, $3 || '/' || context_id, 'secret', '{member_added}' from made
     )
     select guid, context_id as "contextId" from made`,
    [first, count, address],
  )
  return rows
}

/** Creates many events of the platform at the same time. */
async function burden(
  { database }: Service['runtime'],
  platform: Platform,
  user: string,
  count: number,
): Promise<void> {
  await database.pool.query(
    `select emit_event('platform.member_added', $2, null, null, null,
       jsonb_build_object('platformGuid', $1::uuid, 'userGuid', $2::uuid, 'role', 'admin'), '{}')
     from generate_series(1, $3::int)`,
    [platform.guid, user, count],
  )
  await new Promise((resolve) => setTimeout(resolve, 3_000))
}

interface Scene {
  readonly admin: Player
  readonly players: readonly Player[]
  readonly told: readonly Platform[]
  readonly arrivals: Map<string, (at: number) => void>
}

/** Writes at an even pace; returns the milliseconds from each write with a delivery until its arrival. */
async function delays(url: string, { admin, players, told, arrivals }: Scene, forSeconds: number): Promise<number[]> {
  const pending: Promise<number | null>[] = []
  const startedAt = performance.now()
  for (let index = 0; index < forSeconds * writesPerSecond; index++) {
    const player = players[index % players.length] as Player
    if (index % oneIn === 0) {
      const number = index / oneIn
      const platform = told[number % told.length] as Platform
      const role = Math.floor(number / told.length / players.length) % 2 === 0 ? 'reviewer' : 'admin'
      const member = players[Math.floor(number / told.length) % players.length] as Player
      pending.push(tell(url, { admin, platform, member, role, arrivals }))
    } else {
      const body = { grip: `grip ${index}` }
      pending.push(write(`${url}/api/updateUserSettings`, player, body).then(() => null))
    }
    const next = startedAt + ((index + 1) * 1_000) / writesPerSecond
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())))
  }
  const times = (await Promise.all(pending)).filter((time) => time !== null)
  await Promise.all(told.map((platform) => forget(url, admin, platform, players)))
  return times
}

interface Telling extends Pick<Scene, 'admin' | 'arrivals'> {
  readonly platform: Platform
  readonly member: Player
  readonly role: string
}

async function tell(url: string, { admin, platform, member, role, arrivals }: Telling): Promise<number> {
  const key = `${platform.contextId} ${member.guid} ${role}`
  const arrival = new Promise<number>((resolve) => arrivals.set(key, resolve))
  const startedAt = performance.now()
  const body = { userIdentifier: member.guid, role }
  await write(`${url}/api/tournament-platforms/${platform.contextId}/members`, admin, body)
  const arrivedAt = await arrival
  arrivals.delete(key)
  return arrivedAt - startedAt
}

/** Removes the new members, so that they can become members again. */
async function forget(url: string, admin: Player, platform: Platform, players: readonly Player[]): Promise<void> {
  for (const { guid } of players) {
    await fetch(`${url}/api/tournament-platforms/${platform.contextId}/members/${guid}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${admin.token}` },
    })
  }
}

async function write(address: string, { token }: Player, body: object): Promise<void> {
  const reply = await fetch(address, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (reply.status !== 200) throw new Error(`${address} was answered ${reply.status}`)
  await reply.text()
}
