import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import { accuracyOf } from '../../../../engine/qualifier-results.ts'
import { completions, defaultPoints, missingRules, qualifierMethods } from '../../../../engine/qualifier-types.ts'
import { modifierRules } from '../../../../engine/score-limits.ts'
import { configured } from '../../../listing/platforms/rules.ts'
import type { TeamSummary } from '../../../teams/teams/types.ts'
import { TeamRef } from '../../../teams/teams/views/teams.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import {
  type Attempt,
  attemptSources,
  type Qualifier,
  type QualifierMap,
  type QualifierStatus,
  qualifierStatuses,
} from '../types.ts'

export const MapView = Type.Object(
  {
    guid: Guid,
    hash: Type.String({
      description: 'Of the map’s files, in lower case.',
      examples: ['0123456789abcdef0123456789abcdef01234567'],
    }),
    difficulty: Type.String({ examples: ['ExpertPlus'] }),
    characteristic: Type.String({ examples: ['Standard'] }),
    name: nullable(Type.String({ examples: ['Cadenza'] })),
    artist: nullable(Type.String()),
    mapper: nullable(Type.String()),
    imageUrl: nullable(Type.String()),
    maxScore: nullable(Type.Integer({ examples: [912_755] }), 'The highest score that it allows without modifiers.'),
    weight: Type.Number({ description: 'For the methods that weigh maps.', examples: [1] }),
    order: Type.Integer({ examples: [0] }),
  },
  { title: 'QualifierMap' },
)

export function mapView(map: QualifierMap): Static<typeof MapView> {
  return { ...map }
}

export const SettingsView = Type.Object({
  countMaps: nullable(Type.Integer({ examples: [5] }), 'How many maps count for each, their best ones; null for all.'),
  topPlayers: nullable(
    Type.Integer({ examples: [3] }),
    'How many members count for a team on each map, its best ones; null for all active ones.',
  ),
  points: Type.Array(Type.Integer(), {
    description: 'For the places on a map, from the first.',
    examples: [defaultPoints],
  }),
  missing: oneOf(missingRules, {
    description: 'What a map without a result counts: nothing, or as much as the worst result there.',
  }),
  failCounts: Type.Boolean({ description: 'Whether results of failed attempts count.' }),
})

/** The schema of a qualifier. (additions: Qualifiers) */
export const QualifierView = Type.Object(
  {
    guid: Guid,
    tournament: Type.Object({ guid: Guid, id: Type.String({ examples: ['spring-cup'] }), name: Type.String() }),
    status: oneOf(qualifierStatuses),
    opensAt: nullable(Instant),
    closesAt: nullable(Instant),
    attempts: Type.Integer({ description: 'Of a player on each map; 0 for no limit.', examples: [3] }),
    hideScores: Type.Boolean({
      description: 'Until it is final, scores are for the staff, and players see their own.',
    }),
    method: oneOf(qualifierMethods),
    modifiers: oneOf(modifierRules, {
      description:
        'Whether scores may be above the highest that a map allows, up to twice as much (`any`), or not (`none`).',
    }),
    settings: SettingsView,
    maps: Type.Array(MapView, { description: 'None before it opens, but for the staff.' }),
    cutoff: nullable(Type.Integer({ examples: [32] }), 'How many teams advance.'),
    syncUrl: Type.Optional(
      nullable(
        oneOf([configured]),
        'Whether there is an address from which results are fetched; for the organiser and admins.',
      ),
    ),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'Qualifier' },
)

export interface QualifierFacts {
  readonly tournament: Pick<Tournament, 'guid' | 'id' | 'name'>
  readonly qualifier: Qualifier
  readonly status: QualifierStatus
  /** The maps that the viewer may see. */
  readonly maps: readonly QualifierMap[]
  readonly showsSyncUrl: boolean
}

