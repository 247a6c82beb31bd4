import { canonicalJson } from '../../../core/canonical-json.ts'
import { conflict } from '../../../core/problem.ts'
import { formatInstant } from '../../../core/time.ts'
import { isOver } from '../../../engine/verdict.ts'
import { hasRound } from '../../brackets/brackets/rules/structure.ts'
import { roundKeyOf } from '../../brackets/matches/rules.ts'
import type { Channel } from '../../streaming/channels/types.ts'
import type { SettingsInput } from '../../tournaments/tournaments/bodies.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { settingsView } from '../../tournaments/tournaments/views.ts'
import type {
  ChangesSince,
  Compared,
  ComparedBracket,
  ComparedMatch,
  ComparedMedium,
  ComparedSettings,
  Difference,
  SettingField,
} from './types.ts'

const guids = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi

/** The GUIDs that the compared settings of a tournament name. */
export function guidsIn(tournament: Tournament): readonly string[] {
  const found = canonicalJson(comparedOf(tournament)).match(guids) ?? []
  return [...new Set(found.map((guid) => guid.toLowerCase()))]
}

/**
 * What a rehearsal has otherwise than the real tournament: settings of the record, channels, the best-of of rounds, and
 * times of matches that have not begun in the real one. (R6)
 */
export function differencesOf(
  real: Compared,
  rehearsal: Compared,
  media: readonly ComparedMedium[],
): readonly Difference[] {
  const pairs = pairsOf(real.brackets, rehearsal.brackets)
  return [
    ...settingDifferences(real.tournament, rehearsal.tournament, media),
    ...channelDifferences(real.channels, rehearsal.channels),
    ...pairs.flatMap(([ours, theirs]) => bestOfDifferences(ours, theirs)),
    ...pairs.flatMap(([ours, theirs]) => timeDifferences(ours, theirs)),
  ]
}

function comparedOf(tournament: Tournament): ComparedSettings {
  const { id: _id, chatWebhookUrl: _url, chatWebhooks: _urls, ...compared } = settingsView(tournament)
  return compared
}

function settingDifferences(
  real: Tournament,
  rehearsal: Tournament,
  media: readonly ComparedMedium[],
): readonly Difference[] {
  const [ours, theirs] = [comparedOf(real), comparedOf(rehearsal)]
  const digests = new Map(media.map(({ guid, digest }) => [guid, digest]))
  // A copy has GUIDs of its own: what they name is the same if it has the same content.
  const formOf = (value: unknown) =>
    canonicalJson(value).replace(guids, (guid) => digests.get(guid.toLowerCase()) ?? 'guid')
  return (Object.keys(ours) as SettingField[]).flatMap((name): Difference[] => {
    if (formOf(ours[name]) === formOf(theirs[name])) return []
    return [{ field: `settings/${name}`, real: ours[name], rehearsal: theirs[name], of: 'setting', name }]
  })
}

function channelDifferences(real: readonly Channel[], rehearsal: readonly Channel[]): readonly Difference[] {
  const shown = (channels: readonly Channel[]) =>
    channels.map(({ name, url, delaySeconds }) => ({ name, url, delaySeconds }))
  const [ours, theirs] = [shown(real), shown(rehearsal)]
  if (canonicalJson(ours) === canonicalJson(theirs)) return []
  return [{ field: 'channels', real: ours, rehearsal: theirs, of: 'channels' }]
}

/**
 * Brackets correspond if they are in divisions with the same short id, have the same format, and their first matches
 * have the same number: numbers are unique in a division, and a copy keeps them. (R6)
 */
function pairsOf(real: readonly ComparedBracket[], rehearsal: readonly ComparedBracket[]) {
  const keyOf = (bracket: ComparedBracket) => `${placeOf(bracket)} ${bracket.format}`
  const theirs = new Map(rehearsal.map((bracket) => [keyOf(bracket), bracket]))
  return real.flatMap((bracket) => {
    const other = theirs.get(keyOf(bracket))
    return other === undefined ? [] : [[bracket, other] as const]
  })
}

const placeOf = ({ division, matches }: ComparedBracket) => `${division}/${matches[0]?.number}`

function bestOfDifferences(bracket: ComparedBracket, other: ComparedBracket): readonly Difference[] {
  const made = new Set(bracket.matches.map(roundKeyOf))
  const named = [bracket, other].flatMap(({ settings }) => Object.keys(settings.bestOfByRound))
  const keys = [...new Set([...made, ...named])].filter((key) => hasRound(key, made, bracket))
  const bestOf = ({ settings }: ComparedBracket, key: string) => settings.bestOfByRound[key] ?? settings.bestOf
  return keys.flatMap((round): Difference[] => {
    const [real, rehearsal] = [bestOf(bracket, round), bestOf(other, round)]
    if (real === rehearsal) return []
    const field = `bestOf/${placeOf(bracket)}/${round}`
    return [{ field, real, rehearsal, of: 'bestOf', bracket, round, bestOf: rehearsal }]
  })
}

