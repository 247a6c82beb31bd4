import type { Scene } from '../../../src/engine/scenes/document.ts'
import { h } from '../dom.ts'
import { treeOf } from '../model/nodes.ts'
import type { Context } from './context.ts'
import { ElementView } from './element.ts'

/** How long a scene waits for its pictures in milliseconds; then it is shown without those that are still loading. */
const patienceMs = 500

export class SceneView {
  readonly id: string
  readonly node = h('div', 'scene')
  readonly #views: readonly ElementView[]
  readonly scene: Scene

  constructor(id: string, scene: Scene) {
    this.id = id
    this.scene = scene
    this.#views = treeOf(scene).map((node) => new ElementView(node))
    this.node.append(...this.#views.map(({ node }) => node))
  }

  /** @returns whether it needs the next frame too */
  update(context: Context): boolean {
    return this.#views.map((view) => view.update(context)).includes(true)
  }

  /** Resolves when its pictures are decoded, or after `patienceMs`. */
  async ready(): Promise<void> {
    const pictures = Array.from(this.node.querySelectorAll('img'), (image) => image.decode().catch(() => {}))
    if (pictures.length === 0) return
    await Promise.race([Promise.all(pictures), new Promise((resolve) => setTimeout(resolve, patienceMs))])
  }

  /** Plays the entrance of the prepared scene. */
  enter(): void {
    for (const view of this.#views) view.enter()
  }

  leave(): void {
    for (const view of this.#views) view.leave()
  }

  pause(isPaused: boolean): void {
    for (const view of this.#views) view.pause(isPaused)
  }

  destroy(): void {
    for (const view of this.#views) view.destroy()
    this.node.remove()
  }
}
