import { h, toggle } from './dom.ts'
import { forgetWidths } from './draw/font.ts'
import { Joined } from './model/joined.ts'
import type { Options } from './model/options.ts'
import { endPlayers } from './play/stream.ts'
import type { Renewal } from './renewal.ts'
import type { Source } from './source.ts'
import { Stage } from './stage.ts'

/** How long the first picture waits for the fonts of the page, in milliseconds. */
const fontsMs = 600

/** After so many milliseconds without new data the page may replace itself with a newer version. (OV17) */
const idleMs = 600_000

export interface PageParts {
  readonly source: Source
  readonly options: Options
  /** Origin of our media. */
  readonly media: string
  /** Replaces the page with a newer version, if there is one. */
  readonly renewal?: Renewal
}

/**
 * The event of a newer version of the page that has drawn its first picture; the older version then removes itself.
 * (OV17)
 */
export const succeeded = 'downbeat-overlay'

/** The event that broadcasting programs send to their pages. (OV18) */
interface ObsEvent extends Event {
  readonly detail?: { readonly active?: boolean; readonly visible?: boolean }
}

/** Draws the data of the source, and never shows anything else. (OV17) @returns a function that ends it */
export function openPage({ source, options, media, renewal }: PageParts): () => void {
  const joined = new Joined()
  const stage: Stage = new Stage({
    joined,
    options,
    media,
    now: () => source.now(),
    onSceneChange: () => renewal?.begin(),
    onFirstPicture: () => dispatchEvent(new CustomEvent(succeeded, { detail: stage.node })),
    isSuccessor: document.querySelector('.stage') !== null,
  })
  const mark = h('div', 'mark')
  document.body.append(stage.node)
  if (options.isDebug) document.body.append(mark)
  let isReady = false
  let toldAt = Date.now()
  const changed = () => {
    toldAt = Date.now()
    if (isReady) stage.invalidate()
  }
  stage.start()
  const idle = setInterval(() => {
    if (Date.now() - toldAt < idleMs) return
    toldAt = Date.now()
    renewal?.begin()
  }, 30_000)
  const stop = source.listen({
    document(document) {
      if (document !== null) joined.document = document
      changed()
    },
    control(control) {
      if (joined.control !== null && joined.control.matchGuid !== control.matchGuid) joined.forget()
      joined.control = control
      changed()
    },
    data(data) {
      if (joined.data !== null && joined.data.match?.guid !== data.match?.guid) joined.forget()
      joined.data = data
      changed()
    },
    live(values) {
      joined.values = values
      changed()
    },
    connected: (isConnected) => toggle(mark, 'trouble', !isConnected),
    ended: () => end(),
  })
  // Ends all requests too.
  const end = () => {
    clearInterval(idle)
    renewal?.end()
    stop()
    stage.end()
    endPlayers()
    document.documentElement.removeAttribute('style')
    toggle(mark, 'trouble', true)
  }
  followVisibility(stage)
  addEventListener(succeeded, (event) => {
    if ((event as CustomEvent).detail === stage.node) return
    clearInterval(idle)
    stop()
    stage.end()
    stage.node.remove()
    mark.remove()
  })
  document.fonts.addEventListener('loadingdone', () => {
    forgetWidths()
    changed()
  })
  void bundledFonts().then(() => {
    isReady = true
    changed()
  })
  return end
}

/** A source that is hidden or off air is not seen, so both are handled alike. (OV18) */
function followVisibility(stage: Stage): void {
  const seen = { active: true, visible: true }
  const follow = (name: string, member: 'active' | 'visible') =>
    addEventListener(name, (event) => {
      seen[member] = (event as ObsEvent).detail?.[member] !== false
      stage.hide(!(seen.active && seen.visible))
    })
  follow('obsSourceActiveChanged', 'active')
  follow('obsSourceVisibleChanged', 'visible')
}

/** Loads the fonts first, so that text does not change its font while it is shown. */
function bundledFonts(): Promise<unknown> {
  const wanted = ["600 20px 'Atkinson Hyperlegible Next Variable'", "700 20px 'Sofia Sans Condensed Variable'"]
  const loaded = Promise.all(wanted.map((font) => document.fonts.load(font, 'Aa0').catch(() => [])))
  return Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, fontsMs))])
}
