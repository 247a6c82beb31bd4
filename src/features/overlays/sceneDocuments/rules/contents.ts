import type * as Y from 'yjs'
import type { ElementType, Scene, SceneElement } from '../../../../engine/scenes/document.ts'
import { strangersIn } from '../../../../engine/scenes/known.ts'
import { sceneLimits } from '../../../../engine/scenes/schema/schema.ts'
import { type Fault, maxFaults, type Placed, parentFaults, pointerTo } from '../../../../engine/scenes/soundness.ts'
import { jsonBytes } from './documents.ts'
import { faultsOfElement, nameFaults, partFaults } from './form.ts'
import { mapAt, rootOf, sceneHeadAt, valueAt } from './shape.ts'

/**
 * Facts about the parts of a co-edited document: the size of each part, and the parents of the elements. With them, a
 * change costs only a look at the parts that it touched, and not at a whole mebibyte. (OV7, OV11)
 */

interface PlacedElement extends Placed {
  readonly type: ElementType
  readonly name: string
  readonly bytes: number
  /** Formatters and paths that do not exist. */
  readonly strangers: readonly Fault[]
}

interface SceneContents {
  name: string
  headBytes: number
  elements: Map<string, PlacedElement>
  /** The bytes of all elements, with their IDs. */
  elementBytes: number
}

interface Kept {
  readonly parts: Map<TopLevel, number>
  readonly scenes: Map<string, SceneContents>
}

const topLevel = ['canvas', 'fonts', 'variables'] as const
type TopLevel = (typeof topLevel)[number]

/** The parts of a document that a change touched. */
export interface Touched {
  readonly parts: ReadonlySet<string>
  /** By scene: the touched elements, or `all`. */
  readonly scenes: ReadonlyMap<string, ReadonlySet<string> | 'all'>
  readonly heads: ReadonlySet<string>
}

/** The size of an object with these members: with braces, quoted names, colons and commas. */
function bytesOfMembers(count: number, bytesOfNamesAndValues: number): number {
  return 2 + bytesOfNamesAndValues + count + Math.max(0, count - 1)
}

const nameBytes = (name: string) => jsonBytes(name)

export class Contents {
  #parts = new Map<TopLevel, number>()
  #scenes = new Map<string, SceneContents>()

