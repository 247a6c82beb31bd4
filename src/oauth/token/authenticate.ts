import { Type } from 'typebox'
import type { Tx } from '../../infra/db/database.ts'
import { checkClientAuthenticated, checkOneMethod } from '../checks/client.ts'
import { checkGivenOnce, checkNotOverlong } from '../checks/parameters.ts'
import { lockClientForKeyShare } from '../store/applications.ts'
import type { Client } from '../types.ts'

/** The first step of every endpoint that clients call directly: authentication. */

export const ClientHeaders = Type.Object({
  authorization: Type.Optional(
    Type.String({ description: '`Basic` with client id and client secret; confidential applications only.' }),
  ),
})

export const clientParameters = {
  client_id: Type.Optional(Type.String({ description: 'Public applications, which have no secret, name themselves.' })),
}

/** Codes of the refusals of `authenticate`, with their statuses. */
export const clientProblems = {
  'parameter.repeated': 400,
  'parameter.overlong': 400,
  'parameter.missing': 400,
  'client.secret_in_body': 401,
  'client.missing': 401,
  'client.malformed': 401,
  'client.ambiguous': 400,
  'client.refused': 401,
} as const

/** Returns the client that calls, and prevents its deletion until the end of the transaction. */
export async function authenticate(
  tx: Tx,
  authorization: string | undefined,
  parameters: URLSearchParams,
): Promise<Client> {
  checkGivenOnce(parameters)
  checkNotOverlong(parameters)
  const credentials = checkOneMethod(authorization, parameters)
  return checkClientAuthenticated(await lockClientForKeyShare(tx, credentials.clientId), credentials)
}
