import { policy } from '../../../core/actor.ts'
import { mayCoordinate, mayReferee } from '../../tournaments/access/policy.ts'

export const coordinators = policy('coordinators, and the organiser and admins of the tournament,', mayCoordinate)
export const referees = policy('coordinators and referees, and the organiser and admins of the tournament,', mayReferee)
