/** The options in the address of a browser source. (OV16, OV17) */

export interface Options {
  /** Id of a scene that is always shown; null for the scene of the control state. */
  readonly scene: string | null
  readonly isMuted: boolean
  /** `#rrggbb` for keying; null for a transparent background. */
  readonly background: string | null
  /** Whether the data has the delay of the stream. */
  readonly isDelayed: boolean
  readonly isDebug: boolean
}

/** The fragment of the address: a view token, the GUID of a public overlay, or something that is refused. */
export type Key =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'overlay'; readonly guid: string }
  | { readonly kind: 'accessToken' }
  | { readonly kind: 'none' }

export function optionsOf(query: string): Options {
  const asked = new URLSearchParams(query)
  const isOn = (name: string) => asked.has(name) && asked.get(name) !== 'false' && asked.get(name) !== '0'
  const background = asked.get('background') ?? ''
  const color = background.startsWith('#') ? background : `#${background}`
  const scene = asked.get('scene') ?? ''
  return {
    scene: /^[a-z0-9]{8,16}$/.test(scene) ? scene : null,
    isMuted: isOn('muted'),
    background: /^#[0-9a-f]{6}$/i.test(color) ? color : null,
    isDelayed: isOn('delayed'),
    isDebug: isOn('debug'),
  }
}

/**
 * An access token in the address is refused: everybody who sees the scene collection would have access to the account.
 * (OV16)
 */
export function keyOf(fragment: string): Key {
  const text = decoded(fragment.replace(/^#/, '')).trim()
  if (/^ovt_[\w-]{43}$/.test(text)) return { kind: 'token', token: text }
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return { kind: 'overlay', guid: text.toLowerCase() }
  if (/^(bearer\s+)?[\w-]+\.[\w-]+\.[\w-]+$/i.test(text)) return { kind: 'accessToken' }
  return { kind: 'none' }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
