import type { Account, Profile } from './types.ts'

const minute = 60_000
const freshForMs = 10 * minute
const usableForMs = 24 * 60 * minute

/** A cached answer is fresh for ten minutes, so that many concurrent registrations ask the platform only once. */
export function isFresh(profile: Profile | undefined, now: Date): profile is Profile {
  return isYounger(profile, freshForMs, now)
}

/** A cached answer may be used for a day while the platform is unreachable. */
export function isUsable(profile: Profile | undefined, now: Date): profile is Profile {
  return isYounger(profile, usableForMs, now)
}

function isYounger(profile: Profile | undefined, ms: number, now: Date): profile is Profile {
  return profile !== undefined && now.getTime() - profile.fetchedAt.getTime() < ms
}

/** A key for maps and sorting. */
export function accountKey({ platform, externalId }: Account): string {
  return `${platform}:${externalId}`
}
