import type { Request } from '../../../src/infra/clients/assistant/generated/requests_pb.ts'
import type { Identity, IdentityKind } from './tokens.ts'

/** The permissions of each kind of token, which can be overridden for single users. */

const areas = {
  tournament: ['view_tournament_in_list', 'join'],
  'tournament:settings': [
    ...['add_authorized_users', 'update_authorized_user_roles', 'remove_authorized_users', 'get_authorized_users'],
    ...['get_discord_info', 'set_name', 'set_image', 'set_enable_teams', 'set_enable_pools'],
    ...['set_show_tournament_button', 'set_show_qualifier_button', 'set_allow_unauthorized_view'],
    ...['set_score_update_frequency', 'set_banned_mods', 'add_team', 'set_team_name', 'set_team_image', 'remove_team'],
    ...['add_pool', 'set_pool_name', 'set_pool_image', 'add_pool_maps', 'update_pool_maps', 'remove_pool_maps'],
    ...['remove_pools', 'add_role', 'set_role_name', 'set_role_permissions', 'remove_role', 'delete'],
  ],
  'tournament:qualifier': [
    ...['get_qualifier_scores', 'submit_qualifier_scores', 'see_hidden_qualifier_scores', 'get_remaining_attempts'],
    ...['refund_attempts', 'create', 'set_name', 'set_image', 'set_info_channel', 'set_flags', 'set_leaderboard_sort'],
    ...['add_maps', 'update_map', 'remove_map', 'delete'],
  ],
  'tournament:player': [
    ...['return_to_menu', 'play_song', 'play_with_stream_sync', 'modify_gameplay', 'load_song', 'show_prompt'],
  ],
  'tournament:match': [
    ...['create_match', 'add_user_to_match', 'remove_user_from_match', 'set_match_leader', 'set_match_map'],
    'delete_match',
  ],
}

/** All permissions. */
export const allPermissions: readonly string[] = Object.entries(areas).flatMap(([area, names]) =>
  names.map((name) => `${area}:${name}`),
)

export const seeTournament = 'tournament:view_tournament_in_list'
const joinTournament = 'tournament:join'
export const seeHiddenScores = 'tournament:qualifier:see_hidden_qualifier_scores'

const reading = [seeTournament, joinTournament, 'tournament:qualifier:get_qualifier_scores']

export interface Permissions {
  /** The permissions of a user by the id on the chat platform, else of their kind of token. */
  of(identity: Pick<Identity, 'kind' | 'id'>): ReadonlySet<string>
  /** Removes permissions from a kind of token; the server notifies the clients, as when a role is edited. */
  lose(kind: IdentityKind, ...permissions: readonly string[]): void
  gain(kind: IdentityKind, ...permissions: readonly string[]): void
  /** Sets the permissions of one user, instead of those of their kind of token. */
  set(id: string, permissions: readonly string[]): void
}

export function createPermissions(changed: () => void): Permissions {
  const kinds: Record<IdentityKind, Set<string>> = {
    own: new Set(allPermissions),
    bot: new Set(allPermissions),
    game: new Set([...reading, 'tournament:qualifier:submit_qualifier_scores']),
    readonly: new Set(reading),
  }
  const users = new Map<string, ReadonlySet<string>>()
  return {
    of: ({ kind, id }) => users.get(id) ?? kinds[kind],
    lose(kind, ...permissions) {
      for (const permission of permissions) kinds[kind].delete(permission)
      changed()
    },
    gain(kind, ...permissions) {
      for (const permission of permissions) kinds[kind].add(permission)
      changed()
    },
    set(id, permissions) {
      users.set(id, new Set(permissions))
      changed()
    },
  }
}

type RequestCase = Exclude<Request['type']['case'], undefined>

/** The permission that a request needs; a request that is not listed needs none, or is unknown. */
export const neededFor: Readonly<Partial<Record<RequestCase, string>>> = {
  join: joinTournament,
  createMatch: 'tournament:match:create_match',
  addUserToMatch: 'tournament:match:add_user_to_match',
  removeUserFromMatch: 'tournament:match:remove_user_from_match',
  setMatchLeader: 'tournament:match:set_match_leader',
  setMatchMap: 'tournament:match:set_match_map',
  deleteMatch: 'tournament:match:delete_match',
  loadSong: 'tournament:player:load_song',
  showPrompt: 'tournament:player:show_prompt',
  qualifierScores: 'tournament:qualifier:get_qualifier_scores',
  submitQualifierScore: 'tournament:qualifier:submit_qualifier_scores',
  remainingAttempts: 'tournament:qualifier:get_remaining_attempts',
  refundAttempts: 'tournament:qualifier:refund_attempts',
  addQualifierMaps: 'tournament:qualifier:add_maps',
  updateQualifierMap: 'tournament:qualifier:update_map',
  removeQualifierMap: 'tournament:qualifier:remove_map',
  addTournamentPool: 'tournament:settings:add_pool',
  setTournamentPoolName: 'tournament:settings:set_pool_name',
  addTournamentPoolMaps: 'tournament:settings:add_pool_maps',
  updateTournamentPoolMap: 'tournament:settings:update_pool_maps',
  removeTournamentPoolMap: 'tournament:settings:remove_pool_maps',
  removeTournamentPool: 'tournament:settings:remove_pools',
}
