import { accountKey } from '../../../people/rankings/rules.ts'
import type { Account, Finding, Profile, RankingPlatform } from '../../../people/rankings/types.ts'
import type { RankRange, Requirements } from '../../../tournaments/tournaments/types.ts'
import type { Failure, Player } from '../types.ts'
import { distinct } from './failures.ts'

/** The ranking platforms' data about accounts, by `accountKey`. */
export type Findings = ReadonlyMap<string, Finding>

const dayMs = 86_400_000
/** 2015-01-01T00:00:00Z: the epoch of the timestamps in chat-platform IDs. */
const chatEpochMs = 1_420_070_400_000

const platformNames: Readonly<Record<RankingPlatform, string>> = {
  'ranking-a': 'ranking platform A',
  'ranking-b': 'ranking platform B',
}
const codePrefixes = { 'ranking-a': 'ranking_a', 'ranking-b': 'ranking_b' } as const

/** Returns every requirement that the player does not meet. (additions: Tournament record; D32) */
export function checkPlayer(
  requirements: Requirements,
  player: Player,
  findings: Findings,
  now: Date,
  waiver?: string,
): Failure[] {
  if (player.isGone) return [accountDeleted]
  if (player.isPlaceholder) return waiver === undefined && hasRequirements(requirements) ? [noAccount(player)] : []
  const failures = [
    checkEmail(requirements, player),
    checkChatAccount(requirements, player, now),
    checkLinks(requirements, player),
    checkCountry(requirements, player, findings),
    checkRanking('ranking-a', requirements.rankingA, requirements.rankA, player, findings),
    checkRanking('ranking-b', requirements.rankingB, requirements.rankB, player, findings),
  ].filter((failure) => failure !== null)
  // If a platform is unreachable, country and rank may both be unknown. The message is given only once.
  return distinct(failures)
}

/** A player must have an account, whatever the requirements are. (D35) */
const accountDeleted: Failure = {
  code: 'account.deleted',
  message: 'A member of the team has deleted their account; take them out of the team first.',
}

/**
 * Nothing is known about an account of a placeholder, so it meets no requirement. Organisers may waive them for a team,
 * with a reason. (additions: People who are not here yet)
 */
function noAccount(player: Player): Failure {
  return {
    code: 'account.none',
    message: `${player.name} has not signed in yet, so that the requirements cannot be checked; the organiser may waive them with a reason (\`waiver\`).`,
  }
}

function hasRequirements({ countries = [], rankA, rankB, ...rest }: Requirements): boolean {
  if (countries.length > 0 || isBounded(rankA) || isBounded(rankB)) return true
  const { rankingA, rankingB, emailVerified, chatAccountAgeDays = 0, verifiedLinks } = rest
  return [rankingA, rankingB, emailVerified, verifiedLinks].includes(true) || chatAccountAgeDays > 0
}

/** Whether the requirements need data from the ranking platforms. */
export function needsRankings({ countries = [], rankA, rankB }: Requirements): boolean {
  return countries.length > 0 || isBounded(rankA) || isBounded(rankB)
}

/**
 * The accounts for which to ask the ranking platforms. Only ranks within a range and countries that no administrator
 * has set need them, and only verified links count. (D50)
 */
export function accountsToAsk(requirements: Requirements, players: readonly Player[]): Account[] {
  const { countries = [], rankA, rankB } = requirements
  return players.flatMap((player) => {
    const forCountry = countries.length > 0 && player.country === null
    const accounts = [
      forCountry || isBounded(rankA) ? verifiedAccount(player, 'ranking-a') : null,
      forCountry || isBounded(rankB) ? verifiedAccount(player, 'ranking-b') : null,
    ]
    return accounts.filter((account) => account !== null)
  })
}

/** `emailVerified`: the player has verified an e-mail address. (D49) */
function checkEmail({ emailVerified }: Requirements, player: Player): Failure | null {
  if (emailVerified !== true || player.emailVerified) return null
  return { code: 'email.not_verified', message: `${player.name} has to verify an e-mail address first.` }
}

/** `chatAccountAgeDays`: the chat account is at least this many times 24 hours old. (additions: Tournament record) */
function checkChatAccount({ chatAccountAgeDays }: Requirements, player: Player, now: Date): Failure | null {
  if (chatAccountAgeDays === undefined || chatAccountAgeDays === 0) return null
  const ageMs = now.getTime() - (chatAccountMadeAt(player.chatPlatformId) ?? now.getTime())
  const missingMs = chatAccountAgeDays * dayMs - ageMs
  if (missingMs <= 0) return null
  const required = count(chatAccountAgeDays, 'day')
  return {
    code: 'chat_account.too_young',
    message: `${player.name}’s chat account has to be ${required} old; it will be in ${count(Math.ceil(missingMs / dayMs), 'day')}.`,
  }
}

