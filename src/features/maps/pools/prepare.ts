import { invalid, missing, unavailable } from '../../../core/problem.ts'
import { noOutside } from '../../../infra/http/refusals.ts'
import { coverFaults } from '../../../infra/pictures/data-uri.ts'
import type { Cover, Pictures } from '../../../infra/pictures/pictures.ts'
import type { Clients } from '../../../services.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { chooseDifficulty } from '../catalogue/rules/choosing.ts'
import { standard } from '../catalogue/rules/identities.ts'
import { readDifficulty, readReference } from '../catalogue/rules/references.ts'
import type { Answer, Choice, Finding, MapIdentity, SongReference, Wish } from '../catalogue/types.ts'

/** How a body names a map: by a reference with a difficulty, or by its GUID in this service. */
export interface MapInput {
  readonly ref?: string
  readonly mapGuid?: string
  readonly difficulty?: string | number
  readonly characteristic?: string
  readonly keepMissing?: boolean
}

/** A map that was looked up in the catalogue, or the GUID of a map that this service knows. */
export type NamedMap = { readonly identity: MapIdentity; readonly finding: Answer } | { readonly mapGuid: string }

/** Who asks for a map, and when. */
export interface Asking {
  readonly clients: Pick<Clients, 'catalogue'>
  readonly tournament: Pick<Tournament, 'guid' | 'rehearsalOf'>
  readonly now: Date
}

/**
 * Looks up the map that a body names; in a rehearsal among what is stored. (pools: Adding and importing, rule 2; R3)
 * @throws Problem `map.reference_invalid`, `map.difficulty_missing` and `map.difficulty_unknown` with the choices,
 *   `map.unknown`, `catalogue.unreachable`, `rehearsal.no_outside`
 */
export async function lookUpMap(input: MapInput, { clients, tournament, now }: Asking): Promise<NamedMap> {
  const { ref, mapGuid } = input
  if ((ref === undefined) === (mapGuid === undefined)) {
    throw invalid('map.reference_invalid', 'Name a map by "ref" or by "mapGuid".')
  }
  if (mapGuid !== undefined) return { mapGuid: mapGuid.toLowerCase() }
  const reference = readSongReference(ref ?? '')
  const wish = readWish(input)
  const isRehearsed = tournament.rehearsalOf !== null
  const rehearsal = isRehearsed ? { tournament: tournament.guid, instant: now, isFixed: false } : null
  const [finding] = await clients.catalogue.lookUp([reference], { rehearsal })
  if (finding === undefined) throw new Error('one map was asked for')
  if (isRehearsed && finding.outcome === 'unreachable' && finding.isFault !== true) throw noOutside()
  return { identity: identityOf(finding, wish, input.keepMissing === true), finding }
}

function readSongReference(text: string): SongReference {
  const read = readReference(text)
  if (!read.ok) throw invalid('map.reference_invalid', `The body's member "ref" ${read.reason}.`)
  if (read.value.kind !== 'playlist') return read.value
  throw invalid('map.reference_invalid', 'This names a playlist; import it to add its maps.')
}

function readWish(input: MapInput): Wish {
  const { difficulty } = input
  const characteristic = input.characteristic ?? null
  if (difficulty === undefined) return { difficulty: null, characteristic }
  const read = readDifficulty(difficulty)
  if (!read.ok) throw invalid('map.reference_invalid', `The body's member "difficulty" ${read.reason}.`)
  return { difficulty: read.value, characteristic }
}

function identityOf(finding: Finding, { difficulty, characteristic }: Wish, keepsMissing: boolean): MapIdentity {
  const { hash, named } = finding
  const wish = { difficulty: difficulty ?? named.difficulty, characteristic: characteristic ?? named.characteristic }
  if (finding.outcome === 'unreachable') {
    if (hash === null || wish.difficulty === null) throw unreachableCatalogue()
    return asWished(hash, wish, [])
  }
  if (finding.outcome === 'unknown') {
    if (hash === null || !keepsMissing) throw unknownMap()
    return asWished(hash, wish, [])
  }
  const { song } = finding
  const chosen = chooseDifficulty(song, wish)
  // The catalogue does not say which difficulties an older version had.
  if (hash !== null && hash !== song.hash) {
    if (chosen.outcome === 'chosen') return { hash, ...chosen.choice }
    return asWished(hash, wish, chosen.choices)
  }
  if (chosen.outcome === 'chosen') return { hash: song.hash, ...chosen.choice }
  throw chosen.outcome === 'missing' ? missingDifficulty(chosen.choices) : unknownDifficulty(chosen.choices)
}

/** Returns a map whose difficulty cannot be checked. */
function asWished(hash: string, { difficulty, characteristic }: Wish, choices: readonly Choice[]): MapIdentity {
  if (difficulty === null) throw missingDifficulty(choices)
  return { hash, difficulty, characteristic: characteristic ?? standard }
}

function missingDifficulty(choices: readonly Choice[]) {
  return invalid('map.difficulty_missing', 'Say which difficulty of the map is meant.', { choices })
}

function unknownDifficulty(choices: readonly Choice[]) {
  return invalid('map.difficulty_unknown', 'The map does not have this difficulty.', { choices })
}

export function unknownMap() {
  return missing('map.unknown', 'There is no such map.')
}

export function unreachableCatalogue() {
  return unavailable(
    'catalogue.unreachable',
    'The map catalogue does not answer; try again later, or name the map by its hash and a difficulty.',
  )
}

/**
 * Decodes the data URI of a cover; null removes the cover, undefined leaves it.
 * @throws Problem `pool.cover_invalid`
 */
export async function readCoverOf(
  pictures: Pictures,
  dataUri: string | null | undefined,
  account: string,
): Promise<{ readonly cover?: Cover | null }> {
  if (dataUri === undefined) return {}
  if (dataUri === null) return { cover: null }
  const read = await pictures.readCover(dataUri, account)
  if ('fault' in read) throw invalid('pool.cover_invalid', `The body's member "cover" ${coverFaults[read.fault]}.`)
  return { cover: read }
}
