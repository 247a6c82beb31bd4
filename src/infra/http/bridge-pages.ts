import { readdir, readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'

/**
 * The files of the bridge, by the end of their address below `/bridge/`: the page's own files, and the client of the
 * real-time API, whose modules browsers can load after their types are removed. Runs in a separate thread, because it
 * takes long and because Node.js prints a warning in each process that strips types.
 */
export async function makeBridgeFiles(): Promise<ReadonlyMap<string, string>> {
  process.removeAllListeners('warning')
  const client = await readdir(clientFolder)
  const modules = client.filter((name) => /^[a-z]+\.ts$/.test(name))
  const named = await Promise.all([
    ...['page.html', 'page.css', 'page.js', 'opening.js'].map(
      async (name) => [name, await text(ownFolder, name)] as const,
    ),
    ...['senders.ts', 'sources.ts'].map(async (name) => [name, plain(await text(ownFolder, name))] as const),
    ...modules.map(async (name) => [`client/${name}`, plain(await text(clientFolder, name))] as const),
  ])
  return new Map(named)
}

const ownFolder = new URL('bridge/', import.meta.url)
const clientFolder = new URL('../../../client/', import.meta.url)

async function text(folder: URL, name: string): Promise<string> {
  return readFile(new URL(name, folder), 'utf8')
}

function plain(source: string): string {
  return stripTypeScriptTypes(source)
}
