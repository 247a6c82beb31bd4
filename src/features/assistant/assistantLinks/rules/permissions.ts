import type { AssistantLink } from '../types.ts'

/** The permissions at an assistant's server, under the assistant's own names. (AS3) */

const ofMatches = (name: string) => `tournament:match:${name}`
const ofPlayers = (name: string) => `tournament:player:${name}`
const ofQualifiers = (name: string) => `tournament:qualifier:${name}`
const ofSettings = (name: string) => `tournament:settings:${name}`

/** A session cannot be opened without these. */
const needs = {
  'assistant.open': ['tournament:join', ...['create_match', 'add_user_to_match', 'set_match_leader'].map(ofMatches)],
  'assistant.setMap': [ofMatches('set_match_map')],
  'assistant.load': [ofPlayers('load_song')],
  'assistant.play': [ofPlayers('play_song')],
  'assistant.return': [ofPlayers('return_to_menu')],
} as const

/** A missing permission disables only the operation that it belongs to. */
const wishes = {
  'assistant.readyCheck': [ofPlayers('show_prompt')],
  'assistant.syncColor': [ofPlayers('play_with_stream_sync')],
  'assistant.modify': [ofPlayers('modify_gameplay')],
} as const

/** A push needs one of these two groups: one for pools, one for the maps of qualifiers. */
const pushes = [['add_pool', 'add_pool_maps'].map(ofSettings), ['add_maps'].map(ofQualifiers)]

const further = [
  ...['delete_match', 'remove_user_from_match'].map(ofMatches),
  ...['get_qualifier_scores', 'see_hidden_qualifier_scores'].map(ofQualifiers),
  ...['update_map', 'remove_map', 'refund_attempts'].map(ofQualifiers),
  ...['set_pool_name', 'update_pool_maps', 'remove_pool_maps'].map(ofSettings),
]

export const neededPermissions: readonly string[] = Object.values(needs).flat()
export const wishedPermissions: readonly string[] = [...Object.values(wishes).flat(), ...pushes.flat(), ...further]

const operations: Readonly<Record<string, readonly string[]>> = { ...needs, ...wishes }

/** The permissions that an operation needs at the assistant. (AS3) */
export function permissionsOf(operation: keyof typeof needs | keyof typeof wishes): readonly string[] {
  return operations[operation] ?? []
}

/**
 * The operations that cannot be used. A missing permission disables only the operations that need it. Reading a
 * qualifier's results is never disabled, because they also come from elsewhere. (AS3)
 * @param missing permissions that the link is known to lack
 */
export function unusableWith(missing: readonly string[]): string[] {
  const lacks = (permissions: readonly string[]) => permissions.some((one) => missing.includes(one))
  const unusable = Object.keys(operations).filter((name) => lacks(operations[name] ?? []))
  return pushes.every(lacks) ? [...unusable, 'assistant.push'] : unusable
}

export interface MissingPermissions {
  readonly needed: readonly string[]
  readonly wished: readonly string[]
}

/** The missing permissions, separated into needed and wished-for ones. (AS3) */
export function missingOf(held: readonly string[]): MissingPermissions {
  const isMissing = (permission: string) => !held.includes(permission)
  return { needed: neededPermissions.filter(isMissing), wished: wishedPermissions.filter(isMissing) }
}

/** All permissions that a link is known to lack; empty if it has never connected. (AS3) */
export function missingPermissionsOf({ lastConnectedAt, permissions }: AssistantLink): readonly string[] {
  if (lastConnectedAt === null) return []
  const { needed, wished } = missingOf(permissions)
  return [...needed, ...wished]
}
