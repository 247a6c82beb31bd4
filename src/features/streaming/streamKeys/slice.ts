import type { Slice } from '../../slice.ts'
import { resealKeys } from './commands.ts'
import { streamKeysEvents } from './events.ts'
import { streamKeysDue } from './jobs.ts'
import { resolveStreamKey } from './resolve.ts'
import { streamKeysOperations, streamKeysProfilePart } from './routes.ts'
import { streamKeysPersonalData } from './store.ts'

export const streamKeys: Slice = {
  name: 'streamKeys',
  tags: { streamKeys: 'What users’ encoders publish with.' },
  operations: streamKeysOperations,
  reseal: resealKeys,
  profile: { streamKeys: streamKeysProfilePart },
  parameters: {
    streamKey: {
      description: 'GUID of a stream key of the caller or, behind a user, of that user.',
      resolve: resolveStreamKey,
      problems: { 'stream_key.unknown': 'missing', 'role.missing': 'forbidden' },
    },
  },
  events: streamKeysEvents,
  due: streamKeysDue,
  personalData: streamKeysPersonalData,
}
