import { conflict } from '../../../../core/problem.ts'
import type { Quota, Room, Target, Used } from '../types.ts'

/**
 * What belongs to a tournament takes its room, a team's pictures among it, what belongs to a platform takes that one's, and
 * everything else its owner's. (M16)
 */
export function roomOf({ tournamentGuid, platformGuid }: Omit<Target, 'kind'>, ownerGuid: string): Room {
  if (tournamentGuid !== null) return { of: 'tournament', guid: tournamentGuid }
  if (platformGuid !== null) return { of: 'platform', guid: platformGuid }
  return { of: 'user', guid: ownerGuid }
}

/** Bytes, as they are configured. (M16) */
export type RoomSizes = Readonly<Record<Room['of'], number>>

const files = { user: 500, tournament: 2_000, platform: 500 } as const

export function quotaOf(of: Room['of'], sizes: RoomSizes): Quota {
  return { bytes: sizes[of], files: files[of] }
}

/**
 * Counted by delivered bytes of each record: sharing an object does not help. (M16)
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
