import type { Slice } from '../../slice.ts'
import { controlEvents } from './events.ts'
import { sceneFollower } from './followers.ts'
import { controlDue } from './jobs.ts'
import { controlTopics } from './routes/topics.ts'

/** What overlays show now: the match that they point at, the scene, who casts. */
export const control: Slice = {
  name: 'control',
  events: controlEvents,
  ephemeral: controlTopics,
  due: controlDue,
  followers: [sceneFollower],
}
