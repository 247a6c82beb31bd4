import type { Static } from 'typebox'
import type { SignedIn } from '../../../core/actor.ts'
import { decodeCursor, defaultPageSize, isMakingPosition, makingPosition, toPage } from '../../../core/page.ts'
import type { Db } from '../../../infra/db/database.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import { isHeadPooler, isPooler } from '../../tournaments/access/policy.ts'
import { listPlayingPoolers } from '../../tournaments/access/store.ts'
import { listMapsByGuid } from '../catalogue/store.ts'
import type { CatalogueMap } from '../catalogue/types.ts'
import { maySeeVotes } from '../pools/policy.ts'
import { readPoolingSettings } from '../pools/store/flairs.ts'
import { listUsedBefore } from '../pools/store/used-before.ts'
import { isVotable } from './rules.ts'
import { countComments, listComments } from './store/comments.ts'
import { listOldestOpen } from './store/suggestions.ts'
import { countVotes, listVotes } from './store/votes.ts'
import type { Comment, Suggestion, Target } from './types.ts'
import {
  type CommentView,
  commentView,
  type Discussed,
  type SuggestionView,
  suggestionView,
  type VotesView,
  voteView,
} from './views.ts'

export interface Paging {
  readonly limit?: number
  readonly before?: string
}

const listName = 'pool_comments'

/** Returns one page of the comments on a target, with the GUIDs of the users to show. */
export async function readComments(db: Db, target: Target, { limit = defaultPageSize, before }: Paging) {
  const after = decodeCursor(listName, before, isMakingPosition)
  const rows = await listComments(db, target, { after, limit })
  const { items, nextCursor } = toPage(listName, rows, limit, makingPosition)
  return { comments: await viewComments(db, items), nextCursor, authors: authorsOf(items) }
}

function authorsOf(comments: readonly Comment[]): string[] {
  return [...new Set(comments.filter(({ deletedAt }) => deletedAt === null).map(({ authorGuid }) => authorGuid))]
}

async function viewComments(db: Db, comments: readonly Comment[]): Promise<Static<typeof CommentView>[]> {
  const users = await listUserFacts(db, authorsOf(comments))
  return comments.map((comment) => commentView(comment, users.get(comment.authorGuid)))
}

export async function viewComment(db: Db, comment: Comment): Promise<Static<typeof CommentView>> {
  const [view] = await viewComments(db, [comment])
  if (view === undefined) throw new Error('one comment was asked for')
  return view
}

export interface Viewer {
  readonly actor: SignedIn
  readonly tournamentGuid: string
  readonly now: Date
}

/** Returns the views of the given suggestions, in the given order, for an actor who may see them. */
export async function viewSuggestions(
  db: Db,
  records: readonly Suggestion[],
  viewer: Viewer,
): Promise<SuggestionView[]> {
  const isForPooler = isPooler(viewer.actor)
  const named = records.flatMap(({ suggestedByGuid, decidedByGuid }) =>
    isForPooler && decidedByGuid !== null ? [suggestedByGuid, decidedByGuid] : [suggestedByGuid],
  )
  const [maps, users] = await Promise.all([
    listMapsByGuid(db, [...new Set(records.map(({ mapGuid }) => mapGuid))]),
    listUserFacts(db, named),
  ])
  const mapOf = new Map(maps.map((map) => [map.guid, map]))
  const discussedOf = isForPooler ? await readDiscussed(db, records, maps, viewer) : () => null
  return records.map((record) => {
    const [map, suggestedBy] = [mapOf.get(record.mapGuid), users.get(record.suggestedByGuid)]
    if (map === undefined || suggestedBy === undefined) throw new Error('a suggestion has no map, or is nobody’s')
    const discussed = discussedOf(record)
    const decidedBy = users.get(record.decidedByGuid ?? '') ?? null
    return suggestionView(record, map, suggestedBy, discussed && { ...discussed, decidedBy })
  })
}

type Found = Omit<Discussed, 'decidedBy'>

async function readDiscussed(
  db: Db,
  records: readonly Suggestion[],
  maps: readonly CatalogueMap[],
  { actor, tournamentGuid, now }: Viewer,
): Promise<(record: Suggestion) => Found> {
  const guids = records.map(({ guid }) => guid)
  const makers = records.map(({ suggestedByGuid }) => suggestedByGuid)
  const [settings, countedOf, comments, usedBefore, oldest, plays] = await Promise.all([
    readPoolingSettings(db, tournamentGuid),
    countVotes(db, guids, actor.guid),
    countComments(db, guids),
    listUsedBefore(db, { tournamentGuid, maps: maps.map(({ guid, ...map }) => ({ mapGuid: guid, ...map })), now }),
    listOldestOpen(
      db,
      tournamentGuid,
      maps.map(({ guid }) => guid),
    ),
    isHeadPooler(actor) ? listPlayingPoolers(db, tournamentGuid, makers) : null,
  ])
  return ({ guid, mapGuid, status }) => {
    const { tally, mine } = countedOf(guid)
    const isOpen = isVotable(status)
    const first = oldest.get(mapGuid) ?? null
    return {
      tally: maySeeVotes(actor, settings, { isClosed: !isOpen, hasVoted: mine !== null }) ? tally : null,
      myVote: mine,
      comments: comments.get(guid) ?? 0,
      usedBefore: usedBefore.get(mapGuid) ?? [],
      duplicateOf: isOpen && first !== guid ? first : null,
      plays,
    }
  }
}

export async function viewSuggestion(db: Db, record: Suggestion, viewer: Viewer): Promise<SuggestionView> {
  const [view] = await viewSuggestions(db, [record], viewer)
  if (view === undefined) throw new Error('one suggestion was asked for')
  return view
}

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
