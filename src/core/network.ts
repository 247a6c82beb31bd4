import ipaddr from 'ipaddr.js'

/** Classifies network addresses and host names. */

/**
 * Whether an IP address, of either version and without brackets, belongs to the public internet: neither loopback,
 * link-local, private, multicast nor reserved, nor a form of IPv6 that carries an address of another network. (D34)
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(assignedToNetworks))
}

/**
 * All of IPv6 that has been allocated so far; addresses outside it carry other addresses, or mean nothing. (RFC 4291
 * §2.4)
 */
const assignedToNetworks = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * The network that counts as one caller: an IPv4 address, or the /64 network of an IPv6 address, since a single
 * customer has all its addresses (RFC 6177). An IPv4 address in the form of IPv6 is the IPv4 address. A text that is no
 * address is returned itself, cut.
 */
export function networkOf(address = ''): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address.slice(0, 64)
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const prefix = parsed.parts.slice(0, 4).map((part) => part.toString(16))
  return `${prefix.join(':')}::/64`
}

/**
 * Whether a URL's host is recognisably not on the public internet, whatever a name server would answer. (D34)
 * @param hostname as `URL` gives it: names in lower case, numbers as four decimal parts, IPv6 in brackets
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (ipaddr.isValid(host)) return !isPublicAddress(host)
  return !host.includes('.') || privateZones.some((zone) => host.endsWith(zone))
}

/** Zones that no public name server resolves. (RFC 6761, RFC 6762, RFC 8375, ICANN's reservation of `internal`) */
const privateZones = ['.localhost', '.local', '.internal', '.home.arpa']
