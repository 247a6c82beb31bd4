import './styles/index.css'
import { h } from './dom.ts'
import { keyOf, optionsOf } from './model/options.ts'
import { openPage } from './page.ts'
import { PreviewSource, previewAddress } from './preview-source.ts'
import { newerPage } from './renewal.ts'
import { ServiceSource } from './service-source.ts'

/** The browser source: shows an overlay to everybody who has its address. (OV16, OV17) */

const { socket = '', media = location.origin } = document.body.dataset
const key = keyOf(location.hash)
const options = optionsOf(location.search)

if (location.pathname === previewAddress) {
  openPage({ source: new PreviewSource(), options, media })
} else if (key.kind === 'accessToken') {
  // The only text of its own that this page shows: an access token must not go on air.
  const words =
    'This address holds an access token, which is the key to an account. Overlays take view tokens: make one in the editor of your overlay, and use its address.'
  document.body.append(h('p', 'refused', words))
} else if (key.kind !== 'none') {
  const source = new ServiceSource({
    key,
    isDelayed: options.isDelayed,
    url: socket,
    apiUrl: new URL('/api', location.href).href,
  })
  openPage({ source, options, media, renewal: newerPage() })
}
