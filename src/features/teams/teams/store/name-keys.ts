import { and, asc, eq, isNull, or, sql } from 'drizzle-orm'
import { nameKeysOf } from '../../../../core/names.ts'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { lockTournaments } from '../../../tournaments/tournaments/store/tournaments.ts'
import { teams } from '../tables.ts'

const tournamentGuid = sql.placeholder('tournamentGuid')
const [names, keys, looks] = ['names', 'keys', 'looks'].map((list) => sql`${sql.placeholder(list)}::text[]`)

const takenNames = statement('teams.taken_names', (orm) =>
  orm
    .select({ name: sql<string>`wanted.name` })
    .from(sql`unnest(${names}, ${keys}, ${looks}) as wanted (name, key, look)`)
    .where(
      sql`exists (select from ${teams} where ${teams.tournamentGuid} = ${tournamentGuid} and ${teams.nameKey} = wanted.key)
        or exists (select from ${teams} where ${teams.tournamentGuid} = ${tournamentGuid} and ${teams.nameLook} = wanted.look)`,
    ),
)

/** Returns which of the names other teams of the tournament have. (D30, D56) */
export async function listTakenNames(
  db: Db,
  tournamentGuid: string,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const compared = names.map(nameKeysOf)
  const keys = compared.map(({ nameKey }) => nameKey)
  const looks = compared.map(({ nameLook }) => nameLook)
  const rows = await takenNames(db, { tournamentGuid, names, keys, looks })
  return new Set(rows.map((row) => row.name))
}

const namesake = statement('teams.namesake', (orm) =>
  orm
    .select({ guid: teams.guid, name: teams.name })
    .from(teams)
    .where(
      and(
        eq(teams.tournamentGuid, tournamentGuid),
        or(eq(teams.nameKey, sql.placeholder('nameKey')), eq(teams.nameLook, sql.placeholder('nameLook'))),
      ),
    ),
)

/** Returns the name of another team of the tournament that counts as the same name. (D30, D73) */
export async function findNamesake(
  db: Db,
  { tournamentGuid, name, but }: { readonly tournamentGuid: string; readonly name: string; readonly but?: string },
): Promise<string | undefined> {
  const rows = await namesake(db, { tournamentGuid, ...nameKeysOf(name) })
  return rows.find(({ guid }) => guid !== but)?.name
}

/**
 * Sets the name keys of teams that are older than these keys, for one tournament, oldest team first. Returns false if
 * no such tournament is left. Every team keeps its name: if another team has the key already, the team's GUID is
 * appended to it on a line of its own, which no name can contain.
 */
export async function setMissingNameKeys(tx: Tx): Promise<boolean> {
  const [first] = await tx.session.orm
    .select({ tournamentGuid: teams.tournamentGuid })
    .from(teams)
    .where(isNull(teams.nameKey))
    .limit(1)
  if (first === undefined) return false
  await lockTournaments(tx, [first.tournamentGuid])
  const all = await tx.session.orm
    .select({ guid: teams.guid, name: teams.name, nameKey: teams.nameKey, nameLook: teams.nameLook })
    .from(teams)
    .where(eq(teams.tournamentGuid, first.tournamentGuid))
    .orderBy(asc(teams.createdAt), asc(teams.guid))
  const keys = new Set(all.map(({ nameKey }) => nameKey))
  const looks = new Set(all.map(({ nameLook }) => nameLook))
  const rows = all
    .filter(({ nameKey }) => nameKey === null)
    .map(({ guid, name }) => {
      const { nameKey, nameLook } = nameKeysOf(name)
      return { guid, nameKey: claim(keys, nameKey, guid), nameLook: claim(looks, nameLook, guid) }
    })
  await tx.session.orm.execute(sql`
    update ${teams} t set name_key = n."nameKey", name_look = n."nameLook"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (guid uuid, "nameKey" text, "nameLook" text)
    where t.guid = n.guid`)
  return true
}

/** Returns the key, or a key with the team's GUID if another team has it. */
function claim(taken: Set<string | null>, key: string, guid: string): string {
  const own = taken.has(key) ? `${key}\n${guid}` : key
  taken.add(own)
  return own
}
