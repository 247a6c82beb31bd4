import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { runningPid } from './embedded/server.ts'
import { type EmbeddedDatabase, startEmbeddedDatabase } from './embedded.ts'

/** Each test creates a database and starts several processes, perhaps on a busy machine. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const isRoot = process.getuid?.() === 0
const STRANGER = { uid: 12_345, gid: 12_345 }
/** initdb needs a user with a name. */
const NOBODY = { uid: 65_534, gid: 65_534 }
const SYSTEM_DIRECTORY = '/var/lib/downbeat'

/** A node process that starts the database and stops using it when its standard input ends. */
const SERVICE = `
  const { startEmbeddedDatabase } = await import(process.argv[1])
  try {
    const database = await startEmbeddedDatabase({ dataDir: process.argv[2] })
    console.log(JSON.stringify(database))
    process.stdin.on('end', () => database.stop()).resume()
  } catch (error) {
    console.log(JSON.stringify({ error: error.message }))
  }`
const MODULE = new URL('./embedded.ts', import.meta.url).href

interface Service extends Pick<EmbeddedDatabase, 'connection' | 'reused' | 'location'> {
  error?: string
  stop(): Promise<void>
  kill(): Promise<void>
}

const directories: string[] = []
const locations = new Set<string>()
const children: ChildProcess[] = []
const hadSystemDirectory = existsSync(SYSTEM_DIRECTORY)

async function startService(dataDir: string, account: { uid: number; gid: number } | object = {}): Promise<Service> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SERVICE, MODULE, dataDir], {
    ...account,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  const exited = once(child, 'exit')
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const started = JSON.parse(line) as Service
  if (started.location) locations.add(started.location)
  const stop = async () => {
    child.stdin.end()
    await exited
  }
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  return { ...started, stop, kill }
}

async function startHere(dataDir: string): Promise<EmbeddedDatabase> {
  const database = await startEmbeddedDatabase({ dataDir })
  locations.add(database.location)
  return database
}

/** A new directory that all users can enter, or only its owner. */
function newDirectory(mode = 0o711): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'downbeat-test-')))
  chmodSync(directory, mode)
  directories.push(directory)
  return directory
}

const newDataDir = (): string => join(newDirectory(), 'data')

let made: string | undefined

/** A data directory with an existing database, for tests that are not about its creation, which takes seconds. */
async function usedDataDir(): Promise<string> {
  if (made === undefined) {
    made = join(newDirectory(), 'data')
    directories.pop()
    const database = await startHere(made)
    await database.stop()
    locations.delete(database.location)
  }
  const dataDir = newDataDir()
  execFileSync('cp', ['-a', made, dataDir])
  return dataDir
}

async function query(database: Pick<EmbeddedDatabase, 'connection'>, sql: string): Promise<unknown[]> {
  const client = new pg.Client(database.connection)
  client.on('error', () => {}) // the query is rejected as well
  await client.connect()
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

const serverPid = (location: string): number | undefined => runningPid(join(location, 'cluster'))

async function killServer(location: string): Promise<void> {
  const pid = serverPid(location)
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
  while (serverPid(location) !== undefined) await sleep(5)
}

function tryToRun(account: object, file: string, args: string[]): boolean {
  return spawnSync(file, args, { ...account, cwd: '/' }).status === 0
}

afterAll(() => {
  if (made !== undefined) rmSync(dirname(made), { recursive: true })
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const location of locations) await killServer(location)
  for (const path of [...directories.splice(0), ...locations]) rmSync(path, { recursive: true, force: true })
  locations.clear()
  if (!hadSystemDirectory && existsSync(SYSTEM_DIRECTORY) && readdirSync(SYSTEM_DIRECTORY).length === 0) {
    rmdirSync(SYSTEM_DIRECTORY)
  }
})

