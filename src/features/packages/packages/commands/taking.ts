import type { SignedIn } from '../../../../core/actor.ts'
import type { SentUpload } from '../../../../core/uploads.ts'
import { inSavepoint, type Tx } from '../../../../infra/db/database.ts'
import { busyWithImports, runningImport } from '../../../../infra/packages/gate.ts'
import type { Services } from '../../../../services.ts'
import { tellAwaited } from '../../../people/claims/commands/awaited.ts'
import { lockNewOrganiser } from '../../../tournaments/tournaments/commands/organiser.ts'
import { readRecord, type TournamentRecord } from '../../../tournaments/tournaments/queries.ts'
import { checkRoomForDraft } from '../../../tournaments/tournaments/rules/organiser.ts'
import { countDrafts, lockTournament } from '../../../tournaments/tournaments/store/tournaments.ts'
import type { CheckedPackage } from '../prepare.ts'
import { takeImportPlace } from '../store/gate.ts'
import { insertTaken } from '../store/taken.ts'
import type { ImportedPackage, ImportWish } from '../types.ts'
import { importPackage } from './importing.ts'
import { tracked } from './media.ts'

export interface Taking {
  readonly actor: SignedIn
  readonly checked: CheckedPackage
  readonly wish: ImportWish
  readonly isDryRun: boolean
  readonly upload: SentUpload
  readonly services: Services
  readonly now: Date
}

export interface Taken {
  readonly imported: ImportedPackage
  /** null after a dry run. */
  readonly record: TournamentRecord | null
}

/**
 * Takes a package in, as a whole or not at all. A dry run does the same, and takes it back. (P6)
 * @throws Problem `import.running`, `service.busy`, `tournament.too_many_drafts`, and those of `importPackage`
 */
export async function takePackage(tx: Tx, taking: Taking): Promise<Taken> {
  const { actor, wish, isDryRun } = taking
  const taken = await takeImportPlace(tx, actor.guid)
  if (taken === 'user') throw runningImport()
  if (taken === 'service') throw busyWithImports()
  if (wish.mode === 'copy') {
    const organiser = await lockNewOrganiser(tx, actor.guid)
    checkRoomForDraft(organiser, await countDrafts(tx, organiser.guid))
  }
  if (!isDryRun) return take(tx, taking)
  return inSavepoint(tx, async (part) => {
    throw new TakenBack(await take(part, taking))
  }).catch((error: unknown) => {
    if (error instanceof TakenBack) return { ...error.taken, record: null }
    throw error
  })
}

/** Ends a dry run: what it did is rolled back, and only its result stays. */
class TakenBack extends Error {
  override readonly name = 'TakenBack'
  readonly taken: Taken

  constructor(taken: Taken) {
    super('a dry run')
    this.taken = taken
  }
}

/**
 * Writes what an uploaded package brings, and notes who brought it. The caller holds a place for imports.
 * @throws Problem of `importPackage`
 */
export async function bringUpload(
  tx: Tx,
  { actor, checked, wish, upload, services, now }: Omit<Taking, 'isDryRun'>,
): Promise<ImportedPackage> {
  const { source } = checked
  const storing = tracked(services)
  // Whether the transaction commits or not, an object that no row names then is of no use.
  upload.atEnd(storing.forget)
  const imported = await importPackage(tx, source, wish, { services: storing.services, now })
  const { tournamentGuid } = imported
  await insertTaken(tx, {
    ...{ tournamentGuid, createdAt: now, byGuid: actor.guid, bytes: upload.bytes },
    ...{ variant: source.manifest.variant, isPrivate: source.manifest.private },
    ...{ digest: Buffer.from(upload.digest, 'hex'), direction: 'import', signer: source.signer },
  })
  return imported
}

async function take(tx: Tx, taking: Taking): Promise<Taken> {
  const { wish, now } = taking
  const imported = await bringUpload(tx, taking)
  const { tournamentGuid } = imported
  if (wish.mode === 'copy') await tellAwaited(tx, tournamentGuid, now)
  const made = await lockTournament(tx, tournamentGuid)
  if (made === undefined) throw new Error('a tournament is gone that was just imported')
  return { imported, record: await readRecord(tx, made.tournament, made.counts) }
}
