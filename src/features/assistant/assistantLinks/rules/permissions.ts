import type { AssistantLink } from '../types.ts'

/** What we may do at an assistant's server, by its own names. (AS3) */

/** Without these there is no session. */
export const neededPermissions = [
  'tournament:join',
  'tournament:match:create_match',
  'tournament:match:add_user_to_match',
  'tournament:match:set_match_leader',
  'tournament:match:set_match_map',
  'tournament:player:load_song',
  'tournament:player:play_song',
  'tournament:player:return_to_menu',
] as const

/** Without each of these something else is left out. */
export const wishedPermissions = [
  'tournament:player:show_prompt',
  'tournament:player:play_with_stream_sync',
  'tournament:player:modify_gameplay',
  'tournament:match:delete_match',
  'tournament:match:remove_user_from_match',
  'tournament:qualifier:get_qualifier_scores',
  'tournament:qualifier:see_hidden_qualifier_scores',
  'tournament:qualifier:add_maps',
  'tournament:qualifier:update_map',
  'tournament:qualifier:remove_map',
  'tournament:qualifier:refund_attempts',
  'tournament:settings:add_pool',
  'tournament:settings:set_pool_name',
  'tournament:settings:add_pool_maps',
  'tournament:settings:update_pool_maps',
  'tournament:settings:remove_pool_maps',
] as const

export interface MissingPermissions {
  readonly needed: readonly string[]
  readonly wished: readonly string[]
}

/** What is missing disables just what needs it: the needed and the wished-for are told apart. (AS3) */
export function missingOf(held: readonly string[]): MissingPermissions {
  const isMissing = (permission: string) => !held.includes(permission)
  return { needed: neededPermissions.filter(isMissing), wished: wishedPermissions.filter(isMissing) }
}

/** All that a link is known to lack; nothing while it was never connected. (AS3) */
export function missingPermissionsOf({ lastConnectedAt, permissions }: AssistantLink): readonly string[] {
  if (lastConnectedAt === null) return []
  const { needed, wished } = missingOf(permissions)
  return [...needed, ...wished]
}
