import { Type } from 'typebox'
import { nullable } from '../../../../core/schema.ts'
import { ephemeral, expiry } from '../../../../infra/realtime/ephemeral/topic.ts'
import { anyStaff } from '../../access/policy.ts'

const Place = Type.Optional(nullable(Type.String({ maxLength: 200 })))

/** Shows which page or record each member of the staff has open. */
export const presence = ephemeral({
  path: '/tournaments/:tournament/presence',
  summary: 'Who of the staff looks at what.',
  follows: 'tournaments.read',
  reads: anyStaff,
  keys: [
    {
      form: 'connection',
      description: 'What somebody looks at over one connection.',
      schema: Type.Object({ page: Place, record: Place }, { title: 'Presence' }),
      writes: () => 'staff',
      stamp: ({ user, connection }) => ({ user, connection }),
    },
  ],
  expiresMs: expiry.presence,
})
