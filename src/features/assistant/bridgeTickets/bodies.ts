import { Type } from 'typebox'
import { exampleUser, nullable } from '../../../core/schema.ts'
import { LiveScore } from '../../brackets/results/routes/live.ts'
import { FinishBody, finishExample } from '../proposals/bodies.ts'

export const MakeBody = Type.Object(
  {
    user: Type.String({ minLength: 1, maxLength: 64, description: 'Any identifier of a player of the match.' }),
  },
  { examples: [{ user: exampleUser }] },
)

export const exampleTicket = 'xS0p8b4vQkq1nB7yT2mZ9cR5wE3aUf6hLdJgKoVtYiM'

/** Any text is accepted, so that a malformed ticket gets the same refusal as an expired one. */
const ticket = {
  ticket: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'As its maker was answered it.',
    examples: [exampleTicket],
  }),
}

export const OpenBody = Type.Object(ticket)

export const LiveBody = Type.Object({
  ...ticket,
  value: nullable(LiveScore, 'What is known now; null takes away what was told before.'),
})

export const FinishByTicketBody = Type.Object(
  { ...ticket, ...FinishBody.properties },
  { examples: [{ ticket: exampleTicket, ...finishExample }] },
)
