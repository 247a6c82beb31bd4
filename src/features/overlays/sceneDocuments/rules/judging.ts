import * as Y from 'yjs'
import type { SceneDocument } from '../../../../engine/scenes/document.ts'
import type { Fault } from '../../../../engine/scenes/soundness.ts'
import { Contents, type Touched } from './contents.ts'
import { changeInto, type Draft, documentOf, mapAt, rootOf } from './shape.ts'
import { Unreadable } from './update-bytes.ts'
import { type ReadUpdate, readUpdate, updateLimits } from './update-reader.ts'
import { boundWork } from './update-work.ts'

/** An editor's update is accepted or refused as a whole. (OV11) */

export interface Sender {
  /** Whether the sender may change the document now. */
  readonly mayEdit: boolean
  /** The client IDs that are leased to this user and have not expired. */
  readonly leased: ReadonlySet<number>
}

export type Refusal = 'read_only' | 'unreadable' | 'foreign' | 'not_applicable' | 'invalid'

export type Verdict =
  /** `isNew` is false if the update contains nothing new, and need not be stored. */
  | { readonly ok: true; readonly isNew: boolean; readonly touched: Touched }
  | { readonly ok: false; readonly why: Refusal; readonly faults: readonly Fault[] }

/**
 * A stored document with its updates. If an update is refused after it was applied, the document is rebuilt from the
 * stored updates. Refusals are rare; a copy before each update would cost every update as much as a rebuild.
 */
export class StoredDraft {
  readonly #stored: Uint8Array[]
  #doc: Y.Doc
  readonly #contents: Contents
  #changed: Y.Transaction | null = null

