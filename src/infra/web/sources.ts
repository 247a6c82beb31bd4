import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/** The sources of the website, so that outdated pages are never served. */

const root = path.join(import.meta.dirname, '../../..')

/** Relative to the project; includes modules that the pages share with the service. */
const folders = ['web', 'client', 'src/engine/scenes']
const files = ['package.json']

// A build of another process is in a folder of its own until it is whole.
const isSource = (name: string) =>
  /\.(tsx?|css|html|json|svg|png|webmanifest)$/.test(name) &&
  !/\.test\.ts$/.test(name) &&
  !/^web\/(dist[^/]*|test)\//.test(name)

/** SHA-256 of the names and contents of all sources. */
export async function digestOfSources(): Promise<string> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(path.join(root, folder), { recursive: true })
      return names.map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`).filter(isSource)
    }),
  )
  const names = [...found.flat(), ...files].toSorted()
  const digests = await Promise.all(
    names.map(async (name) => `${name} ${hash('sha256', await readFile(path.join(root, name)))}`),
  )
  return hash('sha256', digests.join('\n'))
}

/** The folder of the built pages. */
export const builtFolder: string = path.join(root, 'web/dist')
