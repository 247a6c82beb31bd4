import { eligible } from './legal-maps.ts'
import { activePenalties, type Claim, type Game, isAbout, type Machine, seatNumbers } from './machine.ts'
import { outcomeOf } from './outcomes.ts'

/** Which seats and players may claim a replay. (match-flows: Replays, technical replays, penalties) */

function counted({ claims }: Machine): readonly Claim[] {
  return claims.filter(({ status }) => status !== 'cancelled')
}

function hasLostReplays(machine: Machine, seat: number): boolean {
  return activePenalties(machine).some((penalty) => penalty.type === 'lose_replays' && penalty.seat === seat)
}

/** Number of replays that a player has left, where replays are counted by player. */
export function replaysOf(machine: Machine, seat: number, user: string): number {
  if (hasLostReplays(machine, seat)) return 0
  const used = counted(machine).filter((claim) => claim.seat === seat && claim.user === user).length
  return Math.max(0, machine.flow.rules.replays.perMatch - used)
}

export function replaysLeft(machine: Machine, seat: number): number {
  const { rule, perMatch, by } = machine.flow.rules.replays
  if (rule === 'none' || hasLostReplays(machine, seat)) return 0
  if (by === 'player') {
    return eligible(machine, seat).reduce((sum, user) => sum + replaysOf(machine, seat, user), 0)
  }
  return Math.max(0, perMatch - counted(machine).filter((claim) => claim.seat === seat).length)
}

/** The players of a seat's line-up who have a replay left. */
export function claimants(machine: Machine, game: Game, seat: number): readonly string[] {
  const lineup = game.chains.at(-1)?.runs.at(-1)?.lineups[seat - 1] ?? []
  return lineup.filter((user) => replaysOf(machine, seat, user) > 0)
}

export type ClaimRefusal = 'not_entitled' | 'map_limit' | 'none_left'

/** Why a seat may not claim a replay of the game; null if it may. Whether the claim window is open is not checked. */
export function claimRefusal(
  machine: Machine,
  game: Game,
  seat: number,
  user: string | null,
  { winner, verdict, because } = outcomeOf(machine, game),
): ClaimRefusal | null {
  const { rule, perMap, by } = machine.flow.rules.replays
  const holds = winner === null ? (verdict?.leaders.includes(seat) ?? true) : winner === seat
  const isRuled = because === 'map_loss' || because === 'awarded' || because === 'told' || game.isVoid
  if (rule === 'none' || holds || isRuled) return 'not_entitled'
  if (counted(machine).filter((claim) => isAbout(claim, game)).length >= perMap) return 'map_limit'
  const has = by === 'team' ? replaysLeft(machine, seat) > 0 : hasClaimant(machine, game, seat, user)
  return has ? null : 'none_left'
}

function hasClaimant(machine: Machine, game: Game, seat: number, user: string | null): boolean {
  const users = claimants(machine, game, seat)
  return user === null ? users.length > 0 : users.includes(user)
}

/** Seats that may still claim on a game whose run is complete. */
export function entitled(machine: Machine, game: Game, outcome = outcomeOf(machine, game)): readonly number[] {
  if (outcome.isLevel) return []
  return seatNumbers(machine).filter((seat) => claimRefusal(machine, game, seat, null, outcome) === null)
}
