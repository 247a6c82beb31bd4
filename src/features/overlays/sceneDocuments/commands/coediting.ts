import { randomInt } from 'node:crypto'
import { canonicalJson } from '../../../../core/canonical-json.ts'
import { invalid } from '../../../../core/problem.ts'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import type {
  Edit,
  HeldDocument,
  News,
  Outcome,
  Present,
  Stored,
  Told,
} from '../../../../infra/realtime/documents/kind.ts'
import { digestOfText } from '../rules/digest.ts'
import { StoredDraft, type Verdict } from '../rules/judging.ts'
import { forgottenBefore, isWrittenBy, leaseEnd, leftAt, maxClient, maxLeases, presentUntil } from '../rules/leasing.ts'
import { isToBeNoted } from '../rules/noting.ts'
import { findHead, setPresent } from '../store/coediting.ts'
import { areOthersLeased, insertLease, listLeases, setLeases, sweepLeases, trimLeases } from '../store/leases.ts'
import { hintRooms } from '../store/states.ts'
import { appendUpdates, type DraftRow, findDraft, listUpdates, lockDraft, type StoredUpdate } from '../store/updates.ts'
import { maxOwnClients } from './drafts.ts'
import { saveAutomaticVersion } from './versions.ts'

/** The in-memory copy of a draft, which a process holds while somebody edits the draft there. (overlays: Co-editing) */

/** Maximum number of single updates in memory. Then they are compacted to one, as in the database. */
const maxHeld = 500

interface Standing {
  readonly generation: number
  readonly revision: number
  readonly seq: number
}

type JudgedEdit = Edit & { readonly verdict: Verdict | null }

export class HeldScene implements HeldDocument {
  readonly #overlay: string
  readonly #tournament: string
  #draft: StoredDraft
  #at: Standing
  /** The last state that is known to be committed. Later updates may still be rolled back. */
  #sure: { readonly generation: number; readonly vector: Uint8Array }
  /** Whether updates were applied whose commit is not confirmed yet. */
  #isDoubtful = false

  constructor(row: DraftRow, updates: readonly StoredUpdate[], tournament: string) {
    this.#overlay = row.overlayGuid
    this.#tournament = tournament
    this.#draft = draftOf(row, updates)
    this.#at = row
    this.#sure = { generation: row.generation, vector: this.#draft.vector }
  }

  get generation(): number {
    return this.#at.generation
  }

  get revision(): number {
    return this.#at.revision
  }

  get vector(): Uint8Array {
    return this.#draft.vector
  }

  since(vector: Uint8Array | null): Uint8Array | null {
    return this.#draft.since(vector)
  }

