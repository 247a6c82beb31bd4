import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, readdir, readFile, rename } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Caller, type Harness, startHarness } from '../../test/harness.ts'
import { program } from '../../test/kernel/service.ts'
import { makeTournament } from '../../test/make.ts'
import { makeStreamServer } from '../../test/streaming.ts'
import { until } from '../../test/waiting.ts'
import { createApp } from '../app.ts'
import type { Config } from '../config.ts'
import { tokenOf } from '../features/people/emails/rules.ts'
import type { Seal } from '../infra/sealed.ts'
import { openText } from '../infra/sealed-text.ts'
import { sealBy } from '../oauth/keys.ts'
import { backup } from './backup.ts'
import { rotatePushKey, rotateSeal } from './replace-key.ts'

/** The replacement of leaked keys: what they protected is readable by the new one alone, whenever a process is killed. */

let api: Harness
let client: pg.Client
let config: Config
let keys: string
let user: Caller
/** What was sealed, in plain text, by where it is stored. */
let plain: Record<string, string>
let verification: string
/** The secret with which all of it was sealed. */
let first: Buffer
let stopped = false

/** Every place of the database with sealed text, with the purpose for which it is sealed. */
const places: Readonly<Record<string, string>> = {
  'stream_keys.sealed': 'stream-key',
  'stream_servers.sealed_secret': 'stream-server-secret',
  'stream_servers.sealed_previous_secret': 'stream-server-secret',
  "stream_servers.control ->> 'sealedPassword'": 'stream-server-password',
  'assistant_links.sealed_token': 'assistant_links.token',
  'assistant_links.sealed_password': 'assistant_links.password',
  'assistant_links.sealed_hook_secret': 'assistant_links.hook_secret',
}

beforeAll(async () => {
  api = await startHarness()
  config = api.app.config
  keys = path.join(config.dataDir, 'keys')
  client = new pg.Client({ connectionString: config.databaseUrl ?? '' })
  await client.connect()
  user = await api.user()
  const cup = await makeTournament(api, user)
  const { key } = (await api.post('/users/@me/streamKeys', user, { label: 'Living room' })).body
  const server = await makeStreamServer(api, { control: { url: 'http://127.0.0.1:9', password: 'of the server' } })
  await client.query(`update stream_servers set sealed_previous_secret = sealed_secret, previous_secret_until = now()`)
  const secrets = { token: 'of a bot', password: 'open sesame', hookSecret: 'of hooks' }
  const linked = await api.put(`/tournaments/${cup.guid}/assistant`, user, {
    ...{ host: 'assistant.example.org', tokenKind: 'bot', ...secrets },
    assistantTournament: { guid: 'b1f0c2c9-5d1b-4c58-9a53-6d3b9c1f7a42', name: 'Spring Cup' },
  })
  expect(linked.status, linked.text).toBe(200)
  plain = Object.fromEntries(
    [key, server.secret, server.secret, 'of the server', secrets.token, secrets.password, secrets.hookSecret].map(
      (text, at) => [Object.keys(places)[at], text],
    ),
  )
  first = await secret()
  verification = crypto.randomUUID()
  await client.query(
    `insert into email_verifications (guid, user_guid, email, token_hash, requested_at, expires_at)
     values ($1, $2, 'quaver@example.org', sha256($3), now(), now() + interval '1 day')`,
    [verification, user.guid, tokenOf(api.app.services, verification)],
  )
  await client.query(`insert into sign_in_places (user_guid, place, last_seen_at) values ($1, 'a digest', now())`, [
    user.guid,
  ])
  await client.query(
    `insert into push_devices (user_guid, endpoint, endpoint_digest, p256dh, auth, created_at, updated_at)
     select $1, 'https://push.example.org/' || n, sha256(n::text::bytea), 'p', 'a', now(), now() from generate_series(1, 2) n`,
    [user.guid],
  )
})
afterAll(async () => {
  await client.end()
  await api[Symbol.asyncDispose]()
})

const secret = () => readFile(path.join(keys, 'seal.key'))
const isInterrupted = () => existsSync(path.join(keys, 'seal.key.next'))

async function stop(): Promise<void> {
  if (!stopped) await api.app.close()
  stopped = true
}

/** What a secret opens, by its place. */
async function openedBy(bytes: Buffer): Promise<Record<string, string>> {
  const seal: Seal = sealBy(bytes)
  const found: Record<string, string> = {}
  for (const [place, purpose] of Object.entries(places)) {
    const [table = '', column = ''] = place.split(/\.(.*)/)
    const { rows } = await client.query<{ sealed: string }>(`select ${column} as sealed from ${table}`)
    for (const { sealed } of rows) {
      try {
        found[place] = openText(seal, purpose, sealed)
      } catch {}
    }
  }
  return found
}

/** Runs a command in this process; returns what it prints. */
async function said(command: () => Promise<void>): Promise<string> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  try {
    await command()
    return log.mock.calls.flat().join('\n')
  } finally {
    log.mockRestore()
  }
}

