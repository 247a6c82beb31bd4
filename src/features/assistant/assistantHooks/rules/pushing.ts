import { conflict, invalid, type Problem, unavailable } from '../../../../core/problem.ts'
import { difficulties, type ListedMap, type Parameters } from '../../../../infra/clients/assistant/messages.ts'
import type { AssistantFailure } from '../../../../infra/clients/assistant/request.ts'
import type { QualifierMap, QualifierStatus } from '../../../brackets/qualifiers/types.ts'
import type { Pool, PoolMap, WholePoolMap } from '../../../maps/pools/types.ts'
import { outcomeOf } from '../../assistantLinks/rules/outcomes.ts'
import type { AssistantLink } from '../../assistantLinks/types.ts'

/** Compares this service's maps with those at an assistant, and plans the push. (AS25) */

/** A map of this service, by its GUID here. */
export interface OwnMap {
  readonly guid: string
  /** null if the assistant does not know the difficulty. */
  readonly parameters: Parameters | null
}

type How = Pick<PoolMap, 'modifiers' | 'playerOptions' | 'options'>

const plainly: How = {
  modifiers: [],
  playerOptions: [],
  options: {
    disablePause: false,
    disableFail: false,
    disableScoreSubmission: false,
    showScoreboard: false,
    disableCustomNotesOnStream: false,
    target: null,
  },
}

/** @param how the options of the map in its pool; undefined if it came from no pool */
export function ownMap(
  guid: string,
  map: Pick<QualifierMap, 'hash' | 'characteristic' | 'difficulty' | 'name'>,
  how: How | undefined,
  attempts: number,
): OwnMap {
  const { hash, characteristic, name } = map
  const difficulty = difficulties.find((known) => known.toLowerCase() === map.difficulty.toLowerCase())
  if (difficulty === undefined) return { guid, parameters: null }
  const { modifiers, playerOptions, options } = how ?? plainly
  const { target, ...rest } = options
  const played = { hash, characteristic, difficulty, name: name ?? hash, modifiers, playerOptions }
  return { guid, parameters: { ...played, ...rest, target: target ?? 0, attempts } }
}

/** The maps of a pool that everybody may see. Staged maps stay secret. (AS25; pools: What outsiders see) */
export function shownMaps(maps: readonly WholePoolMap[]): readonly OwnMap[] {
  return maps
    .filter(({ releasedAt }) => releasedAt !== null)
    .map((map) => ownMap(map.guid, map.map, map, map.attempts ?? 0))
}

/** What a push adds, updates and removes at the assistant. */
export interface PushPlan {
  readonly added: readonly { readonly guid: string; readonly map: Parameters }[]
  readonly updated: readonly { readonly guid: string; readonly mapGuid: string; readonly map: Parameters }[]
  /** GUIDs at the assistant of the maps to remove. */
  readonly removed: readonly string[]
  readonly unchanged: number
  /** GUIDs of our maps that the assistant cannot represent. */
  readonly impossible: readonly string[]
}

/**
 * Plans a push. Maps are compared by level, characteristic and difficulty. Foreign maps stay unless `remove` is set,
 * and a second run changes nothing. (AS25)
 */
export function planPush(held: readonly ListedMap[], own: readonly OwnMap[], remove: boolean): PushPlan {
  const left = new Set(held)
  const added: PushPlan['added'][number][] = []
  const updated: PushPlan['updated'][number][] = []
  const impossible: string[] = []
  let unchanged = 0
  for (const { guid, parameters: map } of own) {
    if (map === null) {
      impossible.push(guid)
      continue
    }
    const before = [...left].find((one) => isSameMap(one, map))
    if (before === undefined) {
      added.push({ guid, map })
      continue
    }
    left.delete(before)
    if (before.parameters !== null && isPlayedAlike(before.parameters, map)) unchanged++
    else updated.push({ guid, mapGuid: before.guid, map })
  }
  return { added, updated, removed: remove ? [...left].map(({ guid }) => guid) : [], unchanged, impossible }
}

function isSameMap({ hash, characteristic, difficulty }: ListedMap, map: Parameters): boolean {
  return (
    hash?.toLowerCase() === map.hash.toLowerCase() &&
    characteristic.toLowerCase() === map.characteristic.toLowerCase() &&
    difficulty === map.difficulty
  )
}

const switches = [
  ...(['disablePause', 'disableFail', 'disableScoreSubmission', 'showScoreboard'] as const),
  ...(['disableCustomNotesOnStream', 'target', 'attempts'] as const),
] as const

/** Compares how two maps are played. Names are ignored: the assistant's users may choose them. */
function isPlayedAlike(one: Parameters, other: Parameters): boolean {
  const isSameSet = (names: readonly string[], others: readonly string[]) =>
    [...new Set(names)].toSorted().join() === [...new Set(others)].toSorted().join()
  return (
    switches.every((name) => one[name] === other[name]) &&
    isSameSet(one.modifiers, other.modifiers) &&
    isSameSet(one.playerOptions, other.playerOptions)
  )
}

/** @throws Problem `assistant.invalid` */
export function readTarget({ pool, qualifier }: { readonly pool?: string; readonly qualifier?: string }) {
  if (pool !== undefined && qualifier === undefined) return { pool }
  if (qualifier !== undefined && pool === undefined) return { qualifier }
  throw invalid('assistant.invalid', 'Name either a "pool" or, by "qualifier", an event of the assistant.')
}

/** @throws Problem `assistant.readonly` */
export function checkMayWrite({ tokenKind }: Pick<AssistantLink, 'tokenKind'>): void {
  if (tokenKind !== 'readonly') return
  throw conflict('assistant.readonly', 'The link of the tournament may only read; give it a token of another kind.')
}

/** Two pushes at the same time would both add the maps that both find missing. (AS25) */
export function pushRunning(): Problem {
  return conflict('assistant.push_running', 'A push of this tournament is under way; try again when it is over.')
}

/** Only a published pool may be pushed, because everybody may see it. (AS25) @throws Problem `pool.not_published` */
export function checkPublished({ status }: Pick<Pool, 'status'>): void {
  if (status === 'published') return
  throw conflict('pool.not_published', 'Only a published pool can be pushed; publish it first.')
}

/**
 * The maps of a draft qualifier are secret until it opens. (AS25; additions: Qualifiers)
 * @throws Problem `qualifier.not_open`
 */
export function checkShows(status: QualifierStatus): void {
  if (status !== 'draft') return
  throw conflict('qualifier.not_open', 'The qualifier is a draft; open it before its maps are pushed.')
}

/**
 * The problem for a failed request to the assistant: 503 for a timeout and an unreachable server, else 409. (assistant:
 * Failures)
 */
export function problemOfFailure(failure: AssistantFailure): Problem {
  const { code, message } = outcomeOf(failure)
  const isGone = code === 'assistant.timeout' || code === 'assistant.unreachable'
  return isGone ? unavailable(code, message) : conflict(code, message)
}

/** The codes of `problemOfFailure`, with their statuses. */
export const failureProblems = {
  'assistant.version': 409,
  'assistant.unauthorised': 409,
  'assistant.password': 409,
  'assistant.tournament_unknown': 409,
  'assistant.permission': 409,
  'assistant.protocol': 409,
  'assistant.actor_lost': 409,
  'assistant.timeout': 503,
  'assistant.unreachable': 503,
} as const
