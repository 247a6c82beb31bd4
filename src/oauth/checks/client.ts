import { timingSafeEqual } from 'node:crypto'
import { digestOf } from '../../infra/secrets.ts'
import { clientRefused, refusal } from '../problems.ts'
import type { Client } from '../types.ts'
import { given } from './parameters.ts'

/** Identifies and authenticates the application that calls. */

/** An unknown application gets no redirect and no token. (RFC 6749 §4.1.2.1) */
export function checkClientKnown(client: Client | undefined): Client {
  if (client === undefined) {
    throw refusal('invalid_request', 'client.unknown', 'No application has the client_id of this request.')
  }
  return client
}

export interface Credentials {
  readonly clientId: string
  /** null: the client gives only its id, as public clients do. */
  readonly secret: string | null
}

/**
 * A client must identify itself in one way: HTTP Basic with its secret or, without a secret, `client_id`. (RFC 6749
 * §2.3)
 */
export function checkOneMethod(authorization: string | undefined, parameters: URLSearchParams): Credentials {
  if (given(parameters, 'client_secret') !== undefined) {
    throw clientRefused('client.secret_in_body', 'Send the client secret by HTTP Basic, not among the parameters.')
  }
  const named = given(parameters, 'client_id')
  if (authorization === undefined) {
    if (named === undefined) {
      throw clientRefused('client.missing', 'Say who you are: by HTTP Basic or, without a secret, by client_id.')
    }
    return { clientId: named, secret: null }
  }
  const credentials = readBasic(authorization)
  if (named !== undefined && named !== credentials.clientId) {
    throw refusal(
      'invalid_request',
      'client.ambiguous',
      'client_id is another one than that of the Authorization header.',
    )
  }
  return credentials
}

/** Both halves are form-encoded before they are joined. (RFC 6749 §2.3.1) */
function readBasic(authorization: string): Credentials {
  const malformed = () =>
    clientRefused('client.malformed', 'The Authorization header must be Basic, with client id and client secret.')
  const encoded = /^Basic +([\w+/-]+={0,2}) *$/i.exec(authorization)?.[1]
  const [id, secret, ...rest] = Buffer.from(encoded ?? '', 'base64')
    .toString('utf8')
    .split(':')
  if (id === undefined || id === '' || secret === undefined || rest.length > 0) throw malformed()
  try {
    return { clientId: formDecoded(id), secret: formDecoded(secret) }
  } catch {
    throw malformed()
  }
}

function formDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}

const nothing = Buffer.alloc(32)

/**
 * A confidential client authenticates with its secret; a public one has none. A refusal does not reveal the reason, not
 * even by the time that it takes. (RFC 6749 §3.2.1, §5.2)
 */
export function checkClientAuthenticated(client: Client | undefined, { secret }: Credentials): Client {
  const expected = client?.secretHash ?? nothing
  const isProven = timingSafeEqual(digestOf(secret ?? ''), expected)
  const isGood = client?.type === 'public' ? secret === null : isProven
  if (client === undefined || !isGood) {
    throw clientRefused('client.refused', 'The client is unknown, or its credentials are wrong.')
  }
  return client
}

/** Only confidential clients may introspect tokens. (RFC 7662 §2.1) */
export function checkClientConfidential(client: Client): void {
  if (client.type === 'public') {
    throw clientRefused('client.public', 'Only confidential clients may ask what tokens are worth.')
  }
}