  /** The size of the document as JSON, as it is published. */
  get bytes(): number {
    const parts = [...this.#parts].reduce((sum, [name, bytes]) => sum + nameBytes(name) + bytes, 0)
    const scenes = [...this.#scenes].reduce((sum, [id, scene]) => sum + nameBytes(id) + bytesOfScene(scene), 0)
    return bytesOfMembers(
      this.#parts.size + 2,
      parts + nameBytes('scenes') + bytesOfMembers(this.#scenes.size, scenes) + nameBytes('schemaVersion') + 1,
    )
  }

  get elements(): number {
    return [...this.#scenes.values()].reduce((sum, { elements }) => sum + elements.size, 0)
  }

  /**
   * Checks the touched parts, and takes them over if they have no faults.
   * @param isWritten whether the change is new, so that changed names must follow the rule for names (D56), and
   *   formatters and paths must exist (OV2, OV3); what was stored before is not checked
   * @returns the faults
   */
  update(doc: Y.Doc, touched: Touched, isWritten = false): Fault[] {
    const before = this.#kept(touched)
    const faults = this.#read(doc, touched)
    if (isWritten && faults.length === 0) faults.push(...this.#writtenFaults(touched, before))
    if (faults.length > 0) this.#restore(before)
    return faults.slice(0, maxFaults)
  }

  /** Copies the data that a change may alter: only the scenes that it touched. */
  #kept({ scenes, heads }: Touched): Kept {
    const known = new Map(this.#scenes)
    for (const id of [...heads, ...scenes.keys()]) {
      const scene = this.#scenes.get(id)
      if (scene !== undefined) known.set(id, { ...scene, elements: new Map(scene.elements) })
    }
    return { parts: new Map(this.#parts), scenes: known }
  }

  #restore({ parts, scenes }: Kept): void {
    this.#parts = parts
    this.#scenes = scenes
  }

  #read(doc: Y.Doc, touched: Touched): Fault[] {
    const faults: Fault[] = []
    for (const part of touched.parts) faults.push(...this.#part(doc, part))
    for (const id of touched.heads) faults.push(...this.#head(doc, id))
    for (const [id, elements] of touched.scenes) {
      if (faults.length >= maxFaults) break
      faults.push(...this.#elements(doc, id, elements))
    }
    return faults.length > 0 ? faults : this.#sizes()
  }

  /** Checks a whole document. */
  static of(doc: Y.Doc): { readonly contents: Contents; readonly faults: readonly Fault[] } {
    const contents = new Contents()
    const ids = [...(mapAt(doc, ['scenes'])?.keys() ?? [])]
    const parts = new Set([...rootOf(doc).keys(), 'canvas', 'scenes'])
    const faults = contents.update(doc, {
      parts,
      scenes: new Map(ids.map((id) => [id, 'all'])),
      heads: new Set(ids),
    })
    return { contents, faults }
  }

  /** The faults that a change brings in; those of stored documents stay. */
  #writtenFaults({ heads, scenes }: Touched, before: Kept): Fault[] {
    const faults: Fault[] = []
    for (const id of heads) {
      const name = this.#scenes.get(id)?.name
      if (name === undefined || name === before.scenes.get(id)?.name) continue
      faults.push(...nameFaults(name, pointerTo('scenes', id, 'name')))
    }
    for (const [id, touched] of scenes) {
      const elements = this.#scenes.get(id)?.elements
      for (const element of touched === 'all' ? (elements?.keys() ?? []) : touched) {
        const now = elements?.get(element)
        if (now === undefined) continue
        const earlier = before.scenes.get(id)?.elements.get(element)
        const place = pointerTo('scenes', id, 'elements', element)
        if (now.name !== earlier?.name) faults.push(...nameFaults(now.name, `${place}/name`))
        const known = new Set(earlier?.strangers.map(({ pointer, words }) => pointer + words))
        for (const { pointer, words } of now.strangers)
          if (!known.has(pointer + words)) faults.push({ pointer: place + pointer, words })
      }
    }
    return faults
  }

  #part(doc: Y.Doc, name: string): Fault[] {
    if (name === 'scenes') {
      const scenes = mapAt(doc, ['scenes'])
      if (scenes === null) return [{ pointer: '/scenes', words: 'must be a map' }]
      for (const id of [...this.#scenes.keys()]) if (!scenes.has(id)) this.#scenes.delete(id)
      return []
    }
    const part = topLevel.find((each) => each === name)
    if (part === undefined) return [{ pointer: pointerTo(name), words: 'is not known here' }]
    const value = valueOr(() => valueAt(doc, [part]))
    if (value.fault !== null) return [{ pointer: pointerTo(part), words: value.fault }]
    this.#parts.delete(part)
    if (value.found === undefined && part !== 'canvas') return []
    const faults = partFaults(part, value.found, pointerTo(part))
    if (faults.length === 0) this.#parts.set(part, jsonBytes(value.found))
    return faults
  }

  #head(doc: Y.Doc, id: string): Fault[] {
    const pointer = pointerTo('scenes', id)
    if (mapAt(doc, ['scenes'])?.has(id) !== true) {
      this.#scenes.delete(id)
      return []
    }
    const head = valueOr(() => sceneHeadAt(doc, id))
    if (head.fault !== null) return [{ pointer, words: head.fault }]
    const faults = [...partFaults('id', id, pointer), ...partFaults('scene', head.found, pointer)]
    if (mapAt(doc, ['scenes', id, 'elements']) === null)
      faults.push({ pointer: `${pointer}/elements`, words: 'must be a map' })
    const scene = this.#scene(id)
    scene.headBytes = jsonBytes(head.found)
    if (faults.length === 0) scene.name = (head.found as Scene).name
    return faults
  }

  #elements(doc: Y.Doc, id: string, touched: ReadonlySet<string> | 'all'): Fault[] {
    const map = mapAt(doc, ['scenes', id, 'elements'])
    // The scene itself reports this fault, or the scene was deleted.
    if (map === null) return []
    const scene = this.#scene(id)
    if (touched === 'all') {
      scene.elements.clear()
      scene.elementBytes = 0
    }
    const faults: Fault[] = []
    let isMoved = touched === 'all'
    for (const element of touched === 'all' ? map.keys() : touched) {
      const before = scene.elements.get(element)
      faults.push(...this.#element(doc, scene, [id, element]))
      if (faults.length >= maxFaults) return faults
      const now = scene.elements.get(element)
      isMoved ||= before?.type !== now?.type || (before?.parent ?? null) !== (now?.parent ?? null)
    }
    if (scene.elements.size > sceneLimits.elementsOfScene) {
      const words = `must have at most ${sceneLimits.elementsOfScene} elements`
      return [...faults, { pointer: pointerTo('scenes', id, 'elements'), words }]
    }
    if (faults.length > 0 || !isMoved) return faults
    return parentFaults(scene.elements).map((fault) => ({
      pointer: pointerTo('scenes', id, 'elements', fault.id, 'parent'),
      words: fault.words,
    }))
  }

  #element(doc: Y.Doc, scene: SceneContents, [id, element]: readonly [scene: string, element: string]): Fault[] {
    const before = scene.elements.get(element)
    if (before !== undefined) scene.elementBytes -= nameBytes(element) + before.bytes
    scene.elements.delete(element)
    const pointer = pointerTo('scenes', id, 'elements', element)
    const value = valueOr(() => valueAt(doc, ['scenes', id, 'elements', element]))
    if (value.fault !== null) return [{ pointer, words: value.fault }]
    if (value.found === undefined) return []
    const faults = [...partFaults('id', element, pointer), ...faultsOfElement(value.found, pointer)]
    if (faults.length > 0) return faults
    const { type, name, parent = null } = value.found as SceneElement
    const bytes = jsonBytes(value.found)
    scene.elements.set(element, { type, name, parent, bytes, strangers: strangersIn(value.found as SceneElement) })
    scene.elementBytes += nameBytes(element) + bytes
    return []
  }

  #scene(id: string): SceneContents {
    const known = this.#scenes.get(id)
    if (known !== undefined) return known
    const made: SceneContents = { name: '', headBytes: 0, elements: new Map(), elementBytes: 0 }
    this.#scenes.set(id, made)
    return made
  }

  #sizes(): Fault[] {
    const refuse = (pointer: string, words: string) => [{ pointer, words }]
    if (this.#scenes.size === 0) return refuse('/scenes', 'must have at least one scene')
    if (this.#scenes.size > sceneLimits.scenes)
      return refuse('/scenes', `must have at most ${sceneLimits.scenes} scenes`)
    if (this.elements > sceneLimits.elements)
      return refuse('/scenes', `must have at most ${sceneLimits.elements} elements in all`)
    return this.bytes > sceneLimits.bytes ? refuse('', `must have at most ${sceneLimits.bytes} bytes`) : []
  }
}

/** The size of a scene: its head, and its elements. */
function bytesOfScene({ headBytes, elements, elementBytes }: SceneContents): number {
  return headBytes + 1 + nameBytes('elements') + 1 + bytesOfMembers(elements.size, elementBytes)
}

/** Returns a fault if the part has another shape. */
function valueOr(read: () => unknown): { readonly found: unknown; readonly fault: string | null } {
  try {
    return { found: read(), fault: null }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return { found: undefined, fault: error.message }
  }
}
