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

/** `:team` in an address, by GUID or short id, in the tournament that stands before it. (D6) */
export const resolveTeam: Resolver = async ({ db, records }, value) => {
  const tournament = records.tournament as Tournament
  const record = await findTeam(db, tournament.guid, value)
  if (record === undefined) throw unknownTeam()
  return { record }
}

/**
 * `:member` in an address, in the team that stands before it: a user by any identifier or, so that nobody's place is taken
 * for ever, somebody who gave up their account by the GUID that is left of it. (D6, D35)
 */
export const resolveMember: Resolver = async (context, value) => {
  const { guid: teamGuid } = context.records.team as Team
  const guid = normaliseGuid(value)
  if (isGuid(guid) && (await hasMember(context.db, teamGuid, guid))) return { record: { guid } }
  return resolveUser(context, value)
}

/** `:invitation` in an address, with the actor's roles in its tournament. (D5) */
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

/** A tournament that the actor may not see hides its invitations with it. */
function hidden(error: unknown): never {
  throw error instanceof Problem ? unknownInvitation() : error
}
