import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './account.ts'
import { SUPERUSER } from './connection.ts'
import { renameDurably, statIfPresent } from './files.ts'
import { type Location, makeAccountDirectory } from './location.ts'

/**
 * Creates the cluster if there is none. It is created under a temporary name and renamed, so a cluster with its final
 * name is complete. Only one process at a time may call this; leftovers of others are then those of a crash.
 *
 * Every user who can reach the socket is trusted; network access is refused, even if the cluster is started by hand.
 */
export async function initialise(location: Location, binaries: string): Promise<void> {
  if (statIfPresent(location.cluster)) return checkVersion(location, binaries)
  removeLeftovers(location.home)
  const beside = join(location.home, `cluster.init-${process.pid}`)
  makeAccountDirectory(beside, location.account)
  try {
    await run(location.account, join(binaries, 'bin', 'initdb'), [
      ...['-D', beside, '--username', SUPERUSER, '--auth-local', 'trust', '--auth-host', 'reject', '--no-instructions'],
      ...['--encoding', 'UTF8', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--locale', 'C'],
      ...['--set', 'listen_addresses='],
    ])
    renameDurably(beside, location.cluster)
  } catch (error) {
    rmSync(beside, { recursive: true, force: true })
    throw new Error(`the database cannot be made in ${location.home}: ${(error as Error).message}`, { cause: error })
  }
}

function removeLeftovers(home: string): void {
  for (const name of readdirSync(home)) {
    if (name.startsWith('cluster.init-')) rmSync(join(home, name), { recursive: true })
  }
}

/** PostgreSQL reads only the files of its own major version. */
async function checkVersion({ cluster, account }: Location, binaries: string): Promise<void> {
  const data = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  const program = await run(account, join(binaries, 'bin', 'postgres'), ['--version'])
  const major = /(\d+)\./.exec(program)?.[1]
  if (data !== major) {
    throw new Error(`${cluster} is of PostgreSQL ${data}, but this is ${major}: dump it with ${data} and load it here`)
  }
}
