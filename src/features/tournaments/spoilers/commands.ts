import type { SignedIn } from '../../../core/actor.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { findHorizon, moveHorizon } from '../../../infra/held/store.ts'
import { lockTournament } from '../tournaments/commands/lock.ts'
import { checkEnded, checkHeld, type Revealed } from './rules.ts'
import { findEnd, findMatch, listWaitingMatches } from './store.ts'

/** Shows what is due in a held tournament. */
export async function showDue(tx: Tx, tournament: string): Promise<void> {
  const moved = await moveHorizon(tx, tournament, 'due')
  if (moved === null || moved.changes === 0) return
  emit(tx, { type: 'spoilers.moved', subject: tournament, actor: null, touches: moved.touches })
}

export interface Reveal {
  readonly horizon: Date
  /** GUIDs of the matches that it shows in a later state. */
  readonly matches: readonly string[]
}

/**
 * Moves the horizon to the end of a match, with all that happened before it, or to now. The delay goes on from there.
 * (V3)
 * @throws Problem `spoiler.not_held`, `match.unknown`, `match.not_completed`
 */
export async function reveal(
  tx: Tx,
  actor: SignedIn,
  guid: string,
  { revealed, dryRun, now }: { readonly revealed: Revealed; readonly dryRun: boolean; readonly now: Date },
): Promise<Reveal> {
  const { tournament } = await lockTournament(tx, guid)
  checkHeld(tournament.spoilerMode)
  const match = revealed === 'all' ? null : revealed.match
  if (match !== null) checkEnded(await findMatch(tx, guid, match))
  const present = await findHorizon(tx, guid)
  const shown = present?.horizon ?? now
  const until = match === null ? now : ((await findEnd(tx, match)) ?? shown)
  const matches = await listWaitingMatches(tx, guid, match === null ? null : until)
  if (dryRun) return { horizon: new Date(Math.max(until.getTime(), shown.getTime())), matches }
  const moved = await moveHorizon(tx, guid, match === null ? 'now' : until)
  const touches = moved?.touches ?? []
  emit(tx, {
    type: 'spoilers.revealed',
    subject: guid,
    tournament: guid,
    actor: actor.guid,
    after: { matchGuid: match },
    touches,
  })
  return { horizon: moved?.horizon ?? shown, matches }
}
