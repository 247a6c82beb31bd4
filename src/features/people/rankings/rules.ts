import type { Account, Profile } from './types.ts'

const minute = 60_000
const freshForMs = 10 * minute
const usableForMs = 24 * 60 * minute

/** For ten minutes what a platform said is not asked for again, so that a rush of registrations asks once. */
export function isFresh(profile: Profile | undefined, now: Date): profile is Profile {
  return isYounger(profile, freshForMs, now)
}

/** For a day what a platform said counts while it cannot be reached. */
export function isUsable(profile: Profile | undefined, now: Date): profile is Profile {
  return isYounger(profile, usableForMs, now)
}

function isYounger(profile: Profile | undefined, ms: number, now: Date): profile is Profile {
  return profile !== undefined && now.getTime() - profile.fetchedAt.getTime() < ms
}

/** One text for an account, for maps and ordering. */
export function accountKey({ platform, externalId }: Account): string {
  return `${platform}:${externalId}`
}
