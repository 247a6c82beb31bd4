import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { canonicalJson } from '../../../core/canonical-json.ts'
import { extensionOf, type MediaType } from '../../../core/media.ts'
import type { Effects } from '../../../core/operation.ts'
import { Manifest } from '../../../core/packages/manifest.ts'
import { busy } from '../../../core/problem.ts'
import type { Db } from '../../../infra/db/database.ts'
import { type FileToPack, pack } from '../../../infra/packages/packing.ts'
import { Pseudonyms } from '../../../infra/packages/pseudonyms.ts'
import type { MadePackage, Spool } from '../../../infra/packages/workshop.ts'
import { ObjectDamaged, objectName, type Storage } from '../../../infra/storage/storage.ts'
import { checkFiles, checkPackage, checkRow, newestOf } from './rules.ts'
import { readCovers } from './store/files.ts'
import type { Asked, Kind, Row } from './store/kind.ts'
import { kinds } from './store/kinds.ts'
import { insertDrawn, lockDrawn } from './store/numbers.ts'
import { packagedOrigin, readRows } from './store/rows.ts'
import type { Wanted } from './types.ts'
import { readMe } from './views.ts'

type Services = Effects['services']

/**
 * Makes a package of a tournament, from one snapshot. However large the tournament is, few rows and pieces of files are
 * in memory. (P1)
 * @throws Problem `package.too_large`, `service.busy`
 */
export async function makePackage(
  tournamentGuid: string,
  wanted: Wanted,
  { services, now }: { readonly services: Services; readonly now: Date },
): Promise<MadePackage & { readonly id: string }> {
  const { config, keys, packages, storage, seal } = services
  const { variant, isPrivate } = wanted
  const isNameless = variant === 'anonymised'
  let id = ''
  const made = await packages.workshop.make(async (spool, target) => {
    const pseudonyms = isNameless ? new Pseudonyms(seal(`packages without names: ${tournamentGuid}`)) : null
    const shownMedia = new Set<string>()
    const key = pseudonyms?.key ?? null
    const asked = { tournament: tournamentGuid, variant, isPrivate, now, shownMedia, key }
    const number = (drawing: Pseudonyms) =>
      packages.transaction(async (tx) => {
        await insertDrawn(tx, tournamentGuid, drawing.number(await lockDrawn(tx, tournamentGuid)))
      })
    const gathered = new Gathered(spool, { storage, mediaOrigin: config.media.url, pseudonyms, number, shownMedia })
    const gather = (db: Db) => gathered.gather(db, asked)
    await (variant === 'public' ? packages.snapshotForAll(tournamentGuid, gather) : packages.snapshot(gather))
    const { stateAt, counts } = gathered
    const tournament = gathered.tournament as Readonly<Record<string, string>>
    id = tournament.id ?? ''
    const facts = {
      ...{ variant, private: isPrivate, stateAt, counts },
      service: { name: 'Downbeat', url: isNameless ? null : config.publicUrl, release: packages.release },
      tournament: { guid: tournament.guid ?? '', id, name: tournament.name ?? '' },
    }
    await gathered.keep('README.txt', readMe(facts))
    await gathered.keep('schemas/manifest.json', `${canonicalJson(Manifest)}\n`)
    for (const { name, schema } of kinds) {
      const own = schema(variant)
      if (own !== null) await gathered.keep(`schemas/${name}.json`, `${canonicalJson(own)}\n`)
    }
    const files = gathered.files.map((file) =>
      file.path.startsWith('media/') && !wanted.hasMedia ? { ...file, read: null } : file,
    )
    checkFiles(files)
    const bytes = await pack(target, facts, files, await keys.packages.current(now))
    checkPackage(bytes)
    return bytes
  })
  return { ...made, id }
}

interface Gathering {
  readonly storage: Storage
  readonly mediaOrigin: string
  /** null for packages with names. */
  readonly pseudonyms: Pseudonyms | null
  /** Draws numbers that other packages of the tournament do not have for anything else. */
  readonly number: (pseudonyms: Pseudonyms) => Promise<void>
  /** Gets the GUIDs of the media whose addresses are in rows. */
  readonly shownMedia: Set<string>
}

const mediumAddress = new RegExp(`${packagedOrigin}/media/([0-9a-f-]{36})/`, 'g')

