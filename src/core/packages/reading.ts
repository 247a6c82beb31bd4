import type { FileEntry } from '@zip.js/zip.js'
import { invalid, Problem } from '../problem.ts'
import { layoutFault, type Placed } from './layout.ts'
import { maxFiles, maxPackageBytes, maxUnpackedBytes } from './limits.ts'
import { isMedia, pathFault } from './paths.ts'

/**
 * Reads a package that anybody may have made. Everything that two programs could read differently is refused, sizes are
 * bounded before and while a file is unpacked, and each file is unpacked once at most. (P6)
 */

const mib = 1024 * 1024

const maxOtherFiles = 1_024
/** How much smaller a file may be packed, once it is larger than `ratioFrom`. */
const maxRatio = 200
const ratioFrom = mib

const stored = 0
const deflated = 8

export interface PackedFile {
  readonly path: string
  readonly bytes: number
  /**
   * The content, piece by piece.
   * @throws Problem `package.unreadable`
   */
  readonly read: () => AsyncIterable<Uint8Array>
}

/**
 * The files of a package by their paths.
 * @throws Problem `package.unreadable` `package.path` `package.too_large`
 */
export async function openPackage(source: Blob): Promise<ReadonlyMap<string, PackedFile>> {
  return refusing(async () => {
    if (source.size > maxPackageBytes) throw tooLarge(`has ${source.size} bytes`, maxPackageBytes, 'bytes')
    // The part of the library that reads, without the codecs for platforms that have none.
    const { ZipReader } = await import('@zip.js/zip.js/lib/zip-core-reader.js')
    const zip = new ZipReader(partsOf(source), {
      strictness: 'strict',
      filenameValidation: 'tolerant',
      useWebWorkers: false,
    })
    const files = new Map<string, PackedFile>()
    const placed: Placed[] = []
    let unpacked = 0
    let others = 0
    for await (const entry of zip.getEntriesGenerator()) {
      const path = entry.filename
      const fault = pathFault(path) ?? (decoded(entry.rawFilename) === path ? null : 'is not UTF-8')
      if (fault !== null) throw invalid('package.path', `The path ${JSON.stringify(path)} ${fault}.`, { path })
      if (entry.directory || isSpecial(entry)) throw unreadable(`${path} is not a file`, path)
      if (entry.encrypted) throw unreadable(`${path} is encrypted`, path)
      if (entry.compressionMethod !== stored && entry.compressionMethod !== deflated) {
        throw unreadable(`${path} is packed by a method other than deflate`, path)
      }
      unpacked += entry.uncompressedSize
      if (unpacked > maxUnpackedBytes) throw tooLarge('unpacks to more', maxUnpackedBytes, 'bytes')
      if (entry.uncompressedSize > ratioFrom && entry.uncompressedSize > maxRatio * entry.compressedSize) {
        throw tooLarge(`has a file (${path}) that is packed further`, maxRatio, 'times')
      }
      if (!isMedia(path) && ++others > maxOtherFiles) throw tooLarge('has more files', maxOtherFiles, 'beside media')
      if (files.size >= maxFiles) throw tooLarge('has more files', maxFiles, 'in all')
      files.set(path, { path, bytes: entry.uncompressedSize, read: () => contentOf(entry) })
      const { offset, compressedSize, rawBitFlag: flags = 0, diskNumberStart: disk } = entry
      placed.push({ offset, compressedSize, flags, disk })
    }
    const fault = await layoutFault(source, placed)
    if (fault !== null) throw unreadable(fault)
    return files
  })
}

/** Of a file only the parts that are asked for are in memory. */
function partsOf(source: Blob) {
  return {
    size: source.size,
    readUint8Array: async (offset: number, length: number) =>
      new Uint8Array(await source.slice(offset, offset + length).arrayBuffer()),
    createReadable: ({ offset = 0, size = source.size }: { readonly offset?: number; readonly size?: number } = {}) =>
      source.slice(offset, offset + size).stream(),
    get readable() {
      return source.stream()
    },
  }
}

/** Links, devices and the like, by the attributes of Unix. */
function isSpecial({ externalFileAttributes }: { readonly externalFileAttributes: number }): boolean {
  const kind = (externalFileAttributes >>> 28) & 0b1111
  const regular = 0b1000
  return kind !== 0 && kind !== regular
}

function decoded(name: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(name)
  } catch {
    return null
  }
}

/** Stops where the content is longer than the entry says, or its checksum is another. */
async function* contentOf(entry: FileEntry): AsyncIterable<Uint8Array> {
  let stop: (error: unknown) => void = () => {}
  const through = new TransformStream<Uint8Array, Uint8Array>({
    start(controller) {
      stop = (error) => controller.error(error)
    },
  })
  // What is refused before its first byte would leave the stream open.
  const written = entry
    .getData(through.writable, {
      ...{ strictness: 'strict', checkCrc32: true, checkOverlappingEntry: true, useWebWorkers: false },
    })
    .catch(stop)
  let bytes = 0
  try {
    for await (const piece of through.readable) {
      bytes += piece.byteLength
      if (bytes > entry.uncompressedSize) throw unreadable(`${entry.filename} is longer than it says`, entry.filename)
      yield piece
    }
    await written
  } catch (error) {
    throw problemOf(error, entry.filename)
  }
  if (bytes < entry.uncompressedSize) throw unreadable(`${entry.filename} is shorter than it says`, entry.filename)
}

async function refusing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw problemOf(error)
  }
}

/** What the library refuses is the file's fault. */
function problemOf(error: unknown, path?: string): Problem {
  if (error instanceof Problem) return error
  return unreadable(error instanceof Error ? error.message : 'it is no zip file', path)
}

const unreadable = (fault: string, path?: string) =>
  invalid('package.unreadable', `The package cannot be read: ${fault}.`, path === undefined ? undefined : { path })

export const tooLarge = (what: string, limit: number, unit: string) =>
  new Problem('too_large', 'package.too_large', `The package ${what}; at most ${limit} ${unit} are allowed.`)
