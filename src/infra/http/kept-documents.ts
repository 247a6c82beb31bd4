import { hash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** Documents in UTF-8, by name. */
export type MadeDocuments = Readonly<Record<string, Uint8Array>>

interface Options {
  /** Created when needed. */
  readonly folder: string
  /** The digest of everything that the documents are made of. */
  readonly digest: () => Promise<string>
  /** Makes all documents. @param isAwaited whether a request waits for them */
  readonly make: (isAwaited: boolean) => Promise<MadeDocuments>
  /** Called when the documents cannot be written to the folder. */
  readonly onUnkept: (error: unknown) => void
}

/** Older files are removed; younger ones may be those of processes with other sources or addresses. */
const outdatedMs = 24 * 60 * 60_000

/**
 * Documents that take seconds to make, kept in files across starts. A file begins with the digest of its document, so that one
 * that is not whole is made anew. Several processes may share the folder. Where it cannot be written to, the documents are
 * made again after each start.
 */
export class KeptDocuments {
  readonly #options: Options
  /** All callers wait for one making. */
  #making: Promise<MadeDocuments> | null = null

  constructor(options: Options) {
    this.#options = options
  }

  /** @throws what `make` throws; the next call makes the documents anew */
  async find(name: string): Promise<Uint8Array> {
    const document = await this.#find(name, true)
    if (document === undefined) throw new Error(`no document is called ${name}`)
    return document
  }

  /** Makes the documents before the first request, if they are not kept. @param name one of them */
  async prepare(name: string): Promise<void> {
    await this.#find(name, false)
  }

  async #find(name: string, isAwaited: boolean): Promise<Uint8Array | undefined> {
    const digest = await this.#options.digest()
    const kept = await this.#read(`${digest}.${name}`)
    if (kept !== null) return kept
    this.#making ??= this.#make(digest, isAwaited).finally(() => {
      this.#making = null
    })
    return (await this.#making)[name]
  }

  async #make(digest: string, isAwaited: boolean): Promise<MadeDocuments> {
    const made = await this.#options.make(isAwaited)
    try {
      await mkdir(this.#options.folder, { recursive: true, mode: 0o750 })
      for (const [name, document] of Object.entries(made)) await this.#write(`${digest}.${name}`, document)
      await this.#removeOutdated()
    } catch (error) {
      this.#options.onUnkept(error)
    }
    return made
  }

  /** Null where there is none, or not the whole. */
  async #read(file: string): Promise<Buffer | null> {
    const bytes = await readFile(path.join(this.#options.folder, file)).catch(() => null)
    if (bytes === null) return null
    const document = bytes.subarray(prefixBytes)
    return prefixOf(document).equals(bytes.subarray(0, prefixBytes)) ? document : null
  }

  /** A process that is killed leaves a file of another name, which is removed when it is outdated. */
  async #write(file: string, document: Uint8Array): Promise<void> {
    const target = path.join(this.#options.folder, file)
    const own = `${target}.${randomUUID()}`
    try {
      await writeFile(own, [prefixOf(document), document], { mode: 0o640, flag: 'wx' })
      await rename(own, target)
    } catch (error) {
      await rm(own, { force: true }).catch(() => {})
      throw error
    }
  }

  async #removeOutdated(): Promise<void> {
    for (const name of await readdir(this.#options.folder)) {
      const file = path.join(this.#options.folder, name)
      const found = await stat(file).catch(() => null)
      if (found === null || Date.now() - found.mtimeMs < outdatedMs) continue
      await rm(file, { force: true })
    }
  }
}

const prefixBytes = 65

/** SHA-256 in hex, and the end of the line. */
function prefixOf(document: Uint8Array): Buffer {
  return Buffer.from(`${hash('sha256', document)}\n`)
}
