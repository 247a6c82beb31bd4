import type { Effects } from '../../../../core/operation.ts'
import { kindOf } from '../../../../core/packages/paths.ts'
import type { SceneDocument } from '../../../../engine/scenes/document.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { drawPast, insertPast, type PastEvent } from '../../../../infra/events/past.ts'
import type { Usage } from '../../../../infra/media/store.ts'
import type { Cover } from '../../../../infra/pictures/pictures.ts'
import { writeMaps } from '../../../maps/catalogue/commands.ts'
import type { MapIdentity } from '../../../maps/catalogue/types.ts'
import { coverHashOf } from '../../../maps/pools/commands/pools.ts'
import { writeCover } from '../../../maps/pools/store/covers.ts'
import { emptyDocument } from '../../../overlays/overlays/rules.ts'
import { createDraft } from '../../../overlays/sceneDocuments/commands/drafts.ts'
import { refreshListings } from '../../../tournaments/tournaments/store/tournaments.ts'
import { asDraft, cameOf, doerOf, rowFault, takes } from '../rules.ts'
import { insertRows, listTaken } from '../store/bringing.ts'
import * as imported from '../store/imported.ts'
import { listTakenUsers } from '../store/imported-people.ts'
import { type Here, hasGuid, type Kind, type Row } from '../store/kind.ts'
import { kinds } from '../store/kinds.ts'
import type { ImportedPackage, ImportWish, Skipped } from '../types.ts'
import { completeBrackets, completeSessions } from './completing.ts'
import { bringDraft, bringMapResults, bringUsages, documentIn, usagesOf, usagesOfOverlay } from './deriving.ts'
import { type BroughtMedia, countMedia, mediumOf } from './media.ts'
import { type Arrival, keepNames, newGuidsFor, place, recognise } from './people.ts'
import { type HintedSource, rowsOf, type Survey } from './reading.ts'
import { checkTogether } from './together.ts'
import { inOrder, Writer } from './writing.ts'

interface Bringable extends Pick<Effects, 'services'> {
  readonly source: HintedSource
  readonly wish: ImportWish
  readonly now: Date
  readonly found: Survey
  readonly files: BroughtMedia
  /** By the GUID of the pool in the package. */
  readonly covers: ReadonlyMap<string, Cover>
}

type Write = (kind: Kind) => Promise<void>

/** One import, in one transaction. */
export class Bringing {
  readonly #tx: Tx
  readonly #with: Bringable
  readonly #maps = new Map<string, string>()
  readonly #usages: Usage[] = []
  readonly #published = new Map<string, number | null>()
  /** Overlays without a draft: only their published version is known. */
  readonly #undrafted = new Map<string, Row>()
  #leftOut: readonly Skipped[] = []

  constructor(tx: Tx, bringable: Bringable) {
    this.#tx = tx
    this.#with = bringable
  }

