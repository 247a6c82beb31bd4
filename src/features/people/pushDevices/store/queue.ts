import { and, eq, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { matches } from '../../../brackets/matches/tables.ts'
import { teams } from '../../../teams/teams/tables.ts'
import { isSeenByAll, tournaments } from '../../../tournaments/tournaments/tables.ts'
import { users } from '../../users/tables.ts'
import { kindOf } from '../rules/messages.ts'
import { pushDevices } from '../tables.ts'
import type { Addressed, Message, Push } from '../types.ts'
import { quietHours } from './devices.ts'

export const deliverJob = 'pushDevices.deliver'

/** Enqueues a message for each device of the recipients, by one statement. Most users have no device. */
export async function enqueuePushes(tx: Tx, pushes: readonly Push[]): Promise<void> {
  if (pushes.length === 0) return
  const rows = pushes.map((push) => ({ ...push, kind: kindOf(push.occasion) }))
  await tx.session.orm.execute(sql`
    select graphile_worker.add_job(${deliverJob}, payload := json_build_object(
      'device', ${pushDevices.guid}, 'occasion', p.occasion, 'subject', p.subject, 'until', p.until, 'attempts', 0))
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as p ("userGuid" uuid, kind text, occasion text, subject json, until text)
    join ${pushDevices} on ${pushDevices.userGuid} = p."userGuid"
    where p.kind <> all (${pushDevices.mutedKinds})`)
}

const team1 = alias(teams, 'team1')
const team2 = alias(teams, 'team2')

const addressed = statement('push_devices.addressed', (orm) =>
  orm
    .select({
      device: {
        guid: pushDevices.guid,
        userGuid: pushDevices.userGuid,
        endpoint: pushDevices.endpoint,
        p256dh: pushDevices.p256dh,
        auth: pushDevices.auth,
        mutedKinds: pushDevices.mutedKinds,
        quietHours,
      },
      tournament: tournaments.name,
      teams: sql<string[]>`array_remove(array[${teams.name}, ${team1.name}, ${team2.name}], null)`,
    })
    .from(pushDevices)
    .innerJoin(users, and(eq(users.guid, pushDevices.userGuid), isNull(users.bannedAt)))
    // Names in a tournament that not everybody may see are not told.
    .leftJoin(
      tournaments,
      and(sql`${tournaments.guid} = ${sql.placeholder('tournamentGuid')}::uuid`, isSeenByAll(tournaments)),
    )
    .leftJoin(
      teams,
      and(sql`${teams.guid} = ${sql.placeholder('teamGuid')}::uuid`, eq(teams.tournamentGuid, tournaments.guid)),
    )
    .leftJoin(
      matches,
      and(sql`${matches.guid} = ${sql.placeholder('matchGuid')}::uuid`, eq(matches.tournamentGuid, tournaments.guid)),
    )
    .leftJoin(team1, eq(team1.guid, matches.team1Guid))
    .leftJoin(team2, eq(team2.guid, matches.team2Guid))
    .where(eq(pushDevices.guid, sql.placeholder('device'))),
)

/** Finds the device of a message with the names to tell; undefined if the device is gone, or its user is banned. */
export async function findAddressed(
  db: Db,
  { device, subject }: Pick<Message, 'device' | 'subject'>,
): Promise<Addressed | undefined> {
  const { tournamentGuid, teamGuid = null, matchGuid = null } = subject
  return (await addressed(db, { device, tournamentGuid, teamGuid, matchGuid }))[0]
}

/**
 * The names for messages in a rehearsal, in their order, as if everybody saw it unless it is a draft; none for a message
 * whose recipient is unknown. (R3)
 */
export async function listNames(db: Db, pushes: readonly Push[]): Promise<ReadonlyMap<number, RecordedNames>> {
  const asked = pushes.map(({ userGuid, subject }, place) => ({ place, userGuid, ...subject }))
  const { rows } = await db.session.orm.execute<RecordedNames & { place: number }>(sql`
    select p.place, u.preferred_name as name, c.name as tournament,
      array_remove(array[t.name, one.name, two.name], null) as teams
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
      as p (place integer, "userGuid" uuid, "tournamentGuid" uuid, "teamGuid" uuid, "matchGuid" uuid)
    join ${users} u on u.guid = p."userGuid"
    left join ${tournaments} c on c.guid = p."tournamentGuid" and c.status not in ('draft', 'cancelled')
    left join ${teams} t on t.guid = p."teamGuid" and t.tournament_guid = c.guid
    left join ${matches} m on m.guid = p."matchGuid" and m.tournament_guid = c.guid
    left join ${teams} one on one.guid = m.team1_guid
    left join ${teams} two on two.guid = m.team2_guid`)
  return new Map(rows.map(({ place, ...names }) => [place, names]))
}

export type RecordedNames = {
  /** Of the recipient. */
  readonly name: string
  readonly tournament: string | null
  readonly teams: readonly string[]
}
