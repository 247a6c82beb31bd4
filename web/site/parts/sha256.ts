/** The SHA-256 of bytes, in hex. Browsers have it only on pages with https and on the machine itself. */
export async function sha256(content: BufferSource): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', content))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
