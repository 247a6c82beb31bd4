import type { SetContext } from '../../../../infra/jobs/lease-sets.ts'
import { findLink } from '../../assistantLinks/store.ts'
import type { AssistantLink } from '../../assistantLinks/types.ts'
import { findOpenPlay, listFinishes } from '../../proposals/store/plays.ts'
import type { Play } from '../../proposals/types.ts'
import { giveAnswer } from '../commands/holding.ts'
import { endSession } from '../commands/sessions.ts'
import { chooseKept, readMatchContext } from '../queries.ts'
import type { Machine, OpenPlay } from '../rules/machine.ts'
import { begin } from '../rules/step.ts'
import { listAbandoned } from '../store/commands.ts'
import { findSession, lockSession } from '../store/sessions.ts'
import type { AssistantSession } from '../types.ts'
import { answerHint } from './hints.ts'

export interface Recalled {
  readonly session: AssistantSession
  readonly link: AssistantLink
  readonly machine: Machine
}

/** Reads from the database the state from which the next process continues a session. (AS4, AS9) */
export async function recall(guid: string, context: SetContext): Promise<Recalled | null> {
  const { database, now } = context
  const session = await findSession(database.db, guid)
  if (session === undefined || session.closedAt !== null) return null
  const link = await findLink(database.db, session.tournamentGuid)
  const match = await readMatchContext(database.db, session.matchGuid, now())
  if (link === undefined || match === null) {
    await database.transaction(async (tx) => {
      const locked = await lockSession(tx, guid)
      if (locked === undefined || locked.closedAt !== null) return
      await endSession(tx, locked, { reason: 'not_linked', actor: null, deleteMatch: false, now: now() })
    })
    return null
  }
  await answerAbandoned(guid, context)
  const { players, map, warnings } = session.state
  const chosen = map === null ? null : await chooseKept(database.db, map)
  const play = await findOpenPlay(database.db, guid)
  const { bannedMods, permissions, defaults } = link
  const machine = begin({
    settings: { bannedMods, permissions, loadTimeoutMs: defaults.loadTimeoutMs },
    expected: match.expected,
    matchGuid: session.assistantMatch,
    isMatchOurs: session.isMatchOurs,
    mapped: new Map(players.filter(({ mapped }) => mapped).map(({ userGuid, platformId }) => [userGuid, platformId])),
    delays: new Map(
      players.flatMap(({ userGuid, streamDelayMs }) => (streamDelayMs === null ? [] : [[userGuid, streamDelayMs]])),
    ),
    map: chosen,
    warnings,
    play: play === undefined ? null : await openPlay(play, context),
  })
  return { session, link, machine }
}

async function openPlay(play: Play, { database }: SetContext): Promise<OpenPlay> {
  const { guid, map, mode, state, expected, startedAt, assistantMatch } = play
  const kept = await chooseKept(database.db, map)
  const finishes = await listFinishes(database.db, guid)
  const isStarted = state === 'started'
  return {
    guid,
    map: kept,
    mode,
    delayMs: 0,
    state: isStarted ? 'started' : 'sending',
    startedAt: startedAt.getTime(),
    players: expected.flatMap(({ platformId, ...player }) => (platformId === null ? [] : [{ ...player, platformId }])),
    inGame: new Set(isStarted ? expected.map(({ userGuid }) => userGuid) : []),
    finished: new Map(finishes.map(({ userGuid, completion }) => [userGuid, completion])),
    matchGuid: assistantMatch,
    isInterrupted: true,
    released: new Set(),
  }
}

/**
 * Answers commands that an ended process had taken. How far they were carried out is unknown, so they are never run
 * again.
 */
async function answerAbandoned(guid: string, { database, wake }: SetContext): Promise<void> {
  for (const { guid: command } of await listAbandoned(database.db, guid)) {
    const message = 'The process that carried this out has ended; look at the session before you send it again.'
    await database.transaction((tx) => giveAnswer(tx, command, { code: 'assistant.timeout', message }))
    wake.hint(answerHint, command)
  }
}
