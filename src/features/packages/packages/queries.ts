import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { canonicalJson } from '../../../core/canonical-json.ts'
import { extensionOf, type MediaType } from '../../../core/media.ts'
import type { Effects } from '../../../core/operation.ts'
import { Manifest } from '../../../core/packages/manifest.ts'
import { busy } from '../../../core/problem.ts'
import type { Db } from '../../../infra/db/database.ts'
import { type FileToPack, pack } from '../../../infra/packages/packing.ts'
import type { MadePackage, Spool } from '../../../infra/packages/workshop.ts'
import { ObjectDamaged, objectName, type Storage } from '../../../infra/storage/storage.ts'
import { checkFiles, checkPackage, checkRow, newestOf } from './rules.ts'
import { readCovers } from './store/files.ts'
import type { Asked, Row } from './store/kind.ts'
import { kinds } from './store/kinds.ts'
import { readRows } from './store/rows.ts'
import type { Wanted } from './types.ts'
import { readMe } from './views.ts'

type Services = Effects['services']

/**
 * Makes a package of a tournament, from one snapshot. However large the tournament is, few rows and pieces of files are
 * in memory. (P1)
 * @throws Problem `package.too_large`, `service.busy`
 */
export function makePackage(
  tournamentGuid: string,
  wanted: Wanted,
  { services, now }: { readonly services: Services; readonly now: Date },
): Promise<MadePackage> {
  const { config, keys, packages, storage } = services
  return packages.workshop.make(async (spool, target) => {
    const asked = { tournament: tournamentGuid, isPrivate: wanted.isPrivate }
    const gathered = new Gathered(spool, storage, config.media.url)
    await packages.snapshot((db) => gathered.gather(db, asked))
    const { tournament, stateAt, counts } = gathered
    const { guid, id, name } = tournament as Readonly<Record<string, string>>
    const facts = {
      ...{ variant: wanted.variant, private: wanted.isPrivate, stateAt, counts },
      service: { name: 'Downbeat', url: config.publicUrl, release: packages.release },
      tournament: { guid: guid ?? '', id: id ?? '', name: name ?? '' },
    }
    await gathered.keep('README.txt', readMe(facts))
    await gathered.keep('schemas/manifest.json', `${canonicalJson(Manifest)}\n`)
    for (const { name, schema } of kinds) await gathered.keep(`schemas/${name}.json`, `${canonicalJson(schema)}\n`)
    const files = gathered.files.map((file) =>
      file.path.startsWith('media/') && !wanted.hasMedia ? { ...file, read: null } : file,
    )
    checkFiles(files)
    const bytes = await pack(target, facts, files, await keys.packages.current(now))
    checkPackage(bytes)
    return bytes
  })
}

/** The files of a package, and what its manifest says of them. */
class Gathered {
  readonly counts: Record<string, number> = {}
  stateAt: string | null = null
  tournament: Row = {}
  readonly #files = new Map<string, FileToPack>()
  readonly #spool: Spool
  readonly #storage: Storage
  readonly #mediaOrigin: string
  #rows = 0

  constructor(spool: Spool, storage: Storage, mediaOrigin: string) {
    this.#spool = spool
    this.#storage = storage
    this.#mediaOrigin = mediaOrigin
  }

  get files(): readonly FileToPack[] {
    return [...this.#files.values()]
  }

  async gather(db: Db, asked: Asked): Promise<void> {
    for (const kind of kinds) {
      const rows = readRows(db, kind, asked, this.#mediaOrigin)
      const file = await this.#spool.keep(`data/${kind.name}.ndjson`, this.#lines(kind.name, rows))
      if (file.bytes > 0) this.#add(file)
    }
    for await (const { mediaType, picture } of readCovers(db, asked.tournament)) {
      const kept = await this.#spool.keep('', Readable.from([picture]))
      this.#add({ ...kept, path: `media/${kept.sha256}.${extensionOf(mediaType)}` })
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
    if (kind === 'media') this.#add(mediumOf(row, this.#storage))
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
