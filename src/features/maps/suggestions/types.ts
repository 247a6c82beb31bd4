/** What poolers propose for pools, with their votes and comments. (pools: Suggestions, votes, comments) */

export const suggestionStatuses = ['open', 'accepted', 'rejected', 'withdrawn'] as const
export type SuggestionStatus = (typeof suggestionStatuses)[number]

export const voteValues = [-1, 0, 1] as const
export type VoteValue = (typeof voteValues)[number]
