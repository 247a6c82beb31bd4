import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Coding } from '../http/content-codings.ts'
import { builtFolder, digestOfSources } from './sources.ts'

/**
 * The built pages of the website. They are built by `npm ci`, or when the service starts and the sources have changed.
 */

/** The description that a build leaves next to its files. */
export interface Manifest {
  /** The digest of the sources. */
  readonly digest: string
  /** The compressed versions of each file that are smaller than the file, by its name below the folder. */
  readonly files: Readonly<Record<string, readonly Coding[]>>
}

export const manifestName = 'built.json'

/** Null without a build. */
export async function readManifest(folder: string = builtFolder): Promise<Manifest | null> {
  try {
    return JSON.parse(await readFile(path.join(folder, manifestName), 'utf8')) as Manifest
  } catch {
    return null
  }
}

/** Whether the build tool is installed; without it, the existing pages are served. */
function canBuild(): boolean {
  try {
    createRequire(import.meta.url).resolve('vite/package.json')
    return true
  } catch {
    return false
  }
}

/**
 * Builds the pages where they are missing or outdated, if the build tool is installed.
 * @returns a message about what was done; null where nothing was to be done
 */
export async function freshenPages(): Promise<string | null> {
  if (!canBuild()) return (await readManifest()) === null ? 'The pages are not built: run npm ci.' : null
  const manifest = await readManifest()
  if (manifest !== null && manifest.digest === (await digestOfSources())) return null
  const began = performance.now()
  const program = path.join(import.meta.dirname, '../../../web/build.ts')
  // A separate process: the build needs much memory, which is released only when the process ends.
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'ignore', 'pipe'] })
  let complaints = ''
  child.stderr.on('data', (text) => {
    complaints += text
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) return `The pages could not be built: ${complaints.trim().slice(-500)}`
  return `The pages were built in ${((performance.now() - began) / 1_000).toFixed(1)} s.`
}
