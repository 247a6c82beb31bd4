import { deflateRawSync } from 'node:zlib'
import { base64url, FlattenedSign, generateKeyPair } from 'jose'
import type { SigningKey } from '../../src/core/packages/signatures.ts'
import { contentOf, fileOf, linesOf, linkAttributes, packed } from '../packages.ts'
import { otherName, type RawEnd, type RawEntry, rawZip, withDescriptor } from './zips.ts'

/** Packages that must be refused, each for one fault, with the code of the problem. (P6) */

export type Hostile = readonly [fault: string, code: string, bytes: Buffer]

const encrypted = 0x0001
const stronglyEncrypted = 0x0041
const hiddenDirectory = 0x2000

type Changes = Partial<Omit<RawEntry, 'content'>> & { readonly content?: Uint8Array }

/** Faults of the zip file. The manifest of the package is whole, and so is its signature. */
export async function hostileZips(whole: Uint8Array): Promise<Hostile[]> {
  const content = await contentOf(whole)
  const entries = content.map(([name, bytes]): RawEntry => ({ name, content: bytes, method: 8 }))
  const target = entries.length - 1
  const own = entries[target] as RawEntry
  const { byteLength: size } = own.content
  const changed = (changes: Changes, end: RawEnd = {}) =>
    rawZip(
      entries.map((entry, at) => (at === target ? { ...entry, ...changes } : entry)),
      end,
    )
  const also = (entry: RawEntry) => rawZip([...entries, entry])
  const named = (name: string | Uint8Array) => also({ name, content: Buffer.from('x') })
  const inner = rawZip([{ name: 'data/inner.ndjson', content: Buffer.from('{}\n') }])
  const unreadable = (faults: Readonly<Record<string, Buffer>>) =>
    Object.entries(faults).map(([fault, bytes]): Hostile => [fault, 'package.unreadable', bytes])
  const paths = Object.entries({
    'an absolute path': '/etc/passwd',
    'a path of a drive': 'C:/windows',
    'a path above': '../above',
    'a path above, in the middle': 'data/../../above',
    'a path above, at the end': 'data/..',
    'a segment of one dot': 'data/./teams.ndjson',
    'a backslash': 'data\\teams.ndjson',
    'a colon': 'data/teams.ndjson:stream',
    'a NUL': 'data/teams\0.ndjson',
    'an empty segment': 'data//teams.ndjson',
    'a folder': 'data/',
    'a path without a letter': '',
    'a path that is not in form NFC': 'data/e\u0301.ndjson',
    'bytes that are not UTF-8': Buffer.from([0x64, 0x61, 0x74, 0x61, 0x2f, 0xff]),
  })
  return [
    ...unreadable({
      'encrypted, as both headers say': changed({ both: { flags: encrypted } }),
      'encrypted, as the central header says': changed({ central: { flags: encrypted } }),
      'encrypted, as the local header says': changed({ local: { flags: encrypted } }),
      'strongly encrypted': changed({ both: { flags: stronglyEncrypted } }),
      'with a directory that is encrypted': changed({ both: { flags: hiddenDirectory } }),
      'spanned, as the end says': changed({}, { disk: 1 }),
      'spanned, as the end says of the directory': changed({}, { startDisk: 1 }),
      'spanned, as an entry says': changed({ disk: 1 }),
      'spanned, as the counts say': changed({}, { here: entries.length - 1 }),
      'with fewer entries than there are': changed({}, { entries: entries.length - 1 }),
      'with more entries than there are': changed({}, { entries: entries.length + 1 }),
      'with two entries of one place': also({ ...own, name: 'more.txt', offset: (_, all) => all[target] ?? 0 }),
      'with an entry inside another': rawZip([
        ...entries,
        { name: 'outer.txt', content: inner },
        { ...{ name: 'data/inner.ndjson', content: Buffer.from('{}\n') }, offset: (_, all) => (all.at(-2) ?? 0) + 39 },
      ]),
      'with a doubled entry': also(own),
      'with a doubled entry of another content': also({ ...own, content: Buffer.from('x') }),
      'with a size that is too small': changed({ both: { size: size - 1 } }),
      'with a size that is too large': changed({ both: { size: size + 1 } }),
      'with a size of nothing': changed({ both: { size: 0 } }),
      'with another size in the local header': changed({ local: { size: size - 1 } }),
      'with a packed size that is too small': changed({ both: { packed: 1 } }),
      'with a packed size that is too large': changed({ central: { packed: 1_000_000 } }),
      'with another checksum in both headers': changed({ both: { crc: 1 } }),
      'with another checksum in the local header': changed({ local: { crc: 1 } }),
      'with another checksum in the central header': changed({ central: { crc: 1 } }),
      'with another checksum after the content': changed({ both: { flags: withDescriptor }, descriptor: { crc: 1 } }),
      'with another size after the content': changed({ both: { flags: withDescriptor }, descriptor: { size: 1 } }),
      'with another name in the local header': changed({ local: { name: Buffer.from('another.txt') } }),
      'with another method in the local header': changed({ local: { method: 0 } }),
      'packed by another method': changed({ both: { method: 12 } }),
      'with bytes after what is packed': changed({
        bytes: Buffer.concat([deflateRawSync(own.content), Buffer.from('more')]),
      }),
      'a bomb that says it is small': changed({ bytes: deflateRawSync(Buffer.alloc(40_000_000)) }),
      'a link': changed({ attributes: linkAttributes }),
      'a device': changed({ attributes: (0o020644 << 16) >>> 0 }),
      'a folder, by its attributes': changed({ attributes: (0o040755 << 16) >>> 0 }),
      'bytes before the first entry': changed({}, { first: '#!/bin/sh\n' }),
      'bytes between entries': changed({ before: inner }),
      'bytes before the directory': changed({}, { gap: 'more' }),
      'bytes after the directory': changed({}, { second: 'more' }),
      'bytes after the end': changed({}, { last: '.' }),
      'another zip file after the end': changed({}, { last: inner.toString('latin1') }),
    }),
    ...paths.map(([fault, name]): Hostile => [fault, 'package.path', named(name)]),
    [
      'another name in an extra field',
      'package.path',
      also({
        name: 'a.txt',
        content: Buffer.from('x'),
        both: { flags: 0, extra: otherName('a.txt', 'data/teams.ndjson') },
      }),
    ],
    ['an entry that is not listed', 'package.content', named('more.txt')],
    ['a listed entry that is missing', 'package.content', rawZip(entries.slice(0, -1))],
    ['a listed entry that differs', 'package.content', changed({ content: Buffer.alloc(size) })],
    ['a bomb', 'package.too_large', also({ name: 'bomb.txt', content: Buffer.alloc(40_000_000), method: 8 })],
    [
      'more than may be unpacked, as it says',
      'package.too_large',
      rawZip([
        ...entries,
        ...[1, 2, 3].map(
          (at): RawEntry => ({
            ...{ name: `large-${at}.txt`, content: Buffer.alloc(1_100_000), both: { size: 200_000_000 } },
          }),
        ),
      ]),
    ],
    [
      'more entries than there may be',
      'package.too_large',
      rawZip([
        ...entries,
        ...Array.from({ length: 1_025 - entries.length }, (_, at) => ({ name: `${at}.txt`, content: Buffer.alloc(0) })),
      ]),
    ],
  ]
}

