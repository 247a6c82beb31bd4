import { readdir, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { freePort, startHarness } from '../../../../test/harness.ts'
import { run, startService } from '../../../../test/kernel/service.ts'
import { formOf, picture, upload } from '../../../../test/media.ts'
import { uploadSteps } from '../../../infra/storage/steps.ts'
import { check } from './commands/checking.ts'
import { sweep } from './commands/sweeping.ts'

/** When a process dies at any time, no record lacks its file, and the sweep deletes the remains. (M12, M13) */

test('of processes that are killed after each step of an upload, nothing is amiss', async () => {
  await using harness = await startHarness()
  const users = await Promise.all(uploadSteps.map(() => harness.user()))
  const files = await Promise.all(uploadSteps.map(() => picture({ width: 128, height: 128 })))
  const { databaseUrl, dataDir, publicUrl } = harness.app.config
  const env = { DATABASE_URL: databaseUrl ?? '', DATA_DIR: dataDir, PUBLIC_URL: publicUrl, LOG_LEVEL: 'warn' }
  await harness.app.close()
  const dying = uploadSteps.map(async (step, at) => {
    await using service = await startService({ ...env, MEDIA_DIES_AFTER: step, PORT: String(await freePort()) })
    const { raw, headers } = formOf(files[at] as Buffer, { kind: 'avatar' })
    const send = () =>
      fetch(`${service.url}/api/media`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${users[at]?.token}` },
        body: new Uint8Array(raw),
      })
    // On a machine that is busy with all these processes a picture may be refused as too slow to encode: it is sent again.
    const sendUntilTaken = async () => {
      let reply = await send()
      while (reply.status === 503) reply = await send()
      return reply
    }
    await expect(sendUntilTaken(), step).rejects.toThrow()
    expect((await service.exit).signal, step).toBe('SIGKILL')
  })
  await Promise.all(dying)
  const checked = await run(['media', 'check', '--deep'], env)
  expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('0 differences')])
  const media = path.join(dataDir, 'media')
  const listFiles = async (folder: string) => {
    const names = await readdir(path.join(media, folder), { recursive: true }).catch(() => [])
    const found = await Promise.all(
      names.map(async (name) => ({ name, is: (await stat(path.join(media, folder, name))).isFile() })),
    )
    return found.filter(({ is }) => is).map(({ name }) => path.join(media, folder, name))
  }
  const before = [...(await listFiles('incoming')), ...(await listFiles('objects'))]
  expect(before.length).toBeGreaterThan(2)
  const old = new Date(Date.now() - 25 * 3_600_000)
  for (const file of before) await utimes(file, old, old)
  const swept = await run(['media', 'sweep'], env)
  expect([swept.code, swept.stderr]).toEqual([0, ''])
  const client = new pg.Client({ connectionString: databaseUrl ?? '' })
  await client.connect()
  const { rows } = await client.query<{ digest: string }>(`select encode(digest, 'hex') as digest from media`)
  await client.end()
  // The upload whose record was committed.
  expect(rows).toHaveLength(1)
  expect((await listFiles('objects')).map((file) => path.basename(file))).toEqual(rows.map(({ digest }) => digest))
  expect(await listFiles('incoming')).toEqual([])
})

test('uploads of one picture that race the sweep all have their file', async () => {
  await using api = await startHarness()
  const users = await Promise.all(Array.from({ length: 20 }, () => api.user()))
  const file = await picture()
  const { database, services, config } = api.app
  const parts = { database, storage: services.storage, incoming: path.join(config.dataDir, 'media', 'nowhere') }
  let isOver = false
  const sweeping = (async () => {
    while (!isOver) await sweep({ ...parts, now: new Date(Date.now() + 2 * 86_400_000) })
  })()
  const replies = await Promise.all(users.map((user) => upload(api, user, file)))
  isOver = true
  await sweeping
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201))
  expect((await check(database.db, services.storage, true, new Date())).faults).toEqual([])
})
