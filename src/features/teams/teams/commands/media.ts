import { type MediaField, mediaField } from '../../../../infra/media/fields.ts'
import { isOrganiser } from '../../../tournaments/access/policy.ts'
import { mayThere, readNamesIn } from '../../../tournaments/tournaments/queries.ts'
import { lockTournament } from '../../../tournaments/tournaments/store/tournaments.ts'
import { mayManageTeam } from '../policy.ts'
import { isRosterLocked, isTournamentOver } from '../rules/teams.ts'
import { imageColumn, listNamed } from '../store/media.ts'
import { findTeamByGuid, updateTeam } from '../store/teams.ts'

/** The picture of a team, for the management of media. Users who may change it now may remove it. (D45) */
export const teamMediaFields: readonly MediaField[] = [
  mediaField({
    subject: 'team',
    field: 'imageUrl',
    kept: imageColumn,
    names: async (db, guids, actor) => readNamesIn(db, await listNamed(db, guids), actor),
    mayDetach: async (db, actor, guid, now) => {
      const team = await findTeamByGuid(db, guid)
      if (team === undefined) return false
      return mayThere(db, actor, team.tournamentGuid, (here, tournament) => {
        const isOpen = !isTournamentOver(tournament) && !isRosterLocked(team, tournament, now)
        return isOrganiser(here) || (mayManageTeam(here, team) && isOpen)
      })
    },
    lock: async (tx, guid) => {
      const found = await findTeamByGuid(tx, guid)
      return found && (await lockTournament(tx, found.tournamentGuid)) && findTeamByGuid(tx, guid)
    },
    update: async (tx, { imageUrl, tournamentGuid }, { guid, actorGuid, now }) => {
      const after = { imageUrl: null }
      await updateTeam(tx, guid, after, now)
      return {
        type: 'team.updated',
        subject: guid,
        tournament: tournamentGuid,
        actor: actorGuid,
        before: { imageUrl },
        after,
      }
    },
  }),
]
