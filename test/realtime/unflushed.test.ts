import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { startEmbeddedDatabase } from '../../src/infra/db/embedded.ts'
import { createLogs } from '../../src/infra/log.ts'
import { openRuntime } from '../../src/runtime.ts'
import { freePort } from '../harness.ts'
import { clusterPid, type Env, startService } from '../kernel/service.ts'
import { openSocket } from './sockets.ts'

/** Events that followers got are durable, even when the database dies before it has written its last commits. (RT7) */

test('a commit that is not on disk is told to nobody, or is on disk by then', async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'downbeat-unflushed-'))
  const own: Env = { DATA_DIR: dataDir, PORT: String(await freePort()) }
  const config = readConfig({ ...own, LOG_LEVEL: 'silent' })
  const socketPort = await freePort()
  // The processes that handle events write, and each write flushes everything before it.
  const service = await startService({ ...own, SERVE: 'gateway', SOCKET_PORT: String(socketPort) })
  const { location, stop } = await startEmbeddedDatabase({ dataDir })
  await stop()
  const runtime = await openRuntime(config, createLogs('silent').log)
  const { pool } = runtime.database
  // During the test the database writes only what a client explicitly flushes.
  await pool.query(`alter system set wal_writer_delay = '10s'`)
  await pool.query('select pg_reload_conf()')
  const { rows } = await pool.query<{ guid: string }>(
    `with organiser as (insert into users (chat_platform_id, username, preferred_name, avatar_url)
       values ('1', 'organiser', 'organiser', '') returning guid),
     made as (insert into tournaments (id, name, status, team_size_min, team_size_max, team_size_active, links, organiser_guid, approved_at)
       select 'unflushed', 'Unflushed', 'approved', 1, 1, 1, '{"chatInvite":null,"website":null,"stream":null,"rulesUrl":null}', guid, now()
       from organiser returning guid)
     insert into tournament_counts (tournament_guid) select guid from made returning tournament_guid as guid`,
  )
  const guid = rows[0]?.guid as string
  const topic = `/tournaments/${guid}`
  const socket = await openSocket({ app: { socketAddress: `ws://127.0.0.1:${socketPort}` } })
  expect(await socket.ask({ type: 'subscribe', topic })).toMatchObject({ type: 'snapshot' })

  const client = await pool.connect()
  client.on('error', () => {})
  // The database's writer sleeps for the configured time only after it has been woken once.
  await client.query(`begin; set local synchronous_commit to off; update tournaments set prizes = 'many'; commit`)
  await wait(300)
  await client.query('begin; set local synchronous_commit to off')
  await client.query(`update tournaments set summary = 'told' where guid = $1`, [guid])
  await client.query(
    `select emit_event('tournament.updated', $1::uuid, $1::uuid, null, '{"summary":null}', '{"summary":"told"}', array[$1::text]),
       pg_notify('events', '')`,
    [guid],
  )
  await client.query('commit')
  const isTold = () => (socket.copies.of(topic).body as { summary: string | null }).summary === 'told'
  await socket.copies.until(isTold, 'the change')
  process.kill(clusterPid(path.join(location, 'cluster')), 'SIGKILL')
  service.signal('SIGKILL')
  await service.exit
  client.release(true)
  await Promise.allSettled([runtime.cleanups.run(), socket.close()])

  const again = await startService(own)
  try {
    const reply = await fetch(`${again.url}/api${topic}`)
    expect([reply.status, ((await reply.json()) as { summary: string }).summary]).toEqual([200, 'told'])
  } finally {
    await again[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
    if (!location.startsWith(dataDir)) await rm(location, { recursive: true, force: true })
  }
})