export function qualifierView(facts: QualifierFacts): Static<typeof QualifierView> {
  const { tournament, qualifier, status, maps, showsSyncUrl } = facts
  const { guid, attempts, hideScores, method, modifiers, settings, cutoff, syncUrl } = qualifier
  return {
    guid,
    tournament: { guid: tournament.guid, id: tournament.id, name: tournament.name },
    status,
    opensAt: formatInstant(qualifier.opensAt),
    closesAt: formatInstant(qualifier.closesAt),
    attempts,
    hideScores,
    method,
    modifiers,
    settings: { ...settings, points: [...settings.points] },
    maps: maps.map(mapView),
    cutoff,
    ...(showsSyncUrl ? { syncUrl: syncUrl === null ? null : configured } : {}),
    createdAt: formatInstant(qualifier.createdAt),
    updatedAt: formatInstant(qualifier.updatedAt),
  }
}

/** A player as part of another record. */
export const PlayerRef = Type.Object(
  {
    guid: Guid,
    username: Type.String({ examples: ['quaver'] }),
    preferredName: Type.String({ examples: ['Quaver'] }),
    avatarUrl: Type.String({ examples: ['https://cdn.example.org/avatars/quaver.png'] }),
  },
  { title: 'PlayerReference' },
)
export type PlayerRef = Static<typeof PlayerRef>

export const AttemptView = Type.Object(
  {
    guid: Guid,
    map: Type.Object({
      guid: Guid,
      hash: Type.String(),
      difficulty: Type.String({ examples: ['ExpertPlus'] }),
      characteristic: Type.String({ examples: ['Standard'] }),
      name: nullable(Type.String()),
    }),
    user: PlayerRef,
    team: nullable(TeamRef, 'Whom they played for then.'),
    score: Type.Integer({ examples: [871_204] }),
    accuracy: nullable(Type.Number({ examples: [0.954_5] }), '0 to 2; above 1 with modifiers alone.'),
    misses: nullable(Type.Integer()),
    badCuts: nullable(Type.Integer()),
    maxCombo: nullable(Type.Integer()),
    fullCombo: nullable(Type.Boolean()),
    completion: oneOf(completions),
    source: oneOf(attemptSources),
    externalId: nullable(Type.String(), 'As the source calls it; unique there.'),
    playedAt: Instant,
    recordedAt: Instant,
    voidedAt: nullable(Instant, 'Set once it no longer counts, and no longer uses up an attempt.'),
    voidReason: nullable(Type.String()),
  },
  { title: 'QualifierAttempt' },
)

/** The records that views of attempts refer to, by GUID. */
export interface AttemptSurroundings {
  readonly maps: ReadonlyMap<string, QualifierMap>
  readonly users: ReadonlyMap<string, PlayerRef>
  readonly teams: ReadonlyMap<string, TeamSummary>
}

export function attemptView(attempt: Attempt, around: AttemptSurroundings): Static<typeof AttemptView> {
  const map = around.maps.get(attempt.mapGuid)
  const user = around.users.get(attempt.userGuid)
  if (map === undefined || user === undefined) throw new Error('an attempt has no map or no player')
  const { guid, hash, difficulty, characteristic, name } = map
  return {
    guid: attempt.guid,
    map: { guid, hash, difficulty, characteristic, name },
    user,
    team: around.teams.get(attempt.teamGuid ?? '') ?? null,
    score: attempt.score,
    accuracy: attempt.accuracy ?? accuracyOf(attempt.score, map.maxScore),
    misses: attempt.misses,
    badCuts: attempt.badCuts,
    maxCombo: attempt.maxCombo,
    fullCombo: attempt.fullCombo,
    completion: attempt.completion,
    source: attempt.source,
    externalId: attempt.externalId,
    playedAt: formatInstant(attempt.playedAt),
    recordedAt: formatInstant(attempt.createdAt),
    voidedAt: formatInstant(attempt.voidedAt),
    voidReason: attempt.voidReason,
  }
}
