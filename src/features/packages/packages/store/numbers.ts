import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import { type Drawn, numberedKinds } from '../../../../infra/packages/pseudonyms.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import { packageNumbers } from '../tables.ts'

/** What packages without names have drawn so far. Two at a time would draw the same numbers, so the second one waits. */
export async function lockDrawn(tx: Tx, tournament: string): Promise<Drawn> {
  const { orm } = tx.session
  await orm
    .select({ guid: tournaments.guid })
    .from(tournaments)
    .where(eq(tournaments.guid, tournament))
    .for('no key update')
  const { kind, key, number } = packageNumbers
  const rows = await orm
    .select({ kind, key: sql<string>`encode(${key}, 'hex')`, number })
    .from(packageNumbers)
    .where(eq(packageNumbers.tournamentGuid, tournament))
  const numbersOf = (wanted: string) =>
    new Map(rows.flatMap((row) => (row.kind === wanted ? [[row.key, row.number] as const] : [])))
  return {
    numbers: { person: numbersOf('person'), team: numbersOf('team'), text: numbersOf('text') },
    weeks: rows.find((row) => row.kind === 'weeks')?.number ?? null,
  }
}

export async function insertDrawn(tx: Tx, tournament: string, { numbers, weeks }: Drawn): Promise<void> {
  const added = numberedKinds.flatMap((kind) => [...numbers[kind]].map(([key, number]) => ({ kind, key, number })))
  const all = [...added, ...(weeks === null ? [] : [{ kind: 'weeks', key: '', number: weeks }])]
  await tx.session.orm.execute(sql`
    insert into ${packageNumbers} (tournament_guid, kind, key, number)
    select ${tournament}, kind, decode(key, 'hex'), number
    from jsonb_to_recordset(${JSON.stringify(all)}::jsonb) as drawn(kind text, key text, number integer)
    on conflict (tournament_guid, kind, key) do update set number = excluded.number`)
}
