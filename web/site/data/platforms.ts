import { address } from './api.ts'
import type { OwnPlatform } from './generated.ts'
import { type Read, useRead, useReader } from './queries.ts'

/** What the pages of reviewers and of platforms read, under the same addresses. */

export const ownPlatformsAddress = address('/tournament-platforms/mine', {})

/** The platforms that the reader reviews or administers. For readers without a session nothing is asked. (W2) */
export function useOwnPlatforms(): Read<readonly OwnPlatform[]> {
  const { user } = useReader()
  return useRead(user ? ownPlatformsAddress : null)
}

export const mayManage = ({ role }: Pick<OwnPlatform, 'role'>): boolean => role !== 'reviewer'

export const requestStatuses = ['pending', 'approved', 'rejected', 'blocked', 'withdrawn'] as const

/** The requests to a platform: of one status, or all. */
export const requestsAddress = (platform: string, status?: (typeof requestStatuses)[number]) =>
  address('/tournament-platforms/{platform}/requests', { platform }, status === undefined ? {} : { status })

export const decisionsAddress = (platform: string, visibilityRequest: string) =>
  address('/tournament-platforms/{platform}/requests/{visibilityRequest}/history', { platform, visibilityRequest })
