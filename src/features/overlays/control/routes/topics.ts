import { Type } from 'typebox'
import { policy } from '../../../../core/actor.ts'
import { tournamentPath } from '../../../../core/operation.ts'
import { nullable } from '../../../../core/schema.ts'
import { ephemeral, expiry, type Stamps } from '../../../../infra/realtime/ephemeral/topic.ts'
import { liveKeys, liveTopicOf } from '../../../brackets/results/routes/live.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import { editors, isInside, mayControl, mayEdit } from '../../overlays/policy.ts'
import type { Overlay } from '../../overlays/types.ts'
import { findPointed } from '../store/advancing.ts'

const path = `${tournamentPath}/overlays/:overlay` as const

interface Records {
  readonly tournament: Tournament
  readonly overlay: Overlay
}

const Id = Type.Optional(nullable(Type.String({ pattern: '^[a-z0-9]{8,16}$' })))
const Guid = Type.Optional(nullable(Type.String({ format: 'uuid' })))
const Place = Type.Optional(nullable(Type.Number({ minimum: -10_000, maximum: 10_000 })))
const Length = Type.Optional(nullable(Type.Number({ minimum: 1, maximum: 8_192 })))
const Angle = Type.Optional(nullable(Type.Number({ minimum: -360, maximum: 360 })))

const byWhom = ({ user, connection }: Stamps) => ({ user, connection })

/**
 * Live values of the match that the overlay points at now. A caller with a token of the overlay sees them as the staff
 * does, because the token's page is on air. (RT21; overlays: Data tree)
 */
const live = ephemeral({
  path: `${path}/live`,
  summary: 'Scores while a map is played, of the match that the overlay points at.',
  follows: 'overlays.read',
  reads: {
    ...policy<Records>(
      'whoever sees the overlay, and where the tournament says so its staff, the overlay’s editors and its tokens alone,',
      (actor, { tournament, overlay }) =>
        tournament.liveScores === 'public' || actor.view?.overlayGuid === overlay.guid || isInside(actor, overlay),
    ),
    open: true,
  },
  canBeDelayed: true,
  keys: liveKeys.map((key) => ({ ...key, writes: () => null })),
  mirrors: {
    // Matches are deleted with their bracket, and when it is generated again.
    changedBy: ['overlay.pointed', 'bracket.generated', 'bracket.deleted', 'division.deleted'],
    find: async ({ db, records: { tournament, overlay } }) => {
      const match = await findPointed(db, overlay.guid)
      if (match === null) return null
      return { name: liveTopicOf(tournament.guid, match), tournament: tournament.guid, match }
    },
  },
  expiresMs: expiry.live,
})

const dragging = ephemeral({
  path: `${path}/preview`,
  summary: 'What editors drag, before they drop it.',
  follows: 'overlays.read',
  reads: editors,
  keys: [
    {
      form: 'connection',
      description: 'What somebody drags over one connection, and where it is.',
      schema: Type.Object(
        {
          scene: Id,
          element: Id,
          geometry: Type.Optional(
            nullable(Type.Object({ x: Place, y: Place, width: Length, height: Length, rotation: Angle })),
          ),
        },
        { title: 'OverlayDrag' },
      ),
      writes: (actor, { overlay }) => (mayEdit(actor, overlay) ? 'editor' : null),
      stamp: byWhom,
    },
  ],
  expiresMs: expiry.presence,
})

const maxSelected = 50

const presence = ephemeral({
  path: `${path}/scene/presence`,
  summary: 'Where editors are in the scenes of an overlay.',
  follows: 'overlays.read',
  reads: editors,
  keys: [
    {
      form: 'connection',
      description: 'What somebody has selected over one connection, and where their pointer is.',
      schema: Type.Object(
        {
          scene: Id,
          selection: Type.Optional(
            nullable(Type.Array(Type.String({ pattern: '^[a-z0-9]{8,16}$' }), { maxItems: maxSelected })),
          ),
          cursor: Type.Optional(nullable(Type.Object({ x: Place, y: Place }))),
        },
        { title: 'OverlayPresence' },
      ),
      writes: (actor, { overlay }) => (mayEdit(actor, overlay) ? 'editor' : null),
      stamp: byWhom,
    },
  ],
  expiresMs: expiry.presence,
})

const upcoming = ephemeral({
  path: `${path}/control/preview`,
  summary: 'What controllers are about to take on air.',
  follows: 'overlays.read',
  reads: policy<Records>(
    'the controllers of the overlay, and tokens of it that show this,',
    (actor, { overlay }) =>
      mayControl(actor, overlay) || (actor.view?.overlayGuid === overlay.guid && actor.view.preview),
  ),
  keys: [
    {
      form: 'next',
      description: 'The scene and the match that are to be shown next.',
      schema: Type.Object({ scene: Id, match: Guid }, { title: 'OverlayNext' }),
      writes: (actor, { overlay }) => (mayControl(actor, overlay) ? 'controller' : null),
      stamp: ({ user, at }) => ({ user, at }),
    },
  ],
  expiresMs: expiry.presence,
})

export const controlTopics = [live, dragging, presence, upcoming]
