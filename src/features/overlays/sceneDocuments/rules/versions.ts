import type { VersionKind } from '../types.ts'

const most = { kept: 100, automatic: 20 } as const

interface Present {
  readonly number: number
  readonly kind: VersionKind
}

/**
 * A hundred versions that were published or named are kept of an overlay, and twenty automatic ones. The oldest automatic one makes room
 * for another, and the oldest published one for what is published now; a named one takes no other's place. (overlays: Records, limits)
 * @returns numbers of those that go; null where there is no room
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
export const keepAfter = 10 * 60_000

/** What was edited is kept ten minutes after the first edit that no version holds. (overlays: Co-editing, automatic version) */
export function isToBeKept(editedSince: Date | null, now: Date): boolean {
  return editedSince !== null && now.getTime() - editedSince.getTime() >= keepAfter
}
