import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'

const root = path.join(import.meta.dirname, '../..')
/** The second one is written by each installation of libraries. */
const files = ['package.json', 'node_modules/.package-lock.json']

/** The states of all files at once would be megabytes of objects. */
const atOnce = 32

/**
 * SHA-256 in hex of the given texts and of the state of the service's sources: the name, size and times of each file. Their
 * contents would take a quarter of a second to read. The time of change is set by the file system alone, so that it also tells
 * sources apart that an archive gave the same time of modification.
 */
export async function digestOf(texts: readonly string[]): Promise<string> {
  const names = (await readdir(path.join(root, 'src'), { recursive: true })).filter((name) => !/\.test\.ts$/.test(name))
  const all = [...names.map((name) => path.join('src', name)), ...files].toSorted()
  const digest = createHash('sha256').update(JSON.stringify(texts))
  for (let at = 0; at < all.length; at += atOnce) {
    digest.update((await Promise.all(all.slice(at, at + atOnce).map(stateOf))).join())
  }
  return digest.digest('hex')
}

async function stateOf(name: string): Promise<string> {
  const found = await stat(path.join(root, name)).catch(() => null)
  const state = found === null || found.isDirectory() ? [] : [found.size, found.mtimeMs, found.ctimeMs]
  return JSON.stringify([name, ...state])
}
