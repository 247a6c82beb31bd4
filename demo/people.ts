import { existsSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Config } from '../src/config.ts'
import type { GlobalRole } from '../src/core/roles.ts'
import { bodyOf, type Client } from './client.ts'

/** All people in the demo are invented, and sign in like a program that does the chat sign-in itself. */

export interface Person {
  readonly guid: string
  readonly chatPlatformId: string
  readonly name: string
  readonly token: string
}

export type SignIn = (name: string) => Promise<Person>

const ChatTokenAnswer = Type.Object({ access_token: Type.String() })
const TokenAnswer = Type.Object({ token: Type.String() })

const maxAttempts = 3

/** The credentials of an application at the stand-in for the chat platform. */
const applicationCredentials = Buffer.from('local:local').toString('base64')

/**
 * Finds the sign-in page of the service, and returns a function that signs in there: code, chat token, access token.
 * @throws Error when the service uses the real chat platform
 */
export async function openSignIn(client: Client): Promise<SignIn> {
  const begun = await client.call('GET', '/auth/chat?return_to=/')
  const location = begun.headers.get('location')
  if (begun.status !== 302 || location === null) {
    throw new Error(`what answers at ${client.url} is not this service; start it with npm start`)
  }
  const page = new URL(location)
  if (!page.pathname.endsWith('/api/auth/stand-in/oauth2/authorize')) {
    throw new Error(
      `the service at ${client.url} signs users in through the chat platform; the demo needs one that runs without chat credentials`,
    )
  }
  const read = (name: string) => page.searchParams.get(name) ?? ''
  const [clientId, redirectUri, scope] = [read('client_id'), read('redirect_uri'), read('scope')]

  async function chatTokenOf(name: string, attempt = 1): Promise<string> {
    const request = { response_type: 'code', client_id: clientId, redirect_uri: redirectUri, scope }
    const decided = await client.call('POST', '/auth/stand-in/oauth2/authorize', { form: { ...request, name } })
    const code = new URL(decided.headers.get('location') ?? client.url).searchParams.get('code')
    if (code === null) throw new Error(`${decided.call} answered ${decided.status} without a code: ${decided.text}`)
    const exchanged = await client.call('POST', '/auth/stand-in/oauth2/token', {
      headers: { authorization: `Basic ${applicationCredentials}` },
      form: { grant_type: 'authorization_code', code, redirect_uri: redirectUri },
    })
    // A code is valid for a minute, and a rate-limit pause between the two calls may be longer.
    if (exchanged.status === 400 && attempt < maxAttempts) return chatTokenOf(name, attempt + 1)
    return bodyOf(exchanged, 200, ChatTokenAnswer).access_token
  }

  return async (name) => {
    const issued = await client.call('GET', '/requestAuthToken', { token: await chatTokenOf(name) })
    return personOf(bodyOf(issued, 200, TokenAnswer).token, name)
  }
}

/** The end of a sentence: how to get a manager when this machine cannot make one. */
export const managerHelp =
  'set DATABASE_URL, DATA_DIR and PUBLIC_URL as the service has them, or give the token of a tournament manager with --manager-token'

const Claims = Type.Object({ iss: Type.String(), guid: Type.String(), id: Type.String() })
const claimsShape = Compile(Claims)

function claimsOf(token: string): Static<typeof Claims> {
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()
  try {
    const claims: unknown = JSON.parse(payload)
    if (claimsShape.Check(claims)) return claims
  } catch {
    // The error is thrown below.
  }
  throw new Error('a token is not one of the service’s access tokens')
}

function personOf(token: string, name: string): Person {
  const { guid, id } = claimsOf(token)
  return { guid, chatPlatformId: id, name, token }
}

/** The service's own address, from the issuer of the token; the service can reach itself there. */
export function serviceOf({ token }: Person): string {
  return claimsOf(token).iss
}

/**
 * A global tournament manager.
 * @param given the token of an existing manager
 */
export async function findManager(config: Config, given: string | undefined, signIn: SignIn): Promise<Person> {
  if (given !== undefined) return personOf(given, 'the user of --manager-token')
  return grant(config, await signIn('demo-manager'), 'global:tournaments:manage')
}

/**
 * An owner, who may create communities.
 * @param given the token of a manager, who may also be an owner
 */
export async function findOwner(config: Config, given: string | undefined, manager: Person, signIn: SignIn) {
  return given === undefined ? grant(config, await signIn('demo-owner'), 'role:owner') : manager
}

/** The first holder of a role cannot be made through the API, only by the command line with the service’s database. */
async function grant(config: Config, person: Person, role: GlobalRole): Promise<Person> {
  const iss = serviceOf(person)
  if (iss !== config.publicUrl) {
    throw new Error(
      `the service calls itself ${iss}, and the settings here are for ${config.publicUrl}; ${managerHelp}`,
    )
  }
  if (config.databaseUrl === null && !existsSync(config.dataDir)) {
    throw new Error(`there is no database in ${config.dataDir}; ${managerHelp}`)
  }
  const { mintToken } = await import('../src/cli/token.ts')
  try {
    await mintToken(config, person.chatPlatformId, { scope: 'rest:read', role: [role] })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`the service’s database cannot be used from here (${reason}); ${managerHelp}`, { cause: error })
  }
  return person
}
