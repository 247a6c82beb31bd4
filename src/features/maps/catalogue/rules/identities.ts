import type { MapIdentity } from '../types.ts'

/** Characteristics are compared without case; a map that names none is of this one. (pools: Records) */

export const standard = 'Standard'

export function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** Equal for equal identities, and for ordering. */
export function identityKey({ hash, characteristic, difficulty }: MapIdentity): string {
  return `${hash}:${characteristic.toLowerCase()}:${difficulty}`
}
