import * as Y from 'yjs'
import type { Client, Scene } from '../../../../../client/connect.ts'
import type { SceneDocument } from '../../../../../src/engine/scenes/document.ts'
import { rootOf } from '../../../../../src/features/overlays/sceneDocuments/rules/shape.ts'
import { base64, bytesOf } from './bytes.ts'
import type { Fault } from './conforms.ts'
import { faultOfStep } from './judge.ts'
import { snapshotAfter } from './snapshot.ts'
import { groupOf, type Stack } from './stacks.ts'

/** The draft that several people edit at once: a Yjs document that follows its topic, and the steps of this editor. (OV9, OV10) */

export interface DraftState {
  /** Null until the service has sent it. */
  readonly document: SceneDocument | null
  /** Whether the topic brings the document; without it, what is known is shown, to be read. */
  readonly isFollowed: boolean
  readonly readOnly: boolean
  readonly revision: number
  /** Steps that are not known to be stored. */
  readonly unsent: number
  readonly canUndo: boolean
  readonly canRedo: boolean
  /** Why the last step was taken back; null when it was not. */
  readonly fault: Fault | null
  /** What was here while the service made the document anew: it is not merged, but shown. */
  readonly lost: SceneDocument | null
  /** Why nothing comes any more, by the code of the topic. */
  readonly ended: string | null
}

const own = Symbol('own')
const remote = Symbol('remote')
/** The most that the service takes at once, in bytes. (OV11) */
const maxUpdate = 64 * 1024
/** Steps that follow within this time are undone as one, in milliseconds. */
const captureMs = 400
/** How often the document is fetched anew after a refusal that the page did not foresee. */
const maxRestarts = 3

type Root = Y.Map<unknown>
export type Change = (root: Root) => void

