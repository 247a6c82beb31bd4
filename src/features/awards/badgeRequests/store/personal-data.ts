import { sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { declarePersonalData, rowsOf } from '../../../../infra/db/personal-data.ts'
import { badgeRequests } from '../tables.ts'

/** Requests for badges that a user wrote, and requests that name the user. */
export const badgeRequestsPersonalData = declarePersonalData({
  sections: {
    badgeRequests: rowsOf(badgeRequests, 'createdBy', {
      shows: ['guid', 'tournamentGuid', 'status', 'message', 'createdAt', 'decidedAt'],
    }),
    badgesAskedFor: () => listNaming,
  },
  forget: [forgetRecipient],
})

/** Finds requests by the form of a recipient that the index has. */
function names(userGuid: string) {
  return sql`${badgeRequests.badges} @> ${JSON.stringify([{ recipients: [{ userGuid }] }])}::jsonb`
}

/** The part of a request that is about the user, without other recipients. */
async function listNaming(db: Db, userGuid: string, limit: number) {
  const { rows } = await db.session.orm.execute<Record<string, unknown>>(sql`
    select r.guid, r.tournament_guid as "tournamentGuid", r.status, b ->> 'name' as badge,
      p ->> 'label' as label, (p ->> 'place')::int as place, r.created_at as "createdAt"
    from (
      select * from ${badgeRequests} where ${names(userGuid)}
      order by ${badgeRequests.createdAt} desc, ${badgeRequests.guid} desc limit ${limit}) r
    cross join jsonb_array_elements(r.badges) b
    cross join jsonb_array_elements(b -> 'recipients') p
    where p ->> 'userGuid' = ${userGuid}
    order by r.created_at desc, r.guid desc, b ->> 'name' limit ${limit}`)
  return rows
}

/**
 * Pending requests keep only the GUID of the deleted user, so that the decision can name the recipient that it leaves
 * out. (B6)
 */
async function forgetRecipient(tx: Tx, { guid: userGuid }: { readonly guid: string }): Promise<void> {
  await tx.session.orm.execute(sql`
    update ${badgeRequests} set badges = (
      select jsonb_agg(jsonb_set(b, '{recipients}', coalesce((
          select jsonb_agg(case when p ->> 'userGuid' = ${userGuid}
            then p || '{"label": null, "place": null}'::jsonb else p end order by at)
          from jsonb_array_elements(b -> 'recipients') with ordinality as named (p, at)), '[]')) order by number)
      from jsonb_array_elements(${badgeRequests.badges}) with ordinality as asked (b, number))
    where ${badgeRequests.status} = 'pending' and ${names(userGuid)}`)
}
