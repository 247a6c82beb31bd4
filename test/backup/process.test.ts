import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../harness.ts'
import { run, startService } from '../kernel/service.ts'

/** Backups of the embedded database, by the command line, as an operator makes them. */

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'downbeat-operator-'))
})
afterAll(() => rm(folder, { recursive: true }))

test('the embedded database is backed up while the service runs, and another service continues with it', async () => {
  const [here, there, file] = ['here', 'there', 'cup.backup'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ]
  const port = String(await freePort())
  const env = { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, BACKUP_PASSPHRASE: 'correct horse battery staple' }
  const api = (token: string) => ({ headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } })
  let token: string
  {
    await using service = await startService({ ...env, DATA_DIR: here })
    token = (await run(['token', '210987654321098765', '--name', 'quaver'], { ...env, DATA_DIR: here })).stdout.trim()
    const body = JSON.stringify({ name: 'Spring Cup', id: 'spring-cup', capacity: 8 })
    const made = await fetch(`${service.url}/api/tournaments`, { method: 'POST', body, ...api(token) })
    expect(made.status).toBe(201)

    const saved = await run(['backup', file], { ...env, DATA_DIR: here })
    expect([saved.code, saved.stderr]).toEqual([0, ''])
    expect(saved.stdout).toMatch(
      /^\d+ records of \d+ tables, 3 keys and 0 objects of media, as of \S+, are in .*cup\.backup \(\d+ bytes\)\n$/,
    )
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
  }
  const restored = await run(['restore', file], { ...env, DATA_DIR: there })
  expect([restored.code, restored.stderr]).toEqual([0, ''])
  const again = await run(['restore', file], { ...env, DATA_DIR: there })
  expect([again.code, again.stderr]).toEqual([
    1,
    expect.stringMatching(/^downbeat: the database is not empty, .*DATA_DIR\n$/),
  ])
  await using service = await startService({ ...env, DATA_DIR: there })
  const mine = await fetch(`${service.url}/api/tournaments/spring-cup`, api(token))
  expect([mine.status, (await mine.json()) as object]).toEqual([200, expect.objectContaining({ name: 'Spring Cup' })])
})

test('without a database or a passphrase one line says what to set, and nothing is made', async () => {
  const file = path.join(folder, 'none.backup')
  const nowhere = await run(['backup', file, '--plain'], { DATA_DIR: path.join(folder, 'nowhere') })
  expect([nowhere.code, nowhere.stderr]).toEqual([
    1,
    expect.stringMatching(/^downbeat: there are no keys in .*: set DATA_DIR as the service has it\n$/),
  ])
  expect((await readdir(folder)).filter((name) => /nowhere|none/.test(name))).toEqual([])
})