  async catchUp(db: Db): Promise<News | null> {
    if (this.#isDoubtful) return null
    const { generation, seq } = this.#at
    const head = await findHead(db, this.#overlay)
    if (head === undefined || head.generation !== generation) return null
    if (head.seq === seq) return []
    const updates = await listUpdates(db, { overlay: this.#overlay, generation, after: seq })
    if (!isUnbroken(updates, seq, head.seq)) return null
    const news = this.#take(updates, head)
    this.confirm()
    return news
  }

  async reopen(db: Db): Promise<News | null> {
    const row = await findDraft(db, this.#overlay)
    if (row === undefined) return null
    const news = await this.#load(db, row)
    this.confirm()
    return news
  }

  async store(tx: Tx, edits: readonly Edit[], now: Date): Promise<Stored | null> {
    const row = await lockDraft(tx, this.#overlay)
    if (row === undefined) return null
    const others = await this.#comeTo(tx, row)
    // The document was rebuilt in the meantime. Updates for the old one do not fit, but their senders are not at fault.
    if (others === 'anew') return { news: others, outcomes: edits.map(() => outcomeOf(null, this.revision)) }
    const judged = await this.#judge(tx, edits, now)
    const own = await this.#append(tx, row, judged, now)
    const outcomes = judged.map(({ verdict }) => outcomeOf(verdict, this.revision))
    return { news: [...others, ...own], outcomes }
  }

  confirm(): void {
    this.#isDoubtful = false
    if (this.#draft.stored.length > maxHeld) this.#draft.compact()
    this.#sure = { generation: this.generation, vector: this.vector }
  }

  async lend(tx: Tx, userGuid: string, now: Date): Promise<number> {
    const { generation } = this
    const overlay = this.#overlay
    await sweepLeases(tx, overlay, generation, forgottenBefore(now))
    for (;;) {
      const client = randomInt(maxOwnClients, maxClient)
      if (isWrittenBy(this.vector, client)) continue
      const lease = { overlayGuid: overlay, generation, client, userGuid, expiresAt: leaseEnd(now) }
      if (!(await insertLease(tx, lease))) continue
      await trimLeases(tx, { overlay, generation, user: userGuid }, maxLeases)
      await setPresent(tx, overlay, now)
      return client
    }
  }

  async keep(tx: Tx, { clients, now }: Present): Promise<void> {
    const { generation } = this
    await setLeases(tx, { overlay: this.#overlay, generation, clients }, leaseEnd(now))
    await setPresent(tx, this.#overlay, now)
  }

  async leave(tx: Tx, { clients, now }: Present): Promise<void> {
    const row = await lockDraft(tx, this.#overlay)
    if (row === undefined) return
    const leases = { overlay: this.#overlay, generation: this.generation, clients }
    await setLeases(tx, leases, leftAt(now))
    if (await areOthersLeased(tx, leases, presentUntil(now))) return
    await setPresent(tx, this.#overlay, now)
    await saveAutomaticVersion(tx, row, { tournament: this.#tournament, now })
  }

  /** Applies the updates that other processes have stored. */
  async #comeTo(tx: Tx, row: DraftRow): Promise<News> {
    const { generation, seq } = this.#at
    if (this.#isDoubtful || row.generation !== generation) return this.#load(tx, row)
    if (row.seq === seq) return this.#take([], row)
    const updates = await listUpdates(tx, { overlay: this.#overlay, generation, after: seq })
    return isUnbroken(updates, seq, row.seq) ? this.#take(updates, row) : this.#load(tx, row)
  }

  #take(updates: readonly StoredUpdate[], { generation, revision, seq }: Standing): readonly Told[] {
    this.#isDoubtful = true
    for (const { data } of updates) this.#draft.take(data)
    const last = updates.at(-1)
    this.#at = { generation, revision: last?.revision ?? revision, seq: last?.seq ?? seq }
    return updates.map(({ data, revision: of, connection }) => ({ data, revision: of, by: connection, edit: null }))
  }

  /**
   * Loads the whole draft. Returns one update from the last committed state to it, or `anew` if the draft was rebuilt.
   */
  async #load(db: Db, row: DraftRow): Promise<News> {
    const { generation, vector } = this.#sure
    const updates = await listUpdates(db, {
      overlay: this.#overlay,
      generation: row.generation,
      after: row.stateSeq,
    })
    this.#isDoubtful = true
    this.#draft = draftOf(row, updates)
    const { revision, seq } = row
    this.#at = { generation: row.generation, revision, seq }
    if (row.generation !== generation) return 'anew'
    const data = this.#draft.since(vector)
    return data === null ? 'anew' : [{ data, revision, by: null, edit: null }]
  }

  /** After a refused update, further updates of its connection are not judged: they may depend on it. */
  async #judge(tx: Tx, edits: readonly Edit[], now: Date): Promise<readonly JudgedEdit[]> {
    const users = [...new Set(edits.map(({ user }) => user))]
    const leases = await listLeases(tx, { overlay: this.#overlay, generation: this.generation, users, now })
    const refused = new Set<string>()
    return edits.map((edit) => {
      if (refused.has(edit.connection)) return { ...edit, verdict: null }
      const leased = leases.get(edit.user) ?? new Set<number>()
      const verdict = this.#draft.judge(edit.data, { mayEdit: true, leased })
      if (!verdict.ok) refused.add(edit.connection)
      return { ...edit, verdict }
    })
  }

  async #append(tx: Tx, row: DraftRow, judged: readonly JudgedEdit[], now: Date): Promise<readonly Told[]> {
    const fresh = judged.flatMap(({ verdict, ...edit }, index) =>
      verdict?.ok === true && verdict.isNew ? [{ ...edit, index }] : [],
    )
    const by = fresh.at(-1)?.user ?? null
    if (by === null) return []
    const { document } = this.#draft
    const text = canonicalJson(document)
    const isNoted = isToBeNoted(row.notedAt, now)
    const updates = fresh.map(({ data, connection, user }) => ({
      ...({ kind: 'edit', data, connection, userGuid: user } as const),
    }))
    const { revision, seqs } = await appendUpdates(tx, row, updates, {
      digest: digestOfText(text),
      jsonBytes: Buffer.byteLength(text),
      canvas: document.canvas,
      by,
      now,
      isNoted,
    })
    hintRooms(tx, this.#overlay)
    if (isNoted) {
      emit(tx, { type: 'overlay.edited', subject: this.#overlay, tournament: this.#tournament, actor: by })
    }
    this.#at = { generation: row.generation, revision, seq: seqs.at(-1) ?? row.seq }
    return fresh.map(({ data, connection, index }) => ({ data, revision, by: connection, edit: index }))
  }
}

/** The reads must see one snapshot of the database. Returns null if there is no draft. */
export async function openScene(
  db: Db,
  { guid, tournament }: { readonly guid: string; readonly tournament: string },
): Promise<HeldScene | null> {
  const row = await findDraft(db, guid)
  if (row === undefined) return null
  const { generation, stateSeq } = row
  return new HeldScene(row, await listUpdates(db, { overlay: guid, generation, after: stateSeq }), tournament)
}

function draftOf({ state }: DraftRow, updates: readonly StoredUpdate[]): StoredDraft {
  return new StoredDraft([state, ...updates.map(({ data }) => data)])
}

/** Whether no update is missing. Updates that were compacted into the state are deleted. */
function isUnbroken(updates: readonly StoredUpdate[], after: number, upTo: number): boolean {
  return updates.every(({ seq }, index) => seq === after + 1 + index) && (updates.at(-1)?.seq ?? after) >= upTo
}

function outcomeOf(verdict: Verdict | null, revision: number): Outcome {
  if (verdict?.ok) return { isTaken: true, revision }
  const faults = verdict?.faults ?? []
  const words = faults[0] === undefined ? 'rests on what is not there' : faults[0].words
  const problem = invalid('scene.invalid', `The update cannot be taken: it ${words}.`, { faults })
  return { isTaken: false, problem, isHostile: verdict !== null }
}
