import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { canonicalJson } from '../../src/core/canonical-json.ts'
import { kinds } from '../../src/features/packages/packages/store/kinds.ts'
import { type PackageVariant, packageVariants } from '../../src/features/packages/packages/types.ts'
import type { Harness } from '../harness.ts'
import { takePackage } from '../package-imports.ts'
import { fileOf, rowsIn, textsOf } from '../packages.ts'
import { makeGoldenTournament } from './golden-tournament.ts'

/**
 * Packages of every released version of the format, which are imported for ever. Each version has a folder with a package
 * of each variant, the public part of the key that signed them, and what is expected of them. They are written once.
 * (P8)
 */

export interface Expected {
  readonly tournament: { readonly guid: string; readonly id: string }
  readonly variants: Readonly<
    Record<
      PackageVariant,
      {
        readonly counts: Readonly<Record<string, number>>
        /** SHA-256 of each file of `data/`. */
        readonly data: Readonly<Record<string, string>>
        readonly media: readonly string[]
      }
    >
  >
}

const folder = path.join(import.meta.dirname, 'golden')

export const goldenVersions = () => (existsSync(folder) ? readdirSync(folder).toSorted() : [])
export const goldenFile = (version: string, name: string) => path.join(folder, version, name)

export async function readExpected(version: string): Promise<Expected> {
  return JSON.parse(await readFile(goldenFile(version, 'expected.json'), 'utf8'))
}

/** @throws Error where the version has packages already: what was released once does not change */
export async function writeGolden(api: Harness, version: string): Promise<void> {
  const at = path.join(folder, version)
  if (existsSync(at)) throw new Error(`${version} is there; packages of a release stay as they are.`)
  const tried: string[] = []
  for (let seed = 1; seed <= 16; seed++) {
    const made = await takeAll(api, seed).catch((error: Error) => error)
    if (!(made instanceof Error) && made.lacking.length === 0) {
      await mkdir(at, { recursive: true })
      for (const [name, content] of made.files) await writeFile(path.join(at, name), content)
      return
    }
    tried.push(made instanceof Error ? made.message : made.lacking.join(' '))
  }
  throw new Error(`No tournament had everything; they lacked:\n${tried.join('\n')}`)
}

/** The files of a tournament in each variant, and which kinds have no rows in them. */
async function takeAll(api: Harness, seed: number) {
  const { organiser, ...tournament } = await makeGoldenTournament(api, seed)
  const keys = (await api.get('//.well-known/package-keys.json')).body
  const files: [string, Uint8Array | string][] = [['keys.json', `${JSON.stringify(keys, null, 2)}\n`]]
  const lacking: string[] = []
  const variants: [string, object][] = []
  for (const variant of packageVariants) {
    const query = `variant=${variant}${variant === 'full' ? '&include=private' : ''}`
    const bytes = await takePackage(api, tournament.guid, organiser, query)
    files.push([`${variant}.zip`, bytes])
    const texts = await textsOf(bytes)
    const manifest = JSON.parse(texts.get('manifest.json') ?? '')
    const listed: { readonly path: string; readonly sha256: string }[] = manifest.files
    const data = listed.flatMap((file) => (file.path.startsWith('data/') ? [[file.path, file.sha256]] : []))
    const media = listed.flatMap((file) => (file.path.startsWith('media/') ? [file.path] : []))
    variants.push([variant, { counts: manifest.counts, data: Object.fromEntries(data), media }])
    const statuses = rowsIn(texts, 'sessions').map(({ status }) => status)
    if (!statuses.includes('over')) lacking.push(`${variant} session over`)
    lacking.push(...kindsOf(variant).flatMap((kind) => (kind in manifest.counts ? [] : [`${variant} ${kind}`])))
  }
  const expected = { tournament, variants: Object.fromEntries(variants) }
  files.push(['expected.json', `${JSON.stringify(expected, null, 2)}\n`])
  return { files, lacking }
}

/** The kinds that a variant can have rows of, but for the one that only a scene document of a mebibyte has. */
export const kindsOf = (variant: PackageVariant): readonly string[] =>
  kinds.filter((kind) => kind.schema(variant) !== null && kind.name !== 'overlayParts').map(({ name }) => name)

/** The digest of rows as they would be without members that their first release did not know. */
export function digestAsOf(rows: readonly unknown[], then: readonly unknown[]): string {
  return fileOf('', rows.map((row, at) => `${canonicalJson(asOf(row, then[at]))}\n`).join('')).sha256
}

function asOf(value: unknown, then: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(then)) return value.map((each, at) => asOf(each, then[at]))
  if (!isObject(value) || !isObject(then)) return value
  const known = Object.entries(value).filter(([name]) => Object.hasOwn(then, name))
  return Object.fromEntries(known.map(([name, each]) => [name, asOf(each, then[name])]))
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
