import { sealKey } from '../src/features/streaming/streamKeys/queries.ts'
import { keyOf, lastFourOf } from '../src/features/streaming/streamKeys/rules.ts'
import { insertKey } from '../src/features/streaming/streamKeys/store.ts'
import { sealSecret } from '../src/features/streaming/streamServers/queries.ts'
import { insertServer } from '../src/features/streaming/streamServers/store.ts'
import type { ServerKind } from '../src/infra/clients/media-servers/types.ts'
import { digestOf, newSecret } from '../src/infra/secrets.ts'
import type { Runtime } from '../src/runtime.ts'
import { median, pace, percentile, type Request } from './load.ts'
import { below, type Row } from './report.ts'
import type { Service } from './service.ts'
import { makePlayer, makeTournaments } from './world.ts'

const hooksPerSecond = 100
const wrongPerSecond = 200
const [seconds, turns, connections] = [5, 3, 16]
/** The number of streamers; each starts again every second. */
const streamers = 100

/**
 * How long media servers wait for a decision about a publisher, without and with an attacker who tries keys. Rate
 * limits are on, so the attacker soon exceeds theirs.
 */
export async function hooks(service: Service): Promise<Row[]> {
  const { runtime } = service
  const [asking, tried] = [await makeServer(runtime, 'mediamtx'), await makeServer(runtime, 'generic')]
  const right = await publications(runtime, asking)
  const wrong = guesses(tried)
  const beside = await service.startBeside({ RATE_LIMITS: 'on' })
  try {
    const publish = () => times(beside.url, right, hooksPerSecond)
    await publish()
    const [alone, disturbed]: [number[][], number[][]] = [[], []]
    for (let turn = 0; turn < turns; turn++) {
      alone.push(await publish())
      const [ours] = await Promise.all([publish(), times(beside.url, wrong, wrongPerSecond)])
      disturbed.push(ours)
    }
    const [before, after] = [p99(alone), p99(disturbed)]
    const p50 = median(alone.map((all) => percentile(all, 0.5))).toFixed(1)
    const pace = `${hooksPerSecond} publications/s`
    return [
      below('hook of a publication, p99', pace, before, 50, ' ms', `p50 ${p50} ms`),
      below(
        `the same beside ${wrongPerSecond} wrong keys a second from one address`,
        'p99 without',
        after / before,
        2,
        '',
        `${after.toFixed(1)} ms against ${before.toFixed(1)} ms`,
      ),
    ]
  } finally {
    await beside.stop()
  }
}

const p99 = (all: readonly number[][]) => median(all.map((one) => percentile(one, 0.99)))

/** Milliseconds from when each request was due until its response. */
async function times(url: string, requests: readonly Request[], perSecond: number): Promise<number[]> {
  const answered = await pace(url, requests, perSecond, connections)
  return answered.map(({ dueAt, answeredAt }) => answeredAt - dueAt)
}

interface Asking {
  readonly guid: string
  readonly secret: string
}

async function makeServer({ database, seal }: Runtime, kind: ServerKind): Promise<Asking> {
  const secret = newSecret()
  const { guid } = await database.transaction((tx) =>
    insertServer(
      tx,
      {
        name: `Bench ${kind}`,
        kind,
        enabled: true,
        assignmentRequired: true,
        control: null,
        networks: [],
        ingest: [{ protocol: 'rtmp', url: 'rtmp://live.example.org/live' }],
        play: { whep: null, llhls: null, hls: 'https://live.example.org/{path}/index.m3u8' },
        sealedSecret: sealSecret(seal, secret),
      },
      new Date(),
    ),
  )
  return { guid, secret }
}

/** Publications of assigned players, in the format of MediaMTX: each replaces the player's previous one. */
async function publications(runtime: Runtime, { guid, secret }: Asking): Promise<Request[]> {
  const { database, seal } = runtime
  const organiser = await makePlayer(runtime)
  const [tournament] = await makeTournaments(runtime, organiser.guid, 1)
  const bodies = await Promise.all(
    Array.from({ length: streamers }, async () => {
      const [player, key] = [await makePlayer(runtime), keyOf(newSecret())]
      await database.transaction((tx) =>
        insertKey(tx, {
          userGuid: player.guid,
          label: 'Bench',
          digest: digestOf(key),
          sealed: sealKey(seal, key),
          lastFour: lastFourOf(key),
          createdAt: new Date(),
          networks: [],
        }),
      )
      await database.pool.query(
        `insert into stream_assignments (tournament_guid, user_guid, role, slot, starts_at, ends_at)
         values ($1, $2, 'player', 1, now(), now() + interval '1 hour')`,
        [tournament, player.guid],
      )
      return JSON.stringify({
        user: '',
        password: '',
        token: '',
        ip: '203.0.113.7',
        action: 'publish',
        protocol: 'rtmp',
        path: `live/${player.guid}`,
        id: player.guid,
        query: `token=${key}`,
      })
    }),
  )
  const path = `/api/streaming/hooks/${guid}?secret=${secret}`
  return Array.from({ length: hooksPerSecond * seconds }, (_, index) => ({
    method: 'POST' as const,
    path,
    json: bodies[index % bodies.length] as string,
  }))
}

/** Requests at the neutral address, which answers 200 for any decision. */
function guesses({ secret }: Asking): Request[] {
  return Array.from({ length: wrongPerSecond * seconds }, () => {
    const asked = { action: 'publish', key: keyOf(newSecret()), protocol: 'rtmp', ip: '198.51.100.9' }
    return { method: 'POST' as const, path: '/api/streaming/validate', token: secret, json: JSON.stringify(asked) }
  })
}
