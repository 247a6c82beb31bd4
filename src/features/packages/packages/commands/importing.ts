import type { Effects } from '../../../../core/operation.ts'
import { conflict } from '../../../../core/problem.ts'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { rowFault } from '../rules.ts'
import { listTaken } from '../store/bringing.ts'
import { isIdTaken } from '../store/imported.ts'
import type { Row } from '../store/kind.ts'
import { kinds } from '../store/kinds.ts'
import type { ImportedPackage, ImportWish, PackageSource } from '../types.ts'
import { Bringing } from './bringing.ts'
import { withWholeDocuments } from './documents.ts'
import { withHints } from './hints.ts'
import { bringFiles, readCovers } from './media.ts'
import { rowsOf, type Survey, survey } from './reading.ts'
import { shareCovers, shareFiles } from './sharing.ts'

/**
 * Writes what a package brings, in the caller's transaction; a refused one leaves nothing. Nothing is sent because of
 * it: what happened elsewhere is no news here. (P6)
 * @throws Problem `package.row` with path, line and member, `package.exists` with kinds, `tournament.id_taken`,
 *   `media.quota_exceeded`, `service.busy`
 */
export async function importPackage(
  tx: Tx,
  given: PackageSource,
  wish: ImportWish,
  { services, now }: Pick<Effects, 'services'> & { readonly now: Date },
): Promise<ImportedPackage> {
  const source = await withHints(withWholeDocuments(given), now)
  const found = await survey(source, services)
  const [tournament, ...more] = await rowsOf(source, 'tournament')
  if (tournament === undefined || more.length > 0) {
    throw rowFault({ kind: 'tournament', line: null, member: null }, 'there must be one tournament')
  }
  // Before files are read, which takes long, and again under the locks of the transaction.
  await services.packages.snapshot((db) => checkFree(db, found, tournament.row, wish))
  // Only what is trusted is restored.
  const isTrusted = wish.mode === 'restore' || source.signer === 'known'
  const around = { source, isTrusted, caller: wish.caller, services }
  const [ofPools, ofMedia] = [await rowsOf(source, 'poolCovers'), await rowsOf(source, 'media')]
  const isOfHere = wish.sharesFiles === true
  const covers = isOfHere ? await shareCovers(tx, ofPools) : await readCovers(ofPools, around)
  const files = isOfHere ? await shareFiles(tx, ofMedia) : await bringFiles(ofMedia, around)
  await checkFree(tx, found, tournament.row, wish)
  return await new Bringing(tx, { source, wish, services, now, found, files, covers }).bring(tournament.row)
}

/** @throws Problem `package.exists`, `tournament.id_taken` */
async function checkFree(db: Db, { guids }: Survey, { id }: Row, wish: ImportWish): Promise<void> {
  if (wish.mode === 'copy') {
    if (await isIdTaken(db, wish.id ?? '')) throw conflict('tournament.id_taken', 'This short id is taken.')
    return
  }
  const taken = new Set((await isIdTaken(db, String(id))) ? ['tournament'] : [])
  for (const kind of kinds) {
    const own = [...(guids.get(kind.name) ?? [])]
    if (kind.name !== 'people' && own.length > 0 && (await listTaken(db, kind, own)).length > 0) taken.add(kind.name)
  }
  if (taken.size === 0) return
  const names = [...taken].toSorted()
  throw conflict('package.exists', `Some of it is here already: ${names.join(', ')}.`, { kinds: names })
}
