import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Coding } from '../http/codings.ts'
import { builtFolder, digestOfSources } from './sources.ts'

/** The pages of the website as they were built: by `npm ci`, or by the start of the service where the sources are others. */

/** What building leaves beside its files. */
export interface Manifest {
  /** Of the sources. */
  readonly digest: string
  /** By their names below the folder; codings that are smaller than the file itself. */
  readonly files: Readonly<Record<string, readonly Coding[]>>
}

export const manifestName = 'built.json'

/** null where nothing was built. */
export async function readManifest(folder: string = builtFolder): Promise<Manifest | null> {
  try {
    return JSON.parse(await readFile(path.join(folder, manifestName), 'utf8')) as Manifest
  } catch {
    return null
  }
}

/** Whether what builds the pages is installed; without it, what came along is served. */
function canBuild(): boolean {
  try {
    createRequire(import.meta.url).resolve('vite/package.json')
    return true
  } catch {
    return false
  }
}

/**
 * Builds the pages where they are missing or of other sources, and can be built.
 * @returns what has been done, in words; null where there was nothing to do
 */
export async function freshenPages(): Promise<string | null> {
  if (!canBuild()) return (await readManifest()) === null ? 'The pages are not built: run npm ci.' : null
  const manifest = await readManifest()
  if (manifest !== null && manifest.digest === (await digestOfSources())) return null
  const began = performance.now()
  const program = path.join(import.meta.dirname, '../../../web/build.ts')
  // A process of its own: what builds needs much memory, and gives it back only as it ends.
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'ignore', 'pipe'] })
  let complaints = ''
  child.stderr.on('data', (text) => {
    complaints += text
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) return `The pages could not be built: ${complaints.trim().slice(-500)}`
  return `The pages were built in ${((performance.now() - began) / 1_000).toFixed(1)} s.`
}
