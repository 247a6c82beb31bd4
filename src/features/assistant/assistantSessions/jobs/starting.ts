import { Problem } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import type { SetContext } from '../../../../infra/jobs/lease-sets.ts'
import { findCurrentOfMatch, lockSession as lockFlow } from '../../../flows/flowSessions/store/sessions.ts'
import { findOpenPlay } from '../../proposals/store/plays.ts'
import type { Play } from '../../proposals/types.ts'
import { emitForced, savePlay } from '../commands/holding.ts'
import { sessionClosed } from '../commands/sessions.ts'
import { readMatchContext, turnOf } from '../queries.ts'
import type { Effect, Machine } from '../rules/machine.ts'
import { checkIsWorth } from '../rules/plays-without-result.ts'
import { lockSession } from '../store/sessions.ts'
import type { AssistantSession } from '../types.ts'
import type { Line } from './connecting.ts'

/**
 * Saves a start before it is sent. It locks the session, which may be closed by now, and the flow, which may be held or
 * over by now. (AS8, D75, D78)
 * @returns GUID of the play
 * @throws Problem `match.unknown`, `assistant.closed`, `assistant.play_open`, and those of `checkIsWorth`
 */
export async function saveStart(
  { database, now }: SetContext,
  session: AssistantSession,
  { link, joined }: Pick<Line, 'link' | 'joined'>,
  { matchGuid: assistantMatch }: Machine,
  { chosen, mode, players, force }: Effect & { readonly type: 'beginPlay' },
): Promise<string> {
  const { tournamentGuid, matchGuid, guid: sessionGuid } = session
  const save = async (tx: Tx): Promise<Play> => {
    const locked = await lockSession(tx, sessionGuid)
    if (locked === undefined || locked.closedAt !== null) throw sessionClosed()
    const current = await findCurrentOfMatch(tx, matchGuid)
    if (current !== undefined) await lockFlow(tx, current.guid)
    const context = await readMatchContext(tx, matchGuid, now())
    if (context === null) throw new Problem('missing', 'match.unknown', 'The match is gone.')
    const { isForced } = checkIsWorth('play', context, force)
    const turn = context.flow === null ? null : turnOf(context.flow, now())
    const played = context.match.games.length + 1
    const facts = {
      tournamentGuid,
      matchGuid,
      sessionGuid,
      flowSessionGuid: context.flowSession,
      game: turn?.game ?? played,
      run: turn?.run ?? 1,
      technical: turn?.technical ?? false,
      map: { ...chosen.map, maxScore: chosen.maxScore },
      mode,
      source: 'assistant' as const,
      expected: players,
      serverHost: link.host,
      serverVersion: joined?.serverVersion ?? null,
      assistantMatch,
    }
    const play = await savePlay(tx, facts, now())
    if (isForced && force !== null) emitForced(tx, locked, { play: play.guid, reason: force })
    return play
  }
  try {
    return (await database.transaction(save)).guid
  } catch (error) {
    if (error instanceof Problem) throw error
    // The database connection may have broken after the commit. The play that is open now is then this one, which was
    // not sent yet.
    const open = await findOpenPlay(database.db, sessionGuid)
    if (open === undefined) throw error
    return open.guid
  }
}
