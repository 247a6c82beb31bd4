import type { AdditionalField, TournamentWithParts } from '../../../client/generated.ts'
import type { TournamentChanges } from '../data/generated.ts'

/** The settings of a tournament as the values of a form, named as refusals name them; and back. */

/** A question to those who register; new ones have no GUID yet. */
export type Question = Omit<AdditionalField, 'guid'> & { readonly guid?: string }

export interface SettingsValues {
  readonly name: string
  readonly id: string
  readonly summary: string
  readonly description: string
  readonly rules: string
  readonly prizes: string
  readonly imageUrl: string
  readonly bannerUrl: string
  readonly 'links.website': string
  readonly 'links.chatInvite': string
  readonly 'links.stream': string
  readonly 'links.rulesUrl': string
  readonly timezone: string
  readonly registrationOpensAt: string | null
  readonly registrationClosesAt: string | null
  readonly rosterLocksAt: string | null
  readonly startsAt: string | null
  readonly endsAt: string | null
  readonly 'teamSize.min': number | null
  readonly 'teamSize.max': number | null
  readonly 'teamSize.active': number | null
  readonly capacity: number | null
  readonly publicRegistration: boolean
  /** Codes with spaces or commas between them. */
  readonly 'requirements.countries': string
  readonly 'requirements.rankA.min': number | null
  readonly 'requirements.rankA.max': number | null
  readonly 'requirements.rankB.min': number | null
  readonly 'requirements.rankB.max': number | null
  readonly 'requirements.rankingA': boolean
  readonly 'requirements.rankingB': boolean
  readonly 'requirements.emailVerified': boolean
  readonly 'requirements.verifiedLinks': boolean
  readonly 'requirements.chatAccountAgeDays': number | null
  readonly additionalFields: readonly Question[]
  readonly language: string
  readonly streamDelaySeconds: number | null
  readonly liveScores: 'public' | 'staff'
  readonly spoilerMode: 'open' | 'held'
}

export type SettingName = keyof SettingsValues

export function valuesOf(tournament: TournamentWithParts): SettingsValues {
  const { links, teamSize, requirements } = tournament
  return {
    name: tournament.name,
    id: tournament.id,
    summary: tournament.summary ?? '',
    description: tournament.description ?? '',
    rules: tournament.rules ?? '',
    prizes: tournament.prizes ?? '',
    imageUrl: tournament.imageUrl ?? '',
    bannerUrl: tournament.bannerUrl ?? '',
    'links.website': links.website ?? '',
    'links.chatInvite': links.chatInvite ?? '',
    'links.stream': links.stream ?? '',
    'links.rulesUrl': links.rulesUrl ?? '',
    timezone: tournament.timezone,
    registrationOpensAt: tournament.registrationOpensAt,
    registrationClosesAt: tournament.registrationClosesAt,
    rosterLocksAt: tournament.rosterLocksAt,
    startsAt: tournament.startsAt,
    endsAt: tournament.endsAt,
    'teamSize.min': teamSize.min,
    'teamSize.max': teamSize.max,
    'teamSize.active': teamSize.active,
    capacity: tournament.capacity,
    publicRegistration: tournament.publicRegistration,
    'requirements.countries': (requirements.countries ?? []).join(', '),
    'requirements.rankA.min': requirements.rankA?.min ?? null,
    'requirements.rankA.max': requirements.rankA?.max ?? null,
    'requirements.rankB.min': requirements.rankB?.min ?? null,
    'requirements.rankB.max': requirements.rankB?.max ?? null,
    'requirements.rankingA': requirements.rankingA ?? false,
    'requirements.rankingB': requirements.rankingB ?? false,
    'requirements.emailVerified': requirements.emailVerified ?? false,
    'requirements.verifiedLinks': requirements.verifiedLinks ?? false,
    'requirements.chatAccountAgeDays': requirements.chatAccountAgeDays ?? null,
    additionalFields: tournament.additionalFields,
    language: tournament.language,
    streamDelaySeconds: tournament.streamDelaySeconds,
    liveScores: tournament.liveScores,
    spoilerMode: tournament.spoilerMode,
  }
}

/** The member of the record that a value is in. */
export const memberOf = (name: string): string => name.split('.')[0] ?? name

const ofWhole: ReadonlySet<string> = new Set(['requirements'])

/** The body of a change: what was changed, and all requirements where one was, since they are replaced together. */
export function changesOf(changed: Partial<SettingsValues>, values: SettingsValues): TournamentChanges {
  const whole = new Set(
    Object.keys(changed)
      .map(memberOf)
      .filter((member) => ofWhole.has(member)),
  )
  const names = Object.keys(values).filter((name) => name in changed || whole.has(memberOf(name)))
  const body: Record<string, unknown> = {}
  for (const name of names) put(body, name.split('.'), valueFor(name, values[name as SettingName]))
  return body as TournamentChanges
}

function valueFor(name: string, value: unknown): unknown {
  if (name === 'requirements.countries') {
    const codes = String(value)
      .toUpperCase()
      .split(/[\s,;]+/)
      .filter((code) => code !== '')
    return codes.length === 0 ? null : codes
  }
  if (value === false && name.startsWith('requirements.')) return null
  if (name === 'streamDelaySeconds') return value ?? 0
  return value === '' && name !== 'name' && name !== 'id' ? null : value
}

function put(into: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    into[name] = value
    return
  }
  const inner = (into[name] ?? {}) as Record<string, unknown>
  into[name] = inner
  put(inner, rest, value)
}
