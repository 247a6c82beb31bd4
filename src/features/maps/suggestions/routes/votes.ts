import { Type } from 'typebox'
import { Answer, command, query } from '../../../../core/operation.ts'
import { nullable } from '../../../../core/schema.ts'
import { poolers } from '../../pools/policy.ts'
import { poolPath } from '../../pools/routes/pools.ts'
import { VoteBody } from '../bodies.ts'
import { vote, withdrawVote } from '../commands/votes.ts'
import { readVotes } from '../queries.ts'
import { isVotable } from '../rules.ts'
import { VotesView } from '../views.ts'
import { suggestionPath } from './suggestions.ts'

export const poolMapPath = `${poolPath}/maps/:poolMap` as const

const suggestionVotePath = `${suggestionPath}/vote` as const
const poolMapVotePath = `${poolMapPath}/vote` as const

/** Topics do not deliver votes: what a pooler sees of them depends on whether the pooler has voted. */
const common = {
  allow: poolers,
  body: VoteBody,
  reply: { 200: VotesView },
  problems: { 'tournament.cancelled': 409, 'vote.closed': 409 },
} as const

const hidden =
  'How others voted is shown to heads always, to other poolers once they have voted themselves or voting is over, or where the tournament does not hide it.'

const onSuggestion = command({
  ...common,
  name: 'suggestions.vote',
  method: 'PUT',
  path: suggestionVotePath,
  scope: 'rest:write',
  socket: true,
  summary: 'Vote on a suggestion that is open; a vote that one had is replaced.',
  description: `Whoever suggested it may, too, as a pooler. ${hidden}`,
  run: async ({ tx, actor, tournament, suggestion, body, now }) => {
    await vote(tx, { actor, tournament, now }, { suggestion }, body.value)
    return readVotes(tx, { suggestionGuid: suggestion.guid }, true, { actor, tournamentGuid: tournament.guid, now })
  },
})

const offSuggestion = command({
  name: 'suggestions.withdrawVote',
  method: 'DELETE',
  path: suggestionVotePath,
  scope: 'rest:write',
  socket: true,
  allow: poolers,
  summary: 'Take one’s vote on a suggestion back.',
  description: 'While it is open. How others voted is hidden again.',
  reply: { 204: nullable(Type.String()) },
  problems: common.problems,
  run: async ({ tx, actor, tournament, suggestion, now }) => {
    await withdrawVote(tx, { actor, tournament, now }, { suggestion })
    return new Answer(204)
  },
})

const ofSuggestion = query({
  name: 'suggestions.readVote',
  method: 'GET',
  path: suggestionVotePath,
  scope: 'rest:read',
  allow: poolers,
  summary: 'How one voted on a suggestion, and how others did.',
  description: hidden,
  reply: { 200: VotesView },
  run: async ({ db, actor, tournament, suggestion, now }) => {
    const viewer = { actor, tournamentGuid: tournament.guid, now }
    return readVotes(db, { suggestionGuid: suggestion.guid }, isVotable(suggestion.status), viewer)
  },
})

const onMap = command({
  ...common,
  name: 'poolMaps.vote',
  method: 'PUT',
  path: poolMapVotePath,
  scope: 'rest:write',
  socket: true,
  summary: 'Vote on a map of a pool that is not published; a vote that one had is replaced.',
  description: hidden,
  run: async ({ tx, actor, tournament, poolMap, body, now }) => {
    await vote(tx, { actor, tournament, now }, { poolMap }, body.value)
    return readVotes(tx, { poolMapGuid: poolMap.guid }, true, { actor, tournamentGuid: tournament.guid, now })
  },
})

const offMap = command({
  name: 'poolMaps.withdrawVote',
  method: 'DELETE',
  path: poolMapVotePath,
  scope: 'rest:write',
  socket: true,
  allow: poolers,
  summary: 'Take one’s vote on a map of a pool back.',
  description: 'While the pool is not published. How others voted is hidden again.',
  reply: { 204: nullable(Type.String()) },
  problems: common.problems,
  run: async ({ tx, actor, tournament, poolMap, now }) => {
    await withdrawVote(tx, { actor, tournament, now }, { poolMap })
    return new Answer(204)
  },
})

const ofMap = query({
  name: 'poolMaps.readVote',
  method: 'GET',
  path: poolMapVotePath,
  scope: 'rest:read',
  allow: poolers,
  summary: 'How one voted on a map of a pool, and how others did.',
  description: hidden,
  reply: { 200: VotesView },
  run: async ({ db, actor, tournament, pool, poolMap, now }) => {
    const viewer = { actor, tournamentGuid: tournament.guid, now }
    return readVotes(db, { poolMapGuid: poolMap.guid }, isVotable(pool.status), viewer)
  },
})

export const votesOperations = [onSuggestion, offSuggestion, ofSuggestion, onMap, offMap, ofMap]
