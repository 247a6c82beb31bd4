import { sealKey } from '../src/features/streaming/streamKeys/queries.ts'
import { keyOf, lastFourOf } from '../src/features/streaming/streamKeys/rules.ts'
import { insertKey, setExpiry } from '../src/features/streaming/streamKeys/store.ts'
import { sealPassword, sealSecret } from '../src/features/streaming/streamServers/queries.ts'
import { insertServer } from '../src/features/streaming/streamServers/store.ts'
import type { Ingest, Play } from '../src/features/streaming/streamServers/types.ts'
import type { ServerKind } from '../src/infra/clients/media-servers/types.ts'
import { digestOf, newSecret } from '../src/infra/secrets.ts'
import type { Harness, Reply } from './harness.ts'
import { touch } from './make.ts'

/** Records for tests of streaming, inserted directly into the database. */

export interface MadeStreamKey {
  readonly guid: string
  /** The key that an encoder sends. */
  readonly key: string
}

export interface StreamKeyOptions {
  readonly label?: string
  /** The end of a grace period; without it the key is permanent. */
  readonly expiresAt?: Date
  /** The networks from which it was used. */
  readonly networks?: readonly string[]
}

export async function makeStreamKey(
  api: Harness,
  user: { readonly guid: string },
  options: StreamKeyOptions = {},
): Promise<MadeStreamKey> {
  const key = keyOf(newSecret())
  const { database, services } = api.app
  const guid = await database.transaction(async (tx) => {
    const made = await insertKey(tx, {
      userGuid: user.guid,
      label: options.label ?? 'Living room',
      digest: digestOf(key),
      sealed: sealKey(services.seal, key),
      lastFour: lastFourOf(key),
      createdAt: new Date(),
      networks: options.networks ?? [],
    })
    if (options.expiresAt !== undefined) await setExpiry(tx, made.guid, options.expiresAt)
    return made.guid
  })
  return { guid, key }
}

export interface MadeStreamServer {
  readonly guid: string
  readonly secret: string
}

export interface StreamServerOptions {
  readonly kind?: ServerKind
  readonly name?: string
  readonly enabled?: boolean
  readonly assignmentRequired?: boolean
  readonly ingest?: readonly Ingest[]
  readonly play?: Partial<Play>
  readonly control?: {
    readonly url: string
    readonly user?: string
    readonly password?: string
    readonly vhost?: string
    readonly app?: string
  }
  /** By default it may ask from any network, whatever its kind. */
  readonly networks?: readonly string[]
}

let sequence = 0

/** A media server, by default of a kind that asks at the neutral address. */
export async function makeStreamServer(api: Harness, options: StreamServerOptions = {}): Promise<MadeStreamServer> {
  const { database, services } = api.app
  const secret = newSecret()
  const { control } = options
  const { guid } = await database.transaction((tx) =>
    insertServer(
      tx,
      {
        name: options.name ?? `Server ${process.pid} ${++sequence}`,
        kind: options.kind ?? 'generic',
        enabled: options.enabled ?? true,
        assignmentRequired: options.assignmentRequired ?? true,
        ingest: options.ingest ?? [{ protocol: 'rtmp', url: 'rtmp://live.example.org/live' }],
        play: { whep: null, llhls: null, hls: 'https://live.example.org/hls/{path}/index.m3u8', ...options.play },
        control:
          control === undefined
            ? null
            : {
                url: control.url,
                user: control.user ?? null,
                sealedPassword: sealPassword(services.seal, control.password ?? null),
                vhost: control.vhost ?? null,
                app: control.app ?? null,
              },
        sealedSecret: sealSecret(services.seal, secret),
        networks: [...(options.networks ?? [])],
      },
      new Date(),
    ),
  )
  return { guid, secret }
}

export interface AssignmentOptions {
  readonly match?: string
  readonly role?: 'player' | 'caster' | 'observer'
  readonly side?: 1 | 2
  readonly slot?: number
  /** Minutes from now. */
  readonly from?: number
  readonly to?: number
}

/** An assignment, by default from ten minutes ago for an hour. @returns its GUID */
export async function makeAssignment(
  api: Harness,
  tournament: { readonly guid: string },
  user: { readonly guid: string },
  { match, role = 'player', side, slot = 1, from = -10, to = 50 }: AssignmentOptions = {},
): Promise<string> {
  const [row] = await api.sql<{ guid: string }>(
    `insert into stream_assignments (tournament_guid, match_guid, user_guid, role, side, slot, starts_at, ends_at)
     values ($1, $2, $3, $4, $5, $6, now() + make_interval(mins => $7), now() + make_interval(mins => $8)) returning guid`,
    [tournament.guid, match ?? null, user.guid, role, side ?? null, slot, from, to],
  )
  await touch(api, tournament.guid)
  return (row as { guid: string }).guid
}

/** Sends a question to the neutral address, `/streaming/validate`. */
export function validate(api: Harness, server: Pick<MadeStreamServer, 'secret'>, body: object): Promise<Reply> {
  const whole = { protocol: 'rtmp', ip: '203.0.113.7', ...body }
  return api.call('POST', '/streaming/validate', { token: server.secret, body: whole })
}

/** Uses up the user's allowance of tests for the day, however early in the day it is. */
export async function takeTests(
  api: Harness,
  user: { readonly guid: string },
  server: { readonly guid: string },
): Promise<void> {
  await api.sql(
    `insert into stream_sessions (user_guid, server_guid, protocol, path, test, started_at, ended_at, end_reason)
     select $1::uuid, $2::uuid, 'rtmp', 'live/' || $1, true,
       greatest(date_trunc('day', now() at time zone 'utc') at time zone 'utc', now() - interval '10 minutes'), now(), 'done'
     from generate_series(1, 200)`,
    [user.guid, server.guid],
  )
}
