import { shortIdFault } from '../../../../core/ids.ts'
import { readName } from '../../../../core/names.ts'
import { conflict } from '../../../../core/problem.ts'
import { readMarkdown } from '../../../../core/text.ts'
import { isTimeZone } from '../../../../core/time.ts'
import { webAddressFault } from '../../../../core/web.ts'
import { checkReach } from '../../../../infra/http/refusals.ts'
import type { LinksInput, SettingsInput } from '../bodies.ts'
import type { Links, Settings, Tournament } from '../types.ts'
import {
  checkChannels,
  fault,
  readAnnouncements,
  readLanguage,
  readRoles,
  readWebhookAddress,
  readWebhooks,
} from './announcements.ts'
import { checkDateOrder, dateNames, readDate } from './dates.ts'
import { readFields } from './fields.ts'
import { readRequirements } from './requirements.ts'

/** The maximum length of description, rules and prizes, each. (additions: Tournament record) */
export const maxTextCharacters = 20_000

/** The settings of a new tournament. Name and short id have no default. (additions: Tournament record) */
export const defaults: Omit<Settings, 'id' | 'name'> = {
  summary: null,
  description: null,
  rules: null,
  prizes: null,
  imageUrl: null,
  bannerUrl: null,
  timezone: 'UTC',
  startsAt: null,
  endsAt: null,
  registrationOpensAt: null,
  registrationClosesAt: null,
  rosterLocksAt: null,
  teamSizeMin: 1,
  teamSizeMax: 1,
  teamSizeActive: 1,
  capacity: null,
  publicRegistration: true,
  requirements: {},
  additionalFields: [],
  links: { chatInvite: null, website: null, stream: null, rulesUrl: null },
  chatWebhookUrl: null,
  chatWebhooks: [],
  announcements: {},
  announcementRoles: {},
  language: 'en',
  streamDelaySeconds: 0,
  liveScores: 'public',
  spoilerMode: 'open',
}

export interface SettingsContext {
  /** Base URL of the chat platform's REST API. */
  readonly chatApiUrl: string
  /** One GUID for each additional field without one. */
  readonly newGuids: readonly string[]
}

/**
 * Applies the given settings to the current ones. Null or an empty text clears a text or address. Unsafe markup is
 * removed from rich texts. Team sizes and requirements may change while there are teams: they apply to registrations
 * from then on. (additions: Tournament record; D36)
 * @throws Problem `tournament.invalid`, `tournament.fields_too_long`, `tournament.dates_out_of_order`
 */
export function readSettings<S extends Omit<Settings, 'id' | 'name'>>(
  input: SettingsInput,
  current: S,
  context: SettingsContext,
): S {
  const { name, teamSize, capacity, publicRegistration, streamDelaySeconds, liveScores, spoilerMode } = input
  const next: S = {
    ...current,
    ...given({
      name: read(name, readTournamentName),
      id: read(input.id, readShortId),
      summary: read(input.summary, orNull),
      description: read(input.description, readText),
      rules: read(input.rules, readText),
      prizes: read(input.prizes, readText),
      imageUrl: read(input.imageUrl, (text) => readAddress('imageUrl', text)),
      bannerUrl: read(input.bannerUrl, (text) => readAddress('bannerUrl', text)),
      timezone: read(input.timezone, readTimeZone),
      ...Object.fromEntries(dateNames.map((date) => [date, read(input[date], (text) => readDate(date, text))])),
      teamSizeMin: teamSize?.min,
      teamSizeMax: teamSize?.max,
      teamSizeActive: teamSize?.active,
      capacity,
      publicRegistration,
      requirements: read(input.requirements, readRequirements),
      additionalFields: read(input.additionalFields, (fields) =>
        readFields(fields, context.newGuids, current.additionalFields),
      ),
      links: read(input.links, (links) => readLinks(links, current.links)),
      chatWebhookUrl: read(input.chatWebhookUrl, (text) => readWebhook(text, context.chatApiUrl)),
      chatWebhooks: read(input.chatWebhooks, (webhooks) =>
        readWebhooks(webhooks, current.chatWebhooks, context.chatApiUrl),
      ),
      announcements: read(input.announcements, (changes) => readAnnouncements(changes, current.announcements)),
      announcementRoles: read(input.announcementRoles, (changes) => readRoles(changes, current.announcementRoles)),
      language: read(input.language, readLanguage),
      streamDelaySeconds,
      liveScores,
      spoilerMode,
    }),
  }
  if (dateNames.some((date) => input[date] !== undefined)) checkDateOrder(next)
  if (teamSize !== undefined) checkTeamSize(next)
  if (input.announcements !== undefined || input.chatWebhooks !== undefined) checkChannels(next)
  return next
}

