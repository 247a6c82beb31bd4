import { countCharacters } from './characters.ts'

/** Addresses that users supply, to be shown as links and images. The service never fetches them. */

export const maxAddressLength = 2_000

/** Why a text cannot be such an address, as the end of a sentence; null when it can. */
export function webAddressFault(text: string): string | null {
  if (countCharacters(text) > maxAddressLength) return `must have at most ${maxAddressLength} characters`
  if (!URL.canParse(text)) return 'must be an absolute address such as https://example.org/image.png'
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must start with https:// or http://'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password'
  return null
}
