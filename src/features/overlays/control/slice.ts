import { declarePersonalData } from '../../../infra/db/personal-data.ts'
import type { Slice } from '../../slice.ts'
import { controlMediaFields, forgetCaster } from './commands/casters.ts'
import { controlConstraints } from './constraints.ts'
import { controlEvents } from './events.ts'
import { sceneFollower } from './followers.ts'
import { controlDue } from './jobs.ts'
import { controlOperations } from './routes/control.ts'
import { controlTopics } from './routes/topics.ts'
import { listCastingOf, lockShowing } from './store/personal-data.ts'

/** The control state of overlays: the match that they point at, the scene, the casters. */
export const control: Slice = {
  name: 'control',
  tags: { control: 'What overlays show now, and what their scenes are bound to.' },
  operations: controlOperations,
  constraints: controlConstraints,
  events: controlEvents,
  ephemeral: controlTopics,
  due: controlDue,
  followers: [sceneFollower],
  mediaFields: controlMediaFields,
  personalData: declarePersonalData({
    sections: { overlayControls: () => listCastingOf },
    lock: (tx, { guid }) => lockShowing(tx, guid),
    forget: [forgetCaster],
  }),
}
