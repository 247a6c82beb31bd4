/** What poolers propose for pools, with their votes and comments. (pools: Suggestions, votes, comments) */

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
  /** Why it was decided as it was. */
  readonly reason: string | null
  readonly decidedByGuid: string | null
  readonly decidedAt: Date | null
  /** What became of it; it may have been taken out of the pool again. */
  readonly poolMapGuid: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What is voted on and talked about. */
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
  /** How often it was changed. */
  readonly changes: number
}

export interface Comment {
  readonly guid: string
  readonly tournamentGuid: string
  readonly suggestionGuid: string | null
  readonly poolMapGuid: string | null
  readonly authorGuid: string
  /** null once it was deleted. */
  readonly text: string | null
  readonly replyToGuid: string | null
  readonly createdAt: Date
  readonly editedAt: Date | null
  readonly deletedAt: Date | null
}
