import { type Static, Type } from 'typebox'
import type { Actor } from '../../../../core/actor.ts'
import { Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import { rounds } from '../../../../engine/rounds.ts'
import {
  distributions,
  formats,
  grandFinals,
  sections,
  seedOrderings,
  tieBreakers,
  withdrawalPolicies,
} from '../../../../engine/types.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { listTeamSummaries } from '../../../teams/teams/store/summaries.ts'
import { TeamRef } from '../../../teams/teams/views/teams.ts'
import { toEngine } from '../../matches/rules.ts'
import type { MatchOutline } from '../../matches/store/matches.ts'
import type { MatchRecord } from '../../matches/types.ts'
import { listMatchViews, MatchView } from '../../matches/views.ts'
import type { Rematch } from '../rules/plan.ts'
import { standingsOf } from '../rules/plan.ts'
import { settingsShown } from '../rules/structure.ts'
import { type Bracket, type BracketEntrant, bracketStatuses } from '../types.ts'
import { StandingView, standingView } from './standing.ts'
import { rulingMembers, rulingView } from './ties.ts'

const BestOf = Type.Integer({ description: 'Games at most; odd.', examples: [3] })

/** The settings that the format uses; other settings are not returned. */
const SettingsView = Type.Object({
  bestOf: BestOf,
  bestOfByRound: Type.Unsafe<Readonly<Record<string, number>>>({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'By `section:round`.',
    examples: [{ 'upper:1': 3 }],
  }),
  seedOrdering: oneOf(seedOrderings),
  thirdPlace: Type.Optional(Type.Boolean()),
  grandFinal: Type.Optional(oneOf(grandFinals)),
  groups: Type.Optional(Type.Integer()),
  legs: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 })),
  distribution: Type.Optional(oneOf(distributions)),
  points: Type.Optional(Type.Object({ win: Type.Integer(), draw: Type.Integer(), loss: Type.Integer() })),
  allowDraws: Type.Optional(Type.Boolean()),
  rounds: Type.Optional(Type.Integer()),
  byePoints: Type.Optional(Type.Integer()),
  avoidRematches: Type.Optional(Type.Boolean()),
  tieBreakers: Type.Array(oneOf(tieBreakers)),
})

const EntrantView = Type.Object({
  slot: Type.Integer({ description: 'Place in the bracket, from 1.', examples: [1] }),
  seed: nullable(Type.Integer({ examples: [1] }), 'It belongs to the place: teams that change places change seeds.'),
  team: nullable(TeamRef, 'null for a place that is not taken yet.'),
  withdrawal: nullable(
    oneOf(withdrawalPolicies),
    'Of a team that has left: whether its results stay, or do not count.',
  ),
})

const RoundView = Type.Object({
  number: Type.Integer({ description: 'Within the section, from 1.', examples: [1] }),
  section: oneOf(sections),
  name: Type.String({ examples: ['Semi-finals'] }),
  bestOf: BestOf,
  matchGuids: Type.Array(Guid),
})

/** The schema of a bracket in a list, without its matches. (additions: Divisions, brackets, matches) */
export const BracketView = Type.Object(
  {
    guid: Guid,
    division: Guid,
    name: Type.String({ examples: ['Playoffs'] }),
    order: Type.Integer({ description: 'Brackets of a division are listed by it.', examples: [1] }),
    format: oneOf(formats),
    settings: SettingsView,
    status: oneOf(bracketStatuses, {
      description: 'A draft has a place without a team; nothing in it can be played.',
    }),
    entrants: Type.Array(EntrantView),
    rounds: Type.Array(RoundView, { description: 'In the order of play; Swiss brackets get theirs one by one.' }),
    revision: Type.Integer({ description: 'Grows with every change of the bracket or of a match.', examples: [1] }),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'Bracket' },
)
export type BracketView = Static<typeof BracketView>

export const WholeBracketView = Type.Object(
  {
    ...BracketView.properties,
    matches: Type.Array(MatchView),
    standings: Type.Array(StandingView),
    ...rulingMembers,
  },
  { title: 'BracketWithMatches' },
)
export type WholeBracketView = Static<typeof WholeBracketView>

