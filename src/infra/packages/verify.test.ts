import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { TextWriter, Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js'
import { base64url, FlattenedSign, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  changedPackage,
  contentOf,
  digest,
  facts,
  fileOf,
  linesOf,
  linkAttributes,
  packed,
  smallFiles,
  withDoubledName,
  zipped,
} from '../../../test/packages.ts'
import { canonicalJson } from '../../core/canonical-json.ts'
import { pathFault } from '../../core/packages/paths.ts'
import type { KnownKey } from '../../core/packages/signatures.ts'
import { knownFrom } from '../../core/packages/signatures.ts'
import { verifyPackage } from '../../core/packages/verify.ts'
import { knownOfSet, openPackageKeys, type PackageKeys } from './keys.ts'

const made = new Date('2026-05-01')
let folder: string
let keys: PackageKeys
let known: readonly KnownKey[]
let whole: Buffer

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'downbeat-packages-'))
  keys = openPackageKeys(path.join(folder, 'keys'))
  whole = await packed(await keys.current(made))
  known = knownFrom(await keys.list(made), 'here')
})

afterAll(() => rm(folder, { recursive: true }))

const judged = (bytes: Uint8Array, by = known) => verifyPackage(new Blob([Buffer.from(bytes)]), by, digest)

const refusal = async (bytes: Uint8Array) => {
  const problem = await judged(bytes).then(
    () => null,
    (error) => error,
  )
  return problem === null ? null : (problem.code ?? String(problem))
}

const changed = (change: (content: Record<string, Uint8Array | string>) => void) => changedPackage(whole, change)

describe('a package', () => {
  test('is whole and by a known key, and its bytes follow from its files', async () => {
    const { manifest, signer } = await judged(whole)
    expect(signer).toMatchObject({ state: 'known', name: 'here' })
    expect(manifest.files.map(({ path: name }) => name)).toEqual(smallFiles.map(({ path: name }) => name).toSorted())
    expect(await packed(await keys.current(made), smallFiles.toReversed())).toEqual(whole)
  })

  test('is read alike by another reader of zip files, in the order of its format', async () => {
    const zip = new ZipReader(new Uint8ArrayReader(whole), { strictness: 'strict', useWebWorkers: false })
    const entries = await zip.getEntries()
    expect(entries.map(({ filename }) => filename).slice(0, 2)).toEqual(['manifest.json', 'manifest.jws'])
    for (const entry of entries) {
      expect(entry.lastModDate.getFullYear()).toBe(1980)
      expect(entry.rawExtraField.byteLength).toBe(0)
      expect(entry.bitFlag?.dataDescriptor).toBe(false)
      expect(entry.compressionMethod).toBe(entry.filename.startsWith('media/') ? 0 : 8)
      const file = smallFiles.find(({ path: name }) => name === entry.filename)
      if (file !== undefined && !entry.directory) {
        expect(Buffer.from(await entry.getData(new Uint8ArrayWriter(), { checkCrc32: true }))).toEqual(file.content)
      }
    }
    const manifest = entries.find(({ filename }) => filename === 'manifest.json')
    const text = manifest?.directory === false ? await manifest.getData(new TextWriter()) : ''
    expect(canonicalJson(JSON.parse(text))).toBe(text)
  })

  test('comes from any tool, in any order, with data descriptors or stored', async () => {
    const content = await contentOf(whole)
    for (const shape of [{}, { level: 0 }, { dataDescriptor: true }, { externalFileAttributes: 0o100644 << 16 }]) {
      expect((await judged(await zipped(content.toReversed(), shape))).signer.state).toBe('known')
    }
  })

  test('may leave out what it lists as left out', async () => {
    const [readme, ...others] = smallFiles
    const without = await packed(await keys.current(made), [{ ...(readme ?? fileOf('', '')), read: null }, ...others])
    expect((await judged(without)).manifest.files.find(({ omitted }) => omitted)?.path).toBe('README.txt')
  })
})

