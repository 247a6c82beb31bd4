/** Maps that users suggest for pools, with the votes and comments of poolers. (pools: Suggestions, votes, comments) */

export const suggestionStatuses = ['open', 'accepted', 'rejected', 'withdrawn'] as const
export type SuggestionStatus = (typeof suggestionStatuses)[number]

export const voteValues = [-1, 0, 1] as const
export type VoteValue = (typeof voteValues)[number]

export interface Suggestion {
  readonly guid: string
  readonly tournamentGuid: string
  readonly mapGuid: string
  readonly targetPoolGuid: string | null
  readonly targetFlairGuid: string | null
  readonly note: string | null
  readonly suggestedByGuid: string
  readonly status: SuggestionStatus
  /** Reason for the decision. */
  readonly reason: string | null
  readonly decidedByGuid: string | null
  readonly decidedAt: Date | null
  /** GUID of the pool map that the suggestion became. The map may have been removed from the pool since. */
  readonly poolMapGuid: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The target of votes and comments. */
export type Target = { readonly suggestionGuid: string } | { readonly poolMapGuid: string }

export interface Tally {
  readonly up: number
  readonly neutral: number
  readonly down: number
}

export interface Vote {
  readonly userGuid: string
  readonly value: VoteValue
  readonly votedAt: Date
  /** Number of times the vote was changed. */
  readonly changes: number
}

export interface Comment {
  readonly guid: string
  readonly tournamentGuid: string
  readonly suggestionGuid: string | null
  readonly poolMapGuid: string | null
  readonly authorGuid: string
  /** null if the comment was deleted. */
  readonly text: string | null
  readonly replyToGuid: string | null
  readonly createdAt: Date
  readonly editedAt: Date | null
  readonly deletedAt: Date | null
}
