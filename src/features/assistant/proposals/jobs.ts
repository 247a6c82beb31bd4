import { Problem } from '../../../core/problem.ts'
import type { DueWork } from '../../../infra/jobs/due.ts'
import { acceptDue } from './commands/due.ts'
import { completeQuietPlay } from './commands/finishing.ts'
import { leaveToOperators } from './commands/proposing.ts'
import { openMinutes, quietSeconds } from './rules/games.ts'
import { listQuietGamePlays } from './store/game-plays.ts'
import { findDueProposals } from './store/proposals.ts'

/** Accepts the proposals whose time has come. (AS20) */
const accepting: DueWork = {
  // A rehearsal has no match assistant.
  inRehearsals: false,
  name: 'proposals.accept',
  async run({ database, log }) {
    const { guids, nextMs } = await findDueProposals(database.db)
    for (const guid of guids) {
      // A failed proposal must not block the others.
      await database
        .transaction((tx) => acceptDue(tx, guid))
        .catch((err: unknown) => {
          if (err instanceof Problem) return database.transaction((tx) => leaveToOperators(tx, guid))
          throw err
        })
        .catch((err: unknown) => log.error({ err, proposal: guid }, 'accepting a proposal'))
    }
    return nextMs
  },
}

/** Completes songs that players' games reported, once the wait for other players is over. (AS17, AS31) */
const completing: DueWork = {
  // A rehearsal has no match assistant.
  inRehearsals: false,
  name: 'proposals.complete',
  async run({ database, log, now }) {
    const at = now()
    const since = (ms: number) => new Date(at.getTime() - ms)
    const plays = await listQuietGamePlays(database.db, {
      quietSince: since(quietSeconds * 1_000),
      openSince: since(openMinutes * 60_000),
    })
    for (const play of plays) {
      // A failed song must not block the others.
      await database
        .transaction((tx) => completeQuietPlay(tx, play, at))
        .catch((err: unknown) => log.error({ err, play: play.guid }, 'completing what a game told of'))
    }
    return null
  },
}

export const proposalsDue: readonly DueWork[] = [accepting, completing]
