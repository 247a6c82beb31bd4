import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { Problem } from '../../../core/problem.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import { resolveUser } from '../../people/users/resolve.ts'
import { resolveTournament } from '../../tournaments/tournaments/resolve.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import { unknownInvitation } from './commands/invitations.ts'
import { unknownTeam } from './commands/lock.ts'
import { mayKnowInvitation } from './policy.ts'
import { findInvitation } from './store/invitations.ts'
import { findTeam, findTeamByGuid, hasMember } from './store/teams.ts'
import type { InvitationFacts, Member, Team } from './types.ts'

declare module '../../../core/operation.ts' {
  interface Resources {
    team: Team
    invitation: InvitationFacts
    member: Member
  }
}

/** Resolves `:team` in a path, by GUID or short id, within the tournament named before it. (D6) */
export const resolveTeam: Resolver = async ({ db, records }, value) => {
  const tournament = records.tournament as Tournament
  const record = await findTeam(db, tournament.guid, value)
  if (record === undefined) throw unknownTeam()
  return { record }
}

/**
 * Resolves `:member` in a path, within the team named before it: a user by any identifier, or the GUID of a member who
 * deleted their account, so that such a member can be removed. (D6, D35)
 */
export const resolveMember: Resolver = async (context, value) => {
  const { guid: teamGuid } = context.records.team as Team
  const guid = normaliseGuid(value)
  if (isGuid(guid) && (await hasMember(context.db, teamGuid, guid))) return { record: { guid } }
  return resolveUser(context, value)
}

/** Resolves `:invitation` in a path and adds the actor's roles in its tournament. (D5) */
export const resolveInvitation: Resolver = async ({ db, actor }, value) => {
  const record = isGuid(value) ? await findInvitation(db, normaliseGuid(value)) : undefined
  if (record === undefined) throw unknownInvitation()
  const { invitation } = record
  const [seen, team] = await Promise.all([
    resolveTournament({ db, actor, records: {}, query: {} }, invitation.tournamentGuid).catch(hidden),
    findTeamByGuid(db, invitation.teamGuid),
  ])
  const here = seen.actor ?? actor
  if (team === undefined || !mayKnowInvitation(here, team, invitation)) throw unknownInvitation()
  return { record, actor: here, tournament: invitation.tournamentGuid }
}

/** If the actor may not see the tournament, its invitations are unknown too. */
function hidden(error: unknown): never {
  throw error instanceof Problem ? unknownInvitation() : error
}