test('no place with sealed text is forgotten', async () => {
  const { rows } = await client.query<{ place: string }>(
    `select table_name || '.' || column_name as place from information_schema.columns
     where table_schema = 'public' and column_name ~ 'sealed' and data_type = 'text'`,
  )
  expect(rows.map(({ place }) => place).sort()).toEqual(
    Object.keys(places)
      .filter((place) => !place.includes('->>'))
      .sort(),
  )
  expect(await openedBy(await secret())).toEqual(plain)
})

test('while the service runs, and without its keys, it is refused in words, and nothing has changed', async () => {
  const before = await readdir(keys)
  for (const rotate of [rotateSeal, rotatePushKey])
    await expect(rotate(config)).rejects.toThrow('the service runs, or another command does: stop it')
  expect(await readdir(keys)).toEqual(before)
  const elsewhere = { ...config, databaseUrl: null, dataDir: path.join(config.dataDir, 'none') }
  await expect(rotateSeal(elsewhere)).rejects.toThrow(/there is no seal.key in .*: set DATA_DIR/)
  expect(existsSync(elsewhere.dataDir)).toBe(false)
  expect(await openedBy(await secret())).toEqual(plain)
})

describe('the secret of the installation', () => {
  test('killed before the commit: no process starts until the command is run again, which ends it', async () => {
    await stop()
    const old = await secret()
    await client.query('begin; lock table stream_keys in exclusive mode')
    const env = { PATH: process.env.PATH ?? '', DATABASE_URL: config.databaseUrl ?? '', DATA_DIR: config.dataDir }
    const child = spawn(process.execPath, [program, 'seal', 'rotate-key'], { env, stdio: 'ignore' })
    await until(async () => {
      const { rows } = await client.query(
        `select from pg_locks where not granted and relation = 'stream_keys'::regclass`,
      )
      return rows.length > 0
    })
    child.kill('SIGKILL')
    await once(child, 'close')
    await client.query('rollback')
    expect([isInterrupted(), await openedBy(await secret())]).toEqual([true, plain])
    const words = 'seal.key is being replaced, or that was interrupted: run downbeat seal rotate-key'
    await expect(createApp(config)).rejects.toThrow(words)
    await expect(backup(config, path.join(config.dataDir, 'none.backup'), { plain: true })).rejects.toThrow(words)

    expect(await said(() => rotateSeal(config))).toBe(
      'seal.key is a new one, which 8 secrets have; the old one opens nothing more.',
    )
    expect(isInterrupted()).toBe(false)
    expect(await openedBy(await secret())).toEqual(plain)
    expect(await openedBy(old)).toEqual({})
    expect((await client.query('select from sign_in_places')).rows).toEqual([])
  })

  test('killed after the commit: the same', async () => {
    await stop()
    const [file, next, old] = ['seal.key', 'seal.key.next', 'old'].map((name) => path.join(keys, name)) as [
      string,
      string,
      string,
    ]
    await copyFile(file, old)
    await said(() => rotateSeal(config))
    // The state between the commit and the new name.
    await rename(file, next)
    await rename(old, file)
    expect([await openedBy(await secret()), await openedBy(await readFile(next))]).toEqual([{}, plain])
    await expect(createApp(config)).rejects.toThrow('run downbeat seal rotate-key')
    const before = await secret()
    await said(() => rotateSeal(config))
    expect([await openedBy(await secret()), await openedBy(before)]).toEqual([plain, {}])
  })

  test('of another installation: what it cannot open stays as it is, and is counted', async () => {
    await stop()
    await client.query(`update assistant_links set sealed_token = 'bm90IG9mIHRoaXMgaW5zdGFsbGF0aW9uLCBhdCBhbGw'`)
    expect(await said(() => rotateSeal(config))).toMatch(/which 7 secrets have; .*; 1 were of another installation/)
    expect(await openedBy(await secret())).toEqual({ ...plain, 'assistant_links.sealed_token': undefined })
  })
})

test('the key of push services: devices go, their users are notified once, and the service has a new key', async () => {
  await stop()
  const before = await readFile(path.join(keys, 'vapid.key'))
  expect(await said(() => rotatePushKey(config))).toBe(
    'vapid.key is a new one; 2 devices were removed, and their users notified.',
  )
  const after = await readFile(path.join(keys, 'vapid.key'))
  expect([after.length, after.equals(before)]).toEqual([32, false])
  await using again = await api.sibling()
  const { devices, applicationServerKey } = (await again.get('/users/@me/pushDevices', user)).body
  expect([devices, applicationServerKey]).toEqual([[], again.app.services.keys.vapid.publicKey])
  const { notifications } = (await again.get('/users/@me/notifications', user)).body
  expect(notifications).toMatchObject([{ type: 'push_device.key_replaced' }])

  // The service with both new keys shows what it had, and the link of the mail that was sent with the old one is invalid.
  expect((await again.get('/users/@me/streamKeys', user)).body).toMatchObject([{ key: plain['stream_keys.sealed'] }])
  const verify = (token: string) => again.post(`/email-verifications/${token}`, null)
  expect((await verify(tokenOf({ seal: sealBy(first) }, verification))).status).toBe(400)
  expect((await verify(tokenOf(again.app.services, verification))).status).toBe(200)
})