  async bring(tournament: Row): Promise<ImportedPackage> {
    const { source, wish, services, now, found, files } = this.#with
    const isCopy = wish.mode === 'copy'
    const takesKind = (name: string) => takes(name, wish)
    const people = takesKind('people') ? await recognise(this.#tx, await rowsOf(source, 'people'), wish) : []
    const guids = this.#newGuids(people)
    const guid = guids.get(String(tournament.guid)) ?? String(tournament.guid)
    const here: Here = { tournament: guid, mapOf: (row) => this.#mapOf(row) }
    const mediaUrl = services.config.media.url
    const caller = doerOf(wish, guids.get(String(tournament.organiserGuid)))
    const ours = { mediaUrl, here, caller, now }
    const writer = new Writer(this.#tx, { source, found, guids, isCopy, takes: takesKind, ...ours })
    const avatarUrl = `${services.config.chat.cdnUrl}/embed/avatars/0.png`
    await place(this.#tx, people, { tournament: guid, avatarUrl, wish })
    const own = this.#writing(writer, here, caller)
    const write: Write = (kind) =>
      (own[kind.name] ?? ((each) => writer.write(each, (row) => this.#noted(each, row))))(kind)
    // Rows name maps by what identifies them, and not by a key.
    const [maps, others] = [kinds.filter(({ name }) => name === 'maps'), kinds.filter(({ name }) => name !== 'maps')]
    const all = [...maps, ...others].filter(({ name }) => name !== 'people' && takesKind(name))
    for (const kind of inOrder(all)) await write(kind)
    await this.#complete(guid, caller)
    if (!isCopy) {
      await keepNames(this.#tx, people, guid)
      await this.#checkDangling(writer)
    }
    await checkTogether(this.#tx, { source, guids, tournament: guid, hasPlacements: takesKind('placements') })
    await imported.insertCounts(this.#tx, guid)
    await imported.writeHolders(this.#tx, guid)
    await bringUsages(this.#tx, this.#usages)
    if (!isCopy && tournament.listed === true) {
      await imported.insertApproval(this.#tx, guid, now)
      await refreshListings(this.#tx, guid)
    }
    emit(this.#tx, {
      type: 'tournament.imported',
      subject: guid,
      tournament: guid,
      actor: wish.caller,
      after: { mode: wish.mode },
      touches: [...(wish.isRehearsal === true ? [] : [wish.caller]), ...people.map(({ user }) => user)],
    })
    const leftOut = [...writer.leftOut, ...this.#leftOut]
    const lacking = [...files.facts.values()].filter((fact) => fact === null).length
    return {
      tournamentGuid: guid,
      counts: cameOf(found.counts, takesKind, leftOut),
      guids: isCopy ? Object.fromEntries(guids) : {},
      people: people.map(({ guid: named, user, state }) => ({ guid: named, user, state })),
      skipped: [
        ...found.skipped.filter(({ path, member }) => member !== null || takesKind(kindOf(path) ?? '')),
        ...leftOut,
        ...(lacking === 0 ? [] : [{ path: 'media/', member: null, rows: lacking }]),
      ],
      changed: files.changed,
      notTaken: [...found.kinds].filter((name) => !takesKind(name)),
    }
  }

  /** What everybody may read does not tell how it came about. */
  async #complete(tournament: string, by: string): Promise<void> {
    const { source, now } = this.#with
    if (source.manifest.variant !== 'public') return
    await completeBrackets(this.#tx, tournament)
    for (const guid of this.#undrafted.keys()) {
      await createDraft(this.#tx, guid, emptyDocument, { by, now })
    }
  }

  /** The GUIDs here, by those of the package, where they are others. */
  #newGuids(people: readonly Arrival[]): ReadonlyMap<string, string> {
    const { found, wish } = this.#with
    const persons = people.filter(({ guid, user }) => guid !== user).map(({ guid, user }) => [guid, user] as const)
    if (wish.mode === 'restore') return new Map(persons)
    const rows = [...found.guids].filter(([name]) => name !== 'people' && takes(name, wish))
    return new Map([...newGuidsFor(rows.flatMap(([, own]) => [...own])), ...persons])
  }

  #mapOf(row: Row): string {
    const guid = this.#maps.get(imported.keyOfMap(row))
    if (guid !== undefined) return guid
    throw rowFault(
      { kind: 'maps', line: null, member: 'hash' },
      `lacks ${imported.keyOfMap(row)}, which another row names`,
    )
  }

  #noted(kind: Kind, row: Row): Row {
    this.#usages.push(...usagesOf(kind.name, row, this.#with.services.config.media.url))
    return row
  }

  /** Kinds that are more than rows of a table. */
  #writing(writer: Writer, here: Here, caller: string): Readonly<Record<string, Write | undefined>> {
    const tx = this.#tx
    const { wish, services, now, covers, files } = this.#with
    const { id } = wish
    return {
      tournament: (kind) =>
        writer.write(kind, (row) =>
          this.#noted(kind, wish.mode === 'copy' ? asDraft(row, { id: id ?? '', organiser: caller, now }) : row),
        ),
      placements: (kind) => this.#writePlacements(writer, kind, here),
      media: async (kind) => {
        await writer.batches(kind, async (rows, given) => {
          const brought = rows.flatMap((row, at) => mediumOf(row, files.facts.get(String(given[at]?.row.guid)), wish))
          await countMedia(tx, brought, services)
          await insertRows(tx, kind, brought, here)
        })
      },
      games: async (kind) => {
        await writer.batches(kind, (rows) => imported.addGames(tx, rows))
        await imported.orderGames(tx, here.tournament)
      },
      maps: (kind) =>
        writer.batches(kind, async (rows) => {
          // Else a copy could change what the catalogue says of a map to all tournaments.
          if (wish.mode === 'copy') await imported.insertMaps(tx, rows, now)
          else {
            const write = () => imported.insertToldMaps(tx, rows)
            await writeMaps(tx, rows as readonly (Row & MapIdentity)[], { by: caller, write })
          }
          for (const [key, guid] of await imported.listMaps(tx, rows)) this.#maps.set(key, guid)
        }),
      pools: (kind) =>
        writer.batches(kind, async (rows, given) => {
          const covered = rows.map((row, at) => {
            const cover = covers.get(String(given[at]?.row.guid))
            return this.#noted(kind, { ...row, coverHash: cover === undefined ? null : coverHashOf(cover) })
          })
          await insertRows(tx, kind, covered, here)
        }),
      poolCovers: (kind) =>
        writer.batches(kind, async (rows, given) => {
          for (const [at, row] of rows.entries()) {
            const cover = covers.get(String(given[at]?.row.poolGuid))
            if (cover !== undefined) await writeCover(tx, String(row.poolGuid), cover)
          }
        }),
      qualifierMaps: async (kind) => {
        await writer.batches(kind, async (rows) => {
          await insertRows(tx, kind, rows, here)
          const withdrawn = rows.filter((row) => row.withdrawn === true && row.poolMapGuid !== null)
          await imported.insertWithdrawn(
            tx,
            withdrawn.map(({ poolMapGuid }) => String(poolMapGuid)),
          )
        })
      },
      sessionRows: async (kind) => {
        await writer.write(kind, (row) => row)
        if (this.#with.source.manifest.variant === 'public') {
          this.#leftOut = await completeSessions(tx, here.tournament)
        }
        for (const session of await imported.listOver(tx, here.tournament)) {
          await bringMapResults(tx, session)
        }
      },
      overlays: (kind) =>
        writer.batches(kind, async (rows) => {
          await insertRows(tx, kind, rows, here)
          for (const row of rows) {
            if (row.document === null && this.#with.source.hints !== null) this.#undrafted.set(String(row.guid), row)
            if (row.document === null) continue
            this.#published.set(String(row.guid), row.publishedVersion as number | null)
            const document = documentIn(kind.name, row)
            await bringDraft(tx, row, document, { caller, now })
            this.#usages.push(...usagesOfOverlay(row, document, 'draft'))
          }
        }),
      overlayVersions: (kind) =>
        writer.batches(kind, async (rows) => {
          const versions = rows.map((row) => ({ ...row, document: documentIn(kind.name, row) }) as Row & Documented)
          await insertRows(tx, kind, versions, here)
          for (const row of versions) await this.#useVersion(row, caller)
        }),
      // Their elements are in the documents again.
      overlayParts: async () => {},
      audit: async (kind) => {
        const block = await drawPast(tx)
        await writer.batches(kind, async (rows) => {
          await insertPast(tx, { block, tournament: here.tournament }, rows as unknown as readonly PastEvent[])
        })
      },
    }
  }

  async #useVersion(row: Row & Documented, caller: string): Promise<void> {
    const { document, number } = row
    const overlay = String(row.overlayGuid)
    const undrafted = this.#undrafted.get(overlay)
    if (undrafted !== undefined && undrafted.publishedVersion === number) {
      const drafted = { ...undrafted, nextVersion: Number(number) + 1 }
      await bringDraft(this.#tx, drafted, document, { caller, now: this.#with.now })
      this.#undrafted.delete(overlay)
      this.#published.set(overlay, Number(number))
      this.#usages.push(...usagesOfOverlay(undrafted, document, 'draft'))
    }
    this.#usages.push(...usagesOfOverlay(row, document, 'versions'))
    if (this.#published.get(overlay) === number) this.#usages.push(...usagesOfOverlay(row, document, 'published'))
  }

  async #writePlacements(writer: Writer, kind: Kind, { tournament }: Here): Promise<void> {
    const placements: Row[] = []
    await writer.batches(kind, async (rows) => placements.push(...rows))
    await imported.writePlacements(this.#tx, tournament, placements)
  }

  /**
   * What leads to no row of the package must not lead to a record of somebody else here.
   * @throws Problem `package.row`
   */
  async #checkDangling({ dangling }: Writer): Promise<void> {
    const guids = [...dangling.keys()]
    if (guids.length === 0) return
    const tables = kinds.filter((kind) => kind.name !== 'people' && hasGuid(kind))
    for (const kind of tables) {
      const [taken] = await listTaken(this.#tx, kind, guids)
      if (taken !== undefined) this.#refuse(dangling.get(taken), kind.name)
    }
    const [user] = await listTakenUsers(this.#tx, guids)
    if (user !== undefined) this.#refuse(dangling.get(user), 'people')
  }

  #refuse(place: { readonly kind: string; readonly line: number } | undefined, target: string): never {
    throw rowFault({ kind: '', line: null, member: null, ...place }, `names what is in no row of data/${target}.ndjson`)
  }
}

interface Documented {
  readonly document: SceneDocument
}