describe('one process', () => {
  it('makes a durable UTF-8 database that only a socket leads to', async () => {
    const database = await startHere(newDataDir())
    expect(database).toMatchObject({ reused: false, connection: { database: 'downbeat' } })
    const settings = `select current_setting(name) from unnest(array['fsync', 'synchronous_commit', 'full_page_writes',
      'server_encoding', 'listen_addresses', 'TimeZone', 'max_connections']) name`
    expect(await query(database, settings)).toEqual(['on', 'on', 'on', 'UTF8', '', 'UTC', '200'])
    const locale = 'select datlocprovider, datlocale from pg_database where datname = current_database()'
    expect(await query(database, locale)).toEqual(['b', 'C.UTF-8'])
    await database.stop()
  })

  it('is gone after stop, and finds its rows at the next start', async () => {
    const dataDir = await usedDataDir()
    const first = await startHere(dataDir)
    await query(first, 'create table songs as select 7 as id')
    await Promise.all([first.stop(), first.stop()])
    expect(serverPid(first.location)).toBeUndefined()
    const second = await startHere(dataDir)
    expect(second.reused).toBe(false)
    expect(await query(second, 'select id from songs')).toEqual([7])
    await second.stop()
  })

  it('removes what a crashed initialisation left', async () => {
    const dataDir = newDataDir()
    mkdirSync(join(dataDir, 'postgres', 'cluster.init-1', 'base'), { recursive: true })
    const database = await startHere(dataDir)
    expect(readdirSync(database.location)).not.toContain('cluster.init-1')
    await database.stop()
  })

  it('accepts a path of any length and with any characters', async () => {
    const strange = join(newDirectory(), `a, "b" 'c' ü`)
    const database = await startHere(strange)
    expect(database.connection.host).toBe(join(strange, 'postgres', 'cluster'))
    await database.stop()

    const long = join(newDirectory(), 'x'.repeat(120))
    const first = await startHere(long)
    const second = await startService(long)
    expect(second).toMatchObject({ reused: true, connection: first.connection })
    expect(first.connection.host.length).toBeLessThan(90)
    expect(statSync(first.connection.host).mode & 0o777).toBe(0o700)
    await second.stop()
    await killServer(first.location)
    const third = await startHere(long)
    expect(third.connection).toEqual(first.connection)
    await first.stop()
    await third.stop()
    expect(existsSync(first.connection.host)).toBe(false)
  })
})

describe('several processes', () => {
  it('share one server, which the last one stops', async () => {
    const dataDir = await usedDataDir()
    const first = await startService(dataDir)
    const second = await startService(dataDir)
    const third = await startHere(dataDir)
    expect([first.reused, second.reused, third.reused]).toEqual([false, true, true])
    await first.stop()
    expect(await query(second, 'select 1')).toEqual([1])
    await third.stop()
    expect(await query(second, 'select 1')).toEqual([1])
    await second.stop()
    expect(serverPid(first.location)).toBeUndefined()
  })

  it('can start at the same time in an empty directory', async () => {
    const dataDir = newDataDir()
    const services = await Promise.all([startService(dataDir), startService(dataDir), startHere(dataDir)])
    expect(services.map(({ reused }) => reused).sort()).toEqual([false, true, true])
    expect(new Set(services.map(({ location }) => location)).size).toBe(1)
    for (const service of services) expect(await query(service, 'select 1')).toEqual([1])
    await Promise.all(services.map((service) => service.stop()))
    expect(serverPid(services[0].location)).toBeUndefined()
  })

  it('may stop and start at the same time', async () => {
    const dataDir = await usedDataDir()
    const first = await startService(dataDir)
    const [second] = await Promise.all([startService(dataDir), first.stop()])
    expect(await query(second, 'select 1')).toEqual([1])
    await second.stop()
  })
})

describe('after a crash', () => {
  it('of the process, its server runs on, is taken over, and can be stopped', async () => {
    const dataDir = await usedDataDir()
    const killed = await startService(dataDir)
    const pid = serverPid(killed.location)
    await killed.kill()
    const next = await startHere(dataDir)
    expect(next.reused).toBe(true)
    expect(serverPid(next.location)).toBe(pid)
    await next.stop()
    expect(serverPid(next.location)).toBeUndefined()
  })

  it('of the server, the next start recovers all that was committed', async () => {
    const dataDir = await usedDataDir()
    const first = await startService(dataDir)
    await query(first, 'create table scores as select generate_series(1, 1000) as score')
    const busy = query(first, 'select count(*) from generate_series(1, 5000000)').catch(() => 'cut off')
    await killServer(first.location)
    const second = await startService(dataDir)
    expect(second.reused).toBe(false)
    expect(await query(second, 'select sum(score)::int from scores')).toEqual([500_500])
    await busy
    await first.stop()
    expect(await query(second, 'select 1')).toEqual([1])
    await second.stop()
  })

  it('a pid file that names another living process does not hinder', async () => {
    const dataDir = await usedDataDir()
    const first = await startHere(dataDir)
    const pidFile = join(first.location, 'cluster', 'postmaster.pid')
    const [, ...lines] = readFileSync(pidFile, 'utf8').split('\n')
    const { uid, gid } = statSync(pidFile)
    await first.stop()
    const other = spawn('/bin/sleep', ['60'], isRoot ? { uid, gid } : {})
    children.push(other)
    for (const file of [pidFile, join(first.connection.host, '.s.PGSQL.5432.lock')]) {
      writeFileSync(file, [other.pid, ...lines].join('\n'), { mode: 0o600 })
      if (isRoot) chownSync(file, uid, gid)
    }
    const second = await startHere(dataDir)
    expect(second.reused).toBe(false)
    expect(await query(second, 'select 1')).toEqual([1])
    await second.stop()
    expect(other.exitCode).toBeNull()
  })
})

