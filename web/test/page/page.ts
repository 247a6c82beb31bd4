import '../../overlay/styles/index.css'
import type { SceneDocument } from '../../../src/engine/scenes/document.ts'
import { type SamplePreset, sampleOf } from '../../../src/engine/scenes/samples/samples.ts'
import { builtInTemplates } from '../../../src/engine/scenes/templates/templates.ts'
import { optionsOf } from '../../overlay/model/options.ts'
import { openPage } from '../../overlay/page.ts'
import type { Listener } from '../../overlay/source.ts'
import { propsRead } from './props-read.ts'

/** The page with data from the test instead of the service. It is not part of the build. */

declare global {
  /** The listener of the page. */
  var tell: Listener
  var opened: {
    readonly close: () => void
    reloads: number
    readonly sampleOf: typeof sampleOf
    readonly propsRead: typeof propsRead
    readonly document: SceneDocument | undefined
    now: number | null
    /** Opens the page again, as a newer version would. */
    readonly open: () => () => void
  }
}

const query = new URLSearchParams(location.search)
const template = builtInTemplates.find(({ key }) => key === (query.get('template') ?? 'duel'))
const preset = query.get('preset') as SamplePreset | null
const pictures = query.has('pictures') ? (name: string) => `${location.origin}/media/sample/${name}` : () => null
const began = Number(query.get('now') ?? Date.now())

const open = () =>
  openPage({
    options: optionsOf(location.search),
    media: location.origin,
    renewal: { begin: () => void globalThis.opened.reloads++, end: () => {} },
    source: {
      now: () => globalThis.opened?.now ?? Date.now(),
      listen(listener) {
        globalThis.tell = listener
        if (preset !== null && template !== undefined) {
          const { data, control, live } = sampleOf(preset, began, pictures)
          const role = query.get('role')
          const [scene = null] = Object.entries(template.document.scenes).find(([, each]) => each.role === role) ?? []
          listener.document(template.document)
          listener.control({ ...control, scene })
          listener.data(data)
          listener.live(live)
        }
        return () => {}
      },
    },
  })

globalThis.opened = {
  reloads: 0,
  sampleOf,
  propsRead,
  open,
  document: template?.document,
  now: query.has('now') ? began : null,
  close: () => close(),
}
const close = open()
