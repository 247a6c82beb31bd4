import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { SceneDocument } from '../../../../engine/scenes/document.ts'
import { isRecord } from '../rules/form.ts'
import { readText } from '../rules/package-text.ts'
import { type PackageAsset, type PackageFault, readPackage } from '../rules/packages.ts'

/** Unpacks a package in a thread, because it may have many megabytes of JSON. Writes its assets to separate files. */

export interface Unpacking {
  /** Absolute path of the file. */
  readonly file: string
  /** Prefix of the paths of the asset files. */
  readonly prefix: string
  /** The member of a larger body that contains the package; null if the body is the package. */
  readonly member: string | null
}

export interface UnpackedAsset extends Omit<PackageAsset, 'bytes'> {
  readonly path: string
  readonly bytes: number
  /** SHA-256, in hex. */
  readonly digest: string
}

export type Unpacked =
  | {
      readonly ok: true
      /** null if the body lacks the member. */
      readonly package: { readonly document: SceneDocument; readonly assets: readonly UnpackedAsset[] } | null
      /** The body without the package. */
      readonly rest: Readonly<Record<string, unknown>>
    }
  | { readonly ok: false; readonly reason: string }
  | {
      readonly ok: false
      readonly code: 'scene.version' | 'scene.invalid' | 'package.invalid'
      readonly faults: readonly PackageFault[]
    }

export function unpack({ file, prefix, member }: Unpacking): Unpacked {
  const text = readText(readFileSync(file))
  if (!text.ok) return text
  if (member === null) return unpacked(text.value, {}, prefix)
  if (!isRecord(text.value)) return { ok: false, reason: 'must be a JSON object' }
  const { [member]: given, ...rest } = text.value
  return given === undefined ? { ok: true, package: null, rest } : unpacked(given, rest, prefix)
}

function unpacked(given: unknown, rest: Readonly<Record<string, unknown>>, prefix: string): Unpacked {
  const read = readPackage(given)
  if (!read.ok) return read
  const paths = read.assets.map((_, index) => `${prefix}${index}`)
  try {
    const assets = read.assets.map(({ bytes, ...asset }, index) => {
      const path = paths[index] as string
      writeFileSync(path, bytes, { flag: 'wx', mode: 0o640 })
      return { ...asset, path, bytes: bytes.length, digest: createHash('sha256').update(bytes).digest('hex') }
    })
    return { ok: true, package: { document: read.document, assets }, rest }
  } catch (error) {
    for (const path of paths) rmSync(path, { force: true })
    throw error
  }
}
