import { readdirSync } from 'node:fs'
import path from 'node:path'

/** The files of the project that people write, for tests that read them. */

export const root = path.join(import.meta.dirname, '..')

/** The service, its pages, client, tools and tests. */
export const sourceFolders = ['src', 'web', 'client', 'test', 'demo', 'bench', 'stand-in', 'scripts', 'bin'] as const

/** @returns TypeScript, JavaScript and CSS, relative to the project with forward slashes; nothing that a tool writes */
export function sourceFiles(folders: readonly string[] = sourceFolders): readonly string[] {
  return folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => path.posix.join(folder, file.replaceAll(path.sep, '/')))
      .filter((file) => /\.(?:tsx?|js|css)$/.test(file) && !written.test(file))
      .sort(),
  )
}

/** What tools write. */
const written = /(?:^|\/)(?:node_modules|dist|generated)\/|\/generated\.ts$/
