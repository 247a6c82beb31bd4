import { invalid } from '../../../core/problem.ts'
import { chooseDifficulty, chooseHighest } from '../catalogue/rules/choosing.ts'
import { identityKey, standard } from '../catalogue/rules/identities.ts'
import { readLine, readReference } from '../catalogue/rules/references.ts'
import type { Answer, Choice, Finding, MapIdentity, PlaylistFinding, Wish } from '../catalogue/types.ts'
import type { PlaylistContent, PlaylistEntry } from '../pools/rules/playlist-file.ts'
import type { WholePoolMap } from '../pools/types.ts'
import type { DifficultyRule, ImportItem, ImportRequest, ImportRow, RowOutcome } from './types.ts'

/** Reads the items from the sources of imports. (pools: Adding and importing) */

export const maxRows = 500
/** Limited because each playlist takes several requests to the catalogue. */
const maxPlaylists = 10
const maxInputLength = 200

const unwished: Wish = { difficulty: null, characteristic: null }
const plain = { ...unwished, fault: null, settings: null }

/** Each line that is not empty names a map, or a playlist of maps. (pools: Adding and importing) */
export function itemsOfLines(lines: readonly string[]): ImportItem[] {
  return lines.flatMap((line): ImportItem[] => {
    const text = line.trim()
    if (text === '') return []
    const read = readLine(text)
    const input = shortened(text)
    if (!read.ok) return [{ ...plain, input, reference: null, fault: 'map.reference_invalid' }]
    const { reference, difficulty, characteristic } = read.value
    return [{ ...plain, input, reference, difficulty, characteristic }]
  })
}

/**
 * Returns one item for each difficulty that the playlist names of a song, and one item for a song without any.
 * (pools: Adding and importing)
 */
export function itemsOfPlaylist({ entries }: Pick<PlaylistContent, 'entries'>): ImportItem[] {
  return entries.flatMap((entry): ImportItem[] => {
    const { name, difficulties, unread, fault } = entry
    const reference = referenceOf(entry)
    const told = { key: entry.key, name: entry.songName, mapper: entry.mapper }
    if (fault !== null || reference === null) {
      return [{ ...plain, input: name, reference: null, fault: 'map.reference_invalid' }]
    }
    if (difficulties.length + unread.length === 0) return [{ ...plain, input: name, reference, told }]
    const named = difficulties.map((choice) => ({
      ...plain,
      ...choice,
      reference,
      told,
      input: shortened(`${name} (${choice.characteristic} ${choice.difficulty})`),
    }))
    const faulty = unread.map((text) => ({
      ...plain,
      reference: null,
      fault: 'map.difficulty_unknown',
      input: shortened(`${name} (${text})`),
    }))
    return [...named, ...faulty]
  })
}

/** The hash identifies the version. The key identifies the song if the catalogue has lost the hash. (D71) */
function referenceOf({ hash, key }: Pick<PlaylistEntry, 'hash' | 'key'>): ImportItem['reference'] {
  if (hash !== null) return { kind: 'hash', hash, ...(key === null ? {} : { key }) }
  return key === null ? null : { kind: 'key', key }
}

/**
 * Returns the item for a link to a playlist in the catalogue.
 * @throws Problem `map.reference_invalid`
 */
export function itemOfLink(url: string): ImportItem {
  const read = readReference(url)
  if (read.ok && read.value.kind === 'playlist') {
    return { ...plain, input: shortened(url.trim()), reference: read.value }
  }
  throw invalid('map.reference_invalid', 'The member "source.url" must be a link to a playlist on beatsaver.com.')
}

/**
 * Returns the items for the maps of another pool, with their flair, order, modifiers and options.
 * (pools: Adding and importing)
 */
export function itemsOfPool(maps: readonly WholePoolMap[]): ImportItem[] {
  return maps.map(({ map, flair, modifiers, playerOptions, options }) => ({
    input: shortened(`${map.name ?? map.hash} (${map.characteristic} ${map.difficulty})`),
    reference: { kind: 'hash', hash: map.hash, ...(map.key === null ? {} : { key: map.key }) },
    difficulty: map.difficulty,
    characteristic: map.characteristic,
    fault: null,
    ...(map.state === 'known' ? {} : { told: { key: map.key, name: map.name, mapper: map.mapper } }),
    settings: { flairName: flair?.name ?? null, modifiers, playerOptions, options },
  }))
}

