import type { Tx } from '../../../../infra/db/database.ts'
import { lockTournament } from '../../../tournaments/tournaments/commands/lock.ts'
import { unknownBracket } from '../../matches/rules.ts'
import { checkStructureOpen } from '../rules/divisions.ts'
import { lockBracket } from '../store/brackets.ts'
import type { Bracket } from '../types.ts'

/**
 * Locks the tournament for a change of its brackets. Call before any bracket is locked. (D25)
 * @throws Problem `tournament.unknown`, `tournament.over`
 */
export async function lockStructure(tx: Tx, tournamentGuid: string): Promise<void> {
  const { tournament } = await lockTournament(tx, tournamentGuid)
  checkStructureOpen(tournament)
}

/**
 * Locks a bracket, and optionally another bracket that is read, always in the same order.
 * @throws Problem `bracket.unknown`
 */
export async function lockBrackets(
  tx: Tx,
  guid: string,
  otherGuid?: string,
): Promise<readonly [Bracket, Bracket | undefined]> {
  const guids = otherGuid === undefined ? [guid] : [guid, otherGuid].sort()
  const locked = new Map<string, Bracket | undefined>()
  for (const each of guids) locked.set(each, await lockBracket(tx, each))
  const bracket = locked.get(guid)
  if (bracket === undefined) throw unknownBracket()
  return [bracket, otherGuid === undefined ? undefined : locked.get(otherGuid)]
}
