import type { Static } from 'typebox'
import { invalid } from '../../../../core/problem.ts'
import type { OverrideInput } from '../../../../engine/flows/referee-rulings.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { enterMap } from '../../../maps/pools/commands/entering.ts'
import type { NamedMap } from '../../../maps/pools/prepare.ts'
import { type PoolMapView, poolMapView } from '../../../maps/pools/views/map.ts'
import { newGuids } from '../../../tournaments/tournaments/store/tournaments.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import type { OverrideBody } from '../bodies.ts'

type Body = Static<typeof OverrideBody>

/** Builds the engine's input of an override, with the records that it needs. */
export async function overrideOf(
  tx: Tx,
  tournament: Tournament,
  body: Body,
  named: NamedMap | null,
  now: Date,
): Promise<OverrideInput> {
  const { op, reason } = body
  switch (op) {
    case 'set_map':
      return { op, reason, map: given(body, 'map').toLowerCase() }
    case 'award_map':
      return { op, reason, winner: given(body, 'winner'), game: body.game }
    case 'go_to':
      return { op, reason, step: given(body, 'step') }
    case 'add_map':
      if (named === null) throw new Error('a map that is added was looked up')
      return { op, reason, entry: await entryOf(tx, tournament, named, now) }
    case 'substitute':
      return { op, reason, seat: given(body, 'seat'), out: given(body, 'out'), in: given(body, 'in') }
    case 'speakers':
      return { op, reason, seat: given(body, 'seat'), users: given(body, 'users').map((user) => user.toLowerCase()) }
    case 'dismiss':
      return { op, reason, warning: given(body, 'warning').toLowerCase() }
    default:
      return { op, reason }
  }
}

function given<Name extends keyof Body>(body: Body, name: Name): NonNullable<Body[Name]> {
  const value = body[name]
  if (value == null) throw invalid('flow.act_invalid', `Give \`${name}\` with \`${body.op}\`.`)
  return value
}

/** The pool entry of a map that is added only to this session. */
async function entryOf(tx: Tx, { guid }: Tournament, named: NamedMap, now: Date): Promise<PoolMapView> {
  const [map, [own = '']] = await Promise.all([enterMap(tx, guid, named, now), newGuids(tx, 1)])
  return poolMapView(
    {
      guid: own,
      poolGuid: own,
      mapGuid: map.guid,
      map,
      flair: null,
      flairGuid: null,
      order: 0,
      isTiebreaker: false,
      modifiers: [],
      playerOptions: [],
      attempts: null,
      weight: 1,
      note: null,
      options: {
        disablePause: false,
        disableFail: false,
        disableScoreSubmission: false,
        showScoreboard: false,
        disableCustomNotesOnStream: false,
        target: null,
      },
      releaseAt: null,
      releasedAt: now,
      staffNote: null,
      addedByGuid: null,
      suggestionGuid: null,
      createdAt: now,
    },
    0,
    null,
  )
}
