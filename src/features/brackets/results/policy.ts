import { policy } from '../../../core/actor.ts'
import { isOrganiser, mayCoordinate, mayReferee } from '../../tournaments/access/policy.ts'
import type { Correction } from './types.ts'

export const coordinators = policy('coordinators, and the organiser and admins of the tournament,', mayCoordinate)
export const referees = policy('coordinators and referees, and the organiser and admins of the tournament,', mayReferee)

/**
 * The roles that may make a correction may undo it: referees undo corrections of results, the organiser and admins undo
 * returns of teams. (D60)
 */
export const undoers = policy<{ readonly correction: Correction }>(
  'coordinators, referees (of results alone), and the organiser and admins of the tournament,',
  (actor, { correction }) => (correction.teamGuid === null ? mayReferee(actor) : isOrganiser(actor)),
  mayReferee,
)