describe('errors', () => {
  it('tell that the data is of another major version', async () => {
    const dataDir = await usedDataDir()
    const database = await startHere(dataDir)
    await database.stop()
    writeFileSync(join(database.location, 'cluster', 'PG_VERSION'), '15\n')
    await expect(startHere(dataDir)).rejects.toThrow(/cluster is of PostgreSQL 15, but this is 18: .* DATABASE_URL/)
  })

  it('tell in one line why the server does not start', async () => {
    const dataDir = await usedDataDir()
    const database = await startHere(dataDir)
    await database.stop()
    writeFileSync(join(database.location, 'cluster', 'pg_hba.conf'), 'nonsense\n')
    await expect(startHere(dataDir)).rejects.toThrow(/^[^\n]*does not start: [^\n]*could not load [^\n]*pg_hba.conf/)
  })

  it('tell that the data directory is a file', async () => {
    const file = newDataDir()
    writeFileSync(file, '')
    await expect(startHere(file)).rejects.toThrow(/^Embedded database in .*EEXIST/)
  })
})

describe.runIf(isRoot)('as root', () => {
  it('lets no other user reach the socket', async () => {
    const database = await startHere(await usedDataDir())
    const socket = join(database.connection.host, '.s.PGSQL.5432')
    expect(existsSync(socket)).toBe(true)
    expect(tryToRun(STRANGER, '/usr/bin/test', ['-e', socket])).toBe(false)
    expect(statSync(database.connection.host)).not.toMatchObject({ uid: 0 })
    await database.stop()
  })

  it('keeps the cluster elsewhere if its user cannot reach the data directory, and finds it again', async () => {
    const dataDir = join(newDirectory(0o700), 'data')
    const first = await startService(dataDir)
    expect(first.location).toMatch(/^\/var\/lib\/downbeat\/database-/)
    expect(readFileSync(join(dataDir, 'postgres.location'), 'utf8')).toBe(`${first.location}\n`)
    await query(first, 'create table songs as select 7 as id')
    const second = await startHere(dataDir)
    expect(second).toMatchObject({ reused: true, location: first.location })
    await first.stop()
    await second.stop()
    const third = await startHere(dataDir)
    expect(await query(third, 'select id from songs')).toEqual([7])
    await third.stop()
  })

  it('does not begin anew if the recorded place is gone or is not its own', async () => {
    const dataDir = join(newDirectory(0o700), 'data')
    const database = await startHere(dataDir)
    await database.stop()
    chownSync(database.location, STRANGER.uid, STRANGER.gid)
    await expect(startHere(dataDir)).rejects.toThrow(/belongs to user 12345/)
    rmSync(database.location, { recursive: true })
    await expect(startHere(dataDir)).rejects.toThrow(/recorded to be in .*, but that does not exist/)
  })

  it('tells if the cluster became unreachable', async () => {
    const parent = newDirectory()
    const database = await startHere(join(parent, 'data'))
    await database.stop()
    chmodSync(parent, 0o700)
    await expect(startHere(join(parent, 'data'))).rejects.toThrow(/cannot reach it/)
  })

  const canStartAsOrdinary = isRoot && tryToRun(NOBODY, process.execPath, ['-e', `import(${JSON.stringify(MODULE)})`])

  it.runIf(canStartAsOrdinary)('takes over what an ordinary user has begun', async () => {
    const parent = newDirectory(0o700)
    chownSync(parent, NOBODY.uid, NOBODY.gid)
    const dataDir = join(parent, 'data')
    const ordinary = await startService(dataDir, NOBODY)
    expect(ordinary.error).toBeUndefined()
    await query(ordinary, 'create table songs as select 7 as id')
    const root = await startHere(dataDir)
    expect(root).toMatchObject({ reused: true, location: ordinary.location })
    await ordinary.stop()
    await root.stop()
    const again = await startHere(dataDir)
    expect(await query(again, 'select id from songs')).toEqual([7])
    await again.stop()
  })

  it.runIf(canStartAsOrdinary)('is not succeeded by an ordinary user, who is told so', async () => {
    const dataDir = await usedDataDir()
    const root = await startHere(dataDir)
    await root.stop()
    const ordinary = await startService(dataDir, NOBODY)
    expect(ordinary.error).toMatch(/EACCES/)
  })
})
