import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import type { buildConnector } from 'undici'
import { loadUndici } from './agent.ts'

/** Connections to addresses of users, but never to forbidden ones. (D34) */

export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>

export interface Reach {
  /** Whether connections to an IP address are allowed. */
  readonly isAllowed: (address: string) => boolean
  readonly resolve: Resolve
}

/** Also thrown for a name without an address: callers must not learn which names exist in a private network. */
export class OutOfReach extends Error {
  override readonly name = 'OutOfReach'

  constructor() {
    super('there is no address that may be connected to')
  }
}

export interface Trust {
  /** Whether certificates are verified as usual. If not, the caller compares them, and no TLS session is resumed. */
  readonly verifies: boolean
}

/**
 * A name is resolved once for each connection. All its addresses must be allowed, and the connection uses one of these,
 * even if the name changes meanwhile. Host header, server name and certificate remain those of the name.
 */
export function connectorWithin(
  reach: Reach,
  timeoutMs: number,
  { verifies }: Trust = { verifies: true },
): buildConnector.connector {
  const options = {
    ...(verifies ? {} : { rejectUnauthorized: false, maxCachedSessions: 0 }),
    timeout: timeoutMs,
    allowH2: false,
    autoSelectFamily: true,
    lookup: lookupWithin(reach),
  } as buildConnector.BuildOptions
  let connector: buildConnector.connector | undefined
  return (target, callback) => {
    // An IP address is not resolved, so it must be checked here.
    if (isIP(target.hostname) !== 0 && !reach.isAllowed(target.hostname)) return callback(new OutOfReach(), null)
    loadUndici().then(
      (undici) => {
        connector ??= undici.buildConnector(options)
        connector(target, callback)
      },
      (error: Error) => callback(error, null),
    )
  }
}

function lookupWithin({ resolve, isAllowed }: Reach): LookupFunction {
  return (hostname, _options, callback) => {
    resolve(hostname)
      .catch(() => [])
      .then((addresses) => {
        const isReachable = addresses.length > 0 && addresses.every(({ address }) => isAllowed(address))
        if (isReachable) callback(null, [...addresses])
        else callback(new OutOfReach(), [])
      })
  }
}

/** Resolves names like the machine does, including its local names. */
export const machineNames: Resolve = (hostname) => lookup(hostname, { all: true })

/**
 * Resolves names by name servers, without the few threads of the machine's own look-ups: slow name servers of strangers
 * would block these for all other work.
 */
export const publicNames: Resolve = async (hostname) => {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 })
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  return answers.flatMap((answer, index) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  )
}
