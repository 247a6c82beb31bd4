import { Type } from 'typebox'
import { signedIn } from '../../../../core/actor.ts'
import { normaliseGuid } from '../../../../core/ids.ts'
import { Answer, command, query } from '../../../../core/operation.ts'
import { nullable } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import { VoteBody } from '../bodies/voting.ts'
import { castVote, takeVoteBack } from '../commands/voting.ts'
import { listOwnVotes, listRolled } from '../store/votes.ts'
import { NotEligible } from '../views/eligibility.ts'
import { CastVoteView, OwnVotesView, ownVotesView } from '../views/votes.ts'

const path = '/awards/:edition/categories/:category/vote'
const votesBudget = 'award-vote'

/** Takes no idempotency key, because answers are stored under keys: a user's choice is stored only in the vote. (A5) */
const vote = command({
  name: 'awards.vote',
  method: 'PUT',
  path,
  scope: 'rest:write',
  allow: signedIn,
  summary: 'Vote for a nominee of a category, in place of the vote that you have there.',
  description:
    'One vote for each user and category, which may be changed until voting closes; in a runoff, one more for who is tied. Who may vote is judged now, and again at the closing; a refusal lists every failed check in `failures`. Nobody but you is told what you chose, and you only while voting is open; whoever can read the service’s database could see it until the sealed votes are deleted, 30 days after the results. 300 votes an hour are taken of a user.',
  body: VoteBody,
  reply: { 200: CastVoteView },
  refusals: { 403: NotEligible },
  problems: {
    'award.voting_closed': 409,
    'award.nominee_unknown': 404,
    'award.nominee_declined': 409,
    'award.not_eligible': 403,
    'request.limited': 429,
  },
  prepare: async ({ actor, request }) => request.countUse(votesBudget, actor.guid),
  run: async ({ tx, actor, edition, category, body, now }) => {
    const nomineeGuid = normaliseGuid(body.nomineeGuid)
    await castVote(tx, actor, edition, category, nomineeGuid, now)
    return { categoryGuid: category.guid, nomineeGuid, castAt: formatInstant(now) }
  },
})

const takeBack = command({
  name: 'awards.takeVoteBack',
  method: 'DELETE',
  path,
  scope: 'rest:write',
  allow: signedIn,
  summary: 'Take your vote in a category back.',
  description: 'While voting is open. Where there is none, nothing happens.',
  reply: { 204: nullable(Type.String()) },
  problems: { 'award.voting_closed': 409, 'request.limited': 429 },
  prepare: async ({ actor, request }) => request.countUse(votesBudget, actor.guid),
  run: async ({ tx, actor, edition, category }) => {
    await takeVoteBack(tx, actor, edition, category)
    return new Answer(204)
  },
})

const own = query({
  name: 'awards.ownVotes',
  method: 'GET',
  path: '/awards/:edition/votes/@me',
  scope: 'rest:read',
  allow: signedIn,
  summary: 'Your own votes in an edition of awards.',
  description: 'With what you chose while voting is open; afterwards the categories alone, as the roll has them.',
  reply: { 200: OwnVotesView },
  run: async ({ db, actor, edition }) => {
    const [votes, rolled] = await Promise.all([
      listOwnVotes(db, edition.guid, actor.guid),
      listRolled(db, edition.guid, actor.guid),
    ])
    return ownVotesView(edition, votes, rolled)
  },
})

export const votingOperations = [vote, takeBack, own]
