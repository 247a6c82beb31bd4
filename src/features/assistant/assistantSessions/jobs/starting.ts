import { Problem } from '../../../../core/problem.ts'
import type { SetContext } from '../../../../infra/jobs/lease-sets.ts'
import { findOpenPlay } from '../../proposals/store/plays.ts'
import { keepPlay } from '../commands/holding.ts'
import { readMatchContext, turnOf } from '../queries/context.ts'
import type { Effect, Machine } from '../rules/machine.ts'
import type { AssistantSession } from '../types.ts'
import type { Line } from './connecting.ts'

/**
 * Writes down a start before it is sent. (AS8)
 * @returns GUID of the play
 * @throws Problem `match.unknown`, `assistant.play_open`
 */
export async function keepStart(
  { database, now }: SetContext,
  { tournamentGuid, matchGuid, guid: sessionGuid }: AssistantSession,
  { link, joined }: Pick<Line, 'link' | 'joined'>,
  { matchGuid: assistantMatch }: Machine,
  { chosen, mode, players }: Effect & { readonly type: 'beginPlay' },
): Promise<string> {
  const context = await readMatchContext(database.db, matchGuid, now())
  if (context === null) throw new Problem('missing', 'match.unknown', 'The match is gone.')
  const turn = context.flow === null ? null : turnOf(context.flow, now())
  const played = context.match.games.length + 1
  const facts = {
    ...{ tournamentGuid, matchGuid, sessionGuid, flowSessionGuid: context.flowSession },
    ...{ game: turn?.game ?? played, run: turn?.run ?? 1, technical: turn?.technical ?? false },
    map: { ...chosen.map, maxScore: chosen.maxScore },
    ...{ mode, source: 'assistant' as const, expected: players, serverHost: link.host },
    ...{ serverVersion: joined?.serverVersion ?? null, assistantMatch },
  }
  try {
    return (await database.transaction((tx) => keepPlay(tx, facts, now()))).guid
  } catch (error) {
    if (error instanceof Problem) throw error
    // The connection may have broken behind the commit: what is open on disk then was not sent, and is this one.
    const open = await findOpenPlay(database.db, sessionGuid)
    if (open === undefined) throw error
    return open.guid
  }
}
