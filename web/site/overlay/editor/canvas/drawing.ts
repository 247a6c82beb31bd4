import type { SceneDocument } from '../../../../../src/engine/scenes/document.ts'
import type { PlayerScore } from '../../../../../src/engine/scenes/live.ts'
import type { ControlState, DataTree } from '../../../../../src/engine/scenes/tree.ts'
import type { Context } from '../../../../overlay/draw/context.ts'
import { ElementView } from '../../../../overlay/draw/element.ts'
import { forgetWidths, loadFonts } from '../../../../overlay/draw/font.ts'
import { Joined } from '../../../../overlay/model/joined.ts'
import { type Node, treeOf } from '../../../../overlay/model/nodes.ts'
import { colorOf } from '../../../../overlay/model/props.ts'
import overlayStyles from '../../../../overlay/styles/index.css?inline'
import '@fontsource-variable/sofia-sans-condensed/wght.css'
import { now } from '../../../data/live.ts'
import { mediaUrl } from '../../../data/settings.ts'

/** What the scenes are filled with. */
export interface Filling {
  readonly data: DataTree
  readonly control: ControlState
  readonly values: Readonly<Record<string, PlayerScore>>
}

interface Drawn {
  readonly view: ElementView
  readonly node: Node
}

/** Between drawings while only the time changes, in milliseconds. */
const tickMs = 250

const isSame = (one: Node, other: Node): boolean =>
  one.id === other.id &&
  one.element === other.element &&
  one.children.length === other.children.length &&
  one.children.every((child, at) => isSame(child, other.children[at] as Node))

/**
 * A scene as broadcasting programs draw it, by the same code, in a tree of its own, where only the styles of overlays
 * hold. What a change leaves alone is not drawn again. Nothing moves by itself, and no stream is played.
 */
export class Drawing {
  readonly root: ShadowRoot
  readonly joined = new Joined()
  readonly #canvas = document.createElement('div')
  readonly #scene = document.createElement('div')
  #drawn = new Map<string, Drawn>()
  #id: string | null = null
  #isFramed = false
  readonly #tick = setInterval(() => this.#plan(), tickMs)

  constructor(host: HTMLElement) {
    this.root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(overlayStyles)
    this.root.adoptedStyleSheets = [sheet]
    this.#canvas.className = 'canvas'
    this.#scene.className = 'scene'
    this.#canvas.append(this.#scene)
    this.root.replaceChildren(this.#canvas)
    document.fonts.addEventListener('loadingdone', this.#redraw)
  }

  show(scenes: SceneDocument, scene: string, { data, control, values }: Filling, zoom: number): void {
    const { joined } = this
    joined.document = scenes
    joined.control = control
    joined.data = withoutStreams(data)
    joined.values = values
    if (this.#id !== scene) this.#clear()
    this.#id = scene
    const { width, height } = scenes.canvas
    Object.assign(this.#canvas.style, { width: `${width}px`, height: `${height}px`, transform: `scale(${zoom})` })
    this.#draw()
  }

  /** What is drawn of an element: several nodes where it is in a list. */
  nodesOf(id: string): NodeListOf<HTMLElement> {
    return this.root.querySelectorAll<HTMLElement>(`[data-id="${id}"]`)
  }

  /** The elements at a point of the window, the front one first. */
  at(x: number, y: number): readonly string[] {
    const ids = this.root.elementsFromPoint(x, y).flatMap((each) => each.closest<HTMLElement>('.e')?.dataset.id ?? [])
    return [...new Set(ids)]
  }

  end(): void {
    clearInterval(this.#tick)
    document.fonts.removeEventListener('loadingdone', this.#redraw)
    this.#clear()
  }

  readonly #redraw = () => {
    forgetWidths()
    this.#clear()
    this.#draw()
  }

  #clear(): void {
    for (const { view } of this.#drawn.values()) view.destroy()
    this.#drawn = new Map()
  }

  #plan(): void {
    if (this.#isFramed || document.hidden) return
    this.#isFramed = true
    requestAnimationFrame(() => {
      this.#isFramed = false
      this.#update()
    })
  }

  #draw(): void {
    const scene = this.#id === null ? undefined : this.joined.document?.scenes[this.#id]
    if (scene === undefined) {
      this.#clear()
      return
    }
    const before = this.#drawn
    this.#drawn = new Map()
    for (const node of treeOf(scene)) {
      const known = before.get(node.id)
      if (known !== undefined && isSame(known.node, node)) {
        this.#drawn.set(node.id, known)
        before.delete(node.id)
      } else this.#drawn.set(node.id, { view: new ElementView(node), node })
    }
    for (const { view } of before.values()) view.destroy()
    let next = this.#scene.firstElementChild
    for (const { view } of this.#drawn.values()) {
      if (view.node === next) next = next.nextElementSibling
      else this.#scene.insertBefore(view.node, next)
    }
    this.#update()
  }

  #update(): void {
    const reading = this.joined.reading(now())
    const { document: scenes } = this.joined
    if (reading === null || scenes === null) return
    this.#canvas.style.background = colorOf(scenes.canvas.background, reading.variables) ?? ''
    const fonts = loadFonts(scenes.fonts, mediaUrl)
    const context: Context = { reading, media: mediaUrl, isStill: true, items: [], fonts, isMuted: true }
    for (const { view } of this.#drawn.values()) view.update(context)
  }
}

/** Streams would be heard, and take much from the machine that edits. */
function withoutStreams(data: DataTree): DataTree {
  const sides = data.sides.map((side) => ({
    ...side,
    players: side.players.map((player) => ({ ...player, stream: null })),
  }))
  return { ...data, sides }
}
