import type { Static } from 'typebox'
import type { Db } from '../../../../infra/db/database.ts'
import { listUserFacts } from '../../../people/users/store/users.ts'
import { isHeadPooler } from '../../../tournaments/access/policy.ts'
import { listPlayingPoolers } from '../../../tournaments/access/store/playing.ts'
import { maySeeVotes } from '../../pools/policy.ts'
import { readPoolingSettings } from '../../pools/store/flairs.ts'
import { countVotes, listVotes } from '../store/votes.ts'
import type { Target } from '../types.ts'
import { type VotesView, voteView } from '../views/vote.ts'
import type { Viewer } from './suggestions.ts'

/** Returns the votes on one target, as the pooler may see them. */
export async function readVotes(
  db: Db,
  target: Target,
  isOpen: boolean,
  { actor, tournamentGuid }: Viewer,
): Promise<Static<typeof VotesView>> {
  const guid = 'suggestionGuid' in target ? target.suggestionGuid : target.poolMapGuid
  const [settings, countedOf] = await Promise.all([
    readPoolingSettings(db, tournamentGuid),
    countVotes(db, [guid], actor.guid),
  ])
  const { tally, mine: myVote } = countedOf(guid)
  if (!maySeeVotes(actor, settings, { isClosed: !isOpen, hasVoted: myVote !== null })) return { myVote, tally: null }
  const votes = await listVotes(db, target)
  const voters = votes.map(({ userGuid }) => userGuid)
  const [users, plays] = await Promise.all([
    listUserFacts(db, voters),
    isHeadPooler(actor) ? listPlayingPoolers(db, tournamentGuid, voters) : null,
  ])
  return {
    myVote,
    tally: { ...tally },
    votes: votes.flatMap((vote) => {
      const user = users.get(vote.userGuid)
      return user === undefined ? [] : [voteView(vote, user, plays)]
    }),
  }
}