describe('who signed', () => {
  test('a key that nobody knows, or nobody', async () => {
    expect((await judged(whole, [])).signer.state).toBe('unknown')
    const unsigned = await changed((content) => delete content['manifest.jws'])
    expect((await judged(unsigned)).signer).toEqual({ state: 'unsigned', kid: null, name: null })
  })

  test('a key that was retired counts, a revoked one does not; private parts of old keys are gone', async () => {
    const own = openPackageKeys(path.join(folder, 'rotated'))
    const first = await packed(await own.current(made))
    const second = await own.rotate(new Date('2026-05-02'), false)
    expect((await own.list(made)).map(({ status }) => status)).toEqual(['current', 'retired'])
    expect((await judged(first, knownFrom(await own.list(made), null))).signer.state).toBe('known')
    const byCurrent = await packed(await own.current(made))
    expect((await judged(byCurrent, knownFrom(await own.list(made), null))).signer.kid).toBe(second.kid)
    await own.rotate(new Date('2026-05-03'), true)
    const published = await own.list(made)
    expect(published.map(({ status }) => status)).toEqual(['current', 'revoked', 'retired'])
    await expect(judged(byCurrent, knownFrom(published, null))).rejects.toMatchObject({ code: 'package.signature' })
    // As another service reads what is published.
    const elsewhere = await knownOfSet(JSON.stringify({ keys: published }), 'cup.example')
    await expect(judged(byCurrent, elsewhere)).rejects.toMatchObject({ code: 'package.signature' })
    expect((await judged(first, elsewhere)).signer).toMatchObject({ state: 'known', name: 'cup.example' })
    const files = await readdir(path.join(folder, 'rotated'))
    const texts = await Promise.all(files.map((file) => readFile(path.join(folder, 'rotated', file), 'utf8')))
    expect(texts.filter((text) => 'd' in JSON.parse(text))).toHaveLength(1)
    const modes = await Promise.all(files.map(async (file) => (await stat(path.join(folder, 'rotated', file))).mode))
    expect(modes.map((mode) => mode & 0o777)).toEqual(files.map(() => 0o600))
  })

  test.each(['alg', 'typ', 'kid', 'jwk', 'more', 'payload', 'manifest', 'text'])(
    'a signature whose %s is not what it must be is refused',
    async (what) => {
      const key = await keys.current(made)
      const header: Record<string, unknown> = {
        alg: 'EdDSA',
        typ: 'downbeat-package+jws',
        kid: key.kid,
        jwk: key.publicKey,
      }
      const other = await generateKeyPair('ES256')
      if (what === 'typ') header.typ = 'JWT'
      if (what === 'kid') header.kid = 'A'.repeat(43)
      if (what === 'jwk') header.jwk = { ...key.publicKey, crv: 'X25519' }
      if (what === 'more') header.iss = 'somebody'
      if (what === 'alg') header.alg = 'ES256'
      const forged = await changed(() => {})
      const content: Record<string, Uint8Array | string> = Object.fromEntries(await contentOf(forged))
      const manifest = content['manifest.json'] as Uint8Array
      const { protected: protectedHeader, signature } = await new FlattenedSign(
        what === 'manifest' ? Buffer.from('{}') : manifest,
      )
        .setProtectedHeader(header as { alg: string })
        .sign(what === 'alg' ? other.privateKey : key.privateKey)
      const middle = what === 'payload' ? base64url.encode(manifest) : ''
      content['manifest.jws'] = what === 'text' ? 'signed, honestly' : `${protectedHeader}.${middle}.${signature}`
      expect(await refusal(await zipped(Object.entries(content)))).toBe('package.signature')
    },
  )
})

const putting = (name: string, text: string) => (content: Record<string, Uint8Array | string>) => {
  content[name] = text
}

