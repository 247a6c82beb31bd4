import { invalid } from '../../../../core/problem.ts'
import { readInstant } from '../../../../core/time.ts'
import type { CatalogueMap } from '../../catalogue/types.ts'
import type { MapOptions, PoolMapSettings } from '../types.ts'

/** Reads and checks the settings of a map in a pool. (pools: Records, PoolMap) */

export const maxMaps = 200
export const maxNote = 300
export const maxStaffNote = 1_000
export const maxAttempts = 100
export const maxWeight = 1_000

/** Names from the assistant's GameOptions. */
export const modifiers = [
  ...['NoFail', 'NoBombs', 'NoArrows', 'NoObstacles', 'SlowSong', 'InstaFail', 'FailOnClash', 'BatteryEnergy'],
  ...['FastNotes', 'FastSong', 'DisappearingArrows', 'GhostNotes', 'DemoNoFail', 'DemoNoObstacles', 'StrictAngles'],
  ...['ProMode', 'ZenMode', 'SmallCubes', 'SuperFastSong'],
] as const

/** Names from the assistant's PlayerOptions. */
export const playerOptions = [
  ...['LeftHanded', 'StaticLights', 'NoHud', 'AdvancedHud', 'ReduceDebris', 'AutoPlayerHeight', 'NoFailEffects'],
  ...['AutoRestart', 'HideNoteSpawnEffect', 'AdaptiveSfx', 'ArcsHapticFeedback'],
] as const

const speeds: ReadonlySet<string> = new Set(['SlowSong', 'FastSong', 'SuperFastSong'])

export interface MapSettingsInput {
  readonly flairGuid?: string | null
  readonly isTiebreaker?: boolean
  readonly modifiers?: readonly string[]
  readonly playerOptions?: readonly string[]
  readonly options?: Partial<MapOptions>
  readonly attempts?: number | null
  readonly weight?: number
  readonly note?: string | null
  readonly releaseAt?: string | null
  readonly staffNote?: string | null
}

export const defaultOptions: MapOptions = {
  disablePause: false,
  disableFail: false,
  disableScoreSubmission: false,
  showScoreboard: false,
  disableCustomNotesOnStream: false,
  target: null,
}

export const defaultMapSettings: PoolMapSettings = {
  flairGuid: null,
  isTiebreaker: false,
  modifiers: [],
  playerOptions: [],
  options: defaultOptions,
  attempts: null,
  weight: 1,
  note: null,
  releaseAt: null,
  staffNote: null,
}

/**
 * Applies the given settings to the old ones. At most one of the three speed modifiers of a song is allowed.
 * @throws Problem `pool.map_invalid`
 */
export function readMapSettings(input: MapSettingsInput, before: PoolMapSettings): PoolMapSettings {
  const { flairGuid, note, staffNote, releaseAt, options, modifiers: asked, playerOptions: players, ...plain } = input
  const { isTiebreaker, attempts, weight } = plain
  const chosen = asked === undefined ? before.modifiers : inOrder(asked, modifiers)
  if (chosen.filter((name) => speeds.has(name)).length > 1) {
    throw invalid('pool.map_invalid', 'A map has at most one of SlowSong, FastSong and SuperFastSong.')
  }
  return {
    flairGuid: flairGuid === undefined ? before.flairGuid : (flairGuid?.toLowerCase() ?? null),
    isTiebreaker: isTiebreaker ?? before.isTiebreaker,
    modifiers: chosen,
    playerOptions: players === undefined ? before.playerOptions : inOrder(players, playerOptions),
    options: { ...before.options, ...options },
    attempts: attempts === undefined ? before.attempts : attempts,
    weight: weight ?? before.weight,
    note: note === undefined ? before.note : note || null,
    staffNote: staffNote === undefined ? before.staffNote : staffNote || null,
    releaseAt:
      releaseAt === undefined
        ? before.releaseAt
        : readInstant(releaseAt, (reason) => invalid('pool.map_invalid', `The body's member "releaseAt" ${reason}.`)),
  }
}

/** Returns each name once, in the assistant's order. */
function inOrder(asked: readonly string[], known: readonly string[]): string[] {
  const wanted = new Set(asked)
  return known.filter((name) => wanted.has(name))
}

interface Weighed extends Pick<CatalogueMap, 'hash' | 'characteristic'> {
  readonly difficulty: string
  readonly weight: number
}

/**
 * Whether the qualifier has the same maps as the pool, in the same order and with the same weights.
 * (pools: Which pool a match uses)
 */
export function isInSync(
  maps: readonly (Pick<PoolMapSettings, 'weight'> & { readonly map: Omit<Weighed, 'weight'> })[],
  ofQualifier: readonly Weighed[],
): boolean {
  const faceOf = ({ hash, characteristic, difficulty }: Omit<Weighed, 'weight'>) =>
    `${hash}/${characteristic}/${difficulty}`.toLowerCase()
  return (
    maps.length === ofQualifier.length &&
    ofQualifier.every((other, index) => {
      const own = maps[index]
      return own !== undefined && own.weight === other.weight && faceOf(own.map) === faceOf(other)
    })
  )
}
