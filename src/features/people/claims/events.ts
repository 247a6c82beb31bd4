import type { EventTable, TournamentEvent } from '../../../core/events.ts'

interface Pair {
  readonly claimGuid: string
  readonly placeholderGuid: string
  readonly userGuid: string
}

export type ClaimEvent =
  | TournamentEvent<'claim.link_made', { after: { readonly linkGuid: string } }>
  | TournamentEvent<'claim.link_revoked', { before: { readonly linkGuid: string } }>
  /** In each tournament in which the placeholder had a place. */
  | TournamentEvent<'claim.made', { after: Pair }>
  /** The account loses the places of the placeholder. */
  | TournamentEvent<'claim.undone', { before: Pair; rights: true }>

declare module '../../../core/events.ts' {
  interface Events {
    claims: ClaimEvent
  }
}

const pair = { claimGuid: 'private', placeholderGuid: 'private', userGuid: 'private' } as const

export const claimsEvents: EventTable<ClaimEvent> = {
  'claim.link_made': { subject: 'user', members: { linkGuid: 'private' } },
  'claim.link_revoked': { subject: 'user', members: { linkGuid: 'private' } },
  'claim.made': { subject: 'user', members: pair },
  'claim.undone': { subject: 'user', members: pair },
}
