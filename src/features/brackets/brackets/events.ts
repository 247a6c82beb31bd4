import type { EventTable, MembersOf, TournamentEvent } from '../../../core/events.ts'
import type { Settings, WithdrawalPolicy } from '../../../engine/types.ts'
import type { Placement } from '../../tournaments/tournaments/types.ts'
import type { LoggedRuling } from './rules/ties.ts'
import type { Bracket, Division } from './types.ts'

type DivisionSettings = Pick<Division, 'id' | 'name' | 'order'>
type Started = Pick<Bracket, 'name' | 'format' | 'status' | 'started'>
/** `entrants` and `matches` are counts. */
type Made = Pick<Bracket, 'name' | 'format' | 'status'> & {
  readonly entrants: number
  readonly matches: number
} & LoggedRuling
type Changes = MembersOf<Bracket, 'name' | 'order'> & Partial<Pick<Settings, 'bestOfByRound'>>
interface Placed {
  readonly entrants: readonly { readonly slot: number; readonly teamGuid: string | null }[]
}
interface Placements {
  readonly placements: readonly Placement[]
}

export type BracketEvent =
  | TournamentEvent<'division.created', { after: DivisionSettings }>
  | TournamentEvent<'division.updated', { before: Partial<DivisionSettings>; after: Partial<DivisionSettings> }>
  /** Its brackets are deleted with it. */
  | TournamentEvent<'division.deleted', { before: DivisionSettings & { readonly bracketGuids: readonly string[] } }>
  | TournamentEvent<'bracket.created', { after: Pick<Bracket, 'divisionGuid' | 'order'> & Made }>
  | TournamentEvent<'bracket.updated', { before: Changes; after: Changes }>
  /** The matches were made anew; the old matches are lost. */
  | TournamentEvent<'bracket.generated', { before: Started; after: Made }>
  /** `changed` is the number of places that changed; `entrants` lists the first of them. */
  | TournamentEvent<'bracket.entrants_placed', { before: Placed; after: Placed & { readonly changed: number } }>
  /** `rounds` is the number of paired rounds; `matches` is the number of new matches. */
  | TournamentEvent<
      'bracket.round_paired',
      { before: { readonly rounds: number }; after: { readonly rounds: number; readonly matches: number } }
    >
  /** `matches` lists the numbers of the altered matches. */
  | TournamentEvent<
      'bracket.team_withdrawn',
      {
        after: { readonly teamGuid: string; readonly policy: WithdrawalPolicy; readonly matches: readonly number[] }
      }
    >
  /** The team's withdrawal was taken back by the correction `correctionGuid`. */
  | TournamentEvent<
      'bracket.team_returned',
      {
        after: { readonly teamGuid: string; readonly correctionGuid: string; readonly matches: readonly number[] }
      }
    >
  | TournamentEvent<'bracket.deleted', { before: Pick<Bracket, 'divisionGuid'> & Started }>
  /** Placements that were lost and gained through a result that came after the tournament was completed. */
  | TournamentEvent<'tournament.placements_changed', { before: Placements; after: Placements }>

declare module '../../../core/events.ts' {
  interface Events {
    brackets: BracketEvent
  }
}

const division = { id: 'public', name: 'public', order: 'public' } as const
const started = { name: 'public', format: 'public', status: 'public', started: 'private' } as const
/** How the ties among the advancing teams were decided. Draws are public. (D67) */
export const rulingMembers = {
  ties: 'public',
  decidedBy: 'public',
  reason: 'private',
  commitment: 'public',
  drawSeed: 'public',
} as const
const whole = { name: 'public', format: 'public', status: 'public', entrants: 'public', matches: 'public' } as const
const made = { ...whole, ...rulingMembers } as const

export const bracketsEvents: EventTable<BracketEvent> = {
  'division.created': { subject: 'division', members: division },
  'division.updated': { subject: 'division', members: division },
  'division.deleted': { subject: 'division', members: { ...division, bracketGuids: 'public' } },
  'bracket.created': { subject: 'bracket', members: { ...made, divisionGuid: 'public', order: 'public' } },
  'bracket.updated': { subject: 'bracket', members: { name: 'public', order: 'public', bestOfByRound: 'public' } },
  'bracket.generated': { subject: 'bracket', members: { ...started, ...made } },
  'bracket.entrants_placed': { subject: 'bracket', members: { entrants: 'public', changed: 'private' } },
  'bracket.round_paired': { subject: 'bracket', members: { rounds: 'public', matches: 'public' } },
  'bracket.team_withdrawn': {
    subject: 'bracket',
    members: { teamGuid: 'public', policy: 'private', matches: 'public' },
  },
  'bracket.team_returned': {
    subject: 'bracket',
    members: { teamGuid: 'public', correctionGuid: 'private', matches: 'public' },
  },
  'bracket.deleted': { subject: 'bracket', members: { ...started, divisionGuid: 'public' } },
  'tournament.placements_changed': { subject: 'tournament', members: { placements: 'public' } },
}