export class Draft {
  #state: DraftState = {
    document: null,
    isFollowed: false,
    readOnly: true,
    revision: 0,
    unsent: 0,
    canUndo: false,
    canRedo: false,
    fault: null,
    lost: null,
    ended: null,
  }
  readonly #watchers = new Set<() => void>()
  readonly #topic: string
  /** Of what editors drag before they drop it. */
  readonly previewTopic: string
  #client: Client | undefined
  #scene: Scene | undefined
  #stop = () => {}
  #doc = new Y.Doc()
  #generation: number | undefined
  #undo!: Y.UndoManager
  /** Knows the last step alone, to take it back. */
  #taking!: Y.UndoManager
  #made: Uint8Array[] = []
  /** Of steps that are several for the service, and one for the editor. */
  #group: symbol | null = null
  /** Whether the first snapshot of the present connection has come. */
  #isMet = false
  #restarts = 0
  /** When the last step was made, in milliseconds. */
  #lastStep = 0

  constructor(topic: string) {
    this.#topic = topic
    this.previewTopic = topic.replace(/\/scene$/, '/preview')
    this.#begin()
  }

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  readonly get = (): DraftState => this.#state

  #set(next: Partial<DraftState>): void {
    this.#state = { ...this.#state, ...next }
    for (const tell of this.#watchers) tell()
  }

  /** Follows the topic, by another connection too: what was not stored over the one before is sent over the next. */
  follow(client: Client): () => void {
    this.#stop()
    // A connection follows a document once.
    if (this.#scene === undefined || this.#client !== client) this.#scene = this.#sceneOf(client)
    this.#client = client
    const scene = this.#scene
    const end = scene.subscribe(({ value, status, error }) => {
      this.#set({ revision: value?.revision ?? this.#state.revision, unsent: scene.unsent.length })
      if (status !== 'ended') return
      // Where no socket comes through, other topics come in another way, but documents do not.
      if (client.status.door === 'stream') {
        this.#scene = undefined
        this.#set({ isFollowed: false, readOnly: true })
        return
      }
      if (error?.code === 'topic.invalid' && this.#restarts++ < maxRestarts) {
        this.#restart(true)
        this.#scene = undefined
        this.follow(client)
      } else this.#end(error?.code ?? 'topic.gone')
    })
    this.#stop = end
    return end
  }

  #end(ended: string): void {
    const { unsent, document } = this.#state
    this.#set({ ended, readOnly: true, ...(unsent > 0 && { lost: document }) })
  }

  /** Shows the stored document as long as the topic does not bring it. */
  show(document: SceneDocument): void {
    if (this.#generation === undefined) this.#set({ document })
  }

  #sceneOf(client: Client): Scene {
    this.#isMet = false
    const scene = client.scene(this.#topic, {
      held: () =>
        this.#generation === undefined
          ? undefined
          : { generation: this.#generation, vector: base64(Y.encodeStateVector(this.#doc)) },
      onSnapshot: ({ generation, update, vector, clientId, readOnly, revision }) => {
        if (this.#generation !== undefined && this.#generation !== generation) this.#restart(this.#state.unsent > 0)
        // The stored document was shown meanwhile.
        if (this.#generation === undefined) this.#state = { ...this.#state, document: null }
        // What was changed over a connection before may not have arrived.
        const isAnew = !this.#isMet && this.#state.document !== null
        this.#generation = generation
        this.#isMet = true
        Y.applyUpdate(this.#doc, bytesOf(update), remote)
        if (clientId !== null) this.#doc.clientID = clientId
        if (this.#state.document === null) this.#read(new Map())
        this.#set({ isFollowed: true, readOnly, revision, ended: null })
        if (isAnew && !readOnly && scene.unsent.length === 0)
          this.#send([Y.encodeStateAsUpdate(this.#doc, bytesOf(vector))])
      },
      onUpdate: (update) => Y.applyUpdate(this.#doc, bytesOf(update), remote),
    })
    return scene
  }

  /** Starts with an empty document, because the service has another one. */
  #restart(isLost: boolean): void {
    this.#doc.destroy()
    this.#doc = new Y.Doc()
    this.#generation = undefined
    this.#begin()
    this.#set({ ...(isLost && { lost: this.#state.document }), document: null, canUndo: false, canRedo: false })
  }

  #begin(): void {
    const root = rootOf(this.#doc)
    this.#undo = new Y.UndoManager(root, { trackedOrigins: new Set([own]), captureTimeout: captureMs })
    this.#taking = new Y.UndoManager(root, { trackedOrigins: new Set([own, this.#undo]), captureTimeout: 0 })
    this.#undo.on('stack-item-added', ({ stackItem }: { stackItem: { meta: Map<unknown, unknown> } }) => {
      if (this.#group !== null) stackItem.meta.set('group', this.#group)
    })
    this.#doc.on('afterTransaction', ({ changed }: Y.Transaction) => {
      if (changed.size > 0 && this.#generation !== undefined) this.#read(changed)
    })
    this.#doc.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin !== remote) this.#made.push(update)
    })
  }

  #read(changed: Y.Transaction['changed']): void {
    this.#set({ document: snapshotAfter(this.#state.document, this.#doc, changed) })
  }

  /**
   * Carries out a step, or takes it back where the service would refuse it: nothing of it is sent then. (OV11)
   *
   * @param joins whether it belongs to the step before, such as the next press of an arrow key
   */
  step(change: Change, joins = false): boolean {
    if (this.#state.readOnly || this.#state.document === null) return false
    const depth = this.#undo.undoStack.length
    this.#undo.stopCapturing()
    const isDone = this.#tried(() => this.#doc.transact(() => change(rootOf(this.#doc)), own))
    // What was taken back is no step that could be undone.
    if (!isDone) this.#undo.undoStack.splice(depth)
    else if (joins && Date.now() - this.#lastStep < captureMs) this.#join(depth)
    if (isDone) this.#lastStep = Date.now()
    this.#tellStacks()
    return isDone
  }

  /** Makes of the last step and the one before it one that is undone at once. */
  #join(depth: number): void {
    const { undoStack } = this.#undo
    const [before, last] = [undoStack[depth - 1], undoStack[depth]]
    if (before === undefined || last === undefined) return
    before.deletions = Y.mergeDeleteSets([before.deletions, last.deletions])
    before.insertions = Y.mergeDeleteSets([before.insertions, last.insertions])
    undoStack.splice(depth)
  }

  /** A step that is too large for one change of the document. It is undone as one. */
  steps(changes: readonly Change[]): boolean {
    this.#group = Symbol('group')
    const isDone = changes.every((change) => this.step(change))
    if (!isDone) this.#all(this.#undo.undoStack, () => this.#undo.undo(), this.#group)
    this.#group = null
    return isDone
  }

  undo(): void {
    this.#back(this.#undo.undoStack, () => this.#undo.undo(), this.#undo.redoStack)
  }

  redo(): void {
    this.#back(this.#undo.redoStack, () => this.#undo.redo(), this.#undo.undoStack)
  }

  #back(stack: Stack, act: () => void, other: Stack): void {
    if (this.#state.readOnly || stack.length === 0) return
    const group = groupOf(stack)
    this.#group = group
    if (group !== null) this.#all(stack, act, group)
    else if (!this.#tried(act)) other.pop()
    this.#group = null
    this.#tellStacks()
  }

  #all(stack: Stack, act: () => void, group: symbol): void {
    while (stack.length > 0 && groupOf(stack) === group && this.#tried(act));
  }

  #tried(act: () => void): boolean {
    const before = this.#state.document as SceneDocument
    this.#taking.clear()
    this.#made = []
    act()
    const size = this.#made.reduce((sum, update) => sum + update.length, 0)
    const fault: Fault | null =
      size > maxUpdate
        ? { why: 'size', member: 'step' }
        : this.#state.document === before
          ? null
          : faultOfStep(before, this.#state.document as SceneDocument)
    // What was taken back is sent with it, as nothing: later changes count from it.
    if (fault !== null) this.#taking.undo()
    this.#taking.clear()
    const made = this.#made
    this.#made = []
    if (made.length > 0) this.#send(made)
    this.#set({ fault })
    this.#tellStacks()
    return fault === null
  }

  #tellStacks(): void {
    const { undoStack, redoStack } = this.#undo
    this.#set({ canUndo: undoStack.length > 0, canRedo: redoStack.length > 0 })
  }

  #send(updates: Uint8Array[]): void {
    const update = updates.length === 1 ? (updates[0] as Uint8Array) : Y.mergeUpdates(updates)
    // Larger than any step of the page is made: what is here cannot be stored.
    if (update.length > maxUpdate) {
      this.#stop()
      this.#set({ lost: this.#state.document })
      this.#end('topic.too_large')
      return
    }
    this.#scene?.update(base64(update))
    this.#set({ unsent: this.#scene?.unsent.length ?? 0 })
  }

  forgetFault(): void {
    this.#set({ fault: null })
  }

  forgetLost(): void {
    this.#set({ lost: null })
  }

  close(): void {
    this.#stop()
    this.#doc.destroy()
  }
}
