import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { UserFacts } from '../../../people/users/types.ts'
import { UserCard, userCard } from '../../../people/users/views.ts'
import { MapView, mapView } from '../../catalogue/views.ts'
import { maxAttempts, maxNote, maxStaffNote, maxWeight, modifiers, playerOptions } from '../rules/maps.ts'
import type { UsedBefore } from '../store/used-before.ts'
import type { WholePoolMap } from '../types.ts'
import { FlairView } from './flair.ts'

export const OptionsView = Type.Object({
  disablePause: Type.Boolean(),
  disableFail: Type.Boolean(),
  disableScoreSubmission: Type.Boolean(),
  showScoreboard: Type.Boolean(),
  disableCustomNotesOnStream: Type.Boolean(),
  target: nullable(Type.Integer()),
})

export const UsedBeforeView = Type.Object(
  {
    tournament: Type.Object({ guid: Guid, id: Type.String({ examples: ['spring-cup'] }), name: Type.String() }),
    pool: Type.Object({ guid: Guid, name: Type.String({ examples: ['Quarter-finals'] }) }),
    publishedAt: nullable(Instant, 'null for a draft of the same tournament.'),
    identity: oneOf(['exact', 'song'], {
      description: '`exact`: this very map; `song`: another difficulty or version of the song.',
    }),
  },
  { title: 'UsedBefore' },
)

/** (pools: Records, PoolMap) */
export const PoolMapView = Type.Object(
  {
    guid: Guid,
    map: MapView,
    flair: nullable(FlairView),
    order: Type.Integer({ description: 'Among the maps that the viewer sees, from 0.', examples: [0] }),
    isTiebreaker: Type.Boolean(),
    modifiers: Type.Array(oneOf(modifiers), { description: 'The assistant’s GameOptions.' }),
    playerOptions: Type.Array(oneOf(playerOptions), { description: 'The assistant’s PlayerOptions.' }),
    options: OptionsView,
    attempts: nullable(Type.Integer({ minimum: 0, maximum: maxAttempts })),
    weight: Type.Number({ exclusiveMinimum: 0, maximum: maxWeight, examples: [1] }),
    note: nullable(Type.String({ maxLength: maxNote })),
    releaseAt: nullable(Instant, 'When everybody may see it, where that is later than the pool’s publication.'),
    releasedAt: nullable(Instant),
    staffNote: Type.Optional(nullable(Type.String({ maxLength: maxStaffNote }), 'For poolers, as all that follows.')),
    addedBy: Type.Optional(nullable(UserCard)),
    suggestionGuid: Type.Optional(nullable(Guid)),
    usedBefore: Type.Optional(Type.Array(UsedBeforeView)),
    warnings: Type.Optional(
      Type.Array(oneOf(['map_unresolved', 'map_missing', 'map_outdated']), {
        description: 'What would keep the pool from being published.',
      }),
    ),
  },
  { title: 'PoolMap' },
)
export type PoolMapView = Static<typeof PoolMapView>

/** Data for the maps of pools that only poolers see. */
export interface PoolerFacts {
  readonly users: ReadonlyMap<string, UserFacts>
  /** By GUID of the map in the catalogue. */
  readonly usedBefore: ReadonlyMap<string, readonly UsedBefore[]>
}

/**
 * @param order position among the maps that the viewer sees
 * @param facts data for poolers; null for all other viewers
 */
export function poolMapView(record: WholePoolMap, order: number, facts: PoolerFacts | null): PoolMapView {
  const { guid, flair, isTiebreaker, options, attempts, weight, note, releaseAt, releasedAt } = record
  const open = {
    guid,
    map: mapView(record.map, { showsCheckedAt: facts !== null }),
    flair: flair === null ? null : { ...flair },
    order,
    isTiebreaker,
    modifiers: [...record.modifiers] as PoolMapView['modifiers'],
    playerOptions: [...record.playerOptions] as PoolMapView['playerOptions'],
    options: { ...options },
    attempts,
    weight,
    note,
    releaseAt: formatInstant(releaseAt),
    releasedAt: formatInstant(releasedAt),
  }
  if (facts === null) return open
  const { staffNote, addedByGuid, suggestionGuid, map } = record
  const adder = facts.users.get(addedByGuid ?? '')
  return {
    ...open,
    staffNote,
    addedBy: adder === undefined ? null : userCard(adder),
    suggestionGuid,
    usedBefore: (facts.usedBefore.get(map.guid) ?? [])
      .filter(({ pool }) => pool.guid !== record.poolGuid)
      .map(usedBeforeView),
    warnings: map.state === 'known' ? [] : [`map_${map.state}`],
  }
}

export function usedBeforeView(use: UsedBefore): Static<typeof UsedBeforeView> {
  return { ...use, publishedAt: formatInstant(use.publishedAt) }
}

/** Returns a pooler's view without the members for poolers. */
export function withoutPoolerMembers(view: PoolMapView, order: number): PoolMapView {
  const { staffNote: _n, addedBy: _a, suggestionGuid: _s, usedBefore: _u, warnings: _w, ...open } = view
  return { ...open, map: { ...open.map, checkedAt: null }, order, staffNote: null, addedBy: null, suggestionGuid: null }
}
