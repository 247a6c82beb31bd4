import type { Motion } from '../../src/engine/scenes/document.ts'
import { h, style } from './dom.ts'
import type { Context } from './draw/context.ts'
import { loadFonts } from './draw/font.ts'
import { play } from './draw/motion.ts'
import { SceneView } from './draw/scene.ts'
import type { Joined } from './model/joined.ts'
import { shownScene } from './model/joined.ts'
import type { Options } from './model/options.ts'
import { colorOf } from './model/props.ts'

/** The interval of drawings in milliseconds while only the time changes. */
const tickMs = 200

const defaultTransition: Motion = { kind: 'fade', durationMs: 400, easing: 'easeInOut' }

export interface StageParts {
  readonly joined: Joined
  readonly options: Options
  /** The origin of our media. */
  readonly media: string
  /** The time of the service. */
  readonly now: () => number
  /** Called at a scene change, when a newer page may start unnoticed. */
  readonly onSceneChange: () => void
  /** Called when the first picture is drawn. */
  readonly onFirstPicture: () => void
  /** Whether it replaces another stage, whose picture stays until this one has its own. */
  readonly isSuccessor: boolean
}

/**
 * The visible part of the page: the canvas in the middle of the window with one scene, or two during a transition.
 * (OV17)
 */
export class Stage {
  readonly node = h('main', 'stage')
  readonly #canvas = h('div', 'canvas')
  /** Scenes that cross add up among themselves, and not with the colour of the canvas. */
  readonly #scenes = h('div', 'scenes')
  readonly #parts: StageParts
  #view: SceneView | null = null
  /** The scene before while the transition runs. */
  #leaving: SceneView | null = null
  #document: unknown = null
  /** The next scene while its pictures are loading. */
  #coming: SceneView | null = null
  #isFramed = false
  #isHidden = false
  #isOver = false
  #isFirst = true
  #tick: ReturnType<typeof setInterval> | undefined

  constructor(parts: StageParts) {
    this.#parts = parts
    this.#canvas.append(this.#scenes)
    this.node.append(this.#canvas)
    if (parts.options.background !== null) style(document.documentElement, { background: parts.options.background })
  }

  start(): void {
    addEventListener('resize', this.#fit)
    this.#tick = setInterval(() => this.invalidate(), tickMs)
  }

  /** Draws again in the next frame, because something has changed. */
  invalidate(): void {
    if (this.#isFramed || this.#isHidden || this.#isOver) return
    this.#isFramed = true
    requestAnimationFrame(() => {
      this.#isFramed = false
      this.#frame(false)
    })
  }

  /** A hidden source plays nothing, and draws the current state as soon as it is visible again. (OV18) */
  hide(isHidden: boolean): void {
    if (this.#isHidden === isHidden) return
    this.#isHidden = isHidden
    if (!isHidden) this.#frame(true)
    this.#view?.pause(isHidden)
  }

  get isHidden(): boolean {
    return this.#isHidden
  }

  /** Clears the stage for good. (OV17) */
  end(): void {
    this.#isOver = true
    clearInterval(this.#tick)
    removeEventListener('resize', this.#fit)
    this.#leave()
    this.#coming?.destroy()
    this.#view?.destroy()
    this.#canvas.replaceChildren()
  }

  #frame(isStill: boolean): void {
    if (this.#isOver) return
    const { joined, options, media, now } = this.#parts
    const reading = joined.reading(now())
    const { document: scenes, control } = joined
    if (reading === null || scenes === null || control === null) return
    if (scenes !== this.#document) this.#fit()
    const context: Context = {
      reading,
      media,
      isStill,
      items: [],
      fonts: loadFonts(scenes.fonts, media),
      isMuted: options.isMuted,
    }
    const { background } = scenes.canvas
    style(this.#canvas, { background: colorOf(background, reading.variables), display: control.blank ? 'none' : null })
    this.#choose(shownScene(scenes, control, options.scene), context)
    this.#document = scenes
    if (this.#view?.update(context)) this.invalidate()
  }

  #choose(id: string | null, context: Context): void {
    const { document: scenes } = this.#parts.joined
    const scene = id === null ? undefined : scenes?.scenes[id]
    if (id === null || scene === undefined) return
    const current = this.#coming ?? this.#view
    if (current?.id === id && current.scene === scene) return
    this.#coming?.destroy()
    // A new version of the same scene replaces it without a transition.
    const isSame = this.#isFirst ? this.#parts.isSuccessor : current?.id === id
    const isStill = context.isStill || isSame
    const next = new SceneView(id, scene)
    style(next.node, { visibility: 'hidden' })
    this.#scenes.append(next.node)
    next.update({ ...context, isStill: true })
    this.#coming = next
    const show = () => {
      if (this.#coming !== next || this.#isOver) return
      this.#coming = null
      this.#show(next, scene.transition ?? defaultTransition, isStill)
    }
    if (context.isStill && this.#view === null) show()
    else void next.ready().then(show)
  }

  #show(next: SceneView, transition: Motion, isStill: boolean): void {
    this.#leave()
    const before = this.#view
    this.#view = next
    style(next.node, { visibility: null })
    const isSame = before?.id === next.id
    if (!isSame && before !== null) this.#parts.onSceneChange()
    if (this.#isFirst) this.#parts.onFirstPicture()
    this.#isFirst = false
    if (this.#isHidden) next.pause(true)
    if (isStill || this.#isHidden) {
      before?.destroy()
      this.invalidate()
      return
    }
    next.enter()
    const reach = ['100%', '100%'] as const
    play(next.node, transition, 'enter', reach)
    this.invalidate()
    if (before === null) return
    before.leave()
    this.#leaving = before
    this.#scenes.classList.add('crossing')
    const leaving = play(before.node, transition, 'exit', reach)
    if (leaving === null) this.#leave()
    else
      void leaving.finished.then(() => {
        if (this.#leaving === before) this.#leave()
      })
  }

  /** Ends the transition. */
  #leave(): void {
    this.#leaving?.destroy()
    this.#leaving = null
    this.#scenes.classList.remove('crossing')
  }

  readonly #fit = (): void => {
    const scenes = this.#parts.joined.document
    if (scenes === null) return
    const { width, height } = scenes.canvas
    const scale = Math.min(innerWidth / width, innerHeight / height)
    const [x, y] = [(innerWidth - width * scale) / 2, (innerHeight - height * scale) / 2]
    style(this.#canvas, {
      width: `${width}px`,
      height: `${height}px`,
      transform: scale === 1 && x === 0 && y === 0 ? null : `translate(${x}px, ${y}px) scale(${scale})`,
    })
  }
}