/** Faults of the signature. The zip file is whole. */
export async function hostileSignatures(whole: Uint8Array, key: SigningKey, other: SigningKey): Promise<Hostile[]> {
  const content = new Map(await contentOf(whole))
  const manifest = content.get('manifest.json') ?? new Uint8Array()
  const usual = { alg: 'EdDSA', typ: 'downbeat-package+jws', kid: key.kid, jwk: { ...key.publicKey } }
  const { privateKey: curve } = await generateKeyPair('ES256')
  const signed = async (header: object, by: Parameters<FlattenedSign['sign']>[0] = key.privateKey, text = manifest) => {
    const jws = await new FlattenedSign(text).setProtectedHeader({ ...usual, ...header }).sign(by)
    return `${jws.protected}..${jws.signature}`
  }
  const written = (header: object) => `${base64url.encode(JSON.stringify({ ...usual, ...header }))}..`
  const texts: Readonly<Record<string, string>> = {
    'nothing that is a signature': 'signed',
    'no text at all': '',
    'the algorithm none': written({ alg: 'none' }),
    'a shared secret': await signed({ alg: 'HS256' }, base64url.decode(key.publicKey.x)),
    'another curve': await signed({ alg: 'ES256' }, curve),
    'the other name of the algorithm': (await signed({})).replace(
      /^[^.]*/,
      base64url.encode(JSON.stringify({ ...usual, alg: 'Ed25519' })),
    ),
    'no key': await signed({ jwk: undefined }),
    'the address of a key': await signed({ jwk: undefined, jku: 'https://keys.example/set.json' }),
    'a key with its private part': await signed({ jwk: { ...key.publicKey, d: 'A'.repeat(43) } }),
    'a name that is not the thumbprint': await signed({ kid: other.kid }),
    'no name of the key': await signed({ kid: undefined }),
    'a known name with the key of others': await signed({ jwk: { ...other.publicKey } }, other.privateKey),
    'the key of others': await signed({}, other.privateKey),
    'another type': await signed({ typ: 'JWT' }),
    'a signature of another manifest': await signed({}, key.privateKey, Buffer.from('{}')),
    'a payload': (await signed({})).replace('..', `.${base64url.encode(manifest)}.`),
    'a signature that is cut': (await signed({})).slice(0, -2),
  }
  return Object.entries(texts).map(([fault, text]): Hostile => {
    const entries = [...content].map(([name, bytes]) => ({
      name,
      content: name === 'manifest.jws' ? Buffer.from(text) : bytes,
    }))
    return [fault, 'package.signature', rawZip(entries)]
  })
}

