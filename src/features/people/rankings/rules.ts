import type { Account, Profile } from './types.ts'

const minute = 60_000
const freshForMs = 10 * minute
const usableForMs = 24 * 60 * minute

/** For ten minutes a cached answer is fresh, so that a rush of registrations asks the platform once. */
export function isFresh(profile: Profile | undefined, now: Date): profile is Profile {
  return isYounger(profile, freshForMs, now)
}

/** For a day a cached answer is used while the platform cannot be reached. */
export function isUsable(profile: Profile | undefined, now: Date): profile is Profile {
  return isYounger(profile, usableForMs, now)
}

function isYounger(profile: Profile | undefined, ms: number, now: Date): profile is Profile {
  return profile !== undefined && now.getTime() - profile.fetchedAt.getTime() < ms
}

/** A key for maps and ordering. */
export function accountKey({ platform, externalId }: Account): string {
  return `${platform}:${externalId}`
}
