import type { Tx } from '../../../../infra/db/database.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import { followingRow, type Origin } from '../rules/following.ts'
import { findCurrentOfMatches } from '../store/sessions.ts'
import { type OpenSession, openSession, renewSeed, writeRows } from './log.ts'

export type { Origin } from '../rules/following.ts'

/** More rows than this no change of a match needs: one for each of its games, and a few around them. */
const mostRows = 250

/**
 * Has the sessions of matches that were changed say the same in their logs. Call under the lock of the bracket, with the
 * matches as they are now.
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
 * The same for a session that is open, as it is then: what its own log made of its match may be another end than the log has,
 * where a team has left since.
 */
export async function followMatch(
  tx: Tx,
  session: OpenSession,
  match: MatchRecord,
  origin: Origin,
): Promise<OpenSession> {
  let open = session
  for (let written = 0; written < mostRows; written += 1) {
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