/** An import has at most 500 rows and 10 playlists. (pools: Records; Details 7) */
export function isTooLarge(items: readonly ImportItem[]): boolean {
  const playlists = new Set(items.flatMap((item) => playlistOf(item) ?? []))
  return items.length > maxRows || playlists.size > maxPlaylists
}

export function tooLarge() {
  return invalid(
    'import.too_large',
    `An import has at most ${maxRows} rows, and names at most ${maxPlaylists} playlists; split it.`,
  )
}

/** Returns the ID of the playlist that an item names; null for a map. */
export function playlistOf({ reference }: Pick<ImportItem, 'reference'>): string | null {
  return reference?.kind === 'playlist' ? reference.id : null
}

/** Replaces each link to a playlist with the maps of the playlist. */
export function expanded(
  items: readonly ImportItem[],
  findings: ReadonlyMap<string, PlaylistFinding>,
): readonly ImportItem[] {
  return items.flatMap((item): ImportItem[] => {
    const finding = findings.get(playlistOf(item) ?? '')
    if (finding === undefined) return [item]
    if (finding.outcome === 'unknown') return [{ ...item, reference: null, fault: 'playlist.unknown' }]
    if (finding.outcome === 'unreachable') return [{ ...item, reference: null, fault: 'catalogue.unreachable' }]
    return finding.entries.map((entry) => ({
      ...item,
      input: entry.key,
      reference: referenceOf(entry),
    }))
  })
}

export function defaultCharacteristic({ characteristic }: Pick<Wish, 'characteristic'>): string {
  return characteristic ?? standard
}

function shortened(text: string): string {
  return Array.from(text.slice(0, 2 * maxInputLength))
    .slice(0, maxInputLength)
    .join('')
}

/** The outcome of each row of an import. (pools: Adding and importing, rule 4) */

/** The outcome of a row by the catalogue's answer alone, before the comparison with the pool. */
export interface Verdict {
  /** The outcome, unless the map is in the pool already. */
  readonly outcome: Exclude<RowOutcome, 'present'>
  readonly reason: string | null
  readonly choices: readonly Choice[]
  /** The map that the row names; null if unknown. */
  readonly identity: MapIdentity | null
  /** The catalogue's answer with which the map is added; null if it is not added. */
  readonly finding: Answer | null
}

type Wishes = Pick<ImportRequest, 'difficulty' | 'keepMissing'>

/**
 * A map is added if its difficulty is known, from the row or from the import's rule. An outdated version is added as it
 * is. A missing map is added only with `keepMissing`. While the catalogue does not answer, a map is added without its
 * data. (pools: Adding and importing, rule 4)
 * @param finding null for an item without a reference
 */
export function judge(item: ImportItem, finding: Finding | null, { difficulty: rule, keepMissing }: Wishes): Verdict {
  if (finding === null) return unread(item.fault ?? 'map.reference_invalid')
  const { hash, named } = finding
  const wish = {
    difficulty: item.difficulty ?? named.difficulty ?? (rule === 'ask' || rule === 'highest' ? null : rule),
    characteristic: item.characteristic ?? named.characteristic,
  }
  if (finding.outcome === 'found') return judgeFound(finding, wish, rule)
  const identity = identityOf(hash, wish)
  const isMissing = finding.outcome === 'unknown'
  return {
    outcome: isMissing ? 'missing' : 'pending',
    reason: isMissing ? 'map.unknown' : 'catalogue.unreachable',
    choices: [],
    identity,
    finding: identity === null || (isMissing && !keepMissing) ? null : finding,
  }
}

