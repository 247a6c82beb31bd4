import { Type } from 'typebox'
import { tournamentPath } from '../../../../core/operation.ts'
import { oneOf } from '../../../../core/schema.ts'
import { illegalities } from '../../../../engine/flows/legal-maps.ts'
import { StateView } from '../../flowSessions/views/state.ts'
import { ProblemView } from '../../flows/views.ts'

export const sessionPath = `${tournamentPath}/flow-sessions/:flowSession` as const

/** The response to a conflict contains the current state. (match-flows: Operations) */
export const refusals = {
  409: Type.Object(
    {
      message: Type.String(),
      state: Type.Optional(StateView),
      why: Type.Optional(oneOf(illegalities, { description: 'Why a map may not be chosen.' })),
      problems: Type.Optional(Type.Array(ProblemView, { description: 'What is wrong with the flow.' })),
    },
    { title: 'FlowConflict' },
  ),
}

/** Problems of every change of a session. */
export const changeProblems = {
  'tournament.cancelled': 409,
  'bracket.unknown': 404,
  'bracket.incomplete': 409,
  'flow.moved': 409,
  'flow.over': 409,
  'flow.time_over': 409,
  'flow.limit_reached': 409,
} as const

/** Problems of changes that speakers may make. */
export const speakerProblems = {
  ...changeProblems,
  'flow.paused': 409,
  'flow.not_your_turn': 409,
  'flow.act_invalid': 400,
} as const

/** Problems when a match begins or its result changes. */
export const matchProblems = {
  'match.not_ready': 409,
  'match.no_opponent': 409,
  'match.cancelled': 409,
  'match.completed': 409,
} as const
