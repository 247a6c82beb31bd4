import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { backup } from '../src/cli/backup.ts'
import { restore } from '../src/cli/restore.ts'
import { ask, emptyService } from './backup/databases.ts'
import { type Harness, startHarness, startOn } from './harness.ts'
import { giveRealFiles, takePackage } from './package-imports.ts'
import { makePackageWorld } from './package-world.ts'
import { carried, expectSamePackage } from './round-trips.ts'

/** The service on the oldest supported PostgreSQL, where the machine has one. */

const binaries = '/usr/lib/postgresql/15/bin'
const isRoot = process.getuid?.() === 0

/** PostgreSQL does not run as root. */
function account(): { uid?: number; gid?: number } {
  if (!isRoot) return {}
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => /^(postgres|nobody):/.test(entry))
  const [, , uid, gid] = line?.split(':') ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

describe.skipIf(!existsSync(path.join(binaries, 'postgres')))('on PostgreSQL 15', () => {
  let folder: string
  let stop: () => Promise<unknown>
  let api: Harness

  beforeAll(async () => {
    const as = account()
    folder = mkdtempSync(path.join(os.tmpdir(), 'downbeat-pg15-'))
    chmodSync(folder, 0o711)
    const cluster = path.join(folder, 'cluster')
    mkdirSync(cluster, { mode: 0o700 })
    if (as.uid !== undefined && as.gid !== undefined) chownSync(cluster, as.uid, as.gid)
    const made = spawnSync(
      path.join(binaries, 'initdb'),
      ['-D', cluster, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C'],
      { ...as, cwd: '/' },
    )
    expect(made.status, String(made.stderr)).toBe(0)
    const server = spawn(path.join(binaries, 'postgres'), ['-D', cluster, '-k', cluster, '-c', 'listen_addresses='], {
      ...as,
      cwd: '/',
      stdio: 'ignore',
    })
    stop = () => {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGINT')
      return ended
    }
    const connection = { host: cluster, port: 5432, user: 'postgres', database: 'postgres' }
    await vi.waitUntil(() => answers(connection), { timeout: 60_000, interval: 50 })
    api = await startOn({
      databaseUrl: `postgres://postgres@${encodeURIComponent(cluster)}:5432/postgres`,
      dataDir: path.join(folder, 'data'),
    })
  })

  afterAll(async () => {
    await api?.[Symbol.asyncDispose]()
    await stop?.()
    rmSync(folder, { recursive: true, force: true })
  })

  async function answers(connection: pg.ClientConfig): Promise<boolean> {
    const client = new pg.Client(connection)
    try {
      await client.connect()
      return true
    } catch {
      return false
    } finally {
      await client.end()
    }
  }

  test('a tournament is made, approved, listed, and a team registered in it', async () => {
    const [organiser, manager, captain] = [
      await api.user(),
      await api.user({ globalRoles: ['global:tournaments:manage'] }),
      await api.user(),
    ]
    const made = await api.post('/tournaments', organiser, { name: 'Old Faithful', id: 'old-faithful', capacity: 2 })
    expect(made.status).toBe(201)
    expect((await api.post('/tournaments/old-faithful/visibility/request', organiser)).status).toBe(200)
    expect((await api.post('/tournaments/old-faithful/visibility/approve', manager)).status).toBe(200)
    expect((await api.get('/tournaments?q=old')).body.tournaments.map(({ id }: { id: string }) => id)).toEqual([
      'old-faithful',
    ])
    const team = await api.post('/tournaments/old-faithful/teams', captain, { captainId: captain.guid })
    expect(team.status).toBe(200)
    const registered = await api.post(`/tournaments/old-faithful/register/${team.body.newTeam.guid}`, captain)
    expect([registered.status, registered.body.newTeam.status]).toEqual([200, 'registered'])
    expect((await api.get('/tournaments/old-faithful')).body.counts.registered).toBe(1)
  })

  test('a backup of it is restored on the newest PostgreSQL, and one of that here', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {})
    const listed = 'select guid::text, name from tournaments order by guid'
    await using newest = await emptyService()
    await backup(api.app.config, path.join(folder, 'old.backup'), { plain: true })
    await restore(newest.config, path.join(folder, 'old.backup'), {})
    expect(await newest.sql(listed)).toEqual(await api.sql(listed))

    await backup(newest.config, path.join(folder, 'new.backup'), { plain: true })
    await api.sql('create database again')
    const databaseUrl = (api.app.config.databaseUrl as string).replace(/postgres$/, 'again')
    await restore(
      { ...api.app.config, databaseUrl, dataDir: path.join(folder, 'again') },
      path.join(folder, 'new.backup'),
      {},
    )
    expect(await ask({ connectionString: databaseUrl }, listed)).toEqual(await api.sql(listed))
  })

  test('a tournament is restored here from the newest PostgreSQL, and there again, byte for byte (P7, P8)', async () => {
    await using first = await startHarness()
    const { tournament, organiser } = await makePackageWorld(first)
    await giveRealFiles(first)
    const original = await takePackage(first, tournament.guid, organiser)
    const here = await carried(original, api, await api.user({ globalRoles: ['role:owner'] }))
    await expectSamePackage(here, original)

    await using third = await startHarness()
    const again = await carried(here, third, await third.user({ globalRoles: ['role:owner'] }))
    await expectSamePackage(again, original)
  })
})
