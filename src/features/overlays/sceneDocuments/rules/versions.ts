import type { VersionKind } from '../types.ts'

const most = { kept: 100, automatic: 20 } as const

interface Present {
  readonly number: number
  readonly kind: VersionKind
}

/**
 * An overlay keeps 100 published or named versions, and 20 automatic ones. A new automatic version replaces the oldest
 * automatic one, and a new published version the oldest published one. A named version replaces none.
 * (overlays: Records, limits)
 * @returns numbers of the versions to delete; null if there is no room
 */
export function makingRoom(kind: VersionKind, present: readonly Present[]): readonly number[] | null {
  const isAutomatic = kind === 'automatic'
  const beside = present.filter((version) => (version.kind === 'automatic') === isAutomatic)
  const tooMany = beside.length + 1 - (isAutomatic ? most.automatic : most.kept)
  if (tooMany <= 0) return []
  if (kind === 'named') return null
  const numbers = beside.filter((version) => version.kind === kind).map(({ number }) => number)
  const going = numbers.sort((one, other) => one - other).slice(0, tooMany)
  return going.length < tooMany ? null : going
}

/** Milliseconds. */
export const saveAfterMs = 10 * 60_000

/**
 * An automatic version is due ten minutes after the first edit that no version contains.
 * (overlays: Co-editing, automatic version)
 */
export function isToBeKept(editedSince: Date | null, now: Date): boolean {
  return editedSince !== null && now.getTime() - editedSince.getTime() >= saveAfterMs
}
