import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { checkNotCancelled } from '../../../tournaments/tournaments/rules/status.ts'
import type { Writing } from '../../pools/commands/changing.ts'
import { unknownPool, unknownPoolMap } from '../../pools/resolve.ts'
import { findPoolMap } from '../../pools/store/maps.ts'
import type { PoolMap } from '../../pools/types.ts'
import { unknownSuggestion } from '../resolve.ts'
import { checkVotable } from '../rules.ts'
import { lockSuggestionForShare } from '../store/suggestions.ts'
import { lockPoolForShare } from '../store/surroundings.ts'
import { castVote, deleteVote } from '../store/votes.ts'
import type { Suggestion, VoteValue } from '../types.ts'

/** The target of a vote, as the request resolved it. */
export type VotedOn =
  | { readonly suggestion: Pick<Suggestion, 'guid'> }
  | { readonly poolMap: Pick<PoolMap, 'guid' | 'poolGuid'> }

/**
 * Votes, or changes the caller's vote. Several poolers may vote at the same time. The event says that the caller voted,
 * but not how. (pools: Suggestions, votes, comments, rule 4)
 * @throws Problem `tournament.cancelled`, `vote.closed`, and `suggestion.unknown`, `pool.unknown` or `pool.map_unknown`
 *   if the target is gone
 */
export async function vote(tx: Tx, writing: Writing, on: VotedOn, value: VoteValue): Promise<void> {
  const { actor, tournament, now } = writing
  await hold(tx, writing, on)
  const common = { tournament: tournament.guid, actor: actor.guid }
  if ('suggestion' in on) {
    const { guid } = on.suggestion
    const isChanged = await castVote(tx, { suggestionGuid: guid }, { userGuid: actor.guid, value, now })
    if (isChanged) emit(tx, { ...common, type: 'suggestion.voted', subject: guid })
  } else {
    const { guid } = on.poolMap
    const isChanged = await castVote(tx, { poolMapGuid: guid }, { userGuid: actor.guid, value, now })
    if (isChanged) emit(tx, { ...common, type: 'suggestion.map_voted', subject: guid })
  }
}

/**
 * Withdraws the caller's vote, if there is one.
 * @throws Problem `tournament.cancelled`, `vote.closed`, and `suggestion.unknown`, `pool.unknown` or `pool.map_unknown`
 *   if the target is gone
 */
export async function withdrawVote(tx: Tx, writing: Writing, on: VotedOn): Promise<void> {
  const { actor, tournament } = writing
  await hold(tx, writing, on)
  const common = { tournament: tournament.guid, actor: actor.guid }
  if ('suggestion' in on) {
    const { guid } = on.suggestion
    const wasThere = await deleteVote(tx, { suggestionGuid: guid }, actor.guid)
    if (wasThere) emit(tx, { ...common, type: 'suggestion.vote_withdrawn', subject: guid })
  } else {
    const { guid } = on.poolMap
    const wasThere = await deleteVote(tx, { poolMapGuid: guid }, actor.guid)
    if (wasThere) emit(tx, { ...common, type: 'suggestion.map_vote_withdrawn', subject: guid })
  }
}

/** Checks that voting is open, and takes a shared lock so that it stays open until the commit. */
async function hold(tx: Tx, { tournament }: Writing, on: VotedOn): Promise<void> {
  checkNotCancelled(tournament)
  if ('suggestion' in on) {
    const suggestion = await lockSuggestionForShare(tx, on.suggestion.guid)
    if (suggestion === undefined) throw unknownSuggestion()
    checkVotable(suggestion.status)
  } else {
    const status = await lockPoolForShare(tx, on.poolMap.poolGuid)
    if (status === undefined) throw unknownPool()
    if ((await findPoolMap(tx, on.poolMap.guid)) === undefined) throw unknownPoolMap()
    checkVotable(status)
  }
}
