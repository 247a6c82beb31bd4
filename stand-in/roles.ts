import { Type } from 'typebox'
import { anyone } from '../src/core/actor.ts'
import { command, type Operation, query } from '../src/core/operation.ts'
import { forbidden } from '../src/core/problem.ts'
import { globalRoles } from '../src/core/roles.ts'
import { grantGlobalRoles } from '../src/features/people/users/commands/users.ts'
import { findUserByChatPlatformId } from '../src/features/people/users/store/users.ts'
import { isSame } from '../src/infra/secrets.ts'
import { checkOrigin, originProblems, origins } from './origin.ts'

/**
 * Gives global roles to users at the request of a program on this machine, such as the demo. It must prove that it can
 * read the data directory of the service: then it could do anything to the service anyway.
 */

const path = '/auth/stand-in/roles'

/** @param seal the keyed digest of the installation */
export function proofOf(seal: (text: string) => string, user: string, role: string): string {
  return seal(`stand-in role ${role} ${user}`)
}

const where = query({
  name: 'standIn.dataDirectory',
  method: 'GET',
  path,
  scope: 'public',
  allow: anyone,
  summary: 'Where the service keeps the key that `POST` needs.',
  headers: origins,
  reply: { 200: Type.Object({ dataDir: Type.String() }) },
  problems: originProblems,
  run: async ({ services, headers }) => {
    checkOrigin(headers, services)
    return { dataDir: services.config.dataDir }
  },
})

const give = command({
  name: 'standIn.giveRole',
  method: 'POST',
  path,
  scope: 'public',
  allow: anyone,
  summary: 'Give a global role to a user, with a proof by the key of the service.',
  headers: origins,
  body: Type.Object({
    user: Type.String({ pattern: '^[0-9]{1,20}$', description: 'Chat-platform ID.' }),
    role: Type.Enum([...globalRoles]),
    proof: Type.String({ maxLength: 100 }),
  }),
  reply: { 200: Type.Object({ globalRoles: Type.Array(Type.String()) }) },
  problems: { ...originProblems, 'stand_in.proof_wrong': 403 },
  run: async ({ tx, services, headers, body: { user: id, role, proof }, now }) => {
    checkOrigin(headers, services)
    const user = isSame(proof, proofOf(services.seal, id, role)) ? await findUserByChatPlatformId(tx, id) : undefined
    if (user === undefined)
      throw forbidden('stand_in.proof_wrong', 'The proof is not that of this role for a user of this service.')
    const { globalRoles } = await grantGlobalRoles(tx, user, [role], null, now)
    return { globalRoles: [...globalRoles] }
  },
})

export const roleOperations: readonly Operation[] = [where, give]