/** The files of a package, and what its manifest says of them. */
class Gathered {
  readonly counts: Record<string, number> = {}
  stateAt: string | null = null
  tournament: Row = {}
  readonly #files = new Map<string, FileToPack>()
  readonly #spool: Spool
  readonly #with: Gathering
  #rows = 0

  constructor(spool: Spool, gathering: Gathering) {
    this.#spool = spool
    this.#with = gathering
  }

  get files(): readonly FileToPack[] {
    return [...this.#files.values()]
  }

  async gather(db: Db, asked: Asked): Promise<void> {
    if (this.#with.pseudonyms !== null) await this.#draw(db, asked, this.#with.pseudonyms)
    for (const kind of kinds) {
      if (kind.schema(asked.variant) === null) continue
      const file = await this.#spool.keep(
        `data/${kind.name}.ndjson`,
        this.#lines(kind.name, this.#read(db, kind, asked)),
      )
      if (file.bytes > 0) this.#add(file)
    }
    for await (const { mediaType, picture } of readCovers(db, asked)) {
      const kept = await this.#spool.keep('', Readable.from([picture]))
      this.#add({ ...kept, path: `media/${kept.sha256}.${extensionOf(mediaType)}` })
    }
  }

  /** All rows are read once before they are written, since numbers are drawn among all people, teams and texts. */
  async #draw(db: Db, asked: Asked, pseudonyms: Pseudonyms): Promise<void> {
    for (const kind of kinds) {
      const schema = kind.schema(asked.variant)
      if (schema === null) continue
      for await (const row of readRows(db, kind, asked, this.#with.mediaOrigin)) pseudonyms.note(schema, row)
    }
    await this.#with.number(pseudonyms)
  }

  async *#read(db: Db, kind: Kind, asked: Asked): AsyncIterable<Row> {
    const { pseudonyms, mediaOrigin } = this.#with
    const schema = kind.schema(asked.variant)
    for await (const row of readRows(db, kind, asked, mediaOrigin)) {
      yield schema === null || pseudonyms === null ? row : pseudonyms.replaced(schema, row)
    }
  }

  async keep(path: string, text: string): Promise<void> {
    this.#add(await this.#spool.keep(path, Readable.from([Buffer.from(text)])))
  }

  #add(file: FileToPack): void {
    this.#files.set(file.path, file)
  }

  async *#lines(kind: string, rows: AsyncIterable<Row>): AsyncIterable<Uint8Array> {
    let piece = ''
    for await (const row of rows) {
      this.#note(kind, row)
      const line = `${canonicalJson(row)}\n`
      for (const [, guid = ''] of line.matchAll(mediumAddress)) this.#with.shownMedia.add(guid)
      checkRow(Buffer.byteLength(line), ++this.#rows)
      piece += line
      if (piece.length < pieceLength) continue
      yield Buffer.from(piece)
      piece = ''
    }
    if (piece !== '') yield Buffer.from(piece)
  }

  #note(kind: string, row: Row): void {
    this.counts[kind] = (this.counts[kind] ?? 0) + 1
    this.stateAt = newestOf(row, this.stateAt)
    if (kind === 'tournament') this.tournament = row
    if (kind === 'media') this.#add(mediumOf(row, this.#with.storage))
  }
}

/** Characters of rows that are written at once. */
const pieceLength = 64 * 1024

function mediumOf({ digest, type, bytes }: Row, storage: Storage): FileToPack {
  const sha256 = String(digest)
  const path = `media/${sha256}.${extensionOf(type as MediaType)}`
  return { path, bytes: Number(bytes), sha256, read: () => objectOf(storage, sha256) }
}

/** With an object that is not the one that it is named for, the package could not be verified. */
async function* objectOf(storage: Storage, digest: string): AsyncIterable<Uint8Array> {
  const name = objectName(digest)
  const object = await storage.get(name)
  if (object === null) throw busy('A medium of the tournament was just deleted; try again.')
  const hash = createHash('sha256')
  for await (const piece of object.stream as AsyncIterable<Uint8Array>) {
    hash.update(piece)
    yield piece
  }
  if (hash.digest('hex') !== digest) throw new ObjectDamaged(name)
}
