import type { Told } from './messages.ts'

/**
 * What a hook of an assistant's tells, in our words; null for what is nothing to us, or nothing that we understand: a newer server
 * may tell more. (AS26)
 */
export async function readHookMessage(data: unknown, tournament: string): Promise<Told | null> {
  const { readHook, MalformedPacket } = await import('./codec/codec.ts')
  try {
    return readHook(data, tournament)
  } catch (error) {
    if (error instanceof MalformedPacket) return null
    throw error
  }
}
