import type { SignedIn } from '../../../../core/actor.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import { updateMatch } from '../../matches/store/matches.ts'
import type { MatchRecord } from '../../matches/types.ts'
import { consider, openMatch, withState } from './play.ts'

/**
 * Calls the teams of a match to play it. A match can be called if it could be started. (D85)
 * @throws Problem `match.not_ready`, `match.running`, `match.completed`, `match.cancelled`, `match.no_opponent`,
 *   `match.unknown`, `bracket.incomplete`, `bracket.unknown`, `tournament.cancelled`
 */
export async function callMatch(
  tx: Tx,
  actor: SignedIn,
  tournament: Tournament,
  found: MatchRecord,
  message: string | undefined,
  now: Date,
): Promise<MatchRecord> {
  const opened = await openMatch(tx, actor, tournament, found, now)
  const { match, open } = opened
  await withState(tx, actor, match, () => consider(tx, opened, { kind: 'start', match: found.number }))
  const after = await updateMatch(tx, found.guid, { calledAt: now }, true, now)
  const told = message?.trim()
  emit(tx, {
    type: 'match.called',
    subject: found.guid,
    tournament: tournament.guid,
    actor: actor.guid,
    after: {
      number: match.number,
      calledAt: formatInstant(now),
      ...(told ? { message: told } : {}),
      teams: [match.team1Guid, match.team2Guid].filter((guid) => guid !== null),
    },
    touches: [open.bracket.guid],
  })
  return after
}
