import { index, pgTable } from 'drizzle-orm/pg-core'
import { bytea, createdAt } from '../../../infra/db/columns.ts'

/** Digests of used tickets and nonces of games. Each is valid once and remembered for ten minutes. (AS27) */
export const gameProofs = pgTable('game_proofs', { digest: bytea().primaryKey(), at: createdAt() }, (table) => [
  index('game_proofs_at').on(table.at),
])