  /** @throws Error if the stored document is not valid, which is a fault of the service */
  constructor(stored: readonly Uint8Array[]) {
    this.#stored = [...stored]
    this.#doc = this.#made()
    const { contents, faults } = Contents.of(this.#doc)
    const [fault] = faults
    if (fault !== undefined) throw new Error(`the stored document is not valid: ${fault.pointer} ${fault.words}`)
    this.#contents = contents
  }

  get document(): SceneDocument {
    return documentOf(this.#doc)
  }

  /** Size of the document as JSON. */
  get bytes(): number {
    return this.#contents.bytes
  }

  get vector(): Uint8Array {
    return Y.encodeStateVector(this.#doc)
  }

  /** The stored updates, in order. */
  get stored(): readonly Uint8Array[] {
    return this.#stored
  }

  /**
   * Returns the update that a client with this state vector lacks; the whole document without a vector.
   * @returns null if the vector is invalid
   */
  since(vector: Uint8Array | null): Uint8Array | null {
    if (vector === null) return Y.encodeStateAsUpdate(this.#doc)
    if (vector.length > updateLimits.bytes) return null
    try {
      return Y.encodeStateAsUpdate(this.#doc, vector)
    } catch {
      return null
    }
  }

  /** Replaces all stored updates by one, without overwritten and deleted content. (overlays: Co-editing, compaction) */
  compact(): Uint8Array {
    const state = Y.encodeStateAsUpdate(this.#doc)
    this.#stored.splice(0, Infinity, state)
    return state
  }

  /** Applies an update that another process has judged and stored. */
  take(update: Uint8Array): void {
    const touched = this.#apply(update)
    const faults = this.#contents.update(this.#doc, touched)
    if (faults.length > 0) throw new Error('a stored update leads to a document that is not valid')
    this.#stored.push(update)
  }

  /** Judges an update, and applies it if it is accepted. A refused update leaves the document unchanged. */
  judge(update: Uint8Array, { mayEdit, leased }: Sender): Verdict {
    if (!mayEdit) return refused('read_only', 'must not be changed by whoever reads only')
    let read: ReadUpdate
    try {
      read = readUpdate(update)
      const stranger = [...read.structs.keys()].find((client) => !leased.has(client))
      if (stranger !== undefined)
        return refused('foreign', `has changes of client ${stranger}, which is not the sender's`)
      boundWork(this.#doc, read)
    } catch (error) {
      if (error instanceof Unreadable) return refused('unreadable', error.message)
      throw error
    }
    return this.#applied(update)
  }

  #applied(update: Uint8Array): Verdict {
    let touched: Touched
    try {
      touched = this.#apply(update)
    } catch (error) {
      this.#restore()
      return refused('not_applicable', `cannot be applied: ${error instanceof Error ? error.message : ''}`)
    }
    const faults = this.#contents.update(this.#doc, touched, true)
    if (faults.length > 0) {
      this.#restore()
      return { ok: false, why: 'invalid', faults }
    }
    const isNew = this.#changed !== null && hasNews(this.#changed)
    if (isNew) this.#stored.push(update)
    return { ok: true, isNew, touched }
  }

  /**
   * Turns the document into the given one by the fewest changes. Returns the update, already applied; null if nothing
   * changes. `document` must be valid.
   * @param client client ID of the change; it must not be leased
   */
  changeInto(document: Draft, client: number): Uint8Array | null {
    this.#doc.clientID = client
    const made: Uint8Array[] = []
    this.#doc.once('update', (update: Uint8Array) => made.push(update))
    changeInto(this.#doc, document)
    const [update] = made
    if (update === undefined || this.#changed === null) return null
    const faults = this.#contents.update(this.#doc, touchedBy(this.#changed))
    if (faults.length > 0) {
      this.#restore()
      throw new Error('the document that was given is not valid')
    }
    this.#stored.push(update)
    return update
  }

  /** @throws Error if the update depends on content that is missing */
  #apply(update: Uint8Array): Touched {
    this.#changed = null
    Y.applyUpdate(this.#doc, update)
    const { pendingStructs, pendingDs } = this.#doc.store
    if (pendingStructs !== null || pendingDs !== null) throw new Error('it waits for what is not there')
    return this.#changed === null ? nothing : touchedBy(this.#changed)
  }

  #restore(): void {
    this.#doc.destroy()
    this.#doc = this.#made()
  }

  #made(): Y.Doc {
    const doc = new Y.Doc()
    rootOf(doc)
    for (const update of this.#stored) Y.applyUpdate(doc, update)
    doc.on('beforeObserverCalls', (transaction: Y.Transaction) => {
      this.#changed = transaction
    })
    return doc
  }
}

function refused(why: Refusal, words: string): Verdict {
  return { ok: false, why, faults: [{ pointer: '', words }] }
}

function hasNews({ afterState, beforeState, deleteSet }: Y.Transaction): boolean {
  return deleteSet.clients.size > 0 || [...afterState].some(([client, clock]) => beforeState.get(client) !== clock)
}

const nothing: Touched = { parts: new Set(), scenes: new Map(), heads: new Set() }

/**
 * Derives the touched parts from the places of the changed maps: root, scenes, a scene, its elements, an element, its
 * props.
 */
function touchedBy({ changed }: Y.Transaction): Touched {
  const parts = new Set<string>()
  const heads = new Set<string>()
  const scenes = new Map<string, Set<string> | 'all'>()
  const touchScene = (id: string, element: string | null) => {
    const known = scenes.get(id)
    if (element === null) scenes.set(id, 'all')
    else if (known === undefined) scenes.set(id, new Set([element]))
    else if (known !== 'all') known.add(element)
  }
  const touch = ([part, scene, member, element]: readonly string[]) => {
    if (part !== undefined) parts.add(part)
    if (part !== 'scenes' || scene === undefined) return
    if (element === undefined) heads.add(scene)
    if (member === undefined || member === 'elements') touchScene(scene, element ?? null)
  }
  for (const [type, names] of changed) {
    const place = placeOf(type as Y.AbstractType<unknown>)
    for (const name of names) {
      // The map of scenes was replaced, which touches all scenes.
      if (place.length === 0 && name === 'scenes') {
        const map = type.doc === null ? null : mapAt(type.doc, ['scenes'])
        for (const scene of map?.keys() ?? []) touch(['scenes', scene])
      }
      touch([...place, name ?? ''])
    }
  }
  return { parts, scenes, heads }
}

/** The names on the path from the root to a map. */
function placeOf(type: Y.AbstractType<unknown>): string[] {
  const place: string[] = []
  for (let item = type._item; item !== null; item = (item.parent as Y.AbstractType<unknown>)._item)
    place.unshift(item.parentSub ?? '')
  return place
}
