import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import type { buildConnector } from 'undici'
import { loadUndici } from './agent.ts'

/** Connections to wherever users say, but never to where they may not lead. (D34) */

export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>

export interface Reach {
  /** Whether an IP address may be connected to. */
  readonly isAllowed: (address: string) => boolean
  readonly resolve: Resolve
}

/** Also for a name that has no address at all: whoever asks must not learn which names there are in a private network. */
export class OutOfReach extends Error {
  override readonly name = 'OutOfReach'

  constructor() {
    super('there is no address that may be connected to')
  }
}

export interface Trust {
  /** Whether certificates are verified as usual; who says no compares them itself, and no session is resumed for them. */
  readonly verifies: boolean
}

/**
 * A name is asked for once for each connection. Every address that it then has must be allowed, and the connection is
 * made to one of these, whatever the name leads to by then. Host header, server name and certificate stay the name's.
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
    // An address needs no look-up, and would get around it.
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

/** As the machine names its hosts, with those that it alone knows. */
export const machineNames: Resolve = (hostname) => lookup(hostname, { all: true })

/**
 * As name servers answer, and without the few threads that the machine's own look-ups share with all else that waits:
 * name servers of strangers may take their time.
 */
export const publicNames: Resolve = async (hostname) => {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 })
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  return answers.flatMap((answer, index) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  )
}