function read<T, R>(value: T | undefined, reader: (value: T) => R): R | undefined {
  return value === undefined ? undefined : reader(value)
}

function given<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

/** A name has one line and a visible character. (D56) */
function readTournamentName(text: string): string {
  const name = readName(text)
  if (!name.ok) throw fault('name', name.reason)
  return name.value
}

/** Short ids are saved in lower case. (D6) */
function readShortId(text: string): string {
  const reason = shortIdFault(text)
  if (reason !== null) throw fault('id', reason)
  return text.toLowerCase()
}

function orNull(text: string | null): string | null {
  return text || null
}

function readText(text: string | null): string | null {
  return orNull(readMarkdown(text ?? '', maxTextCharacters))
}

function readAddress(member: string, text: string | null): string | null {
  if (!text) return null
  const reason = webAddressFault(text)
  if (reason !== null) throw fault(member, reason)
  return text
}

function readTimeZone(name: string): string {
  if (!isTimeZone(name)) throw fault('timezone', 'must be an IANA name such as Europe/Berlin')
  return name
}

function readLinks(links: LinksInput, current: Links): Links {
  const link = (name: keyof Links) => read(links[name], (text) => readAddress(`links.${name}`, text))
  return {
    ...current,
    ...given({
      chatInvite: link('chatInvite'),
      website: link('website'),
      stream: link('stream'),
      rulesUrl: link('rulesUrl'),
    }),
  }
}

function readWebhook(address: string | null, chatApiUrl: string): string | null {
  return address ? readWebhookAddress('chatWebhookUrl', address, chatApiUrl) : null
}

/**
 * A team has at least `min` and at most `max` players. The number of players on the field, `active`, is at most `max`.
 * (additions: Tournament record)
 */
export function checkTeamSize(size: Pick<Settings, 'teamSizeMin' | 'teamSizeMax' | 'teamSizeActive'>): void {
  if (size.teamSizeMin > size.teamSizeMax) throw fault('teamSize.min', 'must not be above "teamSize.max"')
  if (size.teamSizeActive > size.teamSizeMax) throw fault('teamSize.active', 'must not be above "teamSize.max"')
}

/**
 * A rehearsal has no webhooks, so that nothing leaves it, and keeps its short id, which cannot be guessed. All other
 * settings change as in any tournament. (R1, R3)
 * @throws Problem `rehearsal.not_possible`
 */
export function checkRehearsable(input: SettingsInput, tournament: Pick<Tournament, 'rehearsalOf'>): void {
  const fixed = [input.id, input.chatWebhookUrl, input.chatWebhooks]
  checkReach(
    tournament,
    fixed.some((value) => value !== undefined),
  )
}

/**
 * The capacity must not be below the number of registered teams, including qualified ones.
 * (additions: Tournament record; D46)
 * @throws Problem `tournament.capacity_too_small`
 */
export function checkCapacity(capacity: number | null, registered: number): void {
  if (capacity !== null && capacity < registered) {
    throw conflict(
      'tournament.capacity_too_small',
      `${registered} teams are registered; the capacity cannot be below that.`,
    )
  }
}

/**
 * Refuses a change that is based on an older state of the tournament. (additions: Tournament record)
 * @throws Problem `tournament.stale`
 */
export function checkNotStale(updatedAt: Date, expected: Date | null): void {
  if (expected !== null && expected.getTime() !== updatedAt.getTime()) {
    throw conflict('tournament.stale', 'The tournament was changed meanwhile; reload it and try again.')
  }
}
