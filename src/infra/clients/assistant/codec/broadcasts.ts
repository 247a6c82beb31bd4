import type { Told } from '../messages.ts'
import type { Expectation } from './decode.ts'

type Decode = (bytes: Uint8Array, expectation: Expectation) => Told

/** The messages that a server sends to all joined clients. */
const toEverybody: ReadonlySet<Told['type']> = new Set(['user', 'match', 'finished'])
const maxRemembered = 64
const longest = 4_096

/**
 * A broadcast arrives on each of our connections to the server, byte for byte the same. It is decoded once, if the
 * copies arrive shortly after each other.
 */
export function decodingOnce(decode: Decode): Decode {
  const known = new Map<string, Told>()
  return (bytes, expectation) => {
    const { tournament, hasJoined } = expectation
    if (!hasJoined || bytes.length > longest) return decode(bytes, expectation)
    const key = `${tournament} ${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')}`
    const before = known.get(key)
    if (before !== undefined) return before
    const told = decode(bytes, expectation)
    if (toEverybody.has(told.type)) {
      const [oldest] = known.keys()
      if (known.size >= maxRemembered && oldest !== undefined) known.delete(oldest)
      known.set(key, told)
    }
    return told
  }
}
