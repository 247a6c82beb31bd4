import ipaddr from 'ipaddr.js'
import type { ServerKind } from '../../../../infra/clients/media-servers/types.ts'

/** The maximum number of networks, which are checked on each call of a server. */
export const maxNetworks = 50

/**
 * Networks whose traffic does not leave the machine or the network behind its router. (RFC 1122 §3.2.1.3; RFC 1918;
 * RFC 4193; RFC 4291)
 */
const closedNetworks = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
]

/**
 * The default networks from which servers of a kind may call. Those of nginx-rtmp are private, as it sends its secret
 * in plain http. (streaming: Adapters)
 */
export function defaultNetworks(kind: ServerKind): readonly string[] {
  return asksInPlain(kind) ? closedNetworks : []
}

function asksInPlain(kind: ServerKind): boolean {
  return kind === 'nginx-rtmp'
}

/**
 * Reads networks in CIDR notation, without bits after the prefix. Networks for nginx-rtmp must be loopback or private,
 * as it sends its secret in plain http. (streaming: Records; streaming: Adapters)
 * @returns the networks without duplicates, or the reason for a refusal as the end of a sentence
 */
export function readNetworks(
  kind: ServerKind,
  given: readonly string[],
): { readonly ok: true; readonly networks: string[] } | { readonly ok: false; readonly reason: string } {
  const networks = new Set<string>()
  for (const text of given) {
    const network = canonical(text)
    if (network === null) {
      return { ok: false, reason: 'must hold networks in CIDR notation, such as 203.0.113.0/24 or 2001:db8::/32' }
    }
    if (asksInPlain(kind) && !isClosed(network)) {
      return { ok: false, reason: 'may hold loopback and private networks alone: nginx-rtmp asks in plain http' }
    }
    networks.add(network)
  }
  if (asksInPlain(kind) && networks.size === 0) {
    return { ok: false, reason: 'must name the networks that nginx-rtmp asks from in plain http' }
  }
  return { ok: true, networks: [...networks] }
}

function canonical(text: string): string | null {
  // The library also accepts octal and shortened forms, which other programs read differently.
  if (!/^[\da-f.:]+\/\d{1,3}$/i.test(text) || !ipaddr.isValidCIDR(text)) return null
  const [address, bits] = ipaddr.parseCIDR(text)
  if (address.kind() === 'ipv4') {
    if (!ipaddr.IPv4.isValidFourPartDecimal(text.replace(/\/.*/, ''))) return null
    return `${ipaddr.IPv4.networkAddressFromCIDR(text)}/${bits}`
  }
  return `${ipaddr.IPv6.networkAddressFromCIDR(text)}/${bits}`
}

function isClosed(network: string): boolean {
  const [address, bits] = ipaddr.parseCIDR(network)
  return closedNetworks.some((closed) => {
    const [base, least] = ipaddr.parseCIDR(closed)
    return base.kind() === address.kind() && bits >= least && address.match(base, least)
  })
}

/**
 * Whether the address is in one of the server's networks. Every address is accepted if the owner has set none;
 * otherwise, an invalid address is refused. (streaming: Records; S7)
 */
export function asksFromItsPlace({ networks }: { readonly networks: readonly string[] }, address: string): boolean {
  if (networks.length === 0) return true
  if (!ipaddr.isValid(address)) return false
  // An IPv4 address in IPv6 form counts as the IPv4 address.
  const parsed = ipaddr.process(address)
  return networks.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network)
    return base.kind() === parsed.kind() && parsed.match(base, bits)
  })
}
