import { mirrorUrl } from './mirror.ts'

/** Media: pictures, videos and fonts that users upload and the service encodes anew. (M1 to M28) */

const mib = 1024 * 1024
const million = 1_000_000

/** The form of a file, detected from its bytes. (M3) */
export const mediaForms = ['picture', 'video', 'font'] as const
export type MediaForm = (typeof mediaForms)[number]

export interface MediaKindLimits {
  readonly form: MediaForm
  /** Maximum size of the upload. */
  readonly maxBytes: number
  /** Maximum pixels: of a picture, over all its frames; of a video, of one frame. */
  readonly maxPixels: number
  readonly frames: number
  readonly shape: MediaShape
  /** Widths of the smaller files of a picture; `card` is 1200 × 630. (M18) */
  readonly widths: readonly number[]
  readonly hasCard: boolean
  /** The record whose quota the file counts against. (M16) */
  readonly target: 'user' | 'team' | 'platform' | 'tournament' | 'library'
}

export type MediaShape =
  /** `square`: cut from the centre. */
  | { readonly as: 'square'; readonly least: number; readonly most: number }
  | { readonly as: 'banner'; readonly minWidth: number; readonly maxWidth: number; readonly ratios: readonly [2, 4] }
  | { readonly as: 'fit'; readonly width: number; readonly height: number }
  | { readonly as: 'as_is' }

const small = { form: 'picture', maxBytes: 4 * mib, maxPixels: 25 * million, frames: 1, hasCard: false } as const
const large = { form: 'picture', maxBytes: 8 * mib, maxPixels: 40 * million, frames: 1, hasCard: false } as const
const icon = { shape: { as: 'square', least: 64, most: 512 }, widths: [64, 128, 256, 512] } as const
const none = { shape: { as: 'as_is' }, widths: [], hasCard: false, frames: 1 } as const

/** All kinds of media, with their limits. (media: Record and kinds) */
export const mediaKinds = {
  avatar: { ...small, ...icon, target: 'user' },
  app_image: { ...small, ...icon, target: 'user' },
  team_image: { ...small, ...icon, hasCard: true, target: 'team' },
  platform_image: { ...small, ...icon, target: 'platform' },
  tournament_image: {
    ...large,
    hasCard: true,
    target: 'tournament',
    shape: { as: 'square', least: 128, most: 1024 },
    widths: [64, 128, 256, 512, 1024],
  },
  tournament_banner: {
    ...large,
    target: 'tournament',
    hasCard: true,
    shape: { as: 'banner', minWidth: 960, maxWidth: 1920, ratios: [2, 4] },
    widths: [512, 1024, 1920],
  },
  update_image: {
    ...large,
    target: 'tournament',
    shape: { as: 'fit', width: 1920, height: 1920 },
    widths: [512, 1024, 1920],
  },
  badge_image: {
    ...small,
    maxBytes: mib,
    maxPixels: 4 * million,
    target: 'library',
    shape: { as: 'fit', width: 640, height: 240 },
    widths: [80, 160, 320, 640],
  },
  award_image: {
    ...large,
    hasCard: true,
    target: 'library',
    shape: { as: 'fit', width: 1024, height: 1024 },
    widths: [128, 256, 512, 1024],
  },
  overlay_image: {
    ...large,
    maxBytes: 16 * mib,
    maxPixels: 60 * million,
    frames: 300,
    target: 'tournament',
    shape: { as: 'fit', width: 3840, height: 2160 },
    widths: [512, 1024, 1920],
  },
  overlay_video: {
    ...none,
    form: 'video',
    maxBytes: 64 * mib,
    maxPixels: 1920 * 1080,
    target: 'tournament',
  },
  overlay_font: { ...none, form: 'font', maxBytes: 2 * mib, maxPixels: 0, target: 'tournament' },
} as const satisfies Readonly<Record<string, MediaKindLimits>>