/** Members that only the answer to creating or generating a bracket has, not the answer to reading it. (D68) */
export const MadeBracketView = Type.Object(
  {
    ...WholeBracketView.properties,
    rematches: Type.Optional(
      Type.Array(
        Type.Object({
          number: Type.Integer({ description: 'Of the match.', examples: [12] }),
          groupIndex: Type.Integer({ description: 'Where they have met, from 0.' }),
          teams: Type.Array(TeamRef),
        }),
        { description: 'Matches of the first round between teams of one group, where that cannot be avoided.' },
      ),
    ),
  },
  { title: 'NewBracketWithMatches' },
)

export async function madeBracketView(
  db: Db,
  made: Parameters<typeof wholeBracketView>[1] & {
    readonly rematches: readonly Rematch[]
  },
  viewer: Actor,
): Promise<Static<typeof MadeBracketView>> {
  const { rematches } = made
  const [view, teams] = await Promise.all([
    wholeBracketView(db, made, viewer),
    listTeamSummaries(
      db,
      rematches.flatMap((rematch) => rematch.teams),
    ),
  ])
  const shown = rematches.map((rematch) => ({
    ...rematch,
    teams: rematch.teams.flatMap((guid) => teams.get(guid) ?? []),
  }))
  return { ...view, ...(shown.length === 0 ? {} : { rematches: shown }) }
}

export function bracketView(
  bracket: Bracket,
  entrants: readonly BracketEntrant[],
  matches: readonly MatchOutline[],
  teams: ReadonlyMap<string, TeamRef>,
): BracketView {
  const { guid, name, order, format, status, revision, createdAt, updatedAt } = bracket
  const guids = new Map(matches.map((match) => [match.number, match.guid]))
  return {
    guid,
    name,
    order,
    format,
    status,
    revision,
    division: bracket.divisionGuid,
    // `settingsShown` always returns the required members, since every format uses them.
    settings: settingsShown(bracket) as BracketView['settings'],
    entrants: entrants.map(({ slot, seed, team, withdrawal }) => ({
      slot,
      seed,
      withdrawal,
      team: team === null ? null : (teams.get(team) ?? null),
    })),
    rounds: rounds(matches, format).map(({ matches: numbers, ...round }) => ({
      ...round,
      matchGuids: numbers.flatMap((number) => guids.get(number) ?? []),
    })),
    createdAt: formatInstant(createdAt),
    updatedAt: formatInstant(updatedAt),
  }
}

/** A bracket with its matches as `viewer` may see them, its table, and the ruling of the ties for its places. */
export async function wholeBracketView(
  db: Db,
  {
    bracket,
    entrants,
    matches,
  }: {
    readonly bracket: Bracket
    readonly entrants: readonly BracketEntrant[]
    readonly matches: readonly MatchRecord[]
  },
  viewer: Actor,
): Promise<WholeBracketView> {
  const tied = bracket.ruling?.ties.flatMap((tie) => tie.teams) ?? []
  const teams = await listTeamSummaries(db, [...entrants.map(({ team }) => team), ...tied])
  const rows = standingsOf(bracket, matches.map(toEngine), entrants)
  return {
    ...bracketView(bracket, entrants, matches, teams),
    matches: await listMatchViews(db, matches, viewer),
    standings: rows.map((row) => standingView(row, teams)),
    ...rulingView(bracket.ruling, teams),
  }
}

/** What a bracket takes with it. */
export const BracketLossesView = Type.Object(
  {
    dryRun: Type.Boolean({ description: 'Nothing was deleted: this is what would be.', examples: [true] }),
    matches: Type.Integer({ description: 'Byes are not counted.', examples: [31] }),
    results: Type.Integer({ examples: [12] }),
    running: Type.Integer({ description: 'Matches that are played now.', examples: [1] }),
    scheduled: Type.Integer({ description: 'Matches that have a time.', examples: [31] }),
    corrections: Type.Integer({ description: 'Corrections of its results that were not undone.', examples: [0] }),
    queued: Type.Integer({ description: 'Places of its matches in queues of channels.', examples: [4] }),
  },
  { title: 'BracketLosses' },
)
