import { command } from '../../../../core/operation.ts'
import { endSessions } from '../../../flows/flowSessions/commands/cancelling.ts'
import { organisers } from '../../../tournaments/access/policy.ts'
import { StatusBody } from '../../../tournaments/tournaments/bodies.ts'
import { changeStatus } from '../../../tournaments/tournaments/commands/status.ts'
import { TournamentView, tournamentView } from '../../../tournaments/tournaments/views.ts'
import { placing } from '../commands/placements.ts'

const status = command({
  name: 'tournaments.changeStatus',
  method: 'POST',
  path: '/tournaments/:tournament/status',
  scope: 'rest:write',
  allow: organisers,
  inRehearsals: true,
  summary: 'Start, complete, cancel or resume the tournament.',
  description:
    'From approved to ongoing, ongoing to completed, draft, approved or ongoing to cancelled, and completed to ongoing within 14 days. Completing sets the placements, as the brackets have them. A draft is approved by being listed on the system platform.',
  body: StatusBody,
  reply: { 200: TournamentView },
  problems: { 'tournament.step_illegal': 409, 'tournament.organiser_gone': 409 },
  run: async ({ tx, actor, tournament, body, now }) => {
    const changed = await changeStatus(tx, actor, tournament.guid, body, placing, now)
    if (body.status === 'cancelled') await endSessions(tx, tournament.guid, actor.guid)
    return tournamentView(changed, actor)
  },
})

export const placementsOperations = [status]
