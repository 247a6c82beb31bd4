import { type WordId, words } from '../data/words.ts'
import { fullOf, offsetOf } from '../parts/time.tsx'

/** What changed in a record, in words: the names of its members, and their values. */

export type State = Readonly<Record<string, unknown>>

export interface Difference {
  /** With a dot, a member of a member. */
  readonly member: string
  readonly before: unknown
  readonly after: unknown
}

const names: Readonly<Record<string, WordId>> = {
  id: 'settings.id',
  name: 'settings.name',
  summary: 'settings.summary',
  description: 'settings.description',
  rules: 'settings.rules',
  prizes: 'settings.prizes',
  imageUrl: 'settings.imageUrl',
  bannerUrl: 'settings.bannerUrl',
  timezone: 'settings.timezone',
  startsAt: 'settings.startsAt',
  endsAt: 'settings.endsAt',
  registrationOpensAt: 'settings.registrationOpensAt',
  registrationClosesAt: 'settings.registrationClosesAt',
  rosterLocksAt: 'settings.rosterLocksAt',
  teamSize: 'said.team-size',
  capacity: 'settings.capacity',
  publicRegistration: 'settings.public-registration',
  requirements: 'settings.requirements',
  additionalFields: 'settings.questions',
  language: 'settings.language',
  streamDelaySeconds: 'settings.delay',
  liveScores: 'settings.live-scores',
  spoilerMode: 'settings.spoilers',
  chatWebhookUrl: 'settings.webhook',
  chatWebhooks: 'settings.webhooks',
  'teamSize.min': 'settings.size-min',
  'teamSize.max': 'settings.size-max',
  'teamSize.active': 'settings.size-active',
  'links.website': 'settings.website',
  'links.chatInvite': 'settings.chat-invite',
  'links.stream': 'settings.stream',
  'links.rulesUrl': 'settings.rules-url',
  'requirements.countries': 'settings.countries',
  'requirements.chatAccountAgeDays': 'settings.age',
  'requirements.rankingA': 'settings.needs-rankingA',
  'requirements.rankingB': 'settings.needs-rankingB',
  'requirements.verifiedLinks': 'settings.needs-verifiedLinks',
  'requirements.emailVerified': 'settings.needs-emailVerified',
  announcements: 'manage.announcements',
  announcementRoles: 'said.chat-roles',
  links: 'settings.links',
  visibilityScope: 'manage.visibility',
  timelineEvents: 'manage.timeline',
  title: 'composer.title',
  content: 'composer.text',
  changes: 'composer.cards',
  status: 'said.status',
  reason: 'said.reason',
  scheduledAt: 'said.time',
  role: 'staff.role',
}

const spaced = (name: string) => name.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ').replaceAll('_', ' ')

/** The name of a member; one that the pages have no words for is spelt out. */
export function nameOf(member: string): string {
  const word = names[member]
  if (word !== undefined) return words(word)
  const [first = '', ...rest] = member.split('.')
  if (rest.length > 0) return `${nameOf(first)}: ${nameOf(rest.join('.'))}`
  const text = spaced(member)
    .replace(/ (Guids?|Url)$/, '')
    .toLowerCase()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** What differs, with the members of members each by itself. */
export function differencesOf(before: State | null, after: State | null): readonly Difference[] {
  const members = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return members.flatMap((member): readonly Difference[] => {
    const [was, is] = [before?.[member] ?? null, after?.[member] ?? null]
    if (isState(was) && isState(is))
      return differencesOf(was, is).map((each) => ({ ...each, member: `${member}.${each.member}` }))
    return isSame(was, is) ? [] : [{ member, before: was, after: is }]
  })
}

const isState = (value: unknown): value is State => typeof value === 'object' && value !== null && !Array.isArray(value)

export const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const guid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/

export const isGuid = (value: unknown): value is string => typeof value === 'string' && guid.test(value)

/** A value in words. `nameGuid` names the records that are known. */
export function textOf(
  value: unknown,
  zone: string,
  nameGuid: (guid: string) => string | undefined = () => undefined,
): string {
  const of = (each: unknown): string => {
    if (each === null || each === undefined || each === '') return words('form.nothing')
    if (typeof each === 'boolean') return words(each ? 'form.yes' : 'form.no')
    if (typeof each === 'string') {
      if (instant.test(each)) return `${fullOf(each, zone)} (${offsetOf(zone, Date.parse(each))})`
      if (isGuid(each)) return nameGuid(each) ?? each.slice(0, 8)
      return each
    }
    if (Array.isArray(each)) return each.length === 0 ? words('form.nothing') : each.map(itemOf).join(', ')
    if (isState(each)) {
      const parts = Object.entries(each).filter(([, part]) => part !== null)
      if (parts.length === 0) return words('form.nothing')
      return parts.map(([name, part]) => `${nameOf(name)}: ${of(part)}`).join('; ')
    }
    return String(each)
  }
  /** Of a list of records their names are enough. */
  const itemOf = (each: unknown): string => {
    if (!isState(each)) return of(each)
    return of(each.title ?? each.name ?? each.label ?? each)
  }
  return of(value)
}
