import { conflict } from '../../../../core/problem.ts'
import type { Quota, Room, Target, Used } from '../types.ts'

/**
 * Returns the quota that a medium counts against: its tournament's (team pictures included), its platform's, otherwise
 * its owner's. (M16)
 */
export function roomOf({ tournamentGuid, platformGuid }: Omit<Target, 'kind'>, ownerGuid: string): Room {
  if (tournamentGuid !== null) return { of: 'tournament', guid: tournamentGuid }
  if (platformGuid !== null) return { of: 'platform', guid: platformGuid }
  return { of: 'user', guid: ownerGuid }
}

/** Maximum bytes by kind of quota, as configured. (M16) */
export type RoomSizes = Readonly<Record<Room['of'], number>>

const files = { user: 500, tournament: 2_000, platform: 500 } as const

export function quotaOf(of: Room['of'], sizes: RoomSizes): Quota {
  return { bytes: sizes[of], files: files[of] }
}

/**
 * Delivered bytes of each record count, even if records share an object. (M16)
 * @throws Problem `media.quota_exceeded`
 */
export function checkRoom(quota: Quota, used: Used, bytes: number): void {
  if (used.usedFiles >= quota.files) {
    throw conflict('media.quota_exceeded', `There are ${quota.files} files already; delete some that are not used.`)
  }
  if (used.usedBytes + bytes > quota.bytes) {
    throw conflict('media.quota_exceeded', 'There is no room left for this file; delete some that are not used.')
  }
}