describe('is refused', () => {
  test.each<readonly [string, string, (content: Record<string, Uint8Array | string>) => void]>([
    ['a file that is not listed', 'package.content', putting('data/more.ndjson', '{}\n')],
    ['a file that is missing', 'package.content', (content) => delete content['README.txt']],
    ['a file that is another', 'package.content', putting('README.txt', 'Another text.\n')],
    ['no manifest', 'package.content', (content) => delete content['manifest.json']],
    [
      'files that were swapped',
      'package.content',
      (content) => {
        const teams = content['data/teams.ndjson'] ?? ''
        content['data/teams.ndjson'] = content['data/tournament.ndjson'] ?? ''
        content['data/tournament.ndjson'] = teams
      },
    ],
    ['another format', 'package.version', putting('manifest.json', '{"format":"zip"}')],
    [
      'a newer major version',
      'package.version',
      putting('manifest.json', '{"format":"downbeat-tournament","version":"2.0"}'),
    ],
    ['a manifest that is no JSON', 'package.content', putting('manifest.json', '{')],
  ])('%s', async (_what, code, change) => {
    expect(await refusal(await changed(change))).toBe(code)
  })

  test.each([
    ['absolute', '/etc/passwd'],
    ['of a drive', 'C:/windows'],
    ['above the folder', '../above'],
    ['above the folder in the middle', 'data/../../above'],
    ['with a backslash', 'data\\teams.ndjson'],
    ['with an empty segment', 'data//teams.ndjson'],
    ['with a NUL', 'data/teams\0.ndjson'],
    ['not in form NFC', 'data/e\u0301.ndjson'],
  ])('a path %s', async (_what, name) => {
    expect(pathFault(name)).not.toBeNull()
    const content = await contentOf(whole)
    expect(['package.path', 'package.unreadable']).toContain(await refusal(await zipped([...content, [name, 'x']])))
  })

  test('links, and files that are encrypted', async () => {
    const content = await contentOf(whole)
    const link = await zipped(content, { externalFileAttributes: linkAttributes })
    expect(await refusal(link)).toBe('package.unreadable')
    expect(await refusal(await zipped(content, { password: 'secret' }))).toBe('package.unreadable')
  })

  test('bytes before, after and between; a cut; two files of one name', async () => {
    expect(await refusal(Buffer.concat([Buffer.from('#!'), whole]))).toBe('package.unreadable')
    expect(await refusal(Buffer.concat([whole, Buffer.from('.')]))).toBe('package.unreadable')
    for (const length of [0, 1, 100, whole.byteLength / 2, whole.byteLength - 1]) {
      expect(await refusal(whole.subarray(0, length))).toBe('package.unreadable')
    }
    expect(await refusal(await withDoubledName(whole))).toBe('package.unreadable')
  })

  test('every single byte that is flipped', async () => {
    // Each place of the first header; of all others every 397th.
    const places = Array.from({ length: whole.byteLength }, (_, at) => at).filter((at) => at < 50 || at % 397 === 0)
    const accepted: number[] = []
    for (const at of places) {
      const flipped = Buffer.from(whole)
      flipped[at] = (flipped[at] ?? 0) ^ 0x10
      if ((await refusal(flipped)) === null) accepted.push(at)
    }
    // The version that is needed, and times, which say nothing.
    expect(accepted.filter((at) => at < 50)).toEqual([4, 5, 10, 11, 12, 13])
    expect(accepted.length).toBeLessThan(12)
  })

  test('bombs: a file that unpacks to far more, and more files than there may be', async () => {
    const bomb = await zipped([['data/bomb.ndjson', new Uint8Array(40_000_000)]], { level: 9 })
    expect(bomb.byteLength).toBeLessThan(100_000)
    expect(await refusal(bomb)).toBe('package.too_large')
    const many = Array.from({ length: 1_100 }, (_, at) => [`data/${at}`, ''] as const)
    expect(await refusal(await zipped(many))).toBe('package.too_large')
  })

  test.each([
    ['a line that is no JSON', '{"a":1}\n{"a":\n'],
    ['a line that is no object', '{"a":1}\n[1]\n'],
    ['a line without an end', '{"a":1}\n{"a":2}'],
    ['a line that is nested too deep', `{"a":1}\n{"a":${'['.repeat(100)}${']'.repeat(100)}}\n`],
    ['a text that is not UTF-8', Buffer.from([0x7b, 0xff, 0x7d, 0x0a, 0x7b, 0x7d, 0x0a])],
  ])('%s', async (_what, text) => {
    const about = { ...facts, counts: { teams: 2 } }
    const wrong = await packed(await keys.current(made), [fileOf('data/teams.ndjson', text)], about)
    expect(await refusal(wrong)).toBe('package.row')
  })

  test('rows that are not counted, a line that is too long, and too many rows', async () => {
    const key = await keys.current(made)
    const counted = (counts: Record<string, number>, text: string) =>
      packed(key, [fileOf('data/teams.ndjson', text)], { ...facts, counts })
    expect(await refusal(await counted({ teams: 3 }, linesOf([{}, {}])))).toBe('package.content')
    expect(await refusal(await counted({ teams: 2, matches: 1 }, linesOf([{}, {}])))).toBe('package.content')
    const random = Array.from({ length: 30_000 }, () => Math.random().toString(36)).join('')
    expect(await refusal(await counted({ teams: 1 }, linesOf([{ a: random.repeat(4) }])))).toBe('package.too_large')
    const rows = Array.from({ length: 200_001 }, () => ({ a: Math.random() }))
    expect(await refusal(await counted({ teams: 200_001 }, linesOf(rows)))).toBe('package.too_large')
  })
})
