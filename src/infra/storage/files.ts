import { type BigIntStats, constants } from 'node:fs'
import { chmod, copyFile, link, mkdir, open, opendir, rename, rm, rmdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { FilePart } from './file-part.ts'
import { isMissing } from './missing.ts'
import type { UploadStep } from './steps.ts'
import { type ByteRange, nameFault, type ObjectFacts, type Storage, spanOf } from './storage.ts'

interface Options {
  /** Called after each step. */
  readonly onStep?: (step: UploadStep) => void
}

const mode = 0o640
const folderMode = 0o750

/** Objects as files of one folder, which all processes of an installation share. (M11) */
export class FileStorage implements Storage {
  readonly #folder: string
  readonly #onStep: (step: UploadStep) => void

  /** @param folder `DATA_DIR/media` */
  constructor(folder: string, { onStep = () => {} }: Options = {}) {
    this.#folder = folder
    this.#onStep = onStep
  }

  /** Syncs the file, then names it, then syncs its folder, so that a name never exists without its whole file. (M12) */
  async put(name: string, file: string, { bytes }: ObjectFacts): Promise<void> {
    const target = this.#fileOf(name)
    await using own = await this.#comeNear(file)
    await chmod(own.file, mode)
    const handle = await open(own.file, 'r')
    try {
      const found = (await handle.stat()).size
      if (found !== bytes) throw new Error(`a file of ${found} bytes was said to have ${bytes}`)
      this.#onStep('written')
      await handle.sync()
    } finally {
      await handle.close()
    }
    this.#onStep('synced')
    await this.#nameIt(own.file, target)
    this.#onStep('kept')
  }

  async get(name: string, range?: ByteRange) {
    try {
      const handle = await open(this.#fileOf(name), 'r')
      try {
        const { size } = await handle.stat()
        const span = spanOf(size, range)
        return { stream: new FilePart(handle, span), bytes: span.last - span.first + 1 }
      } catch (error) {
        await handle.close()
        throw error
      }
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  async head(name: string) {
    const found = await statOf(this.#fileOf(name))
    return found === null ? null : { bytes: Number(found.size) }
  }

  async delete(name: string): Promise<void> {
    const file = this.#fileOf(name)
    await rm(file, { force: true })
    // Deletes the folder if it is empty; `put` creates it again when needed.
    await rmdir(path.dirname(file)).catch(() => {})
  }

  async *list(prefix: string) {
    // Walks from the deepest folder that contains all of them.
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1)
    for await (const name of this.#walk(folder)) {
      if (!name.startsWith(prefix)) continue
      const found = await statOf(path.join(this.#folder, name))
      if (found !== null) yield { name, bytes: Number(found.size), changedAt: found.mtime }
    }
  }

  async *#walk(folder: string): AsyncIterable<string> {
    const entries = await opendir(path.join(this.#folder, folder)).catch((error: unknown) => {
      if (isMissing(error)) return []
      throw error
    })
    for await (const entry of entries) {
      const name = `${folder}${entry.name}`
      if (entry.isDirectory()) yield* this.#walk(`${name}/`)
      else if (entry.isFile() && nameFault(name) === null) yield name
    }
  }

  #fileOf(name: string): string {
    const fault = nameFault(name)
    if (fault !== null) throw new Error(fault)
    return path.join(this.#folder, name)
  }

  /** A file can be named in one step only within one file system; a file from another one is copied first. */
  async #comeNear(file: string): Promise<AsyncDisposable & { file: string }> {
    const incoming = path.join(this.#folder, 'incoming')
    await mkdir(incoming, { recursive: true, mode: folderMode })
    const [there, here] = await Promise.all([stat(file), stat(incoming)])
    if (there.dev === here.dev) return { file, [Symbol.asyncDispose]: () => rm(file, { force: true }) }
    const copy = path.join(incoming, crypto.randomUUID())
    const dispose = async () => {
      await Promise.all([rm(copy, { force: true }), rm(file, { force: true })])
    }
    await copyFile(file, copy, constants.COPYFILE_EXCL).catch(async (error: unknown) => {
      await rm(copy, { force: true })
      throw error
    })
    return { file: copy, [Symbol.asyncDispose]: dispose }
  }

  async #nameIt(file: string, target: string): Promise<void> {
    const folder = path.dirname(target)
    for (let attempt = 1; ; attempt++) {
      try {
        const first = await mkdir(folder, { recursive: true, mode: folderMode })
        await linkOrRename(file, target)
        this.#onStep('renamed')
        // In parallel: a file system with a journal writes it once for all folders.
        await Promise.all(foldersFrom(first === undefined ? folder : path.dirname(first), folder).map(syncFolder))
        return
      } catch (error) {
        // A concurrent deletion removed the folder because it was empty; try again.
        if (!isMissing(error) || attempt === 5) throw error
      }
    }
  }
}

/** An existing file stays as it is. */
async function linkOrRename(file: string, target: string): Promise<void> {
  try {
    await link(file, target)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    // Not all file systems have links. A rename may replace an existing file, which has the same content: its name is
    // its digest.
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP', 'EMLINK'].includes(code ?? '')) throw error
    await rename(file, target)
  }
}

async function statOf(file: string): Promise<BigIntStats | null> {
  try {
    const found = await stat(file, { bigint: true })
    return found.isFile() ? found : null
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** The folders from the one that existed before down to the last one. */
function foldersFrom(first: string, last: string): string[] {
  const parent = path.dirname(last)
  return last.length <= first.length || last === parent ? [last] : [last, ...foldersFrom(first, parent)]
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
