import type { Tx } from '../../../../infra/db/database.ts'
import type { SetContext } from '../../../../infra/jobs/lease-sets.ts'
import { keepProposal, keepReport } from '../commands/holding.ts'
import type { Results } from '../rules/gathering.ts'

/**
 * Writes results down, and what they make of their songs' proposals: at once, and where that fails one by one, so that what cannot be
 * written does not keep the rest from being on disk. (AS16)
 *
 * @param insist writes one of them as soon as the database takes it; never rejects
 */
export async function keepResults(
  { finishes, proposals }: Results,
  { database, now }: Pick<SetContext, 'database' | 'now'>,
  insist: (write: (tx: Tx) => Promise<void>) => Promise<void>,
  onError: (error: unknown) => void,
): Promise<void> {
  const writes = [
    ...finishes.map((effect) => (tx: Tx) => keepReport(tx, effect, now())),
    ...proposals.map((effect) => (tx: Tx) => keepProposal(tx, effect, now())),
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
