import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import type { Overlay } from '../../overlays/types.ts'
import type { DraftFacts } from '../../sceneDocuments/types.ts'
import { ControlView } from './control.ts'
import { OverlayDataView } from './data.ts'

export const OutlineView = Type.Object(
  {
    guid: Guid,
    name: Type.String({ examples: ['Main stream'] }),
    tournament: Type.Object({ guid: Guid, id: Type.String(), name: Type.String() }),
    published: nullable(
      Type.Object({ version: Type.Integer(), publishedAt: Instant }),
      'What its pages look like; null as long as nothing is published.',
    ),
  },
  { title: 'OverlayOutline' },
)

export function outlineView(
  { guid, name }: Overlay,
  tournament: Pick<Tournament, 'guid' | 'id' | 'name'>,
  facts: Pick<DraftFacts, 'published'> | undefined,
): Static<typeof OutlineView> {
  const published = facts?.published ?? null
  return {
    guid,
    name,
    tournament: { guid: tournament.guid, id: tournament.id, name: tournament.name },
    published: published === null ? null : { version: published.number, publishedAt: formatInstant(published.at) },
  }
}

/** (overlays: Operations) */
export const OverlayStateView = Type.Object(
  {
    overlay: OutlineView,
    control: ControlView,
    data: OverlayDataView,
    live: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Scores while a song runs, by key (`player:{user}`), as the live topic of the match tells them; empty while nothing is told. Not in the topic.',
      }),
    ),
    serverTime: Type.Optional({ ...Instant, description: 'Now, by the clock of the service. Not in the topic.' }),
  },
  { title: 'OverlayState', description: 'All that a page shows, in one answer.' },
)
