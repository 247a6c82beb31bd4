/** The policy of pages that overlays are shown by. (W6, overlays: Security) */

export interface Reached {
  readonly socketUrl: string
  readonly mediaUrl: string
  /** Origins of media servers whose streams are shown. */
  readonly play: readonly string[]
  /** Origins of players on the streaming site, for who streams there. */
  readonly frames: readonly string[]
}

/** It brings its own scripts, styles and fonts, and speaks to this service, its media and its media servers alone. (W6) */
export function overlayPolicy({ socketUrl, mediaUrl, play, frames }: Reached): string {
  const [socket, media] = [new URL(socketUrl).origin, new URL(mediaUrl).origin]
  const sources = (...origins: readonly string[]) => [...new Set(origins)].join(' ')
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `font-src ${sources("'self'", media)}`,
    `img-src ${sources("'self'", 'blob:', media)}`,
    `media-src ${sources('blob:', media, ...play)}`,
    `connect-src ${sources("'self'", socket, media, ...play)}`,
    `frame-src ${frames.length === 0 ? "'none'" : sources(...frames)}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}
