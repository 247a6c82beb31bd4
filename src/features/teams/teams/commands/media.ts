import { emit } from '../../../../infra/events/emit.ts'
import type { MediaField } from '../../../../infra/media/fields.ts'
import { endUsage } from '../../../../infra/media/usages.ts'
import { isOrganiser } from '../../../tournaments/access/policy.ts'
import { readNamesIn } from '../../../tournaments/tournaments/queries.ts'
import { findTournamentFor, lockTournament } from '../../../tournaments/tournaments/store/tournaments.ts'
import { mayManageTeam } from '../policy.ts'
import { isRosterLocked, isTournamentOver } from '../rules/teams.ts'
import { imageColumn, listNamed } from '../store/media.ts'
import { findTeamByGuid, updateTeam } from '../store/teams.ts'

const subject = 'team'
const field = 'imageUrl'

/** The picture of a team. Media managers see it here, and users who may change the team now may unset it. (D45) */
export const teamMediaFields: readonly MediaField[] = [
  {
    ...{ subject, field, kept: imageColumn },
    names: async (db, guids, actor) => readNamesIn(db, await listNamed(db, guids), actor),
    mayDetach: async (db, actor, guid, now) => {
      const team = await findTeamByGuid(db, guid)
      const seen = team && (await findTournamentFor(db, team.tournamentGuid, actor.guid))
      if (team === undefined || seen === undefined) return false
      const { tournament, roles } = seen
      const here = { ...actor, isOrganiser: tournament.organiserGuid === actor.guid, roles: new Set(roles) }
      if (isOrganiser(here)) return true
      return mayManageTeam(here, team) && !isTournamentOver(tournament) && !isRosterLocked(team, tournament, now)
    },
    detach: async (tx, guid, { mediaGuid, actorGuid, now }) => {
      const found = await findTeamByGuid(tx, guid)
      if (found === undefined || (await lockTournament(tx, found.tournamentGuid)) === undefined) return false
      const team = await findTeamByGuid(tx, guid)
      if (team === undefined) return false
      if (!(await endUsage(tx, { subject, subjectGuid: guid, field, mediaGuid }, now))) return false
      await updateTeam(tx, guid, { imageUrl: null }, now)
      emit(tx, {
        type: 'team.updated',
        subject: guid,
        tournament: team.tournamentGuid,
        actor: actorGuid,
        before: { imageUrl: team.imageUrl },
        after: { imageUrl: null },
      })
      return true
    },
  },
]
