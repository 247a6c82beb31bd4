import ipaddr from 'ipaddr.js'

/** Where addresses lead, as far as they tell. */

/**
 * Whether an IP address, of either version and without brackets, belongs to the open internet: neither loopback,
 * link-local, private, multicast nor reserved, nor a form of IPv6 that carries an address of another network. (D34)
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(assignedToNetworks))
}

/** All of IPv6 that has been given out so far; what lies outside carries other addresses, or means nothing. (RFC 4291 §2.4) */
const assignedToNetworks = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Who is counted as one caller: an IPv4 address, or the /64 network of an IPv6 address, of which a single customer has all
 * addresses (RFC 6177). An IPv4 address in the form of IPv6 is the IPv4 address. What is no address stands for itself, cut.
 */
export function networkOf(address = ''): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address.slice(0, 64)
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const prefix = parsed.parts.slice(0, 4).map((part) => part.toString(16))
  return `${prefix.join(':')}::/64`
}

/**
 * Whether a URL's host says by itself that it is not on the open internet, whatever a name server would answer. (D34)
 * @param hostname as `URL` gives it: names in lower case, numbers as four decimal parts, IPv6 in brackets
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (ipaddr.isValid(host)) return !isPublicAddress(host)
  return !host.includes('.') || privateZones.some((zone) => host.endsWith(zone))
}

/** Names that no public name server answers for. (RFC 6761, RFC 6762, RFC 8375, ICANN's reservation of `internal`) */
const privateZones = ['.localhost', '.local', '.internal', '.home.arpa']
