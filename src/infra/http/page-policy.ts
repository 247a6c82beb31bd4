/** What pages may load, and what they may connect to. (W6) */

/** Addresses outside the service that pages may connect to. */
export interface Reached {
  readonly socketUrl: string
  readonly mediaUrl: string
  /** Origins of the media servers whose streams pages show. */
  readonly play: readonly string[]
  /** Origins of the streaming site's player. */
  readonly frames: readonly string[]
}

/** Origins as the sources of a directive, each once. */
const sources = (...origins: readonly string[]): string => [...new Set(origins)].join(' ')

/**
 * The policy of a page: its own scripts and styles, the service's socket and media, the media servers, and nothing else.
 *
 * @param own directives that differ from page to page
 * @param framed what may be shown in frames
 */
function policyOf(
  { socketUrl, mediaUrl, play }: Reached,
  own: Readonly<Record<string, string>>,
  framed: readonly string[],
): string {
  const [socket, media] = [new URL(socketUrl).origin, new URL(mediaUrl).origin]
  const directives = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'font-src': "'self'",
    'img-src': sources("'self'", 'blob:', media),
    'media-src': sources('blob:', media, ...play),
    'connect-src': sources("'self'", socket, media, ...play),
    'frame-src': framed.length > 0 ? sources(...framed) : "'none'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    ...own,
  }
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
}

export interface SitePolicyOptions {
  /** Whether other websites may frame it. */
  readonly isEmbed?: boolean
  /** Whether it may show the player of the streaming site. */
  readonly hasPlayer?: boolean
  /** Whether it shows what is on air: the page of overlays in a frame. */
  readonly showsOverlay?: boolean
  /** Whether it shows fonts that are media. */
  readonly hasFonts?: boolean
}

/** The policy of a page of the website. */
export function sitePolicy(around: Reached, options: SitePolicyOptions = {}): string {
  const { isEmbed = false, hasPlayer = false, showsOverlay = false, hasFonts = false } = options
  const own = {
    'manifest-src': "'self'",
    'worker-src': "'self'",
    'form-action': "'self'",
    'trusted-types': 'site',
    ...(isEmbed && { 'frame-ancestors': '*' }),
    ...(hasFonts && { 'font-src': sources("'self'", new URL(around.mediaUrl).origin) }),
  }
  return policyOf(around, own, [...(showsOverlay ? ["'self'"] : []), ...(hasPlayer ? around.frames : [])])
}

/**
 * The policy of the page of overlays, whose fonts are media too.
 *
 * @param options `isPreview`: whether pages of the website may frame it
 */
export function overlayPolicy(around: Reached, { isPreview = false } = {}): string {
  const media = new URL(around.mediaUrl).origin
  const own = {
    'font-src': sources("'self'", media),
    'form-action': "'none'",
    'trusted-types': "'none'",
    ...(isPreview && { 'frame-ancestors': "'self'" }),
  }
  return policyOf(around, own, around.frames)
}

/** The policy of the service worker, which asks this service alone. */
export const workerPolicy = "default-src 'none'; connect-src 'self'"