/**
 * The upper bits of a chat-platform ID are the account's time of creation, in milliseconds since the platform's epoch.
 * null if the ID has another form.
 */
function chatAccountMadeAt(chatPlatformId: string): number | null {
  return /^\d{1,20}$/.test(chatPlatformId) ? Number(BigInt(chatPlatformId) >> 22n) + chatEpochMs : null
}

/** `verifiedLinks`: every account that the player has linked is verified. (D49, D50) */
function checkLinks({ verifiedLinks }: Requirements, player: Player): Failure | null {
  if (verifiedLinks !== true || player.links.every((link) => link.isVerified)) return null
  return {
    code: 'links.not_verified',
    message: `${player.name} has linked an account without proving that it is theirs; verify or remove the link.`,
  }
}

/**
 * `countries`: the player's country is in the list. The country is the one that an administrator has set, else that of
 * ranking platform A, else that of B. (rest-interface: UserCard; D39)
 */
function checkCountry({ countries = [] }: Requirements, player: Player, findings: Findings): Failure | null {
  if (countries.length === 0) return null
  const country = countryOf(player, findings)
  if (typeof country === 'object') return country
  if (countries.includes(country)) return null
  return {
    code: 'country.not_allowed',
    message: `${player.name} plays for ${country}; only players from ${countries.join(', ')} can take part.`,
  }
}

function countryOf(player: Player, findings: Findings): string | Failure {
  if (player.country !== null) return player.country
  for (const platform of ['ranking-a', 'ranking-b'] as const) {
    const found = find(player, platform, findings)
    if (found === 'unreachable') return unreachable(player, platform)
    if (found !== null && found.country !== null) return found.country
  }
  const message = `The country of ${player.name} is not known; link a ranking account whose profile names it.`
  return { code: 'country.unknown', message }
}

/**
 * `rankingA`, `rankingB`: the player has a verified account on the platform. `rankA`, `rankB`: the account's rank is in
 * the range, ends included; 1 is best. (D49, D50)
 */
function checkRanking(
  platform: RankingPlatform,
  linkRequired: boolean | undefined,
  range: RankRange | undefined,
  player: Player,
  findings: Findings,
): Failure | null {
  if (linkRequired !== true && !isBounded(range)) return null
  const prefix = codePrefixes[platform]
  const where = platformNames[platform]
  if (verifiedAccount(player, platform) === null) {
    return { code: `${prefix}.not_linked`, message: `${player.name} has to link and verify an account on ${where}.` }
  }
  if (!isBounded(range)) return null
  const found = find(player, platform, findings)
  if (found === 'unreachable') return unreachable(player, platform)
  if (found?.rank == null) {
    return { code: `${prefix}.unranked`, message: `${player.name} has no rank on ${where}.` }
  }
  const { min = 1, max = Number.POSITIVE_INFINITY } = range
  if (min <= found.rank && found.rank <= max) return null
  return {
    code: `${prefix}.out_of_range`,
    message: `${player.name} is ranked ${found.rank} on ${where}; ${rangeText(min, max)} can take part.`,
  }
}

function isBounded(range: RankRange | undefined): range is RankRange {
  return range !== undefined && (range.min !== undefined || range.max !== undefined)
}

function rangeText(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) return `only ranks from ${min} on`
  return `only ranks from ${min} to ${max}`
}

function verifiedAccount(player: Player, platform: RankingPlatform): Account | null {
  const link = player.links.find((candidate) => candidate.platform === platform && candidate.isVerified)
  return link === undefined ? null : { platform, externalId: link.externalId }
}

/** null without a verified account. An account that was linked after the platforms were asked counts as unreachable. */
function find(player: Player, platform: RankingPlatform, findings: Findings): Profile | 'unreachable' | null {
  const account = verifiedAccount(player, platform)
  return account === null ? null : (findings.get(accountKey(account)) ?? 'unreachable')
}

function unreachable(player: Player, platform: RankingPlatform): Failure {
  const message = `${capitalised(platformNames[platform])} cannot be reached to check ${player.name}; try again in a few minutes.`
  return { code: 'ranking.unreachable', message }
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`
}
