import { readdir, readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'

/**
 * The files of the bridge, as the end of their addresses below `/bridge/`: the page's own, and the client of the real-time API,
 * whose modules browsers take as they are once their types are out. In a thread of its own, since that takes a while; and since
 * Node.js warns there, of each process that does it, that it may change.
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
