import { type Static, Type } from 'typebox'
import { Guid, nullable } from '../../../../core/schema.ts'
import type { AssistantLink } from '../../../assistant/assistantLinks/types.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import type { Overlay } from '../../overlays/types.ts'
import { CompatMatch } from './match.ts'

/** Names and formats of clients of another service. Members without an equivalent in this service are left out. */
export const CompatOverlay = Type.Object({
  guid: Guid,
  name: Type.String(),
  tournament: Type.Object({ guid: Guid, id: Type.String(), name: Type.String() }),
  match: nullable(CompatMatch),
  matchOverlay: Type.Object({
    taServerGuid: nullable(Type.String(), 'Of the assistant’s tournament, for staff; null where there is no link.'),
  }),
})
export type CompatOverlay = Static<typeof CompatOverlay>

interface Shown {
  readonly tournament: Pick<Tournament, 'guid' | 'id' | 'name'>
  readonly match: CompatOverlay['match']
  readonly link: Pick<AssistantLink, 'assistantGuid'> | null
}

export function compatOverlay({ guid, name }: Overlay, { tournament, match, link }: Shown): CompatOverlay {
  return {
    guid,
    name,
    match,
    tournament: { guid: tournament.guid, id: tournament.id, name: tournament.name },
    matchOverlay: { taServerGuid: link?.assistantGuid ?? null },
  }
}