function timeDifferences(bracket: ComparedBracket, other: ComparedBracket): readonly Difference[] {
  const theirs = new Map(other.matches.map((match) => [match.number, match]))
  return bracket.matches.flatMap((match): Difference[] => {
    const copy = theirs.get(match.number)
    if (match.started || isOver(match) || copy === undefined || !isSamePlace(match, copy)) return []
    const [real, rehearsal] = [match, copy].map(({ scheduledAt }) => formatInstant(scheduledAt))
    if (real === rehearsal) return []
    const field = `scheduledAt/${bracket.division}/${match.number}`
    return [{ field, real, rehearsal, of: 'time', bracket, match, scheduledAt: copy.scheduledAt }]
  })
}

function isSamePlace(match: ComparedMatch, copy: ComparedMatch): boolean {
  return roundKeyOf(match) === roundKeyOf(copy) && match.groupIndex === copy.groupIndex
}

/**
 * The chosen differences, each once.
 * @throws Problem `rehearsal.no_difference`
 */
export function chosenOf(all: readonly Difference[], fields: readonly string[]): readonly Difference[] {
  const wanted = new Set(fields)
  const chosen = all.filter(({ field }) => wanted.delete(field))
  const [unknown] = wanted
  if (unknown === undefined) return chosen
  throw conflict(
    'rehearsal.no_difference',
    `The rehearsal and the tournament do not differ in \`${unknown}\`; read the differences again.`,
  )
}

/**
 * Nothing chosen was changed in the real tournament after the instant that the caller gives. The `updatedAt` of the
 * record is enough for its settings. (R6)
 * @throws Problem `tournament.stale`
 */
export function checkFresh(
  chosen: readonly Difference[],
  since: ChangesSince,
  { updatedAt, expected }: { readonly updatedAt: Date; readonly expected: Date },
): void {
  const isOfRecord = expected.getTime() === updatedAt.getTime()
  const isStale = (difference: Difference) => {
    switch (difference.of) {
      case 'setting':
        return !isOfRecord && since.settings
      case 'channels':
        return since.channels
      case 'bestOf':
        return since.brackets.has(difference.bracket.guid)
      case 'time':
        return since.brackets.has(difference.bracket.guid) || since.matches.has(difference.match.guid)
    }
  }
  const stale = chosen.find(isStale)
  if (stale === undefined) return
  throw conflict(
    'tournament.stale',
    `\`${stale.field}\` was changed in the tournament meanwhile; read the differences again.`,
  )
}

/** The chosen settings as the ordinary operation takes them; undefined if none is chosen. */
export function settingsOf(
  chosen: readonly Difference[],
  { real, rehearsal, media }: SettingsContext,
): SettingsInput | undefined {
  const names = chosen.flatMap((each) => (each.of === 'setting' ? [each.name] : []))
  if (names.length === 0) return undefined
  const wanted = settingsView(rehearsal)
  const own = guidsHere({ real, rehearsal, media })
  const given = Object.fromEntries(
    names.map((name) => {
      const value = { ...wanted, ...inputs({ real, rehearsal }) }[name]
      const text = JSON.stringify(value)
      return [name, JSON.parse(text.replace(guids, (guid) => own.get(guid.toLowerCase()) ?? guid))]
    }),
  )
  return given as SettingsInput
}

interface SettingsContext {
  readonly real: Tournament
  readonly rehearsal: Tournament
  readonly media: readonly ComparedMedium[]
}

/** Members whose input is another than what the record shows: what is not given there stays. */
function inputs({ real, rehearsal }: Pick<SettingsContext, 'real' | 'rehearsal'>) {
  const cleared = <Value>(of: object, value: Value) => Object.fromEntries(Object.keys(of).map((kind) => [kind, value]))
  return {
    announcements: { ...cleared(real.announcements, 'off'), ...rehearsal.announcements },
    announcementRoles: { ...cleared(real.announcementRoles, []), ...rehearsal.announcementRoles },
  }
}

/** What the GUIDs of a rehearsal are in the real tournament: its own one, and those of copied media. */
function guidsHere({ real, rehearsal, media }: SettingsContext): ReadonlyMap<string, string> {
  const named = new Set(guidsIn(real))
  const isHere = ({ guid, tournamentGuid }: ComparedMedium) => named.has(guid) || tournamentGuid === real.guid
  const originals = new Map(media.filter(isHere).map(({ guid, digest }) => [digest, guid]))
  const copies = media.flatMap((medium) => {
    const original = isHere(medium) ? undefined : originals.get(medium.digest)
    return original === undefined ? [] : [[medium.guid, original] as const]
  })
  return new Map([[rehearsal.guid, real.guid], ...copies])
}

/**
 * The list of channels as the ordinary operation takes it. A channel that has the name of a present one, or else its
 * address, takes its place with its queue. (R6)
 */
export function channelsOf(real: readonly Channel[], rehearsal: readonly Channel[]) {
  const left = new Set(real)
  const taken = new Map<Channel, Channel>()
  for (const member of ['name', 'url'] as const) {
    for (const wanted of rehearsal) {
      const same = taken.has(wanted) ? undefined : [...left].find((each) => each[member] === wanted[member])
      if (same === undefined) continue
      left.delete(same)
      taken.set(wanted, same)
    }
  }
  return rehearsal.map((wanted) => {
    const { name, url, delaySeconds } = wanted
    const same = taken.get(wanted)
    return { ...(same === undefined ? {} : { guid: same.guid }), name, url, delaySeconds }
  })
}
