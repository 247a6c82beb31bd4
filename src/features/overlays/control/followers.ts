import { followerOf } from '../../../infra/events/follow.ts'
import { followMatches } from './commands/advancing.ts'
import { advanceOf, advancingTypes } from './rules.ts'

/** Scenes follow the matches that overlays point at. Each event is processed once, by any process. (OV14) */
export const sceneFollower = followerOf({
  name: 'overlay_scenes',
  from: 'now',
  makesDue: true,
  types: advancingTypes,
  gatherMs: 50,
  async handle(tx, events) {
    await followMatches(
      tx,
      events.flatMap((event) => advanceOf(event) ?? []),
    )
  },
})
