import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { GlobalRole } from '../src/core/roles.ts'
import { sealBy } from '../src/oauth/keys.ts'
import { proofOf } from '../stand-in/roles.ts'
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
export const managerHelp = 'give the token of a tournament manager with --manager-token'

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
export async function findManager(client: Client, given: string | undefined, signIn: SignIn): Promise<Person> {
  if (given !== undefined) return personOf(given, 'the user of --manager-token')
  return grant(client, await signIn('demo-manager'), 'global:tournaments:manage')
}

/**
 * An owner, who may create communities.
 * @param given the token of a manager, who may also be an owner
 */
export async function findOwner(client: Client, given: string | undefined, manager: Person, signIn: SignIn) {
  return given === undefined ? grant(client, await signIn('demo-owner'), 'role:owner') : manager
}

const DataDirectory = Type.Object({ dataDir: Type.String() })
const Roles = Type.Object({ globalRoles: Type.Array(Type.String()) })
const rolePath = '/auth/stand-in/roles'

/**
 * The first holder of a role cannot be made through the API. The service says where it keeps its key, by which this process
 * proves that it may: so it does not matter with which settings the service was started.
 */
async function grant(client: Client, { chatPlatformId, ...person }: Person, role: GlobalRole): Promise<Person> {
  const asked = await client.call('GET', rolePath)
  if (asked.status === 404) {
    throw new Error(`the service at ${client.url} is of another version than this demo: restart it, or ${managerHelp}`)
  }
  const { dataDir } = bodyOf(asked, 200, DataDirectory)
  const secret = await readFile(path.join(dataDir, 'keys', 'seal.key')).catch((cause: unknown) => {
    throw new Error(
      `the service at ${client.url} keeps its data in ${dataDir}, which cannot be read from here; run the demo where and as whom the service runs, or ${managerHelp}`,
      { cause },
    )
  })
  const proof = proofOf(sealBy(secret), chatPlatformId, role)
  const given = await client.call('POST', rolePath, { json: { user: chatPlatformId, role, proof } })
  if (given.status === 403) {
    throw new Error(`${dataDir} on this machine is not that of the service at ${client.url}; ${managerHelp}`)
  }
  bodyOf(given, 200, Roles)
  return { chatPlatformId, ...person }
}