export type MediaKind = keyof typeof mediaKinds

/** The kinds that overlays use: pictures, videos and fonts of one tournament. */
export const overlayKinds = ['overlay_image', 'overlay_video', 'overlay_font'] as const satisfies readonly MediaKind[]

export function isForOverlays(kind: MediaKind): boolean {
  return overlayKinds.some((each) => each === kind)
}

export const mediaKindNames = Object.keys(mediaKinds) as readonly MediaKind[]
/** The largest limit of all kinds: until a form has named its kind, this limit applies. (M4) */
export const maxUploadBytes = Math.max(...Object.values(mediaKinds).map(({ maxBytes }) => maxBytes))
/** Maximum length of an `overlay_video`, in seconds. */
export const maxVideoSeconds = 120

/** The media types of delivered files. */
export const mediaTypes = {
  webp: 'image/webp',
  png: 'image/png',
  jpeg: 'image/jpeg',
  webm: 'video/webm',
  mp4: 'video/mp4',
  woff2: 'font/woff2',
} as const
export type MediaExtension = keyof typeof mediaTypes
export type MediaType = (typeof mediaTypes)[MediaExtension]

export function extensionOf(type: MediaType): MediaExtension {
  return (Object.keys(mediaTypes) as MediaExtension[]).find((name) => mediaTypes[name] === type) ?? 'webp'
}

/** The address of the full-size file. (M18) */
export function mediaUrl(mediaOrigin: string, guid: string, type: MediaType): string {
  return `${mediaOrigin}/media/${guid}/full.${extensionOf(type)}`
}

const address = /^\/media\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/[^/?#]+$/i

/**
 * The GUID of the media that an address names, for any of its files; `foreign` for an address elsewhere, `invalid` for
 * one at our own origin that cannot name media. (M25)
 */
export function mediaGuidIn(mediaOrigin: string, url: string): { readonly guid: string } | 'foreign' | 'invalid' {
  const parsed = URL.parse(url)
  if (parsed === null || parsed.origin !== mediaOrigin) return 'foreign'
  const guid = address.exec(parsed.pathname)?.[1]
  return guid === undefined ? 'invalid' : { guid: guid.toLowerCase() }
}

/** The kinds of records that use media. (media: Operations) */
export const mediaSubjects = [
  'user',
  'tournament',
  'team',
  'platform',
  'application',
  'badge',
  'badge_request',
  'award',
  'award_category',
  'update',
  'overlay',
  'notice',
  'pool',
  'availability_sheet',
] as const
export type MediaSubject = (typeof mediaSubjects)[number]

/** The fields that hold the address of a picture, and the kind of media that each takes. (M25) */
export const pictureFields = {
  user: { avatarUrl: 'avatar' },
  application: { imageUrl: 'app_image' },
  team: { imageUrl: 'team_image' },
  platform: { imageUrl: 'platform_image' },
  tournament: { imageUrl: 'tournament_image', bannerUrl: 'tournament_banner' },
  award: { bannerUrl: 'award_image', imageUrl: 'award_image' },
} as const satisfies { readonly [Subject in MediaSubject]?: Readonly<Record<string, MediaKind>> }
export type PicturedSubject = keyof typeof pictureFields

/** The external address that the last part of a mirror address encodes; null where it encodes none. (M26) */
export function mirroredUrl(part: string): string | null {
  const url = Buffer.from(part, 'base64url').toString()
  return Buffer.from(url).toString('base64url') === part && URL.canParse(url) ? url : null
}

/**
 * The address of a record's small picture, always at our own origin: browsers send requests to nobody else for it.
 * (M26)
 */
export function shownPicture(mediaOrigin: string, url: string): string {
  const own = mediaGuidIn(mediaOrigin, url)
  return typeof own === 'object' ? `${mediaOrigin}/media/${own.guid}/128.webp` : mirrorUrl(mediaOrigin, url)
}
