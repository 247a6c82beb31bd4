import { command } from '../../../../core/operation.ts'
import { ownersAndDevelopers } from '../../../people/users/policy.ts'
import { CreateBody } from '../../platforms/bodies.ts'
import { PlatformView, platformView } from '../../platforms/views.ts'
import { createPlatform } from '../commands.ts'

/** Operations that change both a platform and the requests to it. */

const create = command({
  name: 'admin.createPlatform',
  method: 'POST',
  path: '/admin/tournament-platforms',
  scope: 'rest:write',
  allow: ownersAndDevelopers,
  summary: 'Add a platform that tournaments can ask to be listed on.',
  description: 'Active tournaments that want to be seen everywhere join its queue at once.',
  body: CreateBody,
  reply: { 201: PlatformView },
  problems: {
    'platform.invalid': 400,
    'media.reference_invalid': 400,
    'platform.context_id_taken': 409,
    'platform.limit_reached': 409,
  },
  run: async ({ tx, actor, body, services: { config }, now }) => {
    const around = { mediaUrl: config.media.url, now }
    return platformView(await createPlatform(tx, actor, body, around), new Map())
  },
})

export const platformOperations = [create]
