import type { Slice } from '../../slice.ts'
import { badgesEvents } from './events.ts'
import { resolveBadge } from './resolve.ts'

export const badges: Slice = {
  name: 'badges',
  tags: { badges: 'What users hold for what they did: granted, asked for and imported.' },
  parameters: {
    badge: { description: 'GUID of a badge.', resolve: resolveBadge, problems: { 'badge.unknown': 'missing' } },
  },
  events: badgesEvents,
}
