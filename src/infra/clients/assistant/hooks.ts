import type { Told } from './messages.ts'

/**
 * The message of an assistant's hook, in our types; null for a message that we do not use or understand, since a newer
 * server may send others. (AS26)
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
