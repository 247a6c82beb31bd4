import { index, pgTable } from 'drizzle-orm/pg-core'
import { bytea, createdAt } from '../../../infra/db/columns.ts'

/** Tickets and nonces of games that were taken, each good once: digests, for ten minutes. (AS27) */
export const gameProofs = pgTable('game_proofs', { digest: bytea().primaryKey(), at: createdAt() }, (table) => [
  index('game_proofs_at').on(table.at),
])
