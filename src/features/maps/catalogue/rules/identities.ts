import type { MapIdentity } from '../types.ts'

/** Identities of maps. Characteristics are compared without case, and the default is `Standard`. (pools: Records) */

export const standard = 'Standard'

export function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** Returns the same key for equal identities. Also used for sorting. */
export function identityKey({ hash, characteristic, difficulty }: MapIdentity): string {
  return `${hash}:${characteristic.toLowerCase()}:${difficulty}`
}
