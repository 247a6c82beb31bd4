import { invalid } from '../../../../core/problem.ts'
import { standard } from '../../catalogue/rules/identities.ts'
import { readLine, readReference } from '../../catalogue/rules/references.ts'
import type { PlaylistFinding, Wish } from '../../catalogue/types.ts'
import type { PlaylistContent, PlaylistEntry } from '../../pools/rules/playlist-file.ts'
import type { WholePoolMap } from '../../pools/types.ts'
import type { ImportItem } from '../types.ts'

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
