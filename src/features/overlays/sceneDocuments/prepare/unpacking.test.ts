import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { documentWith, elementOf } from '../../../../../test/scene-documents.ts'
import { unpack } from './unpacking.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'downbeat-package-'))
afterAll(() => rmSync(folder, { recursive: true }))

const media = '3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42'
const document = documentWith({ element01: elementOf({ type: 'image', props: { media } }) })
const asset = { media, name: 'Logo', kind: 'overlay_image', type: 'image/png' }
const given = { format: 'downbeat-overlay', version: 1, document, assets: [{ ...asset, data: 'AQIDBA==' }] }
const prefix = path.join(folder, 'made')

function unpacked(body: unknown, member: string | null) {
  const file = path.join(folder, 'sent')
  writeFileSync(file, JSON.stringify(body))
  return unpack({ file, prefix, member })
}

test('assets become files, whether the body is the package or holds it', () => {
  const made = { ...asset, path: `${prefix}0`, bytes: 4, digest: expect.stringMatching(/^[\da-f]{64}$/) }
  const found = { document, assets: [made] }
  expect(unpacked(given, null)).toEqual({ ok: true, package: found, rest: {} })
  expect([...readFileSync(`${prefix}0`)]).toEqual([1, 2, 3, 4])
  // An existing file is not overwritten.
  expect(() => unpacked(given, null)).toThrow(/EEXIST/)
  expect(readdirSync(folder)).toEqual(['sent'])
  expect(unpacked({ name: 'Main stage', package: given }, 'package')).toEqual({
    ok: true,
    package: found,
    rest: { name: 'Main stage' },
  })
})

test('a body may lack the package, and must be an object', () => {
  expect(unpacked({ name: 'Main stage' }, 'package')).toEqual({
    ok: true,
    package: null,
    rest: { name: 'Main stage' },
  })
  expect(unpacked([], 'package')).toEqual({ ok: false, reason: 'must be a JSON object' })
  expect(unpacked({ package: null }, 'package')).toMatchObject({ ok: false, code: 'package.invalid' })
})
