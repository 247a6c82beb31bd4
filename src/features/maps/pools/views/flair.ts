import { type Static, Type } from 'typebox'
import { Guid, nullable } from '../../../../core/schema.ts'
import type { Flair } from '../types.ts'

/** (pools: Records) */
export const FlairView = Type.Object(
  {
    guid: Guid,
    name: Type.String({ examples: ['Tech'] }),
    color: Type.String({ examples: ['#3fa7d6'] }),
    icon: nullable(Type.String({ examples: ['bolt'] }), 'Name of an icon.'),
    order: Type.Integer({ examples: [0] }),
  },
  { title: 'Flair', description: 'What tells the maps of a pool apart.' },
)

/** @param order position among the flairs that the viewer sees */
export function flairView(flair: Flair, order = flair.order): Static<typeof FlairView> {
  const { guid, name, color, icon } = flair
  return { guid, name, color, icon, order }
}
