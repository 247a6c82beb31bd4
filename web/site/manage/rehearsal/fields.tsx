import type { DivisionWithBrackets } from '../../../../client/generated.ts'
import { type WordId, words } from '../../data/words.ts'
import { Instant } from '../../parts/time.tsx'

/** Names and values of what can differ between a rehearsal and its tournament. (R6) */

/** Settings by the words of the page where they are changed. */
const settings: Readonly<Record<string, WordId>> = {
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
  teamSize: 'rehearsal.team-size',
  capacity: 'settings.capacity',
  publicRegistration: 'settings.public-registration',
  requirements: 'settings.requirements',
  additionalFields: 'settings.questions',
  links: 'settings.links',
  announcements: 'manage.announcements',
  announcementRoles: 'rehearsal.roles-in-chat',
  language: 'settings.language',
  streamDelaySeconds: 'settings.delay',
  liveScores: 'settings.live-scores',
}

/** Gives the name of a field, such as `bestOf/a/1/upper:2`. */
export const fieldName =
  (divisions: readonly DivisionWithBrackets[]) =>
  (field: string): string => {
    const [kind, ...rest] = field.split('/')
    if (kind === 'channels') return words('channels.title')
    if (kind === 'settings') {
      const word = settings[rest[0] ?? '']
      return word === undefined ? (rest[0] ?? field) : words(word)
    }
    const division = divisions.length > 1 ? divisions.find(({ id }) => id === rest[0])?.name : undefined
    const within = (text: string) => (division === undefined ? text : `${division}: ${text}`)
    if (kind === 'scheduledAt') return within(words('rehearsal.time-of', { number: rest[1] ?? '' }))
    return within(words('rehearsal.best-of', { round: roundName(divisions, rest) }))
  }

function roundName(divisions: readonly DivisionWithBrackets[], [id, first = '', key = '']: readonly string[]): string {
  const brackets = divisions.find((each) => each.id === id)?.brackets ?? []
  const rounds = brackets.flatMap((bracket) => bracket.rounds)
  const name = rounds.find(({ section, number }) => `${section}:${number}` === key)?.name ?? key
  return brackets.length > 1 ? words('rehearsal.round-from', { round: name, number: first }) : name
}

const instant = /^\d{4}-\d\d-\d\dT/
const long = 160

export function Value({ of: value }: { readonly of: unknown }) {
  if (value === null || value === undefined || value === '') return words('rehearsal.nothing')
  if (typeof value === 'boolean') return words(value ? 'form.yes' : 'form.no')
  if (typeof value === 'string' && instant.test(value)) return <Instant at={value} />
  const text = textOf(value)
  return <bdi>{text.length > long ? `${text.slice(0, long)}…` : text}</bdi>
}

/** Of lists the names, of objects what is set in them. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(nameOf).join(', ') || words('rehearsal.nothing')
  if (typeof value !== 'object' || value === null) return String(value)
  const set = Object.entries(value).filter(([, each]) => each !== null && each !== false && each !== '')
  return set.map(([name, each]) => `${name}: ${textOf(each)}`).join(', ') || words('rehearsal.nothing')
}

function nameOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const { name, label } = value as { readonly name?: unknown; readonly label?: unknown }
  return typeof name === 'string' ? name : typeof label === 'string' ? label : textOf(value)
}
