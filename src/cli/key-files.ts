import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { isMissing } from '../infra/storage/missing.ts'

/** All files of the folder of keys and of the folders in it, by their path below it, in the order of their names. */
export async function listKeyFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  const files = entries.filter((entry) => entry.isFile())
  return files.map(({ parentPath, name }) => path.relative(directory, path.join(parentPath, name))).sort()
}
