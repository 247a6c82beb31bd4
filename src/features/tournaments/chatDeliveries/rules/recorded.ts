import { createHash } from 'node:crypto'

/** An id such as the chat platform gives to messages: another one for each key. (R3) */
export function numberOf(key: string): string {
  return (createHash('sha256').update(key).digest().readBigUInt64BE() >> 1n).toString()
}
