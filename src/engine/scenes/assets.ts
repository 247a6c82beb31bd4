import type { SceneDocument, SceneElement } from './document.ts'

/** The properties that hold media, by type of element. (OV8) */
const mediaProps: Readonly<Record<string, readonly string[]>> = {
  image: ['media'],
  video: ['media'],
  stream: ['fallback'],
}

/**
 * GUIDs of all media that a document shows (fonts, images, videos, fallbacks), in lower case, sorted and without
 * duplicates. (OV8)
 */
export function assetsOf(document: Pick<SceneDocument, 'fonts' | 'scenes'>): string[] {
  const found = new Set<string>()
  for (const { media } of Object.values(document.fonts ?? {})) found.add(media.toLowerCase())
  for (const { elements } of Object.values(document.scenes))
    for (const element of Object.values(elements)) for (const media of mediaOf(element)) found.add(media.toLowerCase())
  return [...found].sort()
}

function mediaOf({ type, props = {} }: SceneElement): string[] {
  return (mediaProps[type] ?? []).map((name) => props[name]).filter((media) => typeof media === 'string')
}

/** The document with media replaced. Media without a replacement stay. */
export function withAssets(document: SceneDocument, others: ReadonlyMap<string, string>): SceneDocument {
  const other = (media: string) => others.get(media.toLowerCase()) ?? media
  const elementWith = (element: SceneElement): SceneElement => {
    const names = (mediaProps[element.type] ?? []).filter((name) => typeof element.props?.[name] === 'string')
    if (names.length === 0) return element
    const changed = names.map((name) => [name, other(element.props?.[name] as string)])
    return { ...element, props: { ...element.props, ...Object.fromEntries(changed) } }
  }
  return {
    ...document,
    ...(document.fonts === undefined
      ? {}
      : { fonts: mapped(document.fonts, (font) => ({ ...font, media: other(font.media) })) }),
    scenes: mapped(document.scenes, (scene) => ({ ...scene, elements: mapped(scene.elements, elementWith) })),
  }
}

/** The document without any media. Its elements stay but show none, and texts use a font that every page has. */
export function withoutAssets(document: SceneDocument): SceneDocument {
  const { fonts: _, ...rest } = document
  return { ...rest, scenes: scenesWithout(document, () => true) }
}

/** The document without one of its media, given by the GUID in lower case. */
export function withoutAsset(document: SceneDocument, guid: string): SceneDocument {
  const isGone = (media: unknown) => typeof media === 'string' && media.toLowerCase() === guid
  const scenes = scenesWithout(document, isGone)
  if (document.fonts === undefined) return { ...document, scenes }
  const fonts = Object.fromEntries(Object.entries(document.fonts).filter(([, { media }]) => !isGone(media)))
  return { ...document, fonts, scenes }
}

function scenesWithout({ scenes }: SceneDocument, isGone: (media: unknown) => boolean): SceneDocument['scenes'] {
  const bare = ({ props, ...element }: SceneElement): SceneElement => {
    if (props === undefined) return element
    const named = mediaProps[element.type] ?? []
    const left = Object.entries(props).filter(([name, value]) => !named.includes(name) || !isGone(value))
    return { ...element, props: Object.fromEntries(left) }
  }
  return mapped(scenes, (scene) => ({ ...scene, elements: mapped(scene.elements, bare) }))
}

function mapped<T>(record: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
}
