import type { Tx } from '../../../../infra/db/database.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import { followingRow, type Origin } from '../rules/following.ts'
import { findCurrentOfMatches } from '../store/sessions.ts'
import { type OpenSession, openSession, renewSeed, writeRows } from './log.ts'

export type { Origin } from '../rules/following.ts'

/**
 * The maximum of rows that one change of a match adds. No change needs more: one row for each game and a few others.
 */
const maxRows = 250

/**
 * Adds rows to the logs of the changed matches' sessions, so that each log agrees with its match. Call under the lock
 * of the bracket, with the matches after the change.
 */
export async function followMatches(tx: Tx, matches: readonly MatchRecord[], origin: Origin): Promise<void> {
  const sessions = await findCurrentOfMatches(
    tx,
    matches.map(({ guid }) => guid),
  )
  for (const match of matches) {
    const session = sessions.get(match.guid)
    const open = session && (await openSession(tx, session.guid))
    if (open !== undefined) await followMatch(tx, open, match, origin)
  }
}

/**
 * Makes the log of one open session agree with its match. The match may have another outcome than the session's log,
 * because a team has withdrawn since.
 */
export async function followMatch(
  tx: Tx,
  session: OpenSession,
  match: MatchRecord,
  origin: Origin,
): Promise<OpenSession> {
  let open = session
  for (let written = 0; written < maxRows; written += 1) {
    const draft = followingRow(open.record, open.machine, match, origin)
    if (draft === null) break
    if (draft.kind === 'reopened') {
      const renewed = await renewSeed(tx, open)
      const data = { ...draft.data, commitment: renewed.commitment }
      open = await writeRows(tx, renewed, [{ ...draft, data }], origin.by)
    } else open = await writeRows(tx, open, [draft], origin.by)
  }
  return open
}
