import fs from 'node:fs/promises'
import type { KnownKey } from '../../core/packages/signatures.ts'
import { knownOfSet } from './keys.ts'

/**
 * The keys of other services that this one trusts: `{"name": {"keys": […]}}`, each as their
 * `/.well-known/package-keys.json`. (P6)
 * @param file null for none
 * @throws Error with a message for the administrator
 */
export async function readSigners(file: string | null): Promise<readonly KnownKey[]> {
  if (file === null) return []
  try {
    const sets: unknown = JSON.parse(await fs.readFile(file, 'utf8'))
    if (typeof sets !== 'object' || sets === null) throw new SyntaxError('It has no names of services.')
    const known = Object.entries(sets).map(([name, set]) => knownOfSet(JSON.stringify(set), name))
    return (await Promise.all(known)).flat()
  } catch (error) {
    throw new Error(`PACKAGE_SIGNERS (${file}) cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}
