import type { SignedIn } from '../../../../core/actor.ts'
import { apply } from '../../../../engine/progress.ts'
import type { WithdrawalPolicy } from '../../../../engine/types.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { type Changed, type Withdrawal, withdrawTeam } from '../../../teams/teams/commands/teams.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import type { MatchRecord } from '../../matches/types.ts'
import { listBracketsToLeave, updateBracket, withdrawEntrant } from '../store/brackets.ts'
import { deliberate, openBoard, writeBoard } from './board.ts'
import { followPlacements } from './placements.ts'

/**
 * Takes a team out everywhere in one step: out of the tournament, and out of every bracket.
 * @throws Problem `tournament.over`, `team.withdrawn`, `withdrawal.void_not_possible`
 */
export async function withdraw(
  tx: Tx,
  actor: SignedIn,
  target: { readonly tournamentGuid: string; readonly teamGuid: string },
  withdrawal: Withdrawal,
  now: Date,
): Promise<Changed> {
  const { tournamentGuid, teamGuid } = target
  const changed = await withdrawTeam(tx, actor, tournamentGuid, teamGuid, withdrawal, now)
  await leaveBrackets(tx, actor, changed.tournament, { teamGuid, policy: withdrawal.policy }, now)
  return changed
}

interface Leaving {
  readonly teamGuid: string
  readonly policy: WithdrawalPolicy
}

/**
 * Takes a team out of every bracket: its open and future matches become walkovers, and the places of a tournament that is
 * over follow. What it left by walkovers alone can still be made void. Call under the tournament's lock, behind which brackets
 * are locked in order. (additions: D, 5; G5)
 * @throws Problem `withdrawal.void_not_possible`
 */
export async function leaveBrackets(
  tx: Tx,
  actor: SignedIn,
  tournament: Pick<Tournament, 'guid' | 'status'>,
  leaving: Leaving,
  now: Date,
): Promise<void> {
  const settlePlacements = await followPlacements(tx, tournament, actor.guid, now)
  for (const bracketGuid of await listBracketsToLeave(tx, leaving.teamGuid, leaving.policy)) {
    await withdrawFrom(tx, actor, bracketGuid, leaving, now)
  }
  await settlePlacements()
}

async function withdrawFrom(
  tx: Tx,
  actor: SignedIn,
  bracketGuid: string,
  { teamGuid, policy: wanted }: Leaving,
  now: Date,
): Promise<void> {
  const open = await openBoard(tx, bracketGuid)
  // What a bracket that is over gave stays as it is; whoever has left plays no match that a correction opens again.
  const policy = open.bracket.status === 'completed' ? 'walkover' : wanted
  if (open.withdrawn.get(teamGuid) === policy) return
  const matches = [...open.records.values()].filter((match) => isIn(match, teamGuid)).map(({ number }) => number)
  const considered = await deliberate(tx, open, (board) =>
    apply(board, { kind: 'withdraw', team: teamGuid, policy, matches }),
  )
  await withdrawEntrant(tx, bracketGuid, teamGuid, policy)
  const altered = await writeBoard(tx, considered, { by: actor.guid }, now)
  if (altered.matches.length === 0) await updateBracket(tx, bracketGuid, {}, now)
  emit(tx, {
    type: 'bracket.team_withdrawn',
    subject: bracketGuid,
    tournament: open.bracket.tournamentGuid,
    actor: actor.guid,
    after: { teamGuid, policy, matches: altered.matches.map(({ number }) => number) },
    touches: [teamGuid, ...altered.matches.map(({ guid }) => guid)],
  })
}

function isIn({ team1Guid, team2Guid }: MatchRecord, teamGuid: string): boolean {
  return team1Guid === teamGuid || team2Guid === teamGuid
}
