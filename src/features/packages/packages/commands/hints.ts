import { type MediaKind, mediaGuidIn, pictureFields } from '../../../../core/media.ts'
import { hasAllMembers, withGuids } from '../rules.ts'
import type { Hints } from '../store/brings.ts'
import type { Kind, Row } from '../store/kind.ts'
import { kinds } from '../store/kinds.ts'
import { packagedOrigin } from '../store/rows.ts'
import type { PackageSource } from '../types.ts'
import { type HintedSource, readGiven } from './reading.ts'

/** Reads what rows that lack members need of others, before they are made whole. (P6) */

/** @throws Problem `package.row` */
export async function withHints(source: PackageSource, now: Date): Promise<HintedSource> {
  return { ...source, hints: hasAllMembers(source.manifest) ? null : await readHints(source, now) }
}

async function readHints(source: PackageSource, now: Date): Promise<Hints> {
  const read = (name: string) => rowsOf(source, name)
  let tournament = ''
  for await (const { guid } of read('tournament')) tournament = String(guid)
  const matches = new Map<string, Hints['matches'] extends ReadonlyMap<string, infer Told> ? Told : never>()
  for await (const { guid, bracketGuid, number } of read('matches')) {
    matches.set(String(guid), { bracketGuid: String(bracketGuid), number: Number(number) })
  }
  const seeds = new Map<string, string>()
  for await (const { sessionGuid, kind, data } of read('sessionRows')) {
    const { seed } = data as Row
    if (kind === 'reveal' && typeof seed === 'string' && isSeed.test(seed)) seeds.set(String(sessionGuid), seed)
  }
  return { now, tournament, matches, seeds, currentSessions: await currentOf(source), media: await usesOf(source) }
}

const isSeed = /^[0-9a-f]{64}$/
const kindOf = new Map(kinds.map((kind) => [kind.name, kind]))

async function* rowsOf(source: PackageSource, name: string): AsyncIterable<Row> {
  for await (const { row } of readGiven(source, kindOf.get(name) as Kind)) yield row
}

/** A session that begins anew takes the place of the one before. (match-flows: Log and state) */
async function currentOf(source: PackageSource): Promise<ReadonlySet<string>> {
  const newest = new Map<string, readonly [at: string, guid: string]>()
  for await (const { guid, matchGuid, createdAt } of rowsOf(source, 'sessions')) {
    const own = [String(createdAt), String(guid)] as const
    const before = newest.get(String(matchGuid ?? guid))
    if (before === undefined || before.join() < own.join()) newest.set(String(matchGuid ?? guid), own)
  }
  return new Set([...newest.values()].map(([, guid]) => guid))
}

interface Use {
  readonly kind: MediaKind
  readonly teamGuid: string | null
}

/** What each medium is used for: the first use that is found. */
async function usesOf(source: PackageSource): Promise<ReadonlyMap<string, Use>> {
  const types = new Map<string, string>()
  for await (const { guid, type } of rowsOf(source, 'media')) types.set(String(guid), String(type))
  const uses = new Map<string, Use>()
  if (types.size === 0) return uses
  const note = (guid: string, kind: MediaKind, teamGuid: string | null = null) => {
    if (types.has(guid) && !uses.has(guid)) uses.set(guid, { kind, teamGuid })
  }
  const shown = (address: unknown) => {
    const own = typeof address === 'string' ? mediaGuidIn(packagedOrigin, address) : 'foreign'
    return typeof own === 'object' ? [own.guid] : []
  }
  for (const { kind, of } of pictured) {
    for await (const row of rowsOf(source, kind)) {
      for (const [field, name] of Object.entries(of)) {
        for (const guid of shown(row[field])) note(guid, name, kind === 'teams' ? String(row.guid) : null)
      }
    }
  }
  for (const { kind, as } of texts) {
    for await (const row of rowsOf(source, kind)) {
      withGuids(JSON.stringify(row), (guid) => {
        note(guid, as(types.get(guid) ?? ''))
        return guid
      })
    }
  }
  return uses
}

const pictured: readonly { readonly kind: string; readonly of: Readonly<Record<string, MediaKind>> }[] = [
  { kind: 'tournament', of: pictureFields.tournament },
  { kind: 'teams', of: pictureFields.team },
  { kind: 'badges', of: { imageUrl: 'badge_image' } },
]

const inOverlay = (type: string): MediaKind =>
  type.startsWith('video/') ? 'overlay_video' : type.startsWith('font/') ? 'overlay_font' : 'overlay_image'
const inText = (): MediaKind => 'update_image'

/** Kinds whose texts and documents name media by their GUIDs. */
const texts: readonly { readonly kind: string; readonly as: (type: string) => MediaKind }[] = [
  { kind: 'overlayVersions', as: inOverlay },
  { kind: 'tournament', as: inText },
  { kind: 'updates', as: inText },
  { kind: 'pools', as: inText },
]
