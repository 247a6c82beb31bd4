import type { AssistantUser } from '../../../../infra/clients/assistant/messages.ts'
import type { Phase, SessionPlayer } from '../types.ts'
import { without } from './asking.ts'
import type { Draft, Expected, Machine, OpenPlay } from './machine.ts'

/**
 * The platform ids by which a player is found: the id that an operator chose, else those of the player's verified
 * accounts. (AS7)
 */
export function platformIdsOf({ mapped }: Machine, { userGuid, platformIds }: Expected): readonly string[] {
  const byHand = mapped.get(userGuid)
  if (byHand === undefined) return platformIds
  return byHand === null ? [] : [byHand]
}

/** A player's connection at the assistant; the newest one if several have a matching platform id. */
export function userOf(machine: Machine, player: Expected): AssistantUser | null {
  const ids = platformIdsOf(machine, player)
  let found: AssistantUser | null = null
  for (const user of machine.users.values()) {
    if (isPlayer(user) && ids.includes(user.platformId)) found = user
  }
  return found
}

/** An unknown kind of client, from a newer server, counts as a player. */
export function isPlayer({ clientType, platformId }: AssistantUser): boolean {
  return (clientType === 'player' || clientType === null) && platformId !== ''
}

export function playerOf(machine: Machine, userGuidAtAssistant: string): Expected | null {
  const user = machine.users.get(userGuidAtAssistant)
  if (user === undefined || !isPlayer(user)) return null
  return machine.expected.find((player) => platformIdsOf(machine, player).includes(user.platformId)) ?? null
}

export interface Present {
  readonly player: Expected
  readonly user: AssistantUser
}

export function presentOf(machine: Machine, among: readonly string[] | null = null): readonly Present[] {
  return machine.expected.flatMap((player) => {
    const user = among === null || among.includes(player.userGuid) ? userOf(machine, player) : null
    return user === null ? [] : [{ player, user }]
  })
}

export function missingOf(machine: Machine): readonly Expected[] {
  return machine.expected.filter((player) => userOf(machine, player) === null)
}

export function holdsMap({ loads }: Machine, userGuid: string): boolean {
  return loads.get(userGuid)?.state === 'loaded'
}

export function bannedModsOf({ settings }: Machine, { mods }: AssistantUser): readonly string[] {
  const banned = new Set(settings.bannedMods.map((name) => name.toLowerCase()))
  return mods
    .filter((mod) => banned.has((mod.split(/[ @:]/)[0] ?? '').toLowerCase()) || banned.has(mod.toLowerCase()))
    .slice(0, 20)
}

export function isInGame({ playState }: AssistantUser): boolean {
  return playState === 'game'
}

/** Whether the match exists at the assistant with this service in it. */
export function isAttached(machine: Machine): boolean {
  const { match, self } = machine
  return match !== null && self !== null && match.users.includes(self)
}

/** The phase of a session, computed from the state of the machine. */
export function phaseOf(machine: Machine): Phase {
  const { play, self, hasFinished, checks, loads, map } = machine
  if (play !== null) return play.state === 'started' || play.state === 'returning' ? 'playing' : 'starting'
  if (self === null || !isAttached(machine)) return 'idle'
  if (hasFinished) return 'finished'
  if ([...checks.values()].includes('asked')) return 'checking'
  if ([...loads.values()].some(({ state }) => state === 'loading')) return 'loading'
  if (missingOf(machine).length > 0) return 'players_missing'
  const everybody = machine.expected.length > 0 && machine.expected.every(({ userGuid }) => holdsMap(machine, userGuid))
  return map !== null && everybody ? 'loaded' : 'ready'
}

export function sessionPlayers(machine: Machine): readonly SessionPlayer[] {
  return machine.expected.map((player) => {
    const user = userOf(machine, player)
    const { userGuid, side } = player
    return {
      userGuid,
      side,
      platformId: user?.platformId ?? platformIdsOf(machine, player)[0] ?? null,
      mapped: machine.mapped.has(userGuid),
      connected: user !== null,
      playState: user?.playState ?? null,
      downloadState: user?.downloadState ?? null,
      load: machine.loads.get(userGuid) ?? { state: 'idle', error: null },
      readyCheck: machine.checks.get(userGuid) ?? 'none',
      bannedMods: user === null ? [] : bannedModsOf(machine, user),
      streamDelayMs: machine.delays.get(userGuid) ?? null,
    }
  })
}

/** Users in the match at the assistant who are neither our players nor this service. */
export function othersOf(machine: Machine) {
  const { match, self, users } = machine
  return [...new Set(match?.users ?? [])]
    .filter((guid) => guid !== self && playerOf(machine, guid) === null)
    .flatMap((guid) => {
      const user = users.get(guid)
      return user === undefined ? [] : [{ name: user.name, platformId: user.platformId, clientType: user.clientType }]
    })
    .slice(0, 50)
}

/** Forgets a player's loaded map and ready check after a reconnect, because the new connection has neither. */
export function forgetReadiness({ m }: Draft, userGuid: string): void {
  m.loads = without(m.loads, userGuid)
  m.checks = without(m.checks, userGuid)
}

/**
 * The present players of a song, found by the accounts with which they began it, because the line-up may have changed
 * since.
 */
export function playingUsers({ users }: Pick<Machine, 'users'>, { players }: Pick<OpenPlay, 'players'>) {
  const accounts = new Set(players.map(({ platformId }) => platformId))
  const byPlatformId = new Map<string, AssistantUser>()
  for (const user of users.values()) {
    if (accounts.has(user.platformId) && isPlayer(user)) byPlatformId.set(user.platformId, user)
  }
  return players.flatMap((player) => {
    const user = byPlatformId.get(player.platformId)
    return user === undefined ? [] : [{ player, user }]
  })
}

/** Whether a user at the assistant has an account of one of the song's players. */
export function playsNow({ play }: Machine, user: AssistantUser | undefined): boolean {
  return play?.players.some(({ platformId }) => platformId === user?.platformId) ?? false
}