function judgeFound(finding: Extract<Finding, { outcome: 'found' }>, wish: Wish, rule: DifficultyRule): Verdict {
  const { hash, song } = finding
  const highest = rule === 'highest' && wish.difficulty === null ? chooseHighest(song, wish.characteristic) : null
  const chosen =
    highest === null ? chooseDifficulty(song, wish) : ({ outcome: 'chosen', choice: highest, choices: [] } as const)
  const added = (identity: MapIdentity): Verdict => ({ ...nothing, outcome: 'added', identity, finding })
  if (chosen.outcome === 'chosen') return added({ hash: hash ?? song.hash, ...chosen.choice })
  const { choices } = chosen
  // The catalogue does not say which difficulties an older version had.
  const identity = hash !== null && hash !== song.hash ? identityOf(hash, wish) : null
  if (identity !== null) return added(identity)
  if (chosen.outcome === 'missing') return { ...nothing, outcome: 'choice', reason: 'map.difficulty_missing', choices }
  return { ...nothing, outcome: 'rejected', reason: 'map.difficulty_unknown', choices }
}

const nothing = { reason: null, choices: [], identity: null, finding: null }

/**
 * A playlist that the catalogue did not return is pending and may be imported again. Anything else is unreadable, and
 * rejected.
 */
function unread(reason: string): Verdict {
  return { ...nothing, outcome: reason === 'catalogue.unreachable' ? 'pending' : 'rejected', reason }
}

function identityOf(hash: string | null, wish: Wish): MapIdentity | null {
  const { difficulty } = wish
  if (hash === null || difficulty === null) return null
  return { hash, difficulty, characteristic: defaultCharacteristic(wish) }
}

/** A row whose map is added, with its item. */
export interface Planned {
  readonly index: number
  readonly item: ImportItem
  readonly identity: MapIdentity
  readonly finding: Answer
}

/** New data about a map that is in the pool already. */
export interface AlreadyInPool extends Pick<Planned, 'item' | 'identity' | 'finding'> {
  readonly poolMapGuid: string
}

export interface Plan {
  /** The rows, still without the GUIDs of the maps to add. */
  readonly rows: readonly ImportRow[]
  readonly added: readonly Planned[]
  /** Maps in the pool with the catalogue's current answer: it may not have answered when they were added. */
  readonly told: readonly AlreadyInPool[]
  /** For each row that repeats an earlier one, by index: the index of the earlier row. */
  readonly repeated: ReadonlyMap<number, number>
}

/** A map that is in the pool already. */
export interface Standing {
  readonly guid: string
  readonly mapGuid: string
  readonly map: MapIdentity
}

/**
 * Adds each map once, in the order of the rows, while the pool has room. Maps that are in the pool already are
 * `present`. (pools: Adding and importing, rules 4 and 5)
 */
export function plan(
  items: readonly ImportItem[],
  verdicts: readonly Verdict[],
  standing: readonly Standing[],
  room: number,
): Plan {
  const there = new Map(standing.map((one) => [identityKey(one.map), one]))
  const firstRows = new Map<string, number>()
  const added: Planned[] = []
  const told: AlreadyInPool[] = []
  const repeated = new Map<number, number>()
  const rows = items.map((item, index): ImportRow => {
    const { outcome, reason, choices, identity, finding } = verdicts[index] ?? unread('map.reference_invalid')
    const row = { index, input: item.input, mapGuid: null, poolMapGuid: null, choices: [] }
    const key = identity === null ? '' : identityKey(identity)
    const found = there.get(key)
    if (found !== undefined) {
      if (finding !== null) told.push({ item, identity: found.map, finding, poolMapGuid: found.guid })
      return { ...row, outcome: 'present', reason: null, mapGuid: found.mapGuid, poolMapGuid: found.guid }
    }
    const first = firstRows.get(key)
    if (first !== undefined) {
      repeated.set(index, first)
      return { ...row, outcome: 'present', reason: null }
    }
    if (identity === null || finding === null) return { ...row, outcome, reason, choices: [...choices] }
    if (added.length >= room) return { ...row, outcome: 'rejected', reason: 'pool.full' }
    firstRows.set(key, index)
    added.push({ index, item, identity, finding })
    return { ...row, outcome, reason }
  })
  return { rows, added, told, repeated }
}

/** Returns the rows with the GUIDs of the maps that were added, in the order of the plan. */
export function withMaps(
  { rows, added, repeated }: Plan,
  made: readonly { readonly mapGuid: string; readonly poolMapGuid: string }[],
): ImportRow[] {
  const madeFor = new Map(added.map(({ index }, place) => [index, made[place]]))
  return rows.map((row) => ({ ...row, ...madeFor.get(repeated.get(row.index) ?? row.index) }))
}