/** A text that hardly becomes smaller. */
export function noise(length: number): string {
  let state = length
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return (state >>> 16) % 36
  }
  return Array.from({ length }, () => next().toString(36)).join('')
}

/** Faults of rows. The package is signed. */
export async function hostileRows(key: SigningKey, about: Parameters<typeof packed>[2]): Promise<Hostile[]> {
  const of = async (fault: string, code: string, text: string | Uint8Array, rows: number): Promise<Hostile> => {
    const file = fileOf('data/teams.ndjson', text)
    return [
      fault,
      code,
      await packed(key, [file], { ...(about as NonNullable<typeof about>), counts: { teams: rows } }),
    ]
  }
  const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}\n`
  return Promise.all([
    of('a row that is no JSON', 'package.row', '{"a":\n', 1),
    of('a row that is no object', 'package.row', '[1]\n', 1),
    of('a row without an end', 'package.row', '{"a":1}', 1),
    of('an empty row', 'package.row', '{"a":1}\n\n', 2),
    of('a row that is not UTF-8', 'package.row', Buffer.from([0x7b, 0xff, 0x7d, 0x0a]), 1),
    of('a mark of the order of bytes', 'package.row', '\uFEFF{"a":1}\n', 1),
    of('a row that is nested too deep', 'package.row', nested(65), 1),
    of('a row that is nested without an end', 'package.row', `{"a":${'['.repeat(900_000)}\n`, 1),
    of('rows that are not counted', 'package.content', linesOf([{}, {}]), 1),
    of('a row that is too long', 'package.too_large', `{"a":"${noise(1024 * 1024 - 7)}"}\n`, 1),
    of(
      'too many rows',
      'package.too_large',
      linesOf(Array.from({ length: 200_001 }, (_, a) => ({ a, b: noise(9) }))),
      200_001,
    ),
  ])
}
