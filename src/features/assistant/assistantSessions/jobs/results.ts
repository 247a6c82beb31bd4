import type { Tx } from '../../../../infra/db/database.ts'
import type { SetContext } from '../../../../infra/jobs/lease-sets.ts'
import { saveProposal, saveReport } from '../commands/holding.ts'
import type { Results } from '../rules/gathering.ts'

/**
 * Saves results and updates the proposals of their songs, all in one transaction. If that fails, each is saved on its
 * own, so that one faulty result does not block the others. (AS16)
 *
 * @param insist repeats one write until the database accepts it; never rejects
 */
export async function saveResults(
  { finishes, proposals }: Results,
  { database, now }: Pick<SetContext, 'database' | 'now'>,
  insist: (write: (tx: Tx) => Promise<void>) => Promise<void>,
  onError: (error: unknown) => void,
): Promise<void> {
  const writes = [
    ...finishes.map((effect) => (tx: Tx) => saveReport(tx, effect, now())),
    ...proposals.map((effect) => (tx: Tx) => saveProposal(tx, effect, now())),
  ]
  try {
    await database.transaction(async (tx) => {
      for (const write of writes) await write(tx)
    })
  } catch (error) {
    onError(error)
    for (const write of writes) await insist(write)
  }
}
