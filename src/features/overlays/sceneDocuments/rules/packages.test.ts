import { describe, expect, test } from 'vitest'
import { documentWith, elementOf } from '../../../../../test/scene-documents.ts'
import {
  assetEnd,
  assetHead,
  maxPackageBytes,
  packageBytes,
  packagedName,
  packageEnd,
  packageHead,
  readPackage,
} from './packages.ts'

const media = '3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42'
const other = '9d1b2c9e-5d1b-4c58-9a53-6d3b9c1f7a43'
const document = documentWith({ element1: elementOf({ type: 'image', props: { media } }) })
const asset = {
  media,
  name: 'Logo',
  kind: 'overlay_image',
  type: 'image/png',
  bytes: new Uint8Array([1, 2, 3, 4]),
} as const
const data = Buffer.from(asset.bytes).toString('base64')
const written = JSON.parse([packageHead(document), assetHead(asset, 0), data, assetEnd, packageEnd].join(''))
const withAsset = (over: object) => ({ ...written, assets: [{ ...written.assets[0], ...over }] })

test('there and back it is the same', () => {
  const read = readPackage(written)
  expect(read).toMatchObject({ ok: true, document, assets: [{ ...asset, bytes: Buffer.from(asset.bytes) }] })
  expect(packageBytes(JSON.stringify(document).length, [{ bytes: 4, name: 'Logo' }])).toBeGreaterThanOrEqual(
    JSON.stringify(written).length,
  )
  expect(maxPackageBytes).toBe(32 * 1024 * 1024)
})

describe('each asset that is refused is named', () => {
  test.each<[string, object, string | null]>([
    ['SVG', { type: 'image/svg+xml' }, 'Logo'],
    ['a type of another kind', { type: 'font/woff2' }, 'Logo'],
    ['a kind of other records', { kind: 'avatar' }, 'Logo'],
    ['a kind that every object has', { kind: 'constructor' }, 'Logo'],
    ['HTML in the name', { name: '<img src=x>' }, media],
    ['folders in the name', { name: '../../logo' }, media],
    ['controls in the name', { name: 'a\u0000b' }, media],
    ['a name without end', { name: 'x'.repeat(121) }, media],
    ['no name', { name: '' }, media],
    ['no GUID', { media: 'logo' }, 'Logo'],
    ['a medium that is not shown', { media: other }, 'Logo'],
    ['no base64', { data: 'AQID BA==' }, 'Logo'],
    ['base64 with bits behind its end', { data: 'AQIDBB==' }, 'Logo'],
    ['base64 of addresses', { data: '-_-_' }, 'Logo'],
    ['nothing', { data: '' }, 'Logo'],
    ['a member that is not known', { url: 'https://example.com' }, 'Logo'],
  ])('%s', (_, over, name) => {
    const read = readPackage(withAsset(over))
    expect(read).toMatchObject({ ok: false, code: 'package.invalid' })
    if (!read.ok) expect(read.faults[0]).toMatchObject({ name })
  })

  test('media of somebody else, of which the package has nothing', () => {
    expect(readPackage({ ...written, assets: [] })).toMatchObject({ ok: false, faults: [{ name: media }] })
  })

  test('the same twice', () => {
    expect(readPackage({ ...written, assets: [...written.assets, ...written.assets] })).toMatchObject({
      ok: false,
      faults: [{ name: 'Logo', words: 'is there twice' }],
    })
  })
})

const unseen = { ...document, scenes: { scene001: { name: '\u3164', order: 'V', elements: {} } } }

test.each<[string, unknown, string]>([
  ['another format', { ...written, format: 'x' }, 'package.invalid'],
  ['another version', { ...written, version: 2 }, 'package.invalid'],
  ['a member that is not known', { ...written, script: '' }, 'package.invalid'],
  ['a document that is not valid', { ...written, document: { ...document, canvas: {} } }, 'scene.invalid'],
  ['a name that cannot be seen', { ...written, document: unseen }, 'scene.invalid'],
  ['a document of a version to come', { ...written, document: { ...document, schemaVersion: 2 } }, 'scene.version'],
  ['no assets', { ...written, assets: undefined }, 'package.invalid'],
  ['assets that are none', { ...written, assets: [null, 1, []] }, 'package.invalid'],
  ['nothing', null, 'package.invalid'],
  ['a list', [], 'package.invalid'],
])('%s is refused', (_, given, code) => {
  expect(readPackage(given)).toMatchObject({ ok: false, code })
})

test.each([
  ['Logo', 'Logo'],
  ['<b>bold</b>', '_b_bold__b_'],
  ['a/b\\c', 'a_b_c'],
  [' \u200b ', 'overlay_image'],
  ['x'.repeat(200), 'x'.repeat(120)],
])('a medium called %s is packed under a name that is taken again', (name, packed) => {
  expect(packagedName(name, 'overlay_image')).toBe(packed)
  expect(readPackage(withAsset({ name: packed })).ok).toBe(true)
})
