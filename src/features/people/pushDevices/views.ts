import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import { challengeOf } from '../../../infra/secrets.ts'
import { KindSwitches, QuietHoursSchema } from './bodies.ts'
import { type PushDevice, pushKinds } from './types.ts'

export const PushDeviceView = Type.Object(
  {
    guid: Guid,
    name: nullable(Type.String({ examples: ['Phone'] })),
    service: Type.String({ description: 'Host of the browser’s push service.', examples: ['push.example.org'] }),
    endpointDigest: Type.String({
      description:
        'SHA-256 of the endpoint as base64url, by which a browser recognises itself. The endpoint is secret.',
      examples: ['n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg'],
    }),
    kinds: KindSwitches,
    quietHours: nullable(QuietHoursSchema),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'PushDevice', description: 'A browser on which a user is told of what concerns them.' },
)
export type PushDeviceView = Static<typeof PushDeviceView>

/** The keys of a device and its endpoint, which leads to it, are secret. (additions: Push) */
export function pushDeviceView(device: PushDevice): PushDeviceView {
  const kinds = Object.fromEntries(pushKinds.map((kind) => [kind, !device.mutedKinds.includes(kind)]))
  return {
    guid: device.guid,
    name: device.name,
    service: new URL(device.endpoint).hostname,
    endpointDigest: challengeOf(device.endpoint),
    kinds: kinds as PushDeviceView['kinds'],
    quietHours: device.quietHours,
    createdAt: formatInstant(device.createdAt),
    updatedAt: formatInstant(device.updatedAt),
  }
}
